/// Finds rows by their key, a number that stays in the file, with 4 bytes for each slot and at
/// least two slots for each key.
struct RowTable {
  /// The row plus one, or 0.
  private var slots: [UInt32]
  private var count = 0

  init(capacity: Int) {
    var size = 1024
    while size < capacity * 2 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
  }

  /// Returns the row last set for a key.
  func row(of key: UInt64, keys: (Int) -> UInt64) -> Int? {
    let slot = slot(of: key, keys: keys)
    return slots[slot] == 0 ? nil : Int(slots[slot]) - 1
  }

  /// Sets the row of its key and returns the previous one.
  @discardableResult
  mutating func set(_ row: Int, keys: (Int) -> UInt64) -> Int? {
    if (count + 1) * 2 > slots.count { grow(keys) }
    let slot = slot(of: keys(row), keys: keys)
    let earlier = slots[slot] == 0 ? nil : Int(slots[slot]) - 1
    if earlier == nil { count += 1 }
    slots[slot] = UInt32(row) + 1
    return earlier
  }

  /// Returns the slot of a key, or the one it would use.
  private func slot(of key: UInt64, keys: (Int) -> UInt64) -> Int {
    var mixed = key &* 0x9e37_79b9_7f4a_7c15
    mixed ^= mixed >> 32
    var slot = Int(truncatingIfNeeded: mixed) & (slots.count - 1)
    while slots[slot] != 0, keys(Int(slots[slot]) - 1) != key {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow(_ keys: (Int) -> UInt64) {
    let old = slots
    slots = [UInt32](repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 {
      slots[slot(of: keys(Int(entry) - 1), keys: keys)] = entry
    }
  }
}
