package import Foundation
import Synchronization

/// The source of the current time, which commands, tests and samples can fix.
public protocol ArchiveClock: Sendable {
  /// The current time.
  var now: Instant { get }
}

/// The system's clock.
public struct SystemClock: ArchiveClock {
  /// Creates the clock.
  public init() {}
  /// The current time.
  public var now: Instant { Instant(Date()) }
}

/// A clock that always returns the same time.
public struct FixedClock: ArchiveClock {
  /// The time the clock returns.
  public let now: Instant
  /// Creates a clock that always returns an instant.
  public init(_ now: Instant) { self.now = now }
}

/// The source of new IDs.
package protocol IdentitySource: Sendable {
  func next() -> UUID
}

/// Random version 4 UUIDs.
package struct RandomIdentities: IdentitySource {
  package init() {}

  package func next() -> UUID {
    // `UUID()` opens /dev/urandom for each ID, and an import creates some hundred thousand.
    var generator = SystemRandomNumberGenerator()
    let (high, low): (UInt64, UInt64) = (generator.next(), generator.next())
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (index * 8))
    }
    // These are the version and the variant of RFC 9562, sections 4.1 and 5.4.
    let version = byte(high, 6) & 0x0F | 0x40
    let variant = byte(low, 0) & 0x3F | 0x80
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        version, byte(high, 7), variant, byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
        byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

/// Version 7 UUIDs (RFC 9562, section 5.7) in ascending order, for writing many rows at once: their
/// index grows at its end instead of everywhere.
package final class OrderedIdentities: IdentitySource {
  private let state: Mutex<UInt64>
  private let low: UInt64

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - seed: the source of the random bits; two sources with the same seed produce the same
  ///     identities.
  ///   - now: the time in the first IDs; it advances by a millisecond after every 4,096.
  package init(from seed: UUID, at now: Instant) {
    let bytes = seed.uuid
    low = [
      bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
    ].reduce(0) { $0 << 8 | UInt64($1) }
    state = Mutex((UInt64(clamping: now.milliseconds) << 12) & 0x0FFF_FFFF_FFFF_FFFF)
  }

  package func next() -> UUID {
    let count = state.withLock { state in
      defer { state &+= 1 }
      return state
    }
    // The layout is 48 bits of time, the version and a 12-bit counter; then the variant and 62
    // random bits.
    let high = ((count >> 12) << 16) | 0x7000 | (count & 0xFFF)
    let rest = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(rest, 0), byte(rest, 1), byte(rest, 2), byte(rest, 3),
        byte(rest, 4), byte(rest, 5), byte(rest, 6), byte(rest, 7)
      ))
  }
}
