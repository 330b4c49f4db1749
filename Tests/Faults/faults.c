/* A library to preload that kills its program at a chosen file operation, or makes that operation
 * fail, and writes down all of them.
 *
 * Operations are counted that change files, or flush them, below one folder. FAULTS_ROOT names that
 * folder; without it everything passes through. FAULTS_AT is the number of the operation (from 1)
 * and FAULTS_HOW what happens there:
 *
 *   before   the program is killed before the operation
 *   after    the program is killed after it
 *   torn     half of the bytes are written, then it is killed
 *   fail     the operation fails with the error number FAULTS_ERRNO, once
 *   lasting  so do all that follow; ENOSPC and EDQUOT stop only what takes room
 *   short    half of the bytes are written, which the program is told; then the disk is full
 *
 * FAULTS_LOG names a file to which every operation is appended after it was done, with what it
 * wrote, and what the program said on standard output and sockets: enough to play all of it again.
 * A lock is held around an operation and its record, so that their order is the order they were
 * done in.
 *
 * FAULTS_RANDOM names a file that is read in place of the system's randomness, so that two runs
 * make the same identities and hence the same operations.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation {
  SAID = 1, CREATE, WRITE, TRUNCATE, SYNC, SYNC_ALL, RENAME, UNLINK, MAKE_FOLDER, REMOVE_FOLDER,
  LINK, SYMLINK, MODE, ALLOCATE
};
enum how { NOTHING, BEFORE, AFTER, TORN, FAIL, LASTING, SHORT };

static char root[PATH_MAX];
static size_t root_length;
static long at;
static enum how how;
static int error_number;
static const char *random_file;
static int log_descriptor = -1;
static long count;
static int disk_is_full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The C library's own function of that name. */
#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

__attribute__((constructor)) static void start(void) {
  static const char *names[] = {"", "before", "after", "torn", "fail", "lasting", "short"};
  const char *value = getenv("FAULTS_ROOT");
  if (!value || !realpath(value, root)) return;
  root_length = strlen(root);
  value = getenv("FAULTS_AT");
  at = value ? atol(value) : 0;
  value = getenv("FAULTS_ERRNO");
  error_number = value ? atoi(value) : EIO;
  value = getenv("FAULTS_HOW");
  for (int index = BEFORE; value && index <= SHORT; index++)
    if (strcmp(value, names[index]) == 0) how = (enum how)index;
  random_file = getenv("FAULTS_RANDOM");
  value = getenv("FAULTS_LOG");
  if (value) log_descriptor = REAL(open)(value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* MARK: Where a file lies */

static int is_below(const char *path) {
  return root_length && strncmp(path, root, root_length) == 0 &&
         (path[root_length] == '/' || path[root_length] == 0);
}

/* The path of an open file; empty for what has none. */
static void path_of(int descriptor, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
}

/* The absolute path a name stands for, with its folder's links resolved. */
static int resolve(int folder, const char *name, char *path) {
  char parent[PATH_MAX];
  const char *slash = strrchr(name, '/');
  const char *leaf = slash ? slash + 1 : name;
  size_t length = slash ? (size_t)(slash - name) : 0;
  if (!root_length || length >= sizeof parent) return 0;
  memcpy(parent, name, length);
  strcpy(parent + length, slash ? (length ? "" : "/") : ".");
  int saved = errno;
  int descriptor = REAL(openat)(folder, parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
  path[0] = 0;
  if (descriptor >= 0) {
    path_of(descriptor, path);
    close(descriptor);
  }
  errno = saved;
  length = strlen(path);
  if (!length || length + strlen(leaf) + 2 > PATH_MAX) return 0;
  if (*leaf) sprintf(path + length, "%s%s", path[length - 1] == '/' ? "" : "/", leaf);
  return is_below(path);
}

static uint64_t file_number(int descriptor) {
  struct stat about;
  return fstat(descriptor, &about) == 0 ? about.st_ino : 0;
}

static uint64_t number_of(const char *path) {
  struct stat about;
  return lstat(path, &about) == 0 ? about.st_ino : 0;
}

/* MARK: The record */

struct record {
  uint32_t size;
  uint32_t operation;
  uint64_t number, file;
  int64_t offset;
  uint32_t path_length, second_length, data_length, unused;
};

static void note(
  enum operation operation, uint64_t file, int64_t offset, const char *path, const char *second,
  const void *data, size_t length
) {
  if (log_descriptor < 0) return;
  struct record record = {
    .operation = operation, .number = operation == SAID ? 0 : count, .file = file,
    .offset = offset, .path_length = path ? strlen(path) : 0,
    .second_length = second ? strlen(second) : 0, .data_length = length};
  record.size = sizeof record + record.path_length + record.second_length + record.data_length;
  struct iovec parts[4] = {
    {&record, sizeof record}, {(void *)path, record.path_length},
    {(void *)second, record.second_length}, {(void *)data, length}};
  int saved = errno;
  if (REAL(writev)(log_descriptor, parts, 4) != (ssize_t)record.size) abort();
  errno = saved;
}

/* MARK: What happens at the chosen operation */

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

enum room { TAKES_NONE, TAKES_ROOM };
enum verdict { GO_ON, HALF, FAILED };

/* Counts an operation. The lock is held. */
static enum verdict arrive(enum room room) {
  count++;
  if (disk_is_full && room == TAKES_ROOM) {
    errno = ENOSPC;
    return FAILED;
  }
  int is_here = count == at, is_past = at && count >= at;
  if ((how == BEFORE || (how == TORN && room != TAKES_ROOM)) && is_here) die();
  if ((how == TORN || how == SHORT) && is_here) return HALF;
  int is_no_room = error_number == ENOSPC || error_number == EDQUOT;
  if ((how == FAIL && is_here) ||
      (how == LASTING && is_past && (room == TAKES_ROOM || !is_no_room))) {
    errno = error_number;
    return FAILED;
  }
  return GO_ON;
}

/* After an operation and its record. The lock is held. */
static void leave(void) {
  if (how == AFTER && count == at) die();
}

/* Runs one operation under the lock: `call` sets `result`, `record` notes it when it went well. */
#define GUARDED(type, room, call, record)                    \
  ({                                                         \
    type result = -1;                                        \
    pthread_mutex_lock(&lock);                               \
    enum verdict verdict = arrive(room);                     \
    if (verdict == HALF && how == TORN) die();               \
    if (verdict != FAILED) {                                 \
      result = call;                                         \
      if (result >= 0) { record; }                           \
      leave();                                               \
    }                                                        \
    int saved = errno;                                       \
    pthread_mutex_unlock(&lock);                             \
    errno = saved;                                           \
    result;                                                  \
  })

/* MARK: Randomness */

/* The file in place of the system's randomness, each time a little further on. */
static int opened_random(void) {
  static long opened;
  int descriptor = REAL(open)(random_file, O_RDONLY | O_CLOEXEC);
  long step = __atomic_fetch_add(&opened, 1, __ATOMIC_SEQ_CST);
  lseek(descriptor, step * 64, SEEK_SET);
  return descriptor;
}

ssize_t getrandom(void *bytes, size_t length, unsigned flags) {
  if (!random_file) return syscall(SYS_getrandom, bytes, length, flags);
  int descriptor = opened_random();
  ssize_t result = read(descriptor, bytes, length);
  close(descriptor);
  return result;
}

/* MARK: Making and opening */

static int opened(int folder, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  struct stat about;
  if (random_file && (strcmp(name, "/dev/urandom") == 0 || strcmp(name, "/dev/random") == 0))
    return opened_random();
  if (!(flags & (O_CREAT | O_TRUNC)) || !resolve(folder, name, path))
    return REAL(openat)(folder, name, flags, mode);
  int saved = errno;
  int exists = fstatat(folder, name, &about, 0) == 0;
  errno = saved;
  if (exists && !((flags & O_TRUNC) && about.st_size > 0))
    return REAL(openat)(folder, name, flags, mode);
  return GUARDED(
    int, exists ? TAKES_NONE : TAKES_ROOM, REAL(openat)(folder, name, flags, mode),
    note(exists ? TRUNCATE : CREATE, file_number(result), 0, path, 0, 0, 0));
}

#define MODE_OF(flags)                      \
  mode_t mode = 0;                          \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {  \
    va_list more;                           \
    va_start(more, flags);                  \
    mode = va_arg(more, mode_t);            \
    va_end(more);                           \
  }

int open(const char *name, int flags, ...) {
  MODE_OF(flags)
  return opened(AT_FDCWD, name, flags, mode);
}
int open64(const char *name, int flags, ...) {
  MODE_OF(flags)
  return opened(AT_FDCWD, name, flags, mode);
}
int openat(int folder, const char *name, int flags, ...) {
  MODE_OF(flags)
  return opened(folder, name, flags, mode);
}
int openat64(int folder, const char *name, int flags, ...) {
  MODE_OF(flags)
  return opened(folder, name, flags, mode);
}
int creat(const char *name, mode_t mode) {
  return opened(AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

static int made_temporary(char *name, int flags) {
  char path[PATH_MAX];
  if (!resolve(AT_FDCWD, name, path)) return REAL(mkostemp)(name, flags);
  return GUARDED(
    int, TAKES_ROOM, REAL(mkostemp)(name, flags),
    { path_of(result, path); note(CREATE, file_number(result), 0, path, 0, 0, 0); });
}
int mkstemp(char *name) { return made_temporary(name, 0); }
int mkostemp(char *name, int flags) { return made_temporary(name, flags); }

int mkdirat(int folder, const char *name, mode_t mode) {
  char path[PATH_MAX];
  if (!resolve(folder, name, path)) return REAL(mkdirat)(folder, name, mode);
  return GUARDED(
    int, TAKES_ROOM, REAL(mkdirat)(folder, name, mode),
    note(MAKE_FOLDER, number_of(path), 0, path, 0, 0, 0));
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

/* MARK: Writing */

enum place { ELSEWHERE, BELOW, SPEECH };

static enum place place_of(int descriptor, char *path) {
  struct stat about;
  if (!root_length) return ELSEWHERE;
  int saved = errno;
  path_of(descriptor, path);
  enum place place = is_below(path) ? BELOW : ELSEWHERE;
  if (place == ELSEWHERE && log_descriptor >= 0 &&
      (descriptor == 1 || (fstat(descriptor, &about) == 0 && S_ISSOCK(about.st_mode))))
    place = SPEECH;
  errno = saved;
  return place;
}

/* Writes at an offset, or at the descriptor's own where it is negative. */
static ssize_t written(int descriptor, const void *bytes, size_t length, off_t offset) {
  char path[PATH_MAX];
  enum place place = place_of(descriptor, path);
  if (place == ELSEWHERE)
    return offset < 0 ? REAL(write)(descriptor, bytes, length)
                      : REAL(pwrite)(descriptor, bytes, length, offset);
  ssize_t result = -1;
  pthread_mutex_lock(&lock);
  if (place == SPEECH) {
    result = REAL(write)(descriptor, bytes, length);
    if (result > 0) note(SAID, 0, 0, 0, 0, bytes, result);
  } else {
    enum verdict verdict = arrive(TAKES_ROOM);
    if (verdict == HALF) length /= 2;
    if (verdict != FAILED) {
      off_t begin = offset;
      struct stat about;
      if (offset < 0)
        begin = (fcntl(descriptor, F_GETFL) & O_APPEND) && fstat(descriptor, &about) == 0
                  ? about.st_size : lseek(descriptor, 0, SEEK_CUR);
      result = offset < 0 ? REAL(write)(descriptor, bytes, length)
                          : REAL(pwrite)(descriptor, bytes, length, offset);
      if (verdict == HALF && how == TORN) die();
      if (verdict == HALF) disk_is_full = 1;
      if (verdict == HALF && length == 0) {
        result = -1;
        errno = ENOSPC;
      }
      if (result >= 0) note(WRITE, file_number(descriptor), begin, path, 0, bytes, result);
      leave();
    }
  }
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  return written(descriptor, bytes, length, -1);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return written(descriptor, bytes, length, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  return written(descriptor, bytes, length, offset);
}

/* The pieces of a vector joined to one; the caller frees it. */
static char *joined(const struct iovec *parts, int number, size_t *length) {
  *length = 0;
  for (int index = 0; index < number; index++) *length += parts[index].iov_len;
  char *bytes = malloc(*length ? *length : 1);
  if (!bytes) abort();
  size_t end = 0;
  for (int index = 0; index < number; index++) {
    memcpy(bytes + end, parts[index].iov_base, parts[index].iov_len);
    end += parts[index].iov_len;
  }
  return bytes;
}

ssize_t writev(int descriptor, const struct iovec *parts, int number) {
  char path[PATH_MAX];
  if (place_of(descriptor, path) == ELSEWHERE) return REAL(writev)(descriptor, parts, number);
  size_t length;
  char *bytes = joined(parts, number, &length);
  ssize_t result = written(descriptor, bytes, length, -1);
  int saved = errno;
  free(bytes);
  errno = saved;
  return result;
}
ssize_t pwritev(int descriptor, const struct iovec *parts, int number, off_t offset) {
  char path[PATH_MAX];
  if (place_of(descriptor, path) != BELOW)
    return REAL(pwritev)(descriptor, parts, number, offset);
  size_t length;
  char *bytes = joined(parts, number, &length);
  ssize_t result = written(descriptor, bytes, length, offset);
  int saved = errno;
  free(bytes);
  errno = saved;
  return result;
}

/* Copies inside the kernel are done as a read and a write, so that they are counted, torn and
 * recorded like any other. */
static ssize_t copied(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t length) {
  size_t most = length < (1 << 20) ? length : (1 << 20);
  char *bytes = malloc(most ? most : 1);
  if (!bytes) abort();
  off_t begin = from_offset ? *from_offset : lseek(from, 0, SEEK_CUR);
  ssize_t result = pread(from, bytes, most, begin);
  if (result > 0) result = written(to, bytes, result, to_offset ? *to_offset : -1);
  if (result > 0) {
    if (from_offset) *from_offset += result; else lseek(from, result, SEEK_CUR);
    if (to_offset) *to_offset += result;
  }
  int saved = errno;
  free(bytes);
  errno = saved;
  return result;
}
ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
  char path[PATH_MAX];
  if (place_of(to, path) != BELOW) return REAL(sendfile)(to, from, offset, length);
  return copied(from, offset, to, 0, length);
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
  return sendfile(to, from, offset, length);
}
ssize_t copy_file_range(
  int from, off64_t *from_offset, int to, off64_t *to_offset, size_t length, unsigned flags
) {
  char path[PATH_MAX];
  if (place_of(to, path) != BELOW)
    return REAL(copy_file_range)(from, from_offset, to, to_offset, length, flags);
  return copied(from, from_offset, to, to_offset, length);
}

/* MARK: Sizes and flushes */

int ftruncate(int descriptor, off_t size) {
  char path[PATH_MAX];
  struct stat about;
  if (place_of(descriptor, path) != BELOW) return REAL(ftruncate)(descriptor, size);
  enum room room =
    fstat(descriptor, &about) == 0 && size > about.st_size ? TAKES_ROOM : TAKES_NONE;
  return GUARDED(
    int, room, REAL(ftruncate)(descriptor, size),
    note(TRUNCATE, file_number(descriptor), size, path, 0, 0, 0));
}
int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

static int flushed(int descriptor, int with_metadata) {
  char path[PATH_MAX];
  if (place_of(descriptor, path) != BELOW)
    return with_metadata ? REAL(fsync)(descriptor) : REAL(fdatasync)(descriptor);
  return GUARDED(
    int, TAKES_NONE, with_metadata ? REAL(fsync)(descriptor) : REAL(fdatasync)(descriptor),
    note(SYNC, file_number(descriptor), with_metadata, path, 0, 0, 0));
}
int fsync(int descriptor) { return flushed(descriptor, 1); }
int fdatasync(int descriptor) { return flushed(descriptor, 0); }
int syncfs(int descriptor) {
  if (!root_length) return REAL(syncfs)(descriptor);
  return GUARDED(int, TAKES_NONE, REAL(syncfs)(descriptor), note(SYNC_ALL, 0, 0, 0, 0, 0, 0));
}

static int allocated(int descriptor, int mode, off_t offset, off_t length) {
  char path[PATH_MAX];
  if (place_of(descriptor, path) != BELOW)
    return REAL(fallocate)(descriptor, mode, offset, length);
  int64_t range[2] = {mode, length};
  return GUARDED(
    int, TAKES_ROOM, REAL(fallocate)(descriptor, mode, offset, length),
    note(ALLOCATE, file_number(descriptor), offset, path, 0, range, sizeof range));
}
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return allocated(descriptor, mode, offset, length);
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  return allocated(descriptor, mode, offset, length);
}
int posix_fallocate(int descriptor, off_t offset, off_t length) {
  return allocated(descriptor, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  return posix_fallocate(descriptor, offset, length);
}

/* MARK: Names */

int renameat2(int folder, const char *name, int new_folder, const char *new_name, unsigned flags) {
  char path[PATH_MAX], second[PATH_MAX];
  int is_first = resolve(folder, name, path), is_second = resolve(new_folder, new_name, second);
  if (!is_first && !is_second)
    return REAL(renameat2)(folder, name, new_folder, new_name, flags);
  return GUARDED(
    int, TAKES_ROOM, REAL(renameat2)(folder, name, new_folder, new_name, flags),
    note(RENAME, number_of(second), flags, path, second, 0, 0));
}
int renameat(int folder, const char *name, int new_folder, const char *new_name) {
  return renameat2(folder, name, new_folder, new_name, 0);
}
int rename(const char *name, const char *new_name) {
  return renameat2(AT_FDCWD, name, AT_FDCWD, new_name, 0);
}

int unlinkat(int folder, const char *name, int flags) {
  char path[PATH_MAX];
  if (!resolve(folder, name, path)) return REAL(unlinkat)(folder, name, flags);
  return GUARDED(
    int, TAKES_NONE, REAL(unlinkat)(folder, name, flags),
    note(flags & AT_REMOVEDIR ? REMOVE_FOLDER : UNLINK, 0, 0, path, 0, 0, 0));
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int remove(const char *name) {
  struct stat about;
  int is_folder = lstat(name, &about) == 0 && S_ISDIR(about.st_mode);
  return unlinkat(AT_FDCWD, name, is_folder ? AT_REMOVEDIR : 0);
}

int linkat(int folder, const char *name, int new_folder, const char *new_name, int flags) {
  char path[PATH_MAX], second[PATH_MAX];
  int is_first = resolve(folder, name, path), is_second = resolve(new_folder, new_name, second);
  if (!is_first && !is_second) return REAL(linkat)(folder, name, new_folder, new_name, flags);
  return GUARDED(
    int, TAKES_ROOM, REAL(linkat)(folder, name, new_folder, new_name, flags),
    note(LINK, 0, 0, path, second, 0, 0));
}
int link(const char *name, const char *new_name) {
  return linkat(AT_FDCWD, name, AT_FDCWD, new_name, 0);
}
int symlinkat(const char *target, int folder, const char *name) {
  char path[PATH_MAX];
  if (!resolve(folder, name, path)) return REAL(symlinkat)(target, folder, name);
  return GUARDED(
    int, TAKES_ROOM, REAL(symlinkat)(target, folder, name),
    note(SYMLINK, 0, 0, path, target, 0, 0));
}
int symlink(const char *target, const char *name) { return symlinkat(target, AT_FDCWD, name); }

int fchmodat(int folder, const char *name, mode_t mode, int flags) {
  char path[PATH_MAX];
  if (!resolve(folder, name, path)) return REAL(fchmodat)(folder, name, mode, flags);
  return GUARDED(
    int, TAKES_NONE, REAL(fchmodat)(folder, name, mode, flags),
    note(MODE, 0, mode, path, 0, 0, 0));
}
int chmod(const char *name, mode_t mode) { return fchmodat(AT_FDCWD, name, mode, 0); }
int fchmod(int descriptor, mode_t mode) {
  char path[PATH_MAX];
  if (place_of(descriptor, path) != BELOW) return REAL(fchmod)(descriptor, mode);
  return GUARDED(
    int, TAKES_NONE, REAL(fchmod)(descriptor, mode), note(MODE, 0, mode, path, 0, 0, 0));
}
