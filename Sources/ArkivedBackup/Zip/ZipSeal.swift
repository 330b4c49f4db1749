import ArkivedCrypto
import Foundation

/// The seal of an unencrypted backup: the SHA-256 of the whole file in the comment of its ZIP
/// archive, which detects any changed byte.
///
/// A ZIP archive ends with a record of 22 bytes, the last two of which contain the length of the
/// comment that follows (APPNOTE.TXT 4.3.16). The hash covers everything before these two.
enum ZipSeal {
  static let endCount = 22
  private static let label = "SHA-256 "
  static let commentCount = label.utf8.count + 64
  private static let signature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]

  /// A writer that forwards an archive and appends the seal.
  final class Writer {
    private let sink: (Data) throws -> Void
    private var hash = SHA256()
    /// The last bytes so far, which may be the end record.
    private var held = Data()

    init(_ sink: @escaping (Data) throws -> Void) { self.sink = sink }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
      held.append(contentsOf: bytes)
      guard held.count > ZipSeal.endCount else { return }
      let ready = Data(held.prefix(held.count - ZipSeal.endCount))
      held = Data(held.suffix(ZipSeal.endCount))
      hash.update(data: ready)
      try sink(ready)
    }

    /// Appends the seal.
    ///
    /// - Throws: `BackupFailure.cannotPack` if the bytes written aren't a complete archive.
    func finish() throws {
      guard held.count == ZipSeal.endCount, held.starts(with: ZipSeal.signature),
        held.suffix(2) == Data([0, 0])
      else { throw BackupFailure.cannotPack("it doesn’t end as expected") }
      let end = Data(held.prefix(ZipSeal.endCount - 2))
      hash.update(data: end)
      let comment = ZipSeal.label + hash.finalize().hexadecimal
      try sink(end + Data([UInt8(comment.utf8.count), 0]) + Data(comment.utf8))
    }
  }

  /// The kind of a file's end.
  enum End: Equatable {
    /// Sealed with this hash, in lower-case hexadecimal.
    case sealed(String)
    /// Unsealed, from an earlier version.
    case plain
  }

  /// Reads the end of an archive, which must be the end of the file.
  ///
  /// - Throws: `BackupFailure.damaged` if there is something else, or data after it.
  static func end(of bytes: PlainFile) throws -> End {
    let plain = try bytes.bytes(at: max(0, bytes.count - endCount), endCount)
    let hasNoComment = plain.suffix(2).elementsEqual([0, 0])
    if plain.count == endCount, plain.starts(with: signature), hasNoComment {
      return .plain
    }
    let count = endCount + commentCount
    let tail = try bytes.bytes(at: max(0, bytes.count - count), count)
    guard tail.count == count, tail.starts(with: signature),
      Array(tail[(endCount - 2)..<endCount]) == [UInt8(commentCount), 0],
      let comment = String(validating: tail.suffix(commentCount), as: UTF8.self),
      comment.hasPrefix(label)
    else { throw BackupFailure.damaged("it doesn’t end like a backup") }
    return .sealed(String(comment.dropFirst(label.count)))
  }

  /// Verifies a file's seal, or the structure of an unsealed one.
  ///
  /// - Throws: `BackupFailure.damaged` if a byte has changed.
  static func check(_ bytes: PlainFile) throws {
    guard case .sealed(let expected) = try end(of: bytes) else {
      return try ZipStructure.check(bytes)
    }
    let covered = bytes.count - commentCount - 2
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while offset < covered {
      let wanted = min(buffer.count, covered - offset)
      let count = try buffer.withUnsafeMutableBytes { buffer in
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        let count = try bytes.read(at: offset, into: piece)
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: piece[..<count]))
        return count
      }
      guard count > 0 else { throw BackupFailure.damaged("it became shorter") }
      offset += count
    }
    guard hash.finalize().hexadecimal == expected else {
      throw BackupFailure.damaged("it doesn’t match its checksum")
    }
  }
}
