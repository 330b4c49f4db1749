#include "CVectorScan.h"
#include "Processor.h"

#include <string.h>

_Atomic bool vector_scan_best_allowed = true;

void vector_scan_use_processor(int best) {
  atomic_store_explicit(&vector_scan_best_allowed, best != 0, memory_order_relaxed);
}

// MARK: Hamming distances

INLINE uint16_t distance(const uint64_t *row, size_t words, const uint64_t *query) {
  uint64_t sum = 0;
  for (size_t word = 0; word < words; word++) {
    sum += (uint64_t)__builtin_popcountll(row[word] ^ query[word]);
  }
  return (uint16_t)sum;
}

/// `numbers` is null for all rows. A constant `words` lets the compiler unroll the inner loop.
INLINE void distances_body(
    const uint64_t *rows, const uint16_t *numbers, size_t count, size_t words,
    const uint64_t *query, uint16_t *distances) {
  for (size_t row = 0; row < count; row++) {
    size_t number = numbers ? numbers[row] : row;
    distances[row] = distance(rows + number * words, words, query);
  }
}

static void distances_portable(
    const uint64_t *rows, const uint16_t *numbers, size_t count, size_t words,
    const uint64_t *query, uint16_t *distances) {
  distances_body(rows, numbers, count, words, query, distances);
}

#if X86
FAST static void distances_fast(
    const uint64_t *rows, const uint16_t *numbers, size_t count, size_t words,
    const uint64_t *query, uint16_t *distances) {
  if (words == 6 && !numbers) {
    const uint64_t fixed[6] = {query[0], query[1], query[2], query[3], query[4], query[5]};
    distances_body(rows, NULL, count, 6, fixed, distances);
  } else if (words == 6) {
    distances_body(rows, numbers, count, 6, query, distances);
  } else {
    distances_body(rows, numbers, count, words, query, distances);
  }
}
#endif

#if X86
/// The sums of the pairs of words of four rows of six words each: two partial sums for each row.
FASTEST static inline __m512i pair_sums(const uint64_t *rows, const __m512i query[3]) {
  const __m512i a = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(rows), query[0]));
  const __m512i b = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(rows + 8), query[1]));
  const __m512i c = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(rows + 16), query[2]));
  // Row 0 is words 0-5 of a; 1 is 6-7 of a and 0-3 of b; 2 is 4-7 of b and 0-1 of c; 3 is 2-7 of c.
  const __m512i first_ab = _mm512_setr_epi64(0, 1, 6, 7, 12, 13, 0, 0);
  const __m512i second_ab = _mm512_setr_epi64(2, 3, 8, 9, 14, 15, 0, 0);
  const __m512i third_ab = _mm512_setr_epi64(4, 5, 10, 11, 0, 0, 0, 0);
  __m512i first = _mm512_permutex2var_epi64(a, first_ab, b);
  __m512i second = _mm512_permutex2var_epi64(a, second_ab, b);
  __m512i third = _mm512_permutex2var_epi64(a, third_ab, b);
  first = _mm512_mask_permutexvar_epi64(first, 0xc0, _mm512_setr_epi64(0, 0, 0, 0, 0, 0, 2, 3), c);
  second = _mm512_mask_permutexvar_epi64(
      second, 0xc0, _mm512_setr_epi64(0, 0, 0, 0, 0, 0, 4, 5), c);
  third = _mm512_mask_permutexvar_epi64(third, 0xf0, _mm512_setr_epi64(0, 0, 0, 0, 0, 1, 6, 7), c);
  return _mm512_add_epi64(_mm512_add_epi64(first, second), third);
}

/// For rows of six words. Returns the number of processed rows, a multiple of eight.
FASTEST static size_t distances_of_six(
    const uint64_t *rows, size_t count, const uint64_t *query, uint16_t *distances) {
  uint64_t repeated[24];
  for (size_t word = 0; word < 24; word++) repeated[word] = query[word % 6];
  const __m512i pattern[3] = {
      _mm512_loadu_si512(repeated), _mm512_loadu_si512(repeated + 8),
      _mm512_loadu_si512(repeated + 16)};
  const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
  size_t row = 0;
  for (; row + 8 <= count; row += 8, rows += 48) {
    const __m512i low = pair_sums(rows, pattern), high = pair_sums(rows + 24, pattern);
    const __m512i sums = _mm512_add_epi64(
        _mm512_permutex2var_epi64(low, even, high), _mm512_permutex2var_epi64(low, odd, high));
    _mm_storeu_si128((__m128i *)(distances + row), _mm512_cvtepi64_epi16(sums));
  }
  return row;
}
#endif

void vector_scan_distances_of(
    const uint64_t *rows, const uint16_t *numbers, size_t count, size_t words,
    const uint64_t *query, uint16_t *distances) {
#if X86
  if (words == 6 && !numbers && has_avx512()) {
    const size_t done = distances_of_six(rows, count, query, distances);
    distances_portable(rows + done * 6, NULL, count - done, 6, query, distances + done);
    return;
  }
  if (has_avx2()) {
    distances_fast(rows, numbers, count, words, query, distances);
    return;
  }
#endif
  distances_portable(rows, numbers, count, words, query, distances);
}

void vector_scan_distances(
    const uint64_t *rows, size_t count, size_t words, const uint64_t *query, uint16_t *distances) {
  vector_scan_distances_of(rows, NULL, count, words, query, distances);
}

// MARK: Choosing rows

INLINE size_t take(const struct vector_scan_step *step, size_t position, size_t found) {
  const uint16_t distance = step->distances[position];
  const uint32_t number = step->numbers ? step->numbers[position] : (uint32_t)position;
  step->nearest[found] = (uint64_t)distance << 32 | (step->first_row + number);
  step->histogram[distance]++;
  return found + 1;
}

INLINE size_t nearest_from(const struct vector_scan_step *step, size_t start, size_t found) {
  for (size_t position = start; position < step->count; position++) {
    if (step->distances[position] <= step->bound) found = take(step, position, found);
  }
  return found;
}

#if X86
/// Almost no row is within the bound, so whole groups of 32 are skipped at once.
FAST static size_t nearest_fast(const struct vector_scan_step *step) {
  const __m256i bound = _mm256_set1_epi16((short)step->bound);
  size_t found = 0, position = 0;
  for (; position + 32 <= step->count; position += 32) {
    const uint16_t *distances = step->distances + position;
    __m256i first = _mm256_loadu_si256((const __m256i *)distances);
    __m256i second = _mm256_loadu_si256((const __m256i *)(distances + 16));
    __m256i low = _mm256_cmpeq_epi16(_mm256_min_epu16(first, bound), first);
    __m256i high = _mm256_cmpeq_epi16(_mm256_min_epu16(second, bound), second);
    const __m256i any = _mm256_or_si256(low, high);
    if (_mm256_testz_si256(any, any)) continue;
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
    uint32_t rest = (uint32_t)_mm256_movemask_epi8(bytes);
    for (; rest; rest &= rest - 1) {
      found = take(step, position + (size_t)__builtin_ctz(rest), found);
    }
  }
  return nearest_from(step, position, found);
}
#endif

size_t vector_scan_nearest(const struct vector_scan_step *step) {
#if X86
  if (has_avx2()) return nearest_fast(step);
#endif
  return nearest_from(step, 0, 0);
}

// MARK: Inner products

static float sum_at_set_bits(const uint64_t *signs, size_t words, const float *query) {
  float sums[2] = {0, 0};
  for (size_t word = 0; word < words; word++, query += 64) {
    for (uint64_t rest = signs[word]; rest; rest &= rest - 1) {
      const int bit = __builtin_ctzll(rest);
      sums[bit & 1] += query[bit];
    }
  }
  return sums[0] + sums[1];
}

#if X86
FAST static float lanes_sum(__m256 lanes) {
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(four, _mm_shuffle_ps(four, four, 1)));
}

FAST static float sum_at_set_bits_fast(const uint64_t *signs, size_t words, const float *query) {
  const __m256i first = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i bits[4] = {
      first, _mm256_slli_epi32(first, 8), _mm256_slli_epi32(first, 16),
      _mm256_slli_epi32(first, 24)};
  __m256 sums[4] = {
      _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
  for (size_t word = 0; word < words; word++, query += 64) {
    const __m256i low = _mm256_set1_epi32((int)(uint32_t)signs[word]);
    const __m256i high = _mm256_set1_epi32((int)(uint32_t)(signs[word] >> 32));
    for (int part = 0; part < 4; part++) {
      __m256i set = _mm256_cmpeq_epi32(_mm256_and_si256(low, bits[part]), bits[part]);
      __m256 values = _mm256_loadu_ps(query + part * 8);
      sums[part] = _mm256_add_ps(sums[part], _mm256_and_ps(values, _mm256_castsi256_ps(set)));
      set = _mm256_cmpeq_epi32(_mm256_and_si256(high, bits[part]), bits[part]);
      values = _mm256_loadu_ps(query + 32 + part * 8);
      sums[part] = _mm256_add_ps(sums[part], _mm256_and_ps(values, _mm256_castsi256_ps(set)));
    }
  }
  return lanes_sum(
      _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
}
#endif

#if X86
FASTEST static float sum_at_set_bits_fastest(
    const uint64_t *signs, size_t words, const float *query) {
  __m512 sums[4] = {
      _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
  for (size_t word = 0; word < words; word++, query += 64) {
    for (int part = 0; part < 4; part++) {
      const __mmask16 set = (__mmask16)(signs[word] >> (16 * part));
      sums[part] =
          _mm512_mask_add_ps(sums[part], set, sums[part], _mm512_loadu_ps(query + 16 * part));
    }
  }
  return _mm512_reduce_add_ps(
      _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3])));
}
#endif

void vector_scan_sign_sums(
    const uint64_t *const *rows, size_t count, size_t words, const float *query, float *sums) {
  const size_t ahead = 12;
  for (size_t row = 0; row < count; row++) {
    if (row + ahead < count) {
      __builtin_prefetch(rows[row + ahead]);
      __builtin_prefetch(rows[row + ahead] + words - 1);
    }
#if X86
    if (has_avx512()) {
      sums[row] = sum_at_set_bits_fastest(rows[row], words, query);
    } else if (has_avx2()) {
      sums[row] = sum_at_set_bits_fast(rows[row], words, query);
    } else {
      sums[row] = sum_at_set_bits(rows[row], words, query);
    }
#else
    sums[row] = sum_at_set_bits(rows[row], words, query);
#endif
  }
}

static float float_of(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  const uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
  uint32_t bits;
  if (exponent == 31) {
    bits = sign | 0x7f800000 | fraction << 13;
  } else if (exponent > 0) {
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  } else {
    const float small = (float)fraction * 0x1p-24f;
    memcpy(&bits, &small, 4);
    bits |= sign;
  }
  float result;
  memcpy(&result, &bits, 4);
  return result;
}

static uint16_t half_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return sign | 0x7e00;
  if (bits >= 0x47800000) return sign | 0x7c00;
  if (bits < 0x38800000) {
    // A number too small for a half's exponent: adding 0.5 rounds it to the half's last place.
    float small;
    memcpy(&small, &bits, 4);
    small += 0.5f;
    memcpy(&bits, &small, 4);
    return sign | (uint16_t)(bits - 0x3f000000);
  }
  bits += 0xfff + (bits >> 13 & 1);
  return sign | (uint16_t)((bits - 0x38000000) >> 13);
}

#if X86
FAST static float half_product_fast(const uint16_t *row, const float *query, size_t count) {
  __m256 sums[4] = {
      _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
  size_t index = 0;
  for (; index + 32 <= count; index += 32) {
    for (size_t part = 0; part < 4; part++) {
      const size_t place = index + part * 8;
      const __m256 values = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(row + place)));
      sums[part] = _mm256_fmadd_ps(values, _mm256_loadu_ps(query + place), sums[part]);
    }
  }
  float sum = lanes_sum(
      _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
  for (; index < count; index++) sum += float_of(row[index]) * query[index];
  return sum;
}

FAST static size_t to_half_fast(const float *values, size_t count, uint16_t *halves) {
  size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    __m128i eight = _mm256_cvtps_ph(_mm256_loadu_ps(values + index), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128((__m128i *)(halves + index), eight);
  }
  return index;
}
#endif

float vector_scan_half_product(const uint16_t *row, const float *query, size_t count) {
#if X86
  if (has_avx2()) return half_product_fast(row, query, count);
#endif
  float sums[8] = {0};
  for (size_t index = 0; index < count; index++) {
    sums[index & 7] += float_of(row[index]) * query[index];
  }
  float sum = 0;
  for (size_t lane = 0; lane < 8; lane++) sum += sums[lane];
  return sum;
}

void vector_scan_half_products(
    const uint16_t *const *rows, size_t count, const float *query, size_t dimensions,
    float *products) {
  for (size_t row = 0; row < count; row++) {
    for (size_t ahead = 0; row + 2 < count && ahead < dimensions; ahead += 32) {
      __builtin_prefetch(rows[row + 2] + ahead);
    }
    products[row] = vector_scan_half_product(rows[row], query, dimensions);
  }
}

void vector_scan_to_half(const float *values, size_t count, uint16_t *halves) {
  size_t index = 0;
#if X86
  if (has_avx2()) index = to_half_fast(values, count, halves);
#endif
  for (; index < count; index++) halves[index] = half_of(values[index]);
}

void vector_scan_from_half(const uint16_t *halves, size_t count, float *values) {
  for (size_t index = 0; index < count; index++) values[index] = float_of(halves[index]);
}
