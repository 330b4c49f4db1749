import Foundation

/// Random numbers without state: the same seed, purpose and place always give the same number, so a
/// day can be created without creating the days before it.
///
/// The mixing function is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
struct SampleRandom: Sendable {
  let seed: UInt64

  static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns 64 bits for a purpose and up to two places.
  func bits(_ purpose: UInt64, _ first: Int, _ second: Int = 0) -> UInt64 {
    let a = SampleRandom.mix(seed ^ (purpose &* 0xD6E8_FEB8_6659_FD93))
    let b = SampleRandom.mix(a ^ UInt64(bitPattern: Int64(first)))
    return SampleRandom.mix(b &+ UInt64(bitPattern: Int64(second)) &* 0xA24B_AED4_963E_E407)
  }

  /// Returns a number from 0 up to but not including `count`; 0 if `count` isn't positive.
  func index(_ count: Int, _ purpose: UInt64, _ first: Int, _ second: Int = 0) -> Int {
    guard count > 1 else { return 0 }
    return Int(bits(purpose, first, second) % UInt64(count))
  }

  /// Returns a number from 0 up to but not including 1.
  func unit(_ purpose: UInt64, _ first: Int, _ second: Int = 0) -> Double {
    Double(bits(purpose, first, second) >> 11) / 9_007_199_254_740_992
  }

  /// Returns a slowly changing number from −1 to 1: a random value every `step` days, with linear
  /// interpolation.
  func drift(_ purpose: UInt64, _ day: Int, every step: Int) -> Double {
    let cell = (day >= 0 ? day : day - step + 1) / step
    let part = Double(day - cell * step) / Double(step)
    let low = unit(purpose, cell) * 2 - 1
    let high = unit(purpose, cell + 1) * 2 - 1
    return low + (high - low) * part
  }

  /// Returns which of `count` cards is at a place in an endless row of shuffled decks.
  ///
  /// Each run of `count` places contains every card once, and half of the cards stay in the first
  /// half of every run, so at least about `count / 2` places separate two equal cards.
  func card(_ count: Int, _ purpose: UInt64, at place: Int) -> Int {
    guard count > 1 else { return 0 }
    let run = (place >= 0 ? place : place - count + 1) / count
    let position = place - run * count
    let front = (count + 1) / 2
    let isFront = position < front
    let size = isFront ? front : count - front
    let local = isFront ? position : position - front
    let shuffled = shuffle(local, of: size, purpose ^ 0x51, run * 2 + (isFront ? 0 : 1))
    return shuffle(isFront ? shuffled : front + shuffled, of: count, purpose ^ 0x77, 0)
  }

  /// Returns the destination of a place in an affine shuffle of `count` places.
  private func shuffle(_ place: Int, of count: Int, _ purpose: UInt64, _ salt: Int) -> Int {
    guard count > 1 else { return 0 }
    let draw = bits(purpose, salt, count)
    var factor = Int(draw % UInt64(count - 1)) + 1
    while SampleRandom.commonDivisor(factor, count) != 1 { factor = factor % (count - 1) + 1 }
    return (place * factor + Int((draw >> 32) % UInt64(count))) % count
  }

  private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }

  /// Returns an ID that depends only on the seed, the purpose and the place, with the bits of a
  /// random (version 4) UUID.
  func identity(_ purpose: UInt64, _ first: Int, _ second: Int = 0) -> UUID {
    let high = (bits(purpose ^ 0xA11CE, first, second) & ~0xF000) | 0x4000
    let low = (bits(purpose ^ 0xB0B, first, second) & (~0 >> 2)) | (1 << 63)
    func byte(_ value: UInt64, _ place: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: value >> (56 - place * 8))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

/// Returns the name of a purpose as a number (FNV-1a).
func purposeNumber(_ name: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return hash
}
