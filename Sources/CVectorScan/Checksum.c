#include "CVectorScan.h"
#include "Processor.h"

#include <string.h>

/// The reflected Castagnoli polynomial, a nibble at a time.
static const uint32_t nibbles[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

static uint32_t crc_portable(uint32_t crc, const uint8_t *bytes, size_t count) {
  for (size_t index = 0; index < count; index++) {
    crc ^= bytes[index];
    crc = crc >> 4 ^ nibbles[crc & 15];
    crc = crc >> 4 ^ nibbles[crc & 15];
  }
  return crc;
}

#if X86
FAST static uint32_t crc_fast(uint32_t crc, const uint8_t *bytes, size_t count) {
  uint64_t state = crc;
  for (; count >= 8; count -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    state = _mm_crc32_u64(state, word);
  }
  for (; count > 0; count--, bytes++) state = _mm_crc32_u8((uint32_t)state, *bytes);
  return (uint32_t)state;
}
#endif

uint32_t vector_scan_crc32c(uint32_t crc, const void *bytes, size_t count) {
#if X86
  if (has_avx2()) return ~crc_fast(~crc, bytes, count);
#endif
  return ~crc_portable(~crc, bytes, count);
}
