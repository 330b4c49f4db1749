/// The 64-bit xxHash with seed 0, as described by its specification (github.com/Cyan4973/xxHash,
/// doc/xxhash_spec.md), computed incrementally.
///
/// It detects damage, not forgery.
public struct XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private var lanes = SIMD4<UInt64>(prime1 &+ prime2, prime2, 0, 0 &- prime1)
  /// The bytes that do not fill a stripe of 32 yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// Returns the hash of complete data.
  public static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = XXHash64()
    hash.update(bytes)
    return hash.finish()
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var bytes = bytes[...]
    if !rest.isEmpty {
      let missing = min(32 - rest.count, bytes.count)
      rest.append(contentsOf: bytes.prefix(missing))
      bytes = bytes.dropFirst(missing)
      guard rest.count == 32 else { return }
      let stripe = rest
      stripe.withUnsafeBytes { consume($0) }
      rest.removeAll(keepingCapacity: true)
    }
    let whole = bytes.count & ~31
    consume(UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)))
    rest.append(contentsOf: bytes.dropFirst(whole))
  }

  /// Processes whole stripes of 32 bytes.
  private mutating func consume(_ stripes: UnsafeRawBufferPointer) {
    guard let start = stripes.baseAddress else { return }
    var (a, b, c, d) = (lanes[0], lanes[1], lanes[2], lanes[3])
    var at = start
    let end = start + stripes.count
    while at < end {
      a = Self.round(a, at.loadUnaligned(as: UInt64.self))
      b = Self.round(b, at.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      c = Self.round(c, at.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      d = Self.round(d, at.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      at += 32
    }
    lanes = SIMD4(a, b, c, d)
  }

  func finish() -> UInt64 {
    var hash: UInt64
    if count >= 32 {
      hash =
        Self.rotate(lanes[0], 1) &+ Self.rotate(lanes[1], 7) &+ Self.rotate(lanes[2], 12)
        &+ Self.rotate(lanes[3], 18)
      for lane in 0..<4 {
        hash = (hash ^ Self.round(0, lanes[lane])) &* Self.prime1 &+ Self.prime4
      }
    } else {
      hash = Self.prime5
    }
    hash &+= count
    rest.withUnsafeBytes { bytes in
      var at = 0
      while at + 8 <= bytes.count {
        hash ^= Self.round(0, bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        hash = Self.rotate(hash, 27) &* Self.prime1 &+ Self.prime4
        at += 8
      }
      if at + 4 <= bytes.count {
        let word = UInt64(bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        hash = Self.rotate(hash ^ (word &* Self.prime1), 23) &* Self.prime2 &+ Self.prime3
        at += 4
      }
      while at < bytes.count {
        hash = Self.rotate(hash ^ (UInt64(bytes[at]) &* Self.prime5), 11) &* Self.prime1
        at += 1
      }
    }
    hash = (hash ^ (hash >> 33)) &* Self.prime2
    hash = (hash ^ (hash >> 29)) &* Self.prime3
    return hash ^ (hash >> 32)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    (value &<< count) | (value &>> (64 &- count))
  }
}
