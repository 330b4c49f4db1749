#include "CKernels.h"

#include <math.h>

// Multiply-adds may be fused if the instruction set supports it.
#pragma clang fp contract(fast)

typedef float v4f __attribute__((vector_size(16)));
typedef float v8f __attribute__((vector_size(32)));
typedef float v4f_loose __attribute__((vector_size(16), aligned(4)));
typedef float floats16 __attribute__((vector_size(64)));
typedef float floats16_loose __attribute__((vector_size(64), aligned(4)));
typedef unsigned char bytes16 __attribute__((vector_size(16)));
typedef unsigned char bytes16_loose __attribute__((vector_size(16), aligned(1)));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

// A block of x this large stays in the second-level cache while a panel of w is processed, and the
// other way round; a depth of 384 keeps the current rows in the first-level cache.
enum { block_rows = 48, block_depth = 384, panel_rows = 64 };
_Static_assert(CK_PANEL_FLOATS == block_depth * panel_rows, "room for one panel, unpacked");

#define NAME(x) portable_##x
#define LANES 4
#define TILE 3
#include "Kernels.h"
#undef NAME
#undef LANES
#undef TILE

#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define NAME(x) avx2_##x
#define LANES 8
#define TILE 3
#include "Kernels.h"
#undef NAME
#undef LANES
#undef TILE
#pragma clang attribute pop

#pragma clang attribute push( \
    __attribute__((target("avx2,fma,avx512f,avx512vl,avx512dq"))), apply_to = function)
#define NAME(x) avx512_##x
#define LANES 16
#define TILE 6
#include "Kernels.h"
#undef NAME
#undef LANES
#undef TILE
#pragma clang attribute pop

const struct ck_kernels *ck_kernels_at(int level) {
  __builtin_cpu_init();
  int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  int has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  switch (level) {
    case 0: return &portable_kernels;
    case 1: return has_avx2 ? &avx2_kernels : NULL;
    case 2: return has_avx512 ? &avx512_kernels : NULL;
    default: return NULL;
  }
}

#else

const struct ck_kernels *ck_kernels_at(int level) {
  return level == 0 ? &portable_kernels : NULL;
}

#endif

const struct ck_kernels *ck_kernels_best(void) {
  for (int level = 2; level > 0; level--) {
    const struct ck_kernels *kernels = ck_kernels_at(level);
    if (kernels != NULL) return kernels;
  }
  return &portable_kernels;
}
