package import Foundation

/// Where "now" comes from, so that commands, tests and samples can hold it still.
package protocol ArchiveClock: Sendable {
  var now: Instant { get }
}

/// The system's clock.
package struct SystemClock: ArchiveClock {
  package init() {}
  package var now: Instant { Instant(Date()) }
}

/// A clock that stands still.
package struct FixedClock: ArchiveClock {
  package let now: Instant
  package init(_ now: Instant) { self.now = now }
}

/// Where new identities come from.
package protocol IdentitySource: Sendable {
  func next() -> UUID
}

/// Random version 4 UUIDs.
package struct RandomIdentities: IdentitySource {
  package init() {}
  package func next() -> UUID { UUID() }
}
