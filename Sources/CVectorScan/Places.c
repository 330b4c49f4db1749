#include "CVectorScan.h"
#include "Processor.h"

INLINE bool has(const uint64_t *set, size_t words, int64_t number) {
  size_t word = (size_t)((uint64_t)number >> 6);
  return word < words && (set[word] >> (number & 63) & 1);
}

/// The bits of up to 64 places whose days are in the range.
INLINE uint64_t within_days(
    const int32_t *days, size_t count, const struct vector_scan_filter *filter) {
  const uint32_t first = (uint32_t)filter->first_day;
  const uint32_t span = (uint32_t)filter->last_day - first;
  uint64_t bits = 0;
  for (size_t place = 0; place < count; place++) {
    bits |= (uint64_t)((uint32_t)days[place] - first <= span) << place;
  }
  return bits;
}

#if X86
FASTEST static uint64_t within_days_fastest(
    const int32_t *days, const struct vector_scan_filter *filter) {
  const __m512i first = _mm512_set1_epi32(filter->first_day);
  const __m512i last = _mm512_set1_epi32(filter->last_day);
  uint64_t bits = 0;
  for (int part = 0; part < 4; part++) {
    const __m512i some = _mm512_loadu_si512(days + part * 16);
    const __mmask16 late = _mm512_cmpge_epi32_mask(some, first);
    bits |= (uint64_t)_mm512_mask_cmple_epi32_mask(late, some, last) << (part * 16);
  }
  return bits;
}
#endif

void vector_scan_passing(
    const int64_t *documents, const int32_t *days, size_t count,
    const struct vector_scan_filter *filter, uint64_t *passing) {
  const struct vector_scan_filter wanted = *filter;
  const bool any_day = wanted.first_day == INT32_MIN && wanted.last_day == INT32_MAX;
  const bool any_document = !wanted.is_limited && !wanted.excluded_words;
#if X86
  const bool best = has_avx512();
#endif
  for (size_t start = 0; start < count; start += 64, documents += 64, days += 64) {
    const size_t some = count - start < 64 ? count - start : 64;
    uint64_t bits = passing[start >> 6];
    if (bits && !any_day) {
#if X86
      bits &= best && some == 64 ? within_days_fastest(days, &wanted)
                                 : within_days(days, some, &wanted);
#else
      bits &= within_days(days, some, &wanted);
#endif
    }
    if (!any_document) {
      for (uint64_t rest = bits; rest; rest &= rest - 1) {
        const int place = __builtin_ctzll(rest);
        bool passes = true;
        if (wanted.is_limited) passes = has(wanted.allowed, wanted.allowed_words, documents[place]);
        passes &= !has(wanted.excluded, wanted.excluded_words, documents[place]);
        bits ^= (uint64_t)!passes << place;
      }
    }
    passing[start >> 6] = bits;
  }
}

bool vector_scan_mark(
    const uint32_t *texts, const uint64_t *passing, size_t count, size_t text_count,
    uint64_t *marked) {
  bool good = true;
  for (size_t start = 0; start < count; start += 64, texts += 64) {
    for (uint64_t rest = passing[start >> 6]; rest; rest &= rest - 1) {
      const uint32_t text = texts[__builtin_ctzll(rest)];
      if (text >= text_count) {
        good = false;
      } else {
        marked[text >> 6] |= (uint64_t)1 << (text & 63);
      }
    }
  }
  return good;
}

/// The bits of up to 64 places whose texts are chosen; `good` becomes false if a text number is too
/// high.
INLINE uint64_t chosen_bits(
    const uint32_t *texts, size_t count, const uint64_t *chosen, size_t text_count, bool *good) {
  uint64_t bits = 0;
  for (size_t place = 0; place < count; place++) {
    const uint32_t text = texts[place];
    if (text >= text_count) {
      *good = false;
    } else {
      bits |= (chosen[text >> 6] >> (text & 63) & 1) << place;
    }
  }
  return bits;
}

#if X86
FASTEST static uint64_t chosen_bits_fastest(
    const uint32_t *texts, const uint64_t *chosen, const uint64_t *folded, size_t text_count,
    bool *good) {
  const __m512i limit = _mm512_set1_epi32((int)(uint32_t)text_count);
  // The set is small enough for two registers, and gathering from memory is slow.
  const __m512i first = _mm512_loadu_si512(folded), second = _mm512_loadu_si512(folded + 8);
  const __m512i low = _mm512_set1_epi32(31);
  const __m512i one = _mm512_set1_epi32(1);
  uint64_t bits = 0;
  for (int part = 0; part < 4; part++) {
    const __m512i some = _mm512_loadu_si512(texts + part * 16);
    if (_mm512_cmplt_epu32_mask(some, limit) != 0xffff) {
      *good = false;
      return 0;
    }
    // Five bits of the index are used; a 32-bit word is half of a little-endian 64-bit one.
    const __m512i words =
        _mm512_permutex2var_epi32(first, _mm512_srli_epi32(some, 5), second);
    const __m512i bit = _mm512_sllv_epi32(one, _mm512_and_si512(some, low));
    bits |= (uint64_t)_mm512_test_epi32_mask(words, bit) << (part * 16);
  }
  for (uint64_t rest = bits; rest; rest &= rest - 1) {
    const int place = __builtin_ctzll(rest);
    const uint64_t is_chosen = chosen[texts[place] >> 6] >> (texts[place] & 63) & 1;
    bits ^= (is_chosen ^ 1) << place;
  }
  return bits;
}
#endif

size_t vector_scan_places_of(
    const uint32_t *texts, const uint64_t *passing, size_t count, const uint64_t *chosen,
    const uint64_t *folded, size_t text_count, uint16_t *numbers) {
  bool good = true;
  size_t found = 0;
#if X86
  const bool best = has_avx512();
#endif
  for (size_t start = 0; start < count; start += 64, texts += 64) {
    const size_t some = count - start < 64 ? count - start : 64;
    if (passing && !passing[start >> 6]) continue;
#if X86
    uint64_t bits = best && some == 64 ? chosen_bits_fastest(texts, chosen, folded, text_count, &good)
                                       : chosen_bits(texts, some, chosen, text_count, &good);
#else
    (void)folded;
    uint64_t bits = chosen_bits(texts, some, chosen, text_count, &good);
#endif
    if (passing) bits &= passing[start >> 6];
    for (; bits; bits &= bits - 1) {
      numbers[found++] = (uint16_t)(start + (size_t)__builtin_ctzll(bits));
    }
  }
  return good ? found : count + 1;
}

size_t vector_scan_numbers(const uint64_t *bits, size_t words, uint16_t *numbers) {
  size_t found = 0;
  for (size_t word = 0; word < words; word++) {
    for (uint64_t rest = bits[word]; rest; rest &= rest - 1) {
      numbers[found++] = (uint16_t)(word * 64 + (size_t)__builtin_ctzll(rest));
    }
  }
  return found;
}
