#ifndef WEB_FILES_H
#define WEB_FILES_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A file of `ArkivedWeb/Resources` in the program: a template, a style, a script or a picture.
struct web_file {
  /// Its path from that folder.
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

size_t web_file_count(void);

/// - Parameter index: less than `web_file_count`.
struct web_file web_file_at(size_t index);

#pragma clang assume_nonnull end

#endif
