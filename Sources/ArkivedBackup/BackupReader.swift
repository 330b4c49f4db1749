import ArkivedCore
import ArkivedCrypto
package import Foundation

/// A reader of a backup.
///
/// No content is trusted before it has been compared with the manifest.
package final class BackupReader {
  package let manifest: BackupManifest
  /// True if it was encrypted.
  package let isEncrypted: Bool
  private let bytes: any RandomBytes

  /// The maximum size of a manifest in bytes.
  private static let manifestLimit = 256 << 20
  private static let memberLimit = 5_000_000

  /// Opens a backup and reads its manifest; `check` and `unpack` read the files.
  ///
  /// - Throws: `AgeFailure`, `BackupFailure`, `CocoaError` if the file can't be read.
  package init(_ file: URL, unlocks: [AgeUnlock]) throws {
    let plain = try PlainFile(file)
    let head = try plain.bytes(at: 0, 64)
    switch true {
    case AgeFile.isAge(head):
      bytes = try AgeFile(plain, unlocks: unlocks)
      isEncrypted = true
    case AgeArmor.isArmored(head):
      throw BackupFailure.notABackup(
        "it’s in age’s text format. Convert it to the usual format first: age -d, or arkived "
          + "backup open"
      )
    case head.starts(with: [0x50, 0x4B]):
      _ = try ZipSeal.end(of: plain)
      bytes = plain
      isEncrypted = false
    default: throw BackupFailure.notABackup("it’s neither an age file nor a ZIP archive")
    }
    manifest = try Self.manifest(bytes)
  }

  private static func manifest(_ bytes: any RandomBytes) throws -> BackupManifest {
    let zip = try ZipWalk(bytes)
    var names: Set<String> = []
    var content: [UInt8]?
    while let member = try zip.next() {
      try checkName(member)
      guard names.insert(member.name).inserted else {
        throw BackupFailure.hostile("it contains \(member.name) twice")
      }
      guard names.count <= memberLimit else {
        throw BackupFailure.hostile("it contains too many files")
      }
      guard member.name == BackupManifest.fileName else { continue }
      var text: [UInt8] = []
      try zip.read { piece in
        guard text.count + piece.count <= manifestLimit else {
          throw BackupFailure.hostile("its manifest.json is too large")
        }
        text.append(contentsOf: piece)
      }
      content = text
    }
    guard let content else { throw BackupFailure.notABackup("it has no manifest.json") }
    guard let json = try? JSON(parsing: content) else {
      throw BackupFailure.damaged("its manifest.json isn’t valid JSON")
    }
    let manifest = try BackupManifest(json)
    let expected = Set(manifest.members.map(\.path) + [BackupManifest.fileName])
    if let lost = expected.subtracting(names).sorted().first {
      throw BackupFailure.damaged("\(lost) is missing")
    }
    if let foreign = names.subtracting(expected).sorted().first {
      throw BackupFailure.hostile("it contains \(foreign), which its manifest doesn’t list")
    }
    return manifest
  }

  private static func checkName(_ member: ZipWalk.Member) throws {
    let shown = member.name.prefix(80)
    guard member.isRegular else {
      throw BackupFailure.hostile("it contains “\(shown)”, which isn’t a regular file")
    }
    guard !member.isEncrypted else {
      throw BackupFailure.hostile("it contains “\(shown)”, which is encrypted")
    }
    guard member.name == BackupManifest.fileName || MemberName.isKnown(member.name) else {
      throw BackupFailure.hostile("it contains an unexpected file, “\(shown)”")
    }
  }

  /// Reads everything and compares it with the manifest.
  ///
  /// - Parameters:
  ///   - progress: receives the number of bytes of content read; throws to stop.
  ///   - take: returns, for each file, a closure that receives its content piece by piece.
  /// - Throws: `BackupFailure.damaged` if a file doesn't match the manifest.
  package func check(
    progress: (Int) throws -> Void = { _ in },
    take: (_ member: BackupManifest.Member) throws -> ((UnsafeRawBufferPointer) throws -> Void)? =
      { _ in nil }
  ) throws {
    if let plain = bytes as? PlainFile { try ZipSeal.check(plain) }
    let expected = Dictionary(uniqueKeysWithValues: manifest.members.map { ($0.path, $0) })
    let zip = try ZipWalk(bytes)
    var total = 0
    while let entry = try zip.next() {
      guard let member = expected[entry.name] else { continue }
      let write = try take(member)
      var hash = SHA256()
      var count = 0
      try zip.read { piece in
        count += piece.count
        // Content beyond the stated size isn't unpacked, however small it is when compressed.
        guard count <= member.bytes else {
          throw BackupFailure.damaged("\(member.path) is larger than its manifest says")
        }
        hash.update(bufferPointer: piece)
        try write?(piece)
        total += piece.count
        try progress(total)
      }
      guard count == member.bytes, hash.finalize().hexadecimal == member.hash else {
        throw BackupFailure.damaged("\(member.path) doesn’t match its checksum")
      }
    }
  }

  /// Reads and verifies everything, and unpacks it into a folder.
  ///
  /// - Parameters:
  ///   - progress: called with the number of bytes read.
  ///   - place: returns the destination of each file; nil to only read it. The folder must exist.
  /// - Throws: `BackupFailure` if the backup is damaged, and what `progress` throws.
  package func unpack(
    progress: (Int) throws -> Void = { _ in }, place: (BackupManifest.Member) throws -> URL?
  ) throws {
    try check(progress: progress) { member in
      guard let target = try place(member) else { return nil }
      let descriptor = open(
        target.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: target.path])
      }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      return { try handle.write(contentsOf: Data($0)) }
    }
  }
}
