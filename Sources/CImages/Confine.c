#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

#include "Message.h"

void limit_reader(void) {
  // What was open when the program was started is none of the reader's business.
  for (int file = 3; file < 1024; file++) close(file);
  struct rlimit memory = {1536ul << 20, 1536ul << 20};
  setrlimit(RLIMIT_AS, &memory);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_FSIZE, &none);
  setrlimit(RLIMIT_CORE, &none);
  struct rlimit files = {64, 64};
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
#include <sys/syscall.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), \
      ANSWER(SECCOMP_RET_ERRNO | EPERM)
/// Opening is for reading alone; the low half of an argument holds its flags.
#define REFUSE_WRITING(call, argument) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[argument]), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1), \
      ANSWER(SECCOMP_RET_ERRNO | EPERM), ANSWER(SECCOMP_RET_ALLOW)

void confine_reader(void) {
#ifdef OWN_ARCHITECTURE
  struct sock_filter rules[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
      REFUSE_WRITING(openat, 2),
#ifdef __NR_open
      REFUSE_WRITING(open, 1),
      REFUSE(creat),
      REFUSE(unlink),
      REFUSE(rename),
      REFUSE(link),
      REFUSE(symlink),
      REFUSE(mkdir),
      REFUSE(rmdir),
      REFUSE(chmod),
      REFUSE(chown),
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
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  // For all threads, should there be any.
  syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
#endif
}

#else

void confine_reader(void) {}

#endif
