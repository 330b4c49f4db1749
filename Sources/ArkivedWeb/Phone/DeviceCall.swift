import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
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
    // A short one is written before anybody could be revoked.
    if let length = body.contentLength, length <= RevocableWriter.pieceBytes { return body }
    return ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(RevocableWriter(inner: writer, call: self))
    }
  }
}

/// Writes an answer piece by piece, for as long as its device is let in.
private struct RevocableWriter: ResponseBodyWriter {
  static let pieceBytes = 1 << 18

  var inner: any ResponseBodyWriter
  let call: DeviceCall

  @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
    var rest = buffer
    while rest.readableBytes > 0,
      let piece = rest.readSlice(length: min(rest.readableBytes, Self.pieceBytes))
    {
      guard call.goesOn else { throw CancellationError() }
      try await inner.write(piece)
    }
  }

  @concurrent consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await inner.finish(trailingHeaders)
  }
}
