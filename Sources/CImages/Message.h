#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdint.h>

/// The headers of the messages over the socket, between two processes of one program on one
/// machine.
struct question {
  uint32_t request, box;
  uint64_t count;
};

struct answer {
  uint32_t status, width, height, unused;
  uint64_t count;
};

/// A larger file is not a picture for viewing.
#define QUESTION_LIMIT ((uint64_t)512 << 20)

/// Drops privileges that a reader of pictures doesn't need: the network, other programs, and
/// changing files. If the system doesn't support this, the limits of `limit_reader` still apply.
void confine_reader(void);

/// Limits memory, open files and writing; called before libvips is loaded.
void limit_reader(void);

/// The same for a reader of files, which may write unpacked files.
void limit_files(void);

/// Drops privileges that a reader of files doesn't need: the network, other processes, and changing
/// files outside a folder. Applies to the calling thread and those it starts.
void confine_files(const char *folder);

/// Allows a number of additional seconds of processor time.
void allow_seconds(unsigned seconds);

#endif
