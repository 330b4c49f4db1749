#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CImages.h"
#include "Message.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/// Starts a program with one argument and an environment.
static int start(
    const char *program, const char *argument, char *const *environment, struct ci_child *child) {
  int ends[2];
  int kind = SOCK_STREAM;
#ifdef SOCK_CLOEXEC
  // Atomically, since another thread may be starting a program.
  kind |= SOCK_CLOEXEC;
#endif
  if (socketpair(AF_UNIX, kind, 0, ends) != 0) return errno;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
    int yes = 1;
    setsockopt(ends[i], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  // A separate process group: Ctrl-C at a terminal is for the calling program.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  char *arguments[] = {(char *)program, (char *)argument, NULL};
  int failure =
      posix_spawn(&child->pid, program, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    return failure;
  }
  child->socket = ends[0];
  return 0;
}

int ci_start(const char *program, const char *argument, struct ci_child *child) {
  // Numbers with decimal points, no JIT compiler, no files for large pictures, small memory pools.
  char *environment[] = {
      "LC_ALL=C.UTF-8",          "VIPS_NOVECTOR=1",    "VIPS_CONCURRENCY=1",
      "VIPS_DISC_THRESHOLD=64g", "MALLOC_ARENA_MAX=2", NULL};
  return start(program, argument, environment, child);
}

/// The environment variables that a reader of files needs: date order, zones, and the library path.
static const char *const passed[] = {
    "HOME", "LANG", "LC_ALL", "LC_TIME", "LC_CTYPE", "TZ", "TZDIR", "PATH", "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH"};
enum { PASSED = sizeof passed / sizeof *passed };

/// Returns "NAME=value" in newly allocated memory.
static char *variable(const char *name, const char *value) {
  size_t count = strlen(name) + strlen(value) + 2;
  char *text = malloc(count);
  if (text != NULL) snprintf(text, count, "%s=%s", name, value);
  return text;
}

int ci_start_files(
    const char *program, const char *argument, const char *folder, struct ci_child *child) {
  char *made[PASSED + 2];
  size_t count = 0;
  for (size_t i = 0; i < PASSED; i++) {
    const char *value = getenv(passed[i]);
    if (value != NULL) made[count++] = variable(passed[i], value);
  }
  made[count++] = variable("TMPDIR", folder);
  made[count++] = variable("SQLITE_TMPDIR", folder);
  int failure = 0;
  // A crash ends the process immediately, without another program that collects a report.
  char *environment[PASSED + 5] = {
      "MALLOC_ARENA_MAX=2", "SWIFT_BACKTRACE=enable=no", NULL};
  for (size_t i = 0; i < count; i++) {
    if (made[i] == NULL) failure = ENOMEM;
    environment[2 + i] = made[i];
  }
  environment[2 + count] = NULL;
  if (failure == 0) failure = start(program, argument, environment, child);
  for (size_t i = 0; i < count; i++) free(made[i]);
  return failure;
}

void ci_end(struct ci_child *child) {
  close(child->socket);
  kill(child->pid, SIGKILL);
  while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR) {
  }
}

/// The milliseconds of a monotonic clock.
static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Waits until the socket is ready for an event; 0 or an errno.
static int await(int socket, short event, int64_t end) {
  while (1) {
    int64_t left = end - now();
    if (left <= 0) return ETIMEDOUT;
    struct pollfd state = {.fd = socket, .events = event};
    int count = poll(&state, 1, left > 60000 ? 60000 : (int)left);
    if (count > 0) return 0;
    if (count < 0 && errno != EINTR) return errno;
  }
}

static int send_all(int socket, const void *bytes, size_t count, int64_t end) {
  const uint8_t *next = bytes;
  while (count > 0) {
    ssize_t sent = send(socket, next, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      next += sent;
      count -= (size_t)sent;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      int failure = await(socket, POLLOUT, end);
      if (failure != 0) return failure;
    } else if (errno != EINTR) {
      return EPIPE;
    }
  }
  return 0;
}

static int receive_all(int socket, void *bytes, size_t count, int64_t end) {
  uint8_t *next = bytes;
  while (count > 0) {
    ssize_t received = recv(socket, next, count, MSG_DONTWAIT);
    if (received > 0) {
      next += received;
      count -= (size_t)received;
    } else if (received == 0) {
      return EPIPE;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      int failure = await(socket, POLLIN, end);
      if (failure != 0) return failure;
    } else if (errno != EINTR) {
      return EPIPE;
    }
  }
  return 0;
}

int ci_ask(
    const struct ci_child *child, enum ci_request request, uint32_t box, const uint8_t *bytes,
    size_t count, size_t limit, int seconds, struct ci_reply *reply) {
  int64_t end = now() + (int64_t)seconds * 1000;
  struct question question = {.request = request, .box = box, .count = count};
  int failure = send_all(child->socket, &question, sizeof question, end);
  if (failure == 0) failure = send_all(child->socket, bytes, count, end);
  struct answer answer;
  if (failure == 0) failure = receive_all(child->socket, &answer, sizeof answer, end);
  if (failure != 0) return failure;
  if (answer.count > limit) return EPIPE;
  uint8_t *content = malloc(answer.count > 0 ? answer.count : 1);
  if (content == NULL) return ENOMEM;
  failure = receive_all(child->socket, content, answer.count, end);
  if (failure != 0) {
    free(content);
    return failure;
  }
  *reply = (struct ci_reply){
      .status = answer.status, .width = answer.width, .height = answer.height,
      .bytes = content, .count = answer.count};
  return 0;
}

int ci_send(
    const struct ci_child *child, const uint8_t *bytes, size_t count, int milliseconds) {
  return send_all(child->socket, bytes, count, now() + milliseconds);
}

ssize_t ci_receive(
    const struct ci_child *child, uint8_t *bytes, size_t capacity, int milliseconds) {
  int64_t end = now() + milliseconds;
  while (1) {
    ssize_t received = recv(child->socket, bytes, capacity, MSG_DONTWAIT);
    if (received >= 0) return received;
    if (errno == EINTR) continue;
    // Data that a process left unread when it exited counts as its exit.
    if (errno != EAGAIN && errno != EWOULDBLOCK) return 0;
    int failure = await(child->socket, POLLIN, end);
    if (failure == ETIMEDOUT) return -1;
    if (failure != 0) return 0;
  }
}

int ci_conclude(struct ci_child *child, int milliseconds, struct ci_outcome *how) {
  int64_t end = now() + milliseconds;
  int status = 0, is_killed = 0;
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  while (1) {
    pid_t ended = wait4(child->pid, &status, is_killed ? 0 : WNOHANG, &usage);
    if (ended == child->pid) break;
    if (ended < 0 && errno != EINTR) {
      close(child->socket);
      return errno;
    }
    if (ended == 0 && now() >= end) {
      kill(child->pid, SIGKILL);
      is_killed = 1;
    } else if (ended == 0) {
      struct timespec moment = {0, 5000000};
      nanosleep(&moment, NULL);
    }
  }
  close(child->socket);
  how->is_killed = is_killed;
  how->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  how->code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
#ifdef __APPLE__
  how->kilobytes = usage.ru_maxrss / 1024;
#else
  // Linux includes the parent's memory at the time of the fork.
  struct rusage own;
  getrusage(RUSAGE_SELF, &own);
  how->kilobytes = usage.ru_maxrss > own.ru_maxrss ? usage.ru_maxrss : 0;
#endif
  return 0;
}
