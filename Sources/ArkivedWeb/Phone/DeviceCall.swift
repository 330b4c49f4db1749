import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// A device's request and its answer, which end if the device is revoked in the meantime, however
/// long they take to transfer.
///
/// It lasts until the answer is written or discarded.
final class DeviceCall: Sendable {
  /// The revocation, signalled by `PhoneDoor`, which outlives this object.
  private final class Revocation: Sendable {
    let hasCome = Atomic(false)
  }

  private let door: PhoneDoor
  private let token: String
  private let revocation: Revocation
  private let number: Int

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - device: the device's ID.
  ///   - token: the device's token.
  ///   - door: the phone access.
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

  /// True if the device still has access.
  var goesOn: Bool { !revocation.hasCome.load(ordering: .acquiring) }

  /// Returns true if the device is paired according to the archive's current state, because another
  /// process may have revoked it a moment ago.
  func isStillPaired() async throws -> Bool {
    guard goesOn else { return false }
    let (door, token) = (door, token)
    return try await offServer { try door.device(token: token) != nil }
  }

  /// Returns a request body that ends in a refusal if the device is revoked before it has arrived
  /// completely; the request is then not carried out.
  func guarding(_ body: RequestBody) -> RequestBody {
    RequestBody(asyncSequence: RevocableBody(inner: body, call: self))
  }

  /// Returns a body that ends if the device is revoked.
  func guarding(_ body: ResponseBody) -> ResponseBody {
    // A short body is written before the device could be revoked.
    if let length = body.contentLength, length <= RevocableWriter.pieceBytes { return body }
    return ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(RevocableWriter(inner: writer, call: self))
    }
  }
}

/// The pieces of a request's body, as long as its device has access.
private struct RevocableBody: AsyncSequence, Sendable {
  let inner: RequestBody
  let call: DeviceCall

  struct AsyncIterator: AsyncIteratorProtocol {
    var inner: RequestBody.AsyncIterator
    let call: DeviceCall

    @concurrent mutating func next() async throws -> ByteBuffer? {
      let piece = try await inner.next()
      // Nothing is done before the end, so the archive is queried only there.
      let isLetIn = try await piece == nil ? call.isStillPaired() : call.goesOn
      guard isLetIn else { throw PhoneDoorMiddleware.unauthorised }
      return piece
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(inner: inner.makeAsyncIterator(), call: call)
  }
}

/// Writes an answer piece by piece, as long as its device has access.
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
