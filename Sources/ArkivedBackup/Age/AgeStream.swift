import ArkivedCrypto
package import Foundation

/// The content of a file in the age format: chunks of 64 KiB, each sealed with its number and a
/// flag for the last one (STREAM, ChaCha20-Poly1305).
struct AgeStream {
  static let chunkCount = 1 << 16
  static let tagCount = 16
  static let sealedCount = chunkCount + tagCount
  static let nonceCount = 16

  private let key: [UInt8]

  init(_ fileKey: AgeFileKey, nonce: [UInt8]) throws {
    key = try fileKey.derived(salt: nonce, info: "payload")
  }

  private static func nonce(_ index: UInt64, isLast: Bool) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 12)
    for place in 0..<8 {
      bytes[3 + place] = UInt8(truncatingIfNeeded: index >> UInt64(56 - 8 * place))
    }
    bytes[11] = isLast ? 1 : 0
    return bytes
  }

  func seal(_ plain: [UInt8], _ index: UInt64, isLast: Bool) throws -> Data {
    Data(try ChaChaPoly.seal(plain, key: key, nonce: Self.nonce(index, isLast: isLast)))
  }

  /// Returns the content of a chunk; nil if it was modified, is a different one, or isn't the last.
  func open(_ sealed: [UInt8], _ index: UInt64, isLast: Bool) -> [UInt8]? {
    try? ChaChaPoly.open(sealed, key: key, nonce: Self.nonce(index, isLast: isLast))
  }
}

/// An incremental writer of a file in the age format.
package final class AgeEncryptor {
  /// The file's own key, for reading it back immediately.
  package let fileKey: AgeFileKey
  private let stream: AgeStream
  private let sink: (Data) throws -> Void
  private var buffer: [UInt8] = []
  private var index: UInt64 = 0

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - target: the recipient.
  ///   - sink: receives the file's bytes in order.
  /// - Throws: what `sink` throws.
  package init(to target: AgeTarget, sink: @escaping (Data) throws -> Void) throws {
    fileKey = AgeFileKey()
    let stanzas = try AgeWrapping.wrap(fileKey, for: target)
    let nonce = Secrets.random(AgeStream.nonceCount)
    stream = try AgeStream(fileKey, nonce: nonce)
    self.sink = sink
    buffer.reserveCapacity(AgeStream.chunkCount)
    try sink(Data(try AgeHeader.bytes(stanzas, fileKey) + nonce))
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var start = 0
    while start < bytes.count {
      // The last chunk is known only at the end, so a full one waits for more input.
      if buffer.count == AgeStream.chunkCount { try flush(isLast: false) }
      let end = min(bytes.count, start + AgeStream.chunkCount - buffer.count)
      buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      start = end
    }
  }

  /// Writes the remaining bytes; nothing can be written afterwards.
  package func finish() throws { try flush(isLast: true) }

  private func flush(isLast: Bool) throws {
    try sink(try stream.seal(buffer, index, isLast: isLast))
    buffer.removeAll(keepingCapacity: true)
    index += 1
  }
}

/// A sequential reader of a file in the age format.
package final class AgeDecryptor {
  private let input: ByteInput
  private let stream: AgeStream
  private var index: UInt64 = 0
  private var isOver = false

  /// Reads the header.
  ///
  /// - Throws: `AgeFailure`.
  package init(_ input: ByteInput, unlocks: [AgeUnlock]) throws {
    let header = try AgeHeader(reading: input)
    let key = try AgeWrapping.unwrap(header, with: unlocks)
    try header.verify(key)
    let nonce = try input.take(AgeStream.nonceCount)
    guard nonce.count == AgeStream.nonceCount else { throw AgeFailure.header("it ends too early") }
    self.input = input
    stream = try AgeStream(key, nonce: nonce)
  }

  /// Returns the next piece of the content; nil at its end.
  ///
  /// - Throws: `AgeFailure.payload`; the earlier pieces were genuine but incomplete.
  package func next() throws -> [UInt8]? {
    if isOver {
      guard try input.peek(1).isEmpty else {
        throw AgeFailure.payload("there is more data after its end")
      }
      return nil
    }
    let sealed = try input.take(AgeStream.sealedCount)
    let isShort = sealed.count < AgeStream.sealedCount
    guard sealed.count != AgeStream.tagCount || index == 0 else {
      throw AgeFailure.payload("its last part is empty")
    }
    if !isShort, let plain = stream.open(sealed, index, isLast: false) {
      index += 1
      return plain
    }
    guard let plain = stream.open(sealed, index, isLast: true) else {
      throw AgeFailure.payload(
        "the part at byte \(index * UInt64(AgeStream.chunkCount)) was altered or is missing")
    }
    isOver = true
    return plain
  }
}
