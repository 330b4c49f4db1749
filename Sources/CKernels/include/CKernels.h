#ifndef CKERNELS_H
#define CKERNELS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// The arithmetic of a transformer's forward pass, on 32-bit floats and one thread.
///
/// Matrices are row-major; rows follow each other without a gap unless a stride is named. No
/// pointer needs more than a float's alignment. Outputs overlap no inputs unless said.
struct ck_kernels {
  /// y[rows × outputs] = x[rows × inputs] · w[outputs × inputs]ᵀ + bias[outputs].
  ///
  /// `outputs` is a multiple of 4 and `inputs` of 16. A row of y depends on its row of x alone,
  /// to the last bit, however many rows there are.
  void (*_Nonnull linear)(
      const float *x, size_t rows, size_t inputs, const float *w, const float *bias,
      size_t outputs, float *y);

  /// context = softmax(q · kᵀ / √width) · v of one text, for each of its heads.
  ///
  /// q, k, v and context are [tokens × heads · width]; `width` is a multiple of 32. `scores` is
  /// room for CK_SCORE_ROWS · (tokens rounded up to a multiple of 16) floats.
  void (*_Nonnull attention)(
      const float *q, const float *k, const float *v, size_t tokens, size_t heads, size_t width,
      float *scores, float *context);

  /// x = x / 2 · (1 + erf(x / √2)) in place, within 2·10⁻⁷ · |x|; `count` is a multiple of 16.
  void (*_Nonnull gelu)(float *x, size_t count);

  /// x = (s − mean(s)) / √(variance(s) + epsilon) · gain + bias, with s = x + residual, for each
  /// row, in place; `width` is a multiple of 16.
  void (*_Nonnull layer_norm)(
      float *x, const float *residual, size_t rows, size_t width, const float *gain,
      const float *bias, float epsilon);

  /// The mean of x's rows, scaled to length 1; a mean of zeros stays zeros. `width` is a multiple
  /// of 16.
  void (*_Nonnull unit_mean)(const float *x, size_t rows, size_t width, float *mean);
};

/// How many rows of scores `attention` works on at once.
#define CK_SCORE_ROWS 6

/// The kernels written for an instruction set: 0 is what every processor has, 1 AVX2 with FMA,
/// 2 AVX-512. Null where this processor does not have it.
const struct ck_kernels *_Nullable ck_kernels_at(int level);

/// The fastest kernels that this processor runs.
const struct ck_kernels *ck_kernels_best(void);

#pragma clang assume_nonnull end

#endif
