import Foundation

/// The content of a file in the age format with random access; each part is verified when it is
/// read.
package final class AgeFile: RandomBytes {
  package let count: Int
  private let file: PlainFile
  private let start: Int
  private let stream: AgeStream
  private let lastChunk: Int
  private var known: (chunk: Int, bytes: [UInt8])?

  /// Opens a file.
  ///
  /// - Throws: `AgeFailure`, also if its end is missing.
  package init(_ file: PlainFile, unlocks: [AgeUnlock]) throws {
    let input = AgeFile.input(file)
    let header = try AgeHeader(reading: input)
    if unlocks.isEmpty {
      throw AgeWrapping.wantsPassphrase(header)
        ? BackupFailure.needsPassphrase : BackupFailure.needsKey
    }
    let key = try AgeWrapping.unwrap(header, with: unlocks)
    try header.verify(key)
    let nonce = try input.take(AgeStream.nonceCount)
    guard nonce.count == AgeStream.nonceCount else { throw AgeFailure.header("it ends too early") }
    self.file = file
    start = input.offset
    stream = try AgeStream(key, nonce: nonce)
    let sealed = file.count - start
    lastChunk = max(0, (sealed - 1) / AgeStream.sealedCount)
    let tail = sealed - lastChunk * AgeStream.sealedCount - AgeStream.tagCount
    count = lastChunk * AgeStream.chunkCount + max(0, tail)
    guard tail > 0 || (tail == 0 && lastChunk == 0) else {
      throw AgeFailure.payload("its end is missing")
    }
    _ = try chunk(lastChunk)
  }

  /// Returns true if a file with this beginning is in the age format.
  package static func isAge(_ head: [UInt8]) -> Bool {
    head.starts(with: Array("\(AgeHeader.version)\n".utf8))
  }

  /// Returns true if the file is opened by a passphrase instead of a key.
  package static func wantsPassphrase(_ input: ByteInput) throws -> Bool {
    AgeWrapping.wantsPassphrase(try AgeHeader(reading: input))
  }

  /// Returns a file's bytes as a sequential input.
  package static func input(_ file: PlainFile) -> ByteInput {
    var offset = 0
    return ByteInput { count in
      let bytes = try file.bytes(at: offset, count)
      offset += bytes.count
      return bytes
    }
  }

  private func chunk(_ index: Int) throws -> [UInt8] {
    if let known, known.chunk == index { return known.bytes }
    let sealed = try file.bytes(
      at: start + index * AgeStream.sealedCount, AgeStream.sealedCount)
    guard let plain = stream.open(sealed, UInt64(index), isLast: index == lastChunk) else {
      throw AgeFailure.payload(
        index == lastChunk
          ? "its end was altered or cut off"
          : "the part at byte \(index * AgeStream.chunkCount) was altered")
    }
    known = (index, plain)
    return plain
  }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard (0..<count).contains(offset), !buffer.isEmpty else { return 0 }
    let plain = try chunk(offset / AgeStream.chunkCount)
    let from = offset % AgeStream.chunkCount
    let end = min(plain.count, from + buffer.count)
    guard from < end else { return 0 }
    buffer.copyBytes(from: plain[from..<end])
    return end - from
  }
}
