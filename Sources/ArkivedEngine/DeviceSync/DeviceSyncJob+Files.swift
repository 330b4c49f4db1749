import ArkivedBackup
import ArkivedCore
import ArkivedCrypto
import ArkivedImport
import ArkivedStore
import Foundation

/// Attachment files, each stored once in the folder, under a name that reveals nothing.
extension DeviceSyncJob {
  static let files = "files"

  private struct Broken: Error {}

  /// The number of seconds after which a file that couldn't be copied is tried again.
  private static let pause = 3_600

  /// Writes files that only this device has to the folder, and copies files that only other devices
  /// have from it.
  ///
  /// A file that can't be copied is left for later; the others are copied.
  ///
  /// - Returns: the number of files copied in either direction.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or written.
  mutating func exchangeFiles() throws -> Int {
    guard let home = archive.attachmentsFolder, !others.isEmpty else { return 0 }
    if folder.opened(identity.id) == nil { try archive.unsettleReplicaFiles() }
    try archive.forgetUnusedReplicaFiles()
    var count = 0
    let now = archive.clock.now
    var later = JSONObject()
    for (name, time) in identity.notes["laterFiles"]?.object?.members ?? [] {
      let isRecent = time.string.flatMap { Instant($0) }.map {
        abs(now.seconds(to: $0)) < Self.pause
      }
      if isRecent == true { later[name] = time }
    }
    var shelves: [String: OpenFolder] = [:]
    for id in members.keys { shelves[id] = folder.opened(id, Self.files) }
    for file in try archive.replicaFiles(onlyUnsettled: true) {
      let name = try name(of: file.hash)
      guard later[name] == nil else { continue }
      let owners = shelves.keys.sorted().filter { shelves[$0]?.has(name) ?? false }
      do {
        switch try exchange(
          file.path, hash: file.hash, size: file.size, as: name, owners, in: home)
        {
        case .copied:
          shelves[identity.id] = shelves[identity.id] ?? folder.opened(identity.id, Self.files)
          try archive.noteReplicaFile(file.path, as: name)
          count += 1
        case .settled: try archive.noteReplicaFile(file.path, as: name)
        case .absent: break
        case .broken: later[name] = JSON(now)
        }
      } catch let failure as WebDAVFailure {
        troubles.insert(.serverTrouble(failure))
        guard failure.kind == .tooLarge || failure.kind == .unusable else { break }
        later[name] = JSON(now)
      } catch let failure as POSIXFailure {
        troubles.insert(.folderTrouble(failure.description))
        break
      } catch let failure as CocoaError {
        troubles.insert(.folderTrouble(failure.localizedDescription))
        break
      } catch let failure as POSIXError {
        troubles.insert(.folderTrouble(failure.localizedDescription))
        break
      }
    }
    identity.notes["laterFiles"] = .object(later)
    return count
  }

  private enum Exchange {
    case copied
    /// It is both here and in the folder.
    case settled
    /// It is neither here nor in the folder yet.
    case absent
    /// The local file, or the one in the folder, has different content.
    case broken
  }

  private func exchange(
    _ path: String, hash: String, size: Int?, as name: String, _ owners: [String], in home: URL
  ) throws -> Exchange {
    let here = home.appendingPathComponent(path)
    if FileManager.default.fileExists(atPath: here.path) {
      guard owners.isEmpty else { return .settled }
      do { try put(here, hash: hash, as: name) } catch is Broken { return .broken }
      try send()
      return .copied
    }
    guard !owners.isEmpty, isSafe(path, hash: hash) else { return .absent }
    for owner in owners {
      do {
        let copy = "\(folder.root.lastPathComponent)/\(owner)/\(Self.files)/\(name)"
        try folder.mirror?.fetch(file: copy, limit: size.map(Self.largestCopy))
        defer { folder.mirror?.drop(file: copy) }
        try take(name, of: owner, to: here, hash: hash)
        return .copied
      } catch is Broken {
        // Half-written or altered: another device may have a good copy.
      } catch is AgeFailure {
      }
    }
    return .broken
  }

  /// Returns the largest size of the encrypted copy of a file.
  private static func largestCopy(of size: Int) -> Int {
    let padded = Padding.size(of: size + 8)
    // The header, and sixteen bytes for each 64 KiB.
    return padded + 16 * (padded / 65_536 + 1) + 65_536
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
    return String(code.hexadecimal.prefix(SharedFolder.attachmentLength))
  }

  private func isSafe(_ path: String, hash: String) -> Bool {
    path.hasPrefix("\(hash.prefix(2))/\(hash)") && !path.contains("..")
      && path.split(separator: "/").count == 2
  }

  private func put(_ file: URL, hash: String, as name: String) throws {
    guard let key = identity.latestKey else { return }
    let shelf = try folder.made(identity.id, Self.files)
    guard let source = try? FileHandle(forReadingFrom: file) else { throw Broken() }
    defer { try? source.close() }
    let count = Int(try source.seekToEnd())
    try source.seek(toOffset: 0)
    try shelf.write(name) { append in
      try withoutActuallyEscaping(append) { append in
        let encryptor = try AgeEncryptor(to: .recipients([key.identity.recipient]), sink: append)
        try Self.write(withUnsafeBytes(of: UInt64(count).littleEndian) { Array($0) }, encryptor)
        var written = 8
        var sum = SHA256()
        while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
          sum.update(data: piece)
          try piece.withUnsafeBytes { try encryptor.write($0) }
          written += piece.count
        }
        guard written == count + 8, sum.finalize().hexadecimal == hash else { throw Broken() }
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
    guard let (source, size) = folder.opened(device, Self.files)?.file(name) else { throw Broken() }
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
    guard let shelf = folder.opened(identity.id, Self.files) else { return }
    let names = shelf.names.filter(SharedFolder.isAttachment)
    guard !names.isEmpty else { return }
    let needed = Set(try archive.replicaFiles().map { try name(of: $0.hash) })
    let gone = names.filter { !needed.contains($0) }
    guard !gone.isEmpty else { return }
    for name in gone { shelf.remove(name) }
    // The same file may be attached again.
    try archive.unsettleReplicaFiles(gone)
  }
}
