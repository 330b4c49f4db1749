import ArkivedCore
import ArkivedCrypto
package import Foundation

/// A sequential writer of the files of a backup, and finally of their manifest.
package final class BackupWriter {
  private let zip: ZipWriter
  private let encryptor: AgeEncryptor?
  /// The seal of an unencrypted backup; encryption protects its content by itself.
  private let seal: ZipSeal.Writer?
  private var open: (path: String, bytes: Int, hash: SHA256)?
  package private(set) var members: [BackupManifest.Member] = []

  /// The key of the file, with which it can be read back; nil if it isn't encrypted.
  package var fileKey: AgeFileKey? { encryptor?.fileKey }

  /// Starts a backup.
  ///
  /// - Parameters:
  ///   - target: the recipient of the encryption; nil for an unencrypted file, which anyone can
  ///     read.
  ///   - seconds: the time of all files in it, since 1970.
  ///   - sink: receives the backup's bytes in order.
  /// - Throws: what `sink` throws.
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
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - size: its size in bytes, if known.
  ///   - packs: true if the file is compressed.
  /// - Throws: what the sink throws.
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
  ///
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
