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
  private let token: String
  private let revocation: Revocation
  private let number: Int

  /// - Parameter token: what the device holds.
  init(of device: UUID, holding token: String, at door: PhoneDoor) {
    let revocation = Revocation()
    self.door = door
    self.token = token
    self.revocation = revocation
    number = door.openedStream(of: device) {
      revocation.hasCome.store(true, ordering: .releasing)
    }
  }

  deinit { door.closedStream(number) }

  /// Whether the device is still let in.
  var goesOn: Bool { !revocation.hasCome.load(ordering: .acquiring) }

  /// Whether the device is let in by what the archive says now: another process may have revoked it a
  /// moment ago.
  func isStillPaired() async throws -> Bool {
    guard goesOn else { return false }
    let (door, token) = (door, token)
    return try await offServer { try door.device(token: token) != nil }
  }

  /// What a device sends, which ends in a refusal where it is revoked before all of it is here: what it
  /// asked for is done afterwards, and then is not.
  func guarding(_ body: RequestBody) -> RequestBody {
    RequestBody(asyncSequence: RevocableBody(inner: body, call: self))
  }

  /// A body that breaks off where the device is revoked.
  func guarding(_ body: ResponseBody) -> ResponseBody {
    // A short one is written before anybody could be revoked.
    if let length = body.contentLength, length <= RevocableWriter.pieceBytes { return body }
    return ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(RevocableWriter(inner: writer, call: self))
    }
  }
}

/// The pieces of a request's body, for as long as its device is let in.
private struct RevocableBody: AsyncSequence, Sendable {
  let inner: RequestBody
  let call: DeviceCall

  struct AsyncIterator: AsyncIteratorProtocol {
    var inner: RequestBody.AsyncIterator
    let call: DeviceCall

    @concurrent mutating func next() async throws -> ByteBuffer? {
      let piece = try await inner.next()
      // Nothing is done before the end, so that the archive is asked there alone.
      let isLetIn = try await piece == nil ? call.isStillPaired() : call.goesOn
      guard isLetIn else { throw PhoneDoorMiddleware.unauthorised }
      return piece
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(inner: inner.makeAsyncIterator(), call: call)
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
