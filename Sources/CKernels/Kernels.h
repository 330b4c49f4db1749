// The kernels, written once; CKernels.c includes this for each instruction set, with
//   NAME(x)   x's name in that set
//   LANES     the floats of a vector: 4, 8 or 16
//   TILE      the rows of x that go through a product together: their 4 · TILE sums, TILE values
//             and a weight fill the set's registers
// so it has no include guard.

typedef float NAME(vec) __attribute__((vector_size(LANES * 4)));
typedef int NAME(ints) __attribute__((vector_size(LANES * 4)));
// The same with a float's alignment, for loading and storing.
typedef float NAME(loose) __attribute__((vector_size(LANES * 4), aligned(4)));

#define VEC NAME(vec)
#define INTS NAME(ints)
#define LOAD(p) (*(const NAME(loose) *)(p))
#define STORE(p, v) (*(NAME(loose) *)(p) = (v))

INLINE VEC NAME(splat)(float x) { return (VEC){} + x; }

INLINE VEC NAME(choose)(INTS mask, VEC yes, VEC no) {
  return (VEC)(((INTS)yes & mask) | ((INTS)no & ~mask));
}

INLINE VEC NAME(larger)(VEC a, VEC b) { return NAME(choose)(a > b, a, b); }

// The sums of the lanes of four vectors.
INLINE v4f NAME(lane_sums)(VEC a, VEC b, VEC c, VEC d) {
#if LANES == 4
  v4f ab = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
  v4f cd = __builtin_shufflevector(c, d, 0, 1, 4, 5) + __builtin_shufflevector(c, d, 2, 3, 6, 7);
  return __builtin_shufflevector(ab, cd, 0, 2, 4, 6) + __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
#else
#if LANES == 16
#define HALVED(x)                                          \
  (__builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) + \
   __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15))
#else
#define HALVED(x) (x)
#endif
  v8f e = HALVED(a), f = HALVED(b), g = HALVED(c), h = HALVED(d);
#undef HALVED
  v8f ef = __builtin_shufflevector(e, f, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(e, f, 4, 5, 6, 7, 12, 13, 14, 15);
  v8f gh = __builtin_shufflevector(g, h, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(g, h, 4, 5, 6, 7, 12, 13, 14, 15);
  v8f pairs = __builtin_shufflevector(ef, gh, 0, 1, 8, 9, 4, 5, 12, 13) +
              __builtin_shufflevector(ef, gh, 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(pairs, pairs, 0, 4, 2, 6) +
         __builtin_shufflevector(pairs, pairs, 1, 5, 3, 7);
#endif
}

INLINE float NAME(lane_sum)(VEC a) {
  v4f sums = NAME(lane_sums)(a, a, a, a);
  return sums[0];
}

// `count` rows of x times four of w, added to `start`. Products are summed per lane, and the lanes
// at the end: both matrices are read along their rows, so w doesn't have to be rearranged.
//
// With `ahead`, the next four rows of w are prefetched: the pass of a single text is limited by
// loading the weights from memory.
INLINE void NAME(tile)(
    const float *x, size_t x_stride, const float *w, size_t w_stride, size_t depth, int count,
    float *y, size_t y_stride, const float *start, size_t start_stride, int ahead) {
  VEC sums[TILE][4];
  UNROLL for (int i = 0; i < count; i++)
    UNROLL for (int j = 0; j < 4; j++) sums[i][j] = (VEC){};
#pragma clang loop unroll(disable)
  for (size_t k = 0; k < depth; k += LANES) {
    if (ahead)
      UNROLL for (int j = 0; j < 4; j++) __builtin_prefetch(w + (4 + j) * w_stride + k);
    VEC values[TILE];
    UNROLL for (int i = 0; i < count; i++) values[i] = LOAD(x + i * x_stride + k);
    UNROLL for (int j = 0; j < 4; j++) {
      VEC weight = LOAD(w + j * w_stride + k);
      UNROLL for (int i = 0; i < count; i++) sums[i][j] += values[i] * weight;
    }
  }
  UNROLL for (int i = 0; i < count; i++) {
    v4f row = NAME(lane_sums)(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    *(v4f_loose *)(y + i * y_stride) = row + *(const v4f_loose *)(start + i * start_stride);
  }
}

// The remaining rows of a tile, with separate unrolled code for each number.
INLINE void NAME(part_tile)(
    const float *x, size_t x_stride, const float *w, size_t w_stride, size_t depth, size_t count,
    float *y, size_t y_stride, const float *start, size_t start_stride) {
#define ROWS(n)                                                                             \
  case n:                                                                                   \
    NAME(tile)(x, x_stride, w, w_stride, depth, n, y, y_stride, start, start_stride, 0);    \
    break;
  switch (count) {
    ROWS(1)
    ROWS(2)
    ROWS(3)
#if TILE > 3
    ROWS(4)
    ROWS(5)
    ROWS(6)
#endif
  }
#undef ROWS
}

// All rows of x times a panel of w's rows, over one stretch of the depth. `start` contains the
// initial sums: the bias, the same for each row, or the result of the previous stretch in y.
INLINE void NAME(panel)(
    const float *x, size_t x_stride, size_t rows, const float *w, size_t w_stride, size_t depth,
    size_t count, size_t behind, float *y, size_t y_stride, const float *start,
    size_t start_stride) {
  for (size_t first = 0; first < rows; first += block_rows) {
    size_t last = rows - first < block_rows ? rows : first + block_rows;
    for (size_t j = 0; j < count; j += 4) {
      const float *weights = w + j * w_stride;
      const float *from = x + first * x_stride;
      float *to = y + first * y_stride + j;
      const float *sums = start + first * start_stride + j;
      size_t left = last - first;
      if (first == 0 && left >= TILE && j + 8 <= behind) {
        NAME(tile)(
            from, x_stride, weights, w_stride, depth, TILE, to, y_stride, sums, start_stride, 1);
        left -= TILE, from += TILE * x_stride, to += TILE * y_stride;
        sums += TILE * start_stride;
      }
      for (; left >= TILE; left -= TILE) {
        NAME(tile)(
            from, x_stride, weights, w_stride, depth, TILE, to, y_stride, sums, start_stride, 0);
        from += TILE * x_stride, to += TILE * y_stride, sums += TILE * start_stride;
      }
      NAME(part_tile)(
          from, x_stride, weights, w_stride, depth, left, to, y_stride, sums, start_stride);
    }
  }
}

static void NAME(linear)(
    const float *x, size_t rows, size_t inputs, const float *w, const float *bias, size_t outputs,
    float *y) {
  for (size_t k = 0; k < inputs; k += block_depth) {
    size_t depth = inputs - k < block_depth ? inputs - k : block_depth;
    for (size_t panel = 0; panel < outputs; panel += panel_rows) {
      size_t count = outputs - panel < panel_rows ? outputs - panel : panel_rows;
      // The first stretch of the depth starts from the bias, the others from the previous result.
      NAME(panel)(
          x + k, inputs, rows, w + panel * inputs + k, inputs, depth, count, outputs - panel,
          y + panel, outputs, k == 0 ? bias + panel : y + panel, k == 0 ? 0 : outputs);
    }
  }
}

// A block's scale, a half float; the shift also handles subnormal numbers correctly.
INLINE float NAME(scale_of)(const unsigned char *block) {
  unsigned half = block[0] | (unsigned)block[1] << 8;
  union { unsigned bits; float value; } scale = {(half & 0x7fff) << 13};
  scale.value *= 0x1p112f;
  scale.bits |= (half & 0x8000) << 16;
  return scale.value;
}

static void NAME(unpack)(const unsigned char *blocks, size_t count, float *values) {
  for (size_t i = 0; i < count; i += CK_BLOCK_VALUES, blocks += CK_BLOCK_BYTES) {
    float scale = NAME(scale_of)(blocks);
    bytes16 nibbles = *(const bytes16_loose *)(blocks + 2);
    floats16 low = __builtin_convertvector(nibbles & 15, floats16);
    floats16 high = __builtin_convertvector(nibbles >> 4, floats16);
    *(floats16_loose *)(values + i) = (low - 8.0f) * scale;
    *(floats16_loose *)(values + i + 16) = (high - 8.0f) * scale;
  }
}

static void NAME(packed_linear)(
    const float *x, size_t rows, size_t inputs, const unsigned char *w, const float *bias,
    size_t outputs, float *room, float *y) {
  size_t row_bytes = inputs / CK_BLOCK_VALUES * CK_BLOCK_BYTES;
  for (size_t k = 0; k < inputs; k += block_depth) {
    size_t depth = inputs - k < block_depth ? inputs - k : block_depth;
    const unsigned char *from = w + k / CK_BLOCK_VALUES * CK_BLOCK_BYTES;
    for (size_t panel = 0; panel < outputs; panel += panel_rows) {
      size_t count = outputs - panel < panel_rows ? outputs - panel : panel_rows;
      for (size_t row = 0; row < count; row++)
        NAME(unpack)(from + (panel + row) * row_bytes, depth, room + row * depth);
      NAME(panel)(
          x + k, inputs, rows, room, depth, depth, count, 0, y + panel, outputs,
          k == 0 ? bias + panel : y + panel, k == 0 ? 0 : outputs);
    }
  }
}

// eˣ by x = n · ln 2 + r and the series of eʳ, within 2·10⁻⁷ of it; below −87 it is e⁻⁸⁷.
INLINE VEC NAME(exp)(VEC x) {
  x = NAME(larger)(x, NAME(splat)(-87.0f));
  x = NAME(choose)(x < 88.0f, x, NAME(splat)(88.0f));
  // Adding 1.5 · 2²³ leaves the nearest whole number in the low bits.
  VEC shifted = x * 1.44269504f + 12582912.0f;
  VEC n = shifted - 12582912.0f;
  VEC r = x - n * 0.693359375f + n * 2.12194440e-4f;
  VEC series = r * (1.0f / 5040) + (1.0f / 720);
  series = series * r + (1.0f / 120);
  series = series * r + (1.0f / 24);
  series = series * r + (1.0f / 6);
  series = series * r + 0.5f;
  series = series * r + 1.0f;
  series = series * r + 1.0f;
  return series * (VEC)(((INTS)shifted - 0x4B400000 + 127) << 23);
}

// softmax of `count` scores scaled by `scale`, without the division by the sum, which it returns.
INLINE float NAME(soften)(float *scores, size_t count, float scale) {
  size_t padded = (count + LANES - 1) / LANES * LANES;
  for (size_t j = count; j < padded; j++) scores[j] = -INFINITY;
  VEC largest = LOAD(scores);
  for (size_t j = LANES; j < padded; j += LANES)
    largest = NAME(larger)(LOAD(scores + j), largest);
  float most = largest[0];
  for (int lane = 1; lane < LANES; lane++) most = largest[lane] > most ? largest[lane] : most;
  VEC sum = (VEC){};
  for (size_t j = 0; j < padded; j += LANES) {
    VEC share = NAME(exp)((LOAD(scores + j) - most) * scale);
    STORE(scores + j, share);
    sum += share;
  }
  // Padding beyond the end counts as e⁻⁸⁷ each, which is negligible.
  return NAME(lane_sum)(sum);
}

// The mean of v's rows weighted by `count` rows of scores, for two vectors of v's width.
INLINE void NAME(weigh)(
    const float *scores, size_t score_stride, const float *sums, const float *v, size_t stride,
    size_t tokens, int count, float *context) {
  VEC low[TILE], high[TILE];
  UNROLL for (int i = 0; i < count; i++) low[i] = high[i] = (VEC){};
#pragma clang loop unroll(disable)
  for (size_t j = 0; j < tokens; j++) {
    VEC left = LOAD(v + j * stride), right = LOAD(v + j * stride + LANES);
    UNROLL for (int i = 0; i < count; i++) {
      float score = scores[i * score_stride + j];
      low[i] += left * score;
      high[i] += right * score;
    }
  }
  UNROLL for (int i = 0; i < count; i++) {
    STORE(context + i * stride, low[i] / sums[i]);
    STORE(context + i * stride + LANES, high[i] / sums[i]);
  }
}

static void NAME(attention)(
    const float *q, const float *k, const float *v, size_t tokens, size_t heads, size_t width,
    float *scores, float *context) {
  static const float zeros[4];
  size_t stride = heads * width;
  size_t score_stride = (tokens + 15) / 16 * 16;
  float scale = 1.0f / sqrtf((float)width);
  for (size_t head = 0; head < heads; head++) {
    const float *keys = k + head * width;
    for (size_t first = 0; first < tokens; first += TILE) {
      size_t count = tokens - first < TILE ? tokens - first : TILE;
      const float *queries = q + first * stride + head * width;
      size_t j = 0;
      for (; j + 4 <= tokens; j += 4) {
        const float *four = keys + j * stride;
        if (count == TILE)
          NAME(tile)(
              queries, stride, four, stride, width, TILE, scores + j, score_stride, zeros, 0, 0);
        else
          NAME(part_tile)(
              queries, stride, four, stride, width, count, scores + j, score_stride, zeros, 0);
      }
      for (; j < tokens; j++)
        for (size_t i = 0; i < count; i++) {
          VEC sum = (VEC){};
          for (size_t c = 0; c < width; c += LANES)
            sum += LOAD(queries + i * stride + c) * LOAD(keys + j * stride + c);
          scores[i * score_stride + j] = NAME(lane_sum)(sum);
        }
      float sums[TILE];
      for (size_t i = 0; i < count; i++)
        sums[i] = NAME(soften)(scores + i * score_stride, tokens, scale);
      for (size_t c = 0; c < width; c += 2 * LANES) {
        const float *values = v + head * width + c;
        float *to = context + first * stride + head * width + c;
        if (count == TILE)
          NAME(weigh)(scores, score_stride, sums, values, stride, tokens, TILE, to);
        else
          for (size_t i = 0; i < count; i++)
            NAME(weigh)(
                scores + i * score_stride, score_stride, sums + i, values, stride, tokens, 1,
                to + i * stride);
      }
    }
  }
}

// erf by Abramowitz and Stegun's 7.1.26, within 1.5·10⁻⁷.
static void NAME(gelu)(float *x, size_t count) {
  for (size_t i = 0; i < count; i += LANES) {
    VEC value = LOAD(x + i);
    VEC z = value * 0.70710678f;
    VEC size = NAME(larger)(z, -z);
    VEC t = 1.0f / (size * 0.3275911f + 1.0f);
    VEC tail = t * 1.061405429f - 1.453152027f;
    tail = tail * t + 1.421413741f;
    tail = tail * t - 0.284496736f;
    tail = tail * t + 0.254829592f;
    // 1 − erf |z|, so that 1 + erf z is this for negative z and 2 minus this for others.
    tail = tail * t * NAME(exp)(-size * size);
    STORE(x + i, value * 0.5f * NAME(choose)(z < 0.0f, tail, 2.0f - tail));
  }
}

static void NAME(layer_norm)(
    float *x, const float *residual, size_t rows, size_t width, const float *gain,
    const float *bias, float epsilon) {
  for (size_t row = 0; row < rows; row++, x += width, residual += width) {
    VEC sum = (VEC){};
    for (size_t c = 0; c < width; c += LANES) {
      VEC value = LOAD(x + c) + LOAD(residual + c);
      STORE(x + c, value);
      sum += value;
    }
    float mean = NAME(lane_sum)(sum) / (float)width;
    VEC squares = (VEC){};
    for (size_t c = 0; c < width; c += LANES) {
      VEC off = LOAD(x + c) - mean;
      squares += off * off;
    }
    float scale = 1.0f / sqrtf(NAME(lane_sum)(squares) / (float)width + epsilon);
    for (size_t c = 0; c < width; c += LANES)
      STORE(x + c, (LOAD(x + c) - mean) * scale * LOAD(gain + c) + LOAD(bias + c));
  }
}

static void NAME(unit_mean)(const float *x, size_t rows, size_t width, float *mean) {
  VEC squares = (VEC){};
  for (size_t c = 0; c < width; c += LANES) {
    VEC sum = (VEC){};
    for (size_t row = 0; row < rows; row++) sum += LOAD(x + row * width + c);
    sum = sum / (float)rows;
    STORE(mean + c, sum);
    squares += sum * sum;
  }
  float length = sqrtf(NAME(lane_sum)(squares));
  if (length == 0) return;
  for (size_t c = 0; c < width; c += LANES) STORE(mean + c, LOAD(mean + c) / length);
}

static const struct ck_kernels NAME(kernels) = {
    NAME(linear), NAME(packed_linear), NAME(unpack), NAME(attention), NAME(gelu),
    NAME(layer_norm), NAME(unit_mean),
};

#undef VEC
#undef INTS
#undef LOAD
#undef STORE
