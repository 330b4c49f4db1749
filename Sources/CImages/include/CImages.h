#ifndef CIMAGES_H
#define CIMAGES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// What is asked of a reader of pictures.
enum ci_request { CI_THUMBNAIL = 1, CI_METADATA = 2 };

/// How a reader answers.
enum ci_status {
  CI_DONE = 0,
  /// The picture cannot be read; the answer is libvips's reason.
  CI_UNREADABLE = 1,
  /// It has more points than fit into memory, as its header says.
  CI_TOO_LARGE = 2,
  /// libvips is not there.
  CI_ABSENT = 3,
};

/// A process that reads pictures, and the socket on which it is asked.
struct ci_child {
  pid_t pid;
  int socket;
};

struct ci_reply {
  uint32_t status;
  /// Points of the picture as it is shown.
  uint32_t width, height;
  /// The thumbnail, the metadata or the reason; to be freed by the caller.
  uint8_t *_Nullable bytes;
  size_t count;
};

/// Starts a program with one argument and a short environment of its own.
///
/// - Returns: 0, or what went wrong as an errno.
int ci_start(const char *program, const char *argument, struct ci_child *child);

/// Kills a process that was started and takes its end.
void ci_end(struct ci_child *child);

/// Asks once and waits for the answer.
///
/// - Parameters:
///   - box: the width and height in points into which a thumbnail fits.
///   - limit: a longer answer is none.
///   - seconds: of waiting, all in all.
/// - Returns: 0, ETIMEDOUT, or EPIPE when the process has ended.
int ci_ask(
    const struct ci_child *child, enum ci_request request, uint32_t box, const uint8_t *bytes,
    size_t count, size_t limit, int seconds, struct ci_reply *reply);

/// The program of the process: takes its rights away, and answers on standard input and output
/// until there are no more questions.
void ci_serve(void);

#pragma clang assume_nonnull end

#endif
