#ifndef CKERNELS_H
#define CKERNELS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// The arithmetic of a transformer's forward pass, on 32-bit floats and one thread.
///
/// Matrices are row-major; rows follow each other without a gap unless a stride is named. No
/// pointer needs more than a float's alignment. Outputs don't overlap inputs unless stated.
struct ck_kernels {
  /// y[rows × outputs] = x[rows × inputs] · w[outputs × inputs]ᵀ + bias[outputs].
  ///
  /// `outputs` is a multiple of 4 and `inputs` of 16. A row of y depends only on its row of x, to
  /// the last bit, regardless of the number of rows.
  void (*_Nonnull linear)(
      const float *x, size_t rows, size_t inputs, const float *w, const float *bias,
      size_t outputs, float *y);

  /// The same with a packed w: each of its rows is `inputs` / CK_BLOCK_VALUES blocks, as read by
  /// `unpack`. `room` has space for CK_PANEL_FLOATS floats; `inputs` is a multiple of
  /// CK_BLOCK_VALUES.
  void (*_Nonnull packed_linear)(
      const float *x, size_t rows, size_t inputs, const unsigned char *w, const float *bias,
      size_t outputs, float *room, float *y);

  /// The values of packed blocks: a little-endian half float, and 16 bytes whose low halves are the
  /// first 16 values and whose high halves are the others; a value is (half − 8) · the half float.
  ///
  /// `count` is a multiple of CK_BLOCK_VALUES.
  void (*_Nonnull unpack)(const unsigned char *blocks, size_t count, float *values);

  /// context = softmax(q · kᵀ / √width) · v of one text, for each of its heads.
  ///
  /// q, k, v and context are [tokens × heads · width]; `width` is a multiple of 32. `scores` has
  /// space for CK_SCORE_ROWS · (tokens rounded up to a multiple of 16) floats.
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

/// The number of values in a packed block, and of its bytes.
#define CK_BLOCK_VALUES 32
#define CK_BLOCK_BYTES 18

/// The space for the rows of w that are unpacked at a time.
#define CK_PANEL_FLOATS (64 * 384)

/// The number of rows of scores that `attention` processes at a time.
#define CK_SCORE_ROWS 6

/// The kernels for an instruction set: 0 for any processor, 1 for AVX2 with FMA, 2 for AVX-512.
/// Null if this processor doesn't support it.
const struct ck_kernels *_Nullable ck_kernels_at(int level);

/// The fastest kernels for this processor.
const struct ck_kernels *ck_kernels_best(void);

#pragma clang assume_nonnull end

#endif
