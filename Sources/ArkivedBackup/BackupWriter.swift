import ArkivedCore
import ArkivedCrypto
package import Foundation

/// Writes the files of a backup, one after another, and last the manifest of them.
package final class BackupWriter {
  private let zip: ZipWriter
  private let encryptor: AgeEncryptor?
  /// Of a backup that is not encrypted: encryption seals what it holds.
  private let seal: ZipSeal.Writer?
  private var open: (path: String, bytes: Int, hash: SHA256)?
  package private(set) var members: [BackupManifest.Member] = []

  /// The key of the file, with which it can be read back; nil where it is not encrypted.
  package var fileKey: AgeFileKey? { encryptor?.fileKey }

  /// - Parameters:
  ///   - target: for whom it is encrypted; nil for nobody, so that everybody can read it.
  ///   - seconds: since 1970, the time of all files in it.
  ///   - sink: takes the backup's bytes in their order.
  package init(
    for target: AgeTarget?, madeAt seconds: Int, sink: @escaping (Data) throws -> Void
  ) throws {
    let encryptor = try target.map { try AgeEncryptor(to: $0, sink: sink) }
    self.encryptor = encryptor
    let seal = encryptor == nil ? ZipSeal.Writer(sink) : nil
    self.seal = seal
    zip = try ZipWriter(madeAt: seconds) { bytes in
      try encryptor?.write(bytes)
      try seal?.write(bytes)
    }
  }

  /// Begins a file.
  /// - Parameter size: its bytes, where they are known.
  package func begin(_ path: String, size: Int? = nil, packs: Bool = true) throws {
    try zip.begin(path, size: size, packs: packs)
    open = (path, 0, SHA256())
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    open?.hash.update(bufferPointer: bytes)
    open?.bytes += bytes.count
    try zip.write(bytes)
  }

  package func write(_ bytes: Data) throws { try bytes.withUnsafeBytes { try write($0) } }

  /// Ends the file.
  package func end() throws {
    try zip.end()
    guard let file = open else { return }
    open = nil
    members.append(
      .init(
        path: file.path, bytes: file.bytes, hash: file.hash.finalize().hexadecimal))
  }

  package func add(_ path: String, _ content: Data) throws {
    try begin(path, size: content.count)
    try write(content)
    try end()
  }

  /// Writes the manifest and the end.
  /// - Returns: the manifest with the files that were written.
  package func finish(_ manifest: BackupManifest) throws -> BackupManifest {
    var manifest = manifest
    manifest.members = members
    let content = Data(manifest.json.bytes(indented: true) + [0x0A])
    try zip.begin(BackupManifest.fileName, size: content.count, packs: true)
    try content.withUnsafeBytes { try zip.write($0) }
    try zip.end()
    try zip.finish()
    try seal?.finish()
    try encryptor?.finish()
    return manifest
  }
}
