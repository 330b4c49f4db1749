/// Packs the document ordinals of one block of postings.
///
/// Ordinals ascend; each is stored as its distance from the previous one minus one, in as many bits
/// as the largest of them needs, low bits first. Eight numbers therefore fill exactly as many bytes
/// as one number has bits, and a block is unpacked in groups of eight.
enum BlockCoding {
  /// The number of postings in a block; only a term's last block may have fewer.
  static let capacity = 128
  /// The number of bytes after the last block that allow unpacking to read past its end.
  static let padding = 64

  /// Packs ascending ordinals, all of them above `previous` (-1 before the first document).
  ///
  /// - Returns: the width in bits.
  static func pack(
    _ ordinals: some Collection<UInt32>, after previous: Int, into bytes: inout [UInt8]
  ) -> Int {
    var last = previous
    var all: UInt32 = 0
    for ordinal in ordinals {
      all |= UInt32(truncatingIfNeeded: Int(ordinal) - last - 1)
      last = Int(ordinal)
    }
    let width = UInt32.bitWidth - all.leadingZeroBitCount
    var bits: UInt64 = 0
    var used = 0
    last = previous
    for ordinal in ordinals {
      bits |= UInt64(Int(ordinal) - last - 1) << UInt64(used)
      used += width
      last = Int(ordinal)
      while used >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        used -= 8
      }
    }
    if used > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
    return width
  }

  /// Returns the size of a block's ordinals in bytes.
  static func packedCount(_ count: Int, width: Int) -> Int { (count * width + 7) / 8 }

  /// Returns the number of bytes that `unpack` may read.
  static func readCount(_ count: Int, width: Int) -> Int { (count + 7) / 8 * width + 16 }

  /// Unpacks a block, writing up to seven numbers more than `count`.
  ///
  /// - Parameters:
  ///   - source: `readCount` readable bytes.
  ///   - count: the number of ordinals in the block.
  ///   - width: the width in bits, 0 to 31.
  ///   - previous: the ordinal before the block, -1 before the first.
  ///   - ordinals: capacity for `count` rounded up to a multiple of eight.
  static func unpack(
    _ source: UnsafeRawPointer, count: Int, width: Int, after previous: Int,
    into ordinals: UnsafeMutablePointer<UInt32>
  ) {
    let groups = (count &+ 7) / 8
    var value = UInt32(truncatingIfNeeded: previous)
    var input = source
    var output = ordinals
    let mask = (UInt64(1) &<< UInt64(width)) &- 1
    let shift = UInt64(width)
    if width == 0 {
      for index in 0..<(groups &* 8) {
        output[index] = value &+ 1 &+ UInt32(truncatingIfNeeded: index)
      }
    } else if width <= 8 {
      for _ in 0..<groups {
        var bits = input.loadUnaligned(as: UInt64.self)
        for index in 0..<8 {
          value = value &+ (UInt32(truncatingIfNeeded: bits & mask) &+ 1)
          output[index] = value
          bits &>>= shift
        }
        input += width
        output += 8
      }
    } else if width <= 14 {
      // This unpacks four numbers at a time, and the second four may begin in the middle of a byte.
      let half = width &* 4
      let (skip, turn) = (half / 8, UInt64(half & 7))
      for _ in 0..<groups {
        var bits = input.loadUnaligned(as: UInt64.self)
        for index in 0..<4 {
          value = value &+ (UInt32(truncatingIfNeeded: bits & mask) &+ 1)
          output[index] = value
          bits &>>= shift
        }
        bits = input.loadUnaligned(fromByteOffset: skip, as: UInt64.self) &>> turn
        for index in 4..<8 {
          value = value &+ (UInt32(truncatingIfNeeded: bits & mask) &+ 1)
          output[index] = value
          bits &>>= shift
        }
        input += width
        output += 8
      }
    } else {
      var place = 0
      for index in 0..<(groups &* 8) {
        let bits = input.loadUnaligned(fromByteOffset: place &>> 3, as: UInt64.self)
        let delta = (bits &>> UInt64(place & 7)) & mask
        value = value &+ (UInt32(truncatingIfNeeded: delta) &+ 1)
        output[index] = value
        place &+= width
      }
    }
  }
}
