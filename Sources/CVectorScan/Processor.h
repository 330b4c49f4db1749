#ifndef PROCESSOR_H
#define PROCESSOR_H

// The capabilities of the running processor, and how a function is compiled for them.

#include <stdatomic.h>
#include <stdbool.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define X86 1
#endif

/// False while tests run the portable versions.
extern _Atomic bool vector_scan_best_allowed;

#if X86
/// Supported by nearly every x86 processor since 2013.
static inline bool has_avx2(void) {
  return atomic_load_explicit(&vector_scan_best_allowed, memory_order_relaxed)
      && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
      && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("f16c")
      && __builtin_cpu_supports("sse4.2");
}
#define FAST __attribute__((target("avx2,fma,popcnt,f16c,sse4.2")))

/// Supported by processors that count the bits of eight words at once.
static inline bool has_avx512(void) {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
      && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
}
#define FASTEST \
  __attribute__((target("avx2,fma,popcnt,f16c,sse4.2,avx512f,avx512bw,avx512vl,avx512vpopcntdq")))
#endif

#define INLINE static inline __attribute__((always_inline))

#endif
