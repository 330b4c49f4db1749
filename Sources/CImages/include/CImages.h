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
  /// It has more points than fit into memory.
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

// MARK: The reader of files

/// How a process ended.
struct ci_outcome {
  /// Whether it had to be killed here.
  int is_killed;
  /// The signal that ended it, else 0.
  int signal;
  int code;
  /// The most memory that it had at hand; 0 where its parent has had more, and it cannot be told.
  long kilobytes;
};

/// Starts a program with one argument that may write below one folder, which is also its folder for
/// temporary files. Of the environment it gets what tells of language, zone and libraries.
///
/// - Returns: 0, or what went wrong as an errno.
int ci_start_files(
    const char *program, const char *argument, const char *folder, struct ci_child *child);

/// Sends bytes to a process; 0, ETIMEDOUT, or EPIPE when it has ended.
int ci_send(const struct ci_child *child, const uint8_t *bytes, size_t count, int milliseconds);

/// Receives what a process has sent, once there is something.
///
/// - Returns: how many bytes came; 0 when it has ended, -1 when nothing came in time.
ssize_t ci_receive(
    const struct ci_child *child, uint8_t *bytes, size_t capacity, int milliseconds);

/// Waits for the end of a process, kills it when it goes on for longer, and closes its socket.
///
/// - Returns: 0, or an errno where somebody else took its end.
int ci_conclude(struct ci_child *child, int milliseconds, struct ci_outcome *how);

/// In the process: limits memory, open files and what a crash leaves, and takes away the network,
/// other processes and, where the system can, writing outside of the folder for temporary files.
void ci_confine_files(void);

/// In the process: allows so many further seconds of the processor.
void ci_allow_seconds(unsigned seconds);

/// In the process: how much it has read from disks and written to them, in blocks.
uint64_t ci_traffic(void);

/// In the process: waits until whoever asks is gone, for so long at most.
///
/// - Returns: whether nobody is there any more.
int ci_await_end(int milliseconds);

/// In the process: reads what was asked; how many bytes, 0 when nobody asks any more.
ssize_t ci_read_question(uint8_t *bytes, size_t capacity);

/// In the process: answers; whether somebody took it.
int ci_write_answer(const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end

#endif
