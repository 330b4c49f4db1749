import Foundation
import Hummingbird
import HummingbirdCore
import Synchronization

/// What a device asked for and is being answered: it ends where the device is revoked meanwhile,
/// however long the question takes to come in and the answer to go out.
///
/// It lasts until the answer is written or thrown away.
final class DeviceCall: Sendable {
  /// Told by the door, which outlives it.
  private final class Revocation: Sendable {
    let hasCome = Atomic(false)
  }

  private let door: PhoneDoor
  private let revocation: Revocation
  private let number: Int
  /// A shorter answer is written before anybody could be revoked.
  private static let shortBytes = 1 << 16

  init(of device: UUID, at door: PhoneDoor) {
    let revocation = Revocation()
    self.door = door
    self.revocation = revocation
    number = door.openedStream(of: device) {
      revocation.hasCome.store(true, ordering: .releasing)
    }
  }

  deinit { door.closedStream(number) }

  /// Whether the device is still let in.
  var goesOn: Bool { !revocation.hasCome.load(ordering: .acquiring) }

  /// A body that breaks off where the device is revoked.
  func guarding(_ body: ResponseBody) -> ResponseBody {
    if let length = body.contentLength, length <= Self.shortBytes { return body }
    return ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(
        writer.map { piece in
          guard self.goesOn else { throw CancellationError() }
          return piece
        })
    }
  }
}
