/// Detects repeated records in constant memory.
///
/// Each record is remembered until another takes its slot, which, with a million slots, happens
/// late and rarely.
struct HealthRepeats {
  private static let bits = 20
  private var known = [UInt64](repeating: 0, count: 1 << HealthRepeats.bits)

  /// Returns true if the same record was read before.
  mutating func isRepeated(
    type: Int, source: Int, start: Int, end: Int, value: UInt64
  ) -> Bool {
    var mark = UInt64(bitPattern: Int64(start)) &* 0x9E37_79B9_7F4A_7C15
    for part in [
      UInt64(bitPattern: Int64(end)), value, UInt64(type) << 32 | UInt64(source),
    ] {
      mark = (mark ^ (mark >> 29) ^ part) &* 0xBF58_476D_1CE4_E5B9
    }
    mark ^= mark >> 32
    mark |= 1
    let place = Int(mark >> (64 - UInt64(Self.bits)))
    defer { known[place] = mark }
    return known[place] == mark
  }
}
