#ifndef CIMAGES_H
#define CIMAGES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// The requests to a reader of pictures.
enum ci_request { CI_THUMBNAIL = 1, CI_METADATA = 2 };

/// The status of a response.
enum ci_status {
  CI_DONE = 0,
  /// The picture can't be read; the response contains libvips's reason.
  CI_UNREADABLE = 1,
  /// It has more pixels than fit into memory.
  CI_TOO_LARGE = 2,
  /// libvips isn't installed.
  CI_ABSENT = 3,
};

/// A process that reads pictures, and the socket for requests.
struct ci_child {
  pid_t pid;
  int socket;
};

struct ci_reply {
  uint32_t status;
  /// The size of the displayed picture in pixels.
  uint32_t width, height;
  /// The thumbnail, the metadata or the reason; to be freed by the caller.
  uint8_t *_Nullable bytes;
  size_t count;
};

/// Starts a program with one argument and a short environment.
///
/// - Returns: 0, or an errno.
int ci_start(const char *program, const char *argument, struct ci_child *child);

/// Kills a process that was started, and waits for it.
void ci_end(struct ci_child *child);

/// Sends a request and waits for the response.
///
/// - Parameters:
///   - box: the width and height in points into which a thumbnail fits.
///   - limit: a longer answer is none.
///   - seconds: of waiting, all in all.
/// - Returns: 0, ETIMEDOUT, or EPIPE when the process has ended.
int ci_ask(
    const struct ci_child *child, enum ci_request request, uint32_t box, const uint8_t *bytes,
    size_t count, size_t limit, int seconds, struct ci_reply *reply);

/// The main function of the process: drops privileges, and handles requests on standard input and
/// output until there are no more.
void ci_serve(void);

// MARK: The reader of files

/// The outcome of a process.
struct ci_outcome {
  /// True if it had to be killed here.
  int is_killed;
  /// The signal that ended it, or 0.
  int signal;
  int code;
  /// The most memory it used; 0 if its parent has used more, because it can't be determined then.
  long kilobytes;
};

/// Starts a program with one argument that may write only below one folder, which is also its
/// folder for temporary files. Its environment contains only the variables for language, zone and
/// libraries.
///
/// - Returns: 0, or an errno.
int ci_start_files(
    const char *program, const char *argument, const char *folder, struct ci_child *child);

/// Sends bytes to a process; returns 0, ETIMEDOUT, or EPIPE if it has exited.
int ci_send(const struct ci_child *child, const uint8_t *bytes, size_t count, int milliseconds);

/// Receives data sent by a process, once there is any.
///
/// - Returns: the number of bytes; 0 if it has exited, -1 if nothing arrived in time.
ssize_t ci_receive(
    const struct ci_child *child, uint8_t *bytes, size_t capacity, int milliseconds);

/// Waits for a process to exit, kills it after a time limit, and closes its socket.
///
/// - Returns: 0, or an errno if the process was waited for elsewhere.
int ci_conclude(struct ci_child *child, int milliseconds, struct ci_outcome *how);

/// In the process: limits memory, open files and core dumps, and blocks the network, other
/// processes and, if the system can, writing outside the folder for temporary files.
void ci_confine_files(void);

/// In the process: allows a number of additional seconds of processor time.
void ci_allow_seconds(unsigned seconds);

/// In the process: returns the amount read from and written to disks, in blocks.
uint64_t ci_traffic(void);

/// In the process: waits until the calling process has exited, up to a limit.
///
/// - Returns: true if it has exited.
int ci_await_end(int milliseconds);

/// In the process: reads a request; returns the number of bytes, or 0 if there are no more
/// requests.
ssize_t ci_read_question(uint8_t *bytes, size_t capacity);

/// In the process: sends a response; returns true if it was received.
int ci_write_answer(const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end

#endif
