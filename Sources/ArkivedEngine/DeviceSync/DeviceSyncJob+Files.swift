import ArkivedBackup
import ArkivedCore
import ArkivedCrypto
import ArkivedStore
import Foundation

/// Attachment files, each stored once in the folder, under a name that reveals nothing.
extension DeviceSyncJob {
  static let files = "files"

  private struct Broken: Error {}

  /// Writes files that only this device has to the folder, and copies files that only other devices
  /// have from it.
  ///
  /// - Returns: the number of files copied in either direction.
  func exchangeFiles() throws -> Int {
    guard let home = archive.attachmentsFolder, !others.isEmpty else { return 0 }
    var count = 0
    for file in try archive.replicaFiles(onlyUnsettled: true) {
      let here = home.appendingPathComponent(file.path)
      let isHere = FileManager.default.fileExists(atPath: here.path)
      let name = try name(of: file.hash)
      if isHere {
        if owner(of: name) == nil {
          try put(here, as: name)
          try send()
          count += 1
        }
        try archive.noteReplicaFile(file.path, as: name)
      } else if let owner = owner(of: name), isSafe(file.path, hash: file.hash) {
        do {
          let copy = "\(folder.root.lastPathComponent)/\(owner)/\(Self.files)/\(name)"
          try folder.mirror?.fetch(file: copy)
          defer { folder.mirror?.drop(file: copy) }
          try take(name, of: owner, to: here, hash: file.hash)
          try archive.noteReplicaFile(file.path, as: name)
          count += 1
        } catch is Broken {
          // Half there, or altered: it may become whole.
        } catch is AgeFailure {
        }
      }
    }
    return count
  }

  /// Returns the number of attached files that aren't here.
  func missingFiles() throws -> Int {
    guard let home = archive.attachmentsFolder else { return 0 }
    return try archive.replicaFiles(onlyUnsettled: true).count {
      !FileManager.default.fileExists(atPath: home.appendingPathComponent($0.path).path)
    }
  }

  private func name(of hash: String) throws -> String {
    let code = try Secrets.authenticationCode(for: Array(hash.utf8), key: identity.nameKey)
    return String(code.hexadecimal.prefix(40))
  }

  private func isSafe(_ path: String, hash: String) -> Bool {
    path.hasPrefix("\(hash.prefix(2))/\(hash)") && !path.contains("..")
      && path.split(separator: "/").count == 2
  }

  private func owner(of name: String) -> String? {
    members.keys.sorted().first { folder.has("\(Self.files)/\(name)", of: $0) }
  }

  private func put(_ file: URL, as name: String) throws {
    guard let key = identity.latestKey else { return }
    let shelf = folder.folder(of: identity.id).appendingPathComponent(Self.files)
    try DurableFile.makeFolder(shelf)
    let source = try FileHandle(forReadingFrom: file)
    defer { try? source.close() }
    let count = Int(try source.seekToEnd())
    try source.seek(toOffset: 0)
    try DurableFile.write(to: shelf.appendingPathComponent(name)) { append in
      try withoutActuallyEscaping(append) { append in
        let encryptor = try AgeEncryptor(to: .recipients([key.identity.recipient]), sink: append)
        try Self.write(withUnsafeBytes(of: UInt64(count).littleEndian) { Array($0) }, encryptor)
        var written = 8
        while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
          try piece.withUnsafeBytes { try encryptor.write($0) }
          written += piece.count
        }
        let rest = Padding.size(of: written) - written
        var zeros = rest
        let block = [UInt8](repeating: 0, count: min(rest, 1 << 20))
        while zeros > 0 {
          try Self.write(Array(block.prefix(zeros)), encryptor)
          zeros -= block.count
        }
        try encryptor.finish()
      }
    }
  }

  private static func write(_ bytes: [UInt8], _ encryptor: AgeEncryptor) throws {
    try bytes.withUnsafeBytes { try encryptor.write($0) }
  }

  private func take(_ name: String, of device: String, to target: URL, hash: String) throws {
    let source = try FileHandle(
      forReadingFrom: folder.folder(of: device).appendingPathComponent("\(Self.files)/\(name)"))
    defer { try? source.close() }
    let size = Int(try source.seekToEnd())
    try source.seek(toOffset: 0)
    let decryptor = try AgeDecryptor(
      ByteInput(source), unlocks: identity.keys.map { .identity($0.identity) })
    try DurableFile.makeFolder(target.deletingLastPathComponent())
    try DurableFile.write(to: target) { append in
      var sum = SHA256()
      var head: [UInt8] = []
      var left: Int?
      while let piece = try decryptor.next() {
        var piece = piece[...]
        if left == nil {
          let taken = piece.prefix(8 - head.count)
          head += taken
          piece = piece.dropFirst(taken.count)
          guard head.count == 8 else { continue }
          let count = head.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
          guard count <= UInt64(size) else { throw Broken() }
          left = Int(count)
        }
        let content = piece.prefix(left ?? 0)
        sum.update(data: content)
        try append(Data(content))
        left = (left ?? 0) - content.count
      }
      guard left == 0, sum.finalize().hexadecimal == hash else { throw Broken() }
    }
  }

  /// Removes files from this device’s part of the folder that are no longer referenced.
  func clearFiles() throws {
    let shelf = folder.folder(of: identity.id).appendingPathComponent(Self.files)
    let names = folder.names(in: shelf)
    guard !names.isEmpty else { return }
    let needed = Set(try archive.replicaFiles().map { try name(of: $0.hash) })
    for name in names where !needed.contains(name) {
      folder.remove("\(Self.files)/\(name)", of: identity.id)
    }
  }
}
