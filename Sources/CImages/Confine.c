#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include "Message.h"

/// Closes what was open in the parent: the connections of a server are inherited, and must not be
/// available to a reader. Their numbers may be as high as the limit that the server raises.
static void close_inherited(void) {
#ifdef __linux__
  // close_range, since Linux 5.9, whose number is the same on all processors.
  const long close_range_number = 436;
  if (syscall(close_range_number, 3u, ~0u, 0u) == 0) return;
#endif
  int end = getdtablesize();
  if (end < 1024) end = 1024;
  for (int file = 3; file < end; file++) close(file);
}

void limit_reader(void) {
  close_inherited();
  struct rlimit memory = {1536ul << 20, 1536ul << 20};
  setrlimit(RLIMIT_AS, &memory);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_FSIZE, &none);
  setrlimit(RLIMIT_CORE, &none);
  struct rlimit files = {64, 64};
  setrlimit(RLIMIT_NOFILE, &files);
}

void limit_files(void) {
  close_inherited();
  // Files are mapped, so the address space may exceed the memory.
  struct rlimit memory = {2048ul << 20, 2048ul << 20};
  setrlimit(RLIMIT_DATA, &memory);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  struct rlimit files = {1024, 1024};
  setrlimit(RLIMIT_NOFILE, &files);
}

void allow_seconds(unsigned seconds) {
  struct rusage used;
  if (getrusage(RUSAGE_SELF, &used) != 0) return;
  struct rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit) != 0) return;
  limit.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2) + seconds;
  setrlimit(RLIMIT_CPU, &limit);
}

#ifdef __linux__

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
/// System calls of the same processor with other numbers (x32) begin here.
#define OTHER_NUMBERS 0x40000000
/// Loads the number of a call; rejects calls of another processor or with other numbers.
#define LOAD_OWN_NUMBER \
  LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0), \
      ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr), \
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_NUMBERS, 0, 1), \
      ANSWER(SECCOMP_RET_ERRNO | ENOSYS)
#define REFUSE(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), \
      ANSWER(SECCOMP_RET_ERRNO | EPERM)
/// Opening is allowed only for reading; the flags are in the low half of an argument.
#define REFUSE_WRITING(call, argument) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[argument]), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1), \
      ANSWER(SECCOMP_RET_ERRNO | EPERM), ANSWER(SECCOMP_RET_ALLOW)

/// Allows starting threads, but no processes, which would have memory and time of their own.
/// The flags of a newer call are in memory, where a filter can't see them; without it, the C library
/// uses the older one.
#define ONLY_THREADS \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4), LOAD(args[0]), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0), \
      ANSWER(SECCOMP_RET_ERRNO | EPERM), ANSWER(SECCOMP_RET_ALLOW)

static void filter_files(void);

void confine_reader(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  filter_files();
#ifdef OWN_ARCHITECTURE
  struct sock_filter rules[] = {
      LOAD_OWN_NUMBER,
      REFUSE_WRITING(openat, 2),
      ONLY_THREADS,
#ifdef __NR_clone3
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
      ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
#endif
#ifdef __NR_open
      REFUSE_WRITING(open, 1),
      REFUSE(creat),
      REFUSE(unlink),
      REFUSE(rename),
      REFUSE(link),
      REFUSE(symlink),
      REFUSE(mkdir),
      REFUSE(rmdir),
      REFUSE(mknod),
      REFUSE(chmod),
      REFUSE(chown),
      REFUSE(fork),
      REFUSE(vfork),
#endif
      REFUSE(socket),
      REFUSE(socketpair),
      REFUSE(connect),
      REFUSE(bind),
      REFUSE(execve),
      REFUSE(execveat),
      REFUSE(ptrace),
      REFUSE(process_vm_readv),
      REFUSE(process_vm_writev),
      REFUSE(kill),
      REFUSE(unlinkat),
      REFUSE(renameat2),
#ifdef __NR_renameat
      REFUSE(renameat),
#endif
      REFUSE(linkat),
      REFUSE(symlinkat),
      REFUSE(mkdirat),
      REFUSE(mknodat),
      REFUSE(truncate),
      REFUSE(ftruncate),
      REFUSE(fchmod),
      REFUSE(fchmodat),
      REFUSE(fchown),
      REFUSE(fchownat),
      REFUSE(utimensat),
      REFUSE(setxattr),
      REFUSE(bpf),
#ifdef __NR_openat2
      REFUSE(openat2),
#endif
#ifdef __NR_io_uring_setup
      REFUSE(io_uring_setup),
#endif
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  // For all threads, if there are any.
  syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
#endif
}

// MARK: Files

/// Reports success without doing anything: permissions and times don't matter in a folder that will
/// be removed.
#define PRETEND(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), ANSWER(SECCOMP_RET_ERRNO | 0)
/// Allows a call only for one value of an argument.
#define ONLY_FOR(call, argument, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[argument]), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0), ANSWER(SECCOMP_RET_ERRNO | EPERM), \
      ANSWER(SECCOMP_RET_ALLOW)
/// Allows a call for all values of an argument except one.
#define NOT_FOR(call, argument, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[argument]), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), ANSWER(SECCOMP_RET_ERRNO | EPERM), \
      ANSWER(SECCOMP_RET_ALLOW)
/// Truncating a file is writing, even though it can be combined with opening for reading.
#define REFUSE_EMPTYING(call, argument) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 5), LOAD(args[argument]), \
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_WRONLY | O_RDWR), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TRUNC, 0, 1), \
      ANSWER(SECCOMP_RET_ERRNO | EPERM), ANSWER(SECCOMP_RET_ALLOW)
/// Injects input into the terminal as if its owner had typed it.
#define TYPE_INTO_TERMINAL 0x5412

/// Denies sockets and access to other processes and the system, in every reader.
static void filter_files(void) {
#ifdef OWN_ARCHITECTURE
  const unsigned self = (unsigned)getpid();
  struct sock_filter rules[] = {
      LOAD_OWN_NUMBER,
      REFUSE_EMPTYING(openat, 2),
#ifdef __NR_open
      REFUSE_EMPTYING(open, 1),
      PRETEND(chmod),
      PRETEND(chown),
      PRETEND(lchown),
      PRETEND(utime),
      PRETEND(utimes),
      PRETEND(futimesat),
#endif
      PRETEND(fchmod),
      PRETEND(fchmodat),
      PRETEND(fchown),
      PRETEND(fchownat),
      PRETEND(utimensat),
      PRETEND(setxattr),
      PRETEND(lsetxattr),
      PRETEND(fsetxattr),
      PRETEND(removexattr),
      PRETEND(lremovexattr),
      PRETEND(fremovexattr),
      REFUSE(truncate),
      ONLY_FOR(kill, 0, self),
      ONLY_FOR(tgkill, 0, self),
      ONLY_FOR(prlimit64, 0, 0),
      NOT_FOR(ioctl, 1, TYPE_INTO_TERMINAL),
      REFUSE(tkill),
      REFUSE(rt_sigqueueinfo),
      REFUSE(rt_tgsigqueueinfo),
      REFUSE(setpriority),
      REFUSE(sched_setscheduler),
      REFUSE(sched_setparam),
      REFUSE(sched_setattr),
      REFUSE(migrate_pages),
      REFUSE(move_pages),
      // A socket pair remains allowed, because the reader of pictures is called over one.
      REFUSE(socket),
      REFUSE(connect),
      REFUSE(bind),
      REFUSE(listen),
      REFUSE(accept),
      REFUSE(accept4),
      REFUSE(ptrace),
      REFUSE(process_vm_readv),
      REFUSE(process_vm_writev),
      REFUSE(kcmp),
      REFUSE(bpf),
      REFUSE(perf_event_open),
      REFUSE(userfaultfd),
      REFUSE(keyctl),
      REFUSE(add_key),
      REFUSE(request_key),
      REFUSE(mount),
      REFUSE(umount2),
      REFUSE(pivot_root),
      REFUSE(chroot),
      REFUSE(unshare),
      REFUSE(setns),
      REFUSE(open_by_handle_at),
      REFUSE(init_module),
      REFUSE(finit_module),
      REFUSE(delete_module),
      REFUSE(kexec_load),
      REFUSE(reboot),
      REFUSE(swapon),
      REFUSE(swapoff),
      REFUSE(sethostname),
      REFUSE(settimeofday),
      REFUSE(clock_settime),
      REFUSE(adjtimex),
      REFUSE(shmget),
      REFUSE(msgget),
      REFUSE(semget),
#ifdef __NR_pidfd_open
      REFUSE(pidfd_open),
#endif
#ifdef __NR_pidfd_getfd
      REFUSE(pidfd_getfd),
#endif
#ifdef __NR_pidfd_send_signal
      REFUSE(pidfd_send_signal),
#endif
#ifdef __NR_process_madvise
      REFUSE(process_madvise),
#endif
#ifdef __NR_openat2
      REFUSE(openat2),
#endif
#ifdef __NR_fchmodat2
      PRETEND(fchmodat2),
#endif
#ifdef __NR_move_mount
      REFUSE(move_mount),
      REFUSE(open_tree),
      REFUSE(fsopen),
      REFUSE(fsmount),
#endif
#ifdef __NR_io_uring_setup
      REFUSE(io_uring_setup),
      REFUSE(io_uring_enter),
      REFUSE(io_uring_register),
#endif
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
#endif
}

// Landlock, as documented in Documentation/userspace-api/landlock.rst of Linux; its call numbers
// are the same on all processors. Declared here because older headers lack it.

enum { CREATE_RULES = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

struct fence {
  uint64_t rights;
};

struct __attribute__((packed)) gap {
  uint64_t rights;
  int32_t place;
};

/// Writing to files.
static const uint64_t right_to_write = 1 << 1;
/// Writing, and removing and creating entries of every kind.
static const uint64_t rights_to_change = 1 << 1 | 0x1FF << 4;
/// Moving between folders; since version 2.
static const uint64_t right_to_move = 1 << 13;
/// Truncating; since version 3.
static const uint64_t right_to_shorten = 1 << 14;

static void let_through(int rules, const char *path, uint64_t rights) {
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return;
  struct gap gap = {rights, place};
  syscall(ADD_RULE, rules, 1, &gap, 0);
  close(place);
}

/// Allows changing files only below one folder.
static void fence_in(const char *folder) {
  long version = syscall(CREATE_RULES, NULL, 0, 1);
  if (version < 1) return;
  uint64_t rights = rights_to_change;
  if (version >= 2) rights |= right_to_move;
  if (version >= 3) rights |= right_to_shorten;
  struct fence fence = {rights};
  int rules = (int)syscall(CREATE_RULES, &fence, sizeof fence, 0);
  if (rules < 0) return;
  // Programs write discarded output there; the reader of pictures is started with it.
  let_through(rules, "/dev/null", right_to_write);
  let_through(rules, folder, rights);
  syscall(RESTRICT_SELF, rules, 0);
  close(rules);
}

void confine_files(const char *folder) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  fence_in(folder);
  filter_files();
}

#else

void confine_reader(void) {}
void confine_files(const char *folder) { (void)folder; }

#endif
