#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CImages.h"
#include "Message.h"

// The process that reads files, apart from the reading itself.

void ci_confine_files(void) {
  signal(SIGPIPE, SIG_IGN);
  umask(077);
  limit_files();
  const char *folder = getenv("TMPDIR");
  confine_files(folder != NULL ? folder : "/nonexistent");
}

void ci_allow_seconds(unsigned seconds) { allow_seconds(seconds); }

uint64_t ci_traffic(void) {
  struct rusage used;
  if (getrusage(RUSAGE_SELF, &used) != 0) return 0;
  return (uint64_t)used.ru_inblock + (uint64_t)used.ru_oublock;
}

int ci_await_end(int milliseconds) {
  // A closed connection is always reported; a request may be pending at the same time.
  struct pollfd state = {.fd = 0, .events = 0};
  return poll(&state, 1, milliseconds) > 0 && state.revents != 0;
}

ssize_t ci_read_question(uint8_t *bytes, size_t capacity) {
  while (1) {
    ssize_t count = read(0, bytes, capacity);
    if (count >= 0) return count;
    if (errno != EINTR) return 0;
  }
}

int ci_write_answer(const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(1, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (errno != EINTR) {
      return 0;
    }
  }
  return 1;
}
