#ifndef CVECTORSCAN_H
#define CVECTORSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The inner loops of the vector index. Each uses the fastest version for the running processor, and
// has a portable version for all others. None allocates memory, and callers provide all lengths.

/// The Hamming distances from `query` to `count` consecutive rows of `words` words each.
void vector_scan_distances(
    const uint64_t *rows, size_t count, size_t words, const uint64_t *query, uint16_t *distances);

/// The Hamming distances from `query` to the rows with the given numbers only.
void vector_scan_distances_of(
    const uint64_t *rows, const uint16_t *numbers, size_t count, size_t words,
    const uint64_t *query, uint16_t *distances);

/// Some rows with known distances, and the destination for the nearest of them.
struct vector_scan_step {
  const uint16_t *distances;
  size_t count;
  /// The rows' numbers after `first_row`; null for 0, 1, 2 and so on.
  const uint16_t *numbers;
  uint32_t first_row;
  /// Rows farther away than this are skipped.
  uint16_t bound;
  /// The number of rows at each distance.
  uint32_t *histogram;
  /// Space for `count` rows: the distance in the upper half, the row in the lower.
  uint64_t *nearest;
};

/// Appends the rows within the bound and counts them. Returns their number.
size_t vector_scan_nearest(const struct vector_scan_step *step);

/// The conditions for a place in a search.
struct vector_scan_filter {
  int32_t first_day, last_day;
  /// True if only the documents in `allowed` pass.
  bool is_limited;
  /// Bit sets over document numbers, with their lengths in words.
  const uint64_t *allowed, *excluded;
  size_t allowed_words, excluded_words;
};

/// Clears the bits of those of `count` places that do not pass. `first_day` must not be greater
/// than `last_day`.
void vector_scan_passing(
    const int64_t *documents, const int32_t *days, size_t count,
    const struct vector_scan_filter *filter, uint64_t *passing);

/// Sets the bits of the texts of the places whose bits are set.
///
/// Returns false if a number is not less than `text_count`.
bool vector_scan_mark(
    const uint32_t *texts, const uint64_t *passing, size_t count, size_t text_count,
    uint64_t *marked);

/// Writes which of `count` places, at most 65,536, have a text whose bit is set, in ascending
/// order.
///
/// `folded` has 1,024 bits: bit n is set when a number is chosen whose lowest ten bits are n. It
/// fits into the processor's registers, and most texts that are not chosen fail by it. `passing` has
/// a bit for each place that may be given, or is null. `numbers` has room for `count`. Returns how
/// many there are, or `count` + 1 when a text's number is not below `text_count`.
size_t vector_scan_places_of(
    const uint32_t *texts, const uint64_t *passing, size_t count, const uint64_t *chosen,
    const uint64_t *folded, size_t text_count, uint16_t *numbers);

/// Writes the numbers of the set bits in ascending order, and returns how many there are.
size_t vector_scan_numbers(const uint64_t *bits, size_t words, uint16_t *numbers);

/// For each row, the sum of the query's numbers where its sign bits are set. Twice this sum minus
/// the sum of all numbers is the inner product of the query with the signs.
void vector_scan_sign_sums(
    const uint64_t *const *rows, size_t count, size_t words, const float *query, float *sums);

/// The inner product of a query with a row of IEEE 754 binary16 numbers.
float vector_scan_half_product(const uint16_t *row, const float *query, size_t count);

/// The same for many rows that may not be in the processor's caches.
void vector_scan_half_products(
    const uint16_t *const *rows, size_t count, const float *query, size_t dimensions,
    float *products);

/// Rounds to IEEE 754 binary16, to nearest, ties to even.
void vector_scan_to_half(const float *values, size_t count, uint16_t *halves);

void vector_scan_from_half(const uint16_t *halves, size_t count, float *values);

/// The CRC-32C (RFC 3720, appendix B.4) of the data covered by `crc` followed by these bytes; start
/// with 0.
uint32_t vector_scan_crc32c(uint32_t crc, const void *bytes, size_t count);

/// Lets tests run the portable versions on any processor: 0 for the portable ones, 1 for the best.
void vector_scan_use_processor(int best);

#endif
