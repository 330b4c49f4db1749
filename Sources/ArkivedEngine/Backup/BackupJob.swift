package import ArkivedBackup
package import ArkivedCore
package import ArkivedStore
import ArkivedCrypto
package import Foundation

/// An error that reports that the owner cancelled a backup or a restore.
package struct BackupCancelled: Error, CustomStringConvertible {
  package init() {}
  package var description: String { "Cancelled. Nothing was changed." }
}

/// A job that writes the whole archive into one file that can be opened without Arkived, and
/// verifies it by reading it back.
package struct BackupJob {
  package let archive: Archive
  /// The recipient of the encryption; nil for a file that anyone can read.
  package let target: AgeTarget?
  package let watch: ImportWatch
  /// An additional file to include, with its name in the backup.
  let companion: (name: String, content: Data)?
  /// Opens an attachment's file.
  package var opens: @Sendable (URL) throws -> any RandomBytes = { try PlainFile($0) }

  package init(archive: Archive, target: AgeTarget?, watch: ImportWatch = ImportWatch()) {
    self.init(archive: archive, target: target, watch: watch, companion: nil)
  }

  init(
    archive: Archive, target: AgeTarget?, watch: ImportWatch,
    companion: (name: String, content: Data)?
  ) {
    self.archive = archive
    self.target = target
    self.watch = watch
    self.companion = companion
  }

  /// The result of a backup.
  package struct Account: Sendable {
    package var file: URL
    /// The size of the file in bytes.
    package var bytes: Int
    /// SHA-256 of the file, in lower-case hexadecimal.
    package var hash: String
    package var manifest: BackupManifest
    package var isEncrypted: Bool
    /// The archive it was made from, and that archive's newest change when the backup began.
    package var archive: UUID?
    package var change: Int?
    /// The number of lines in it that come and go although nothing is lost: matches that the rules
    /// found, and marks of deletions.
    var passing = 0
    /// Descriptions of everything that the previous backup had and this one lacks.
    package var losses: [String] = []

    /// The number of attached files in it.
    package var files: Int {
      manifest.members.count { MemberName.isAttachment($0.path) }
    }

    package var json: JSON {
      [
        "file": .string(file.path), "bytes": JSON(bytes), "entries": JSON(manifest.entries),
        "files": JSON(manifest.members.count), "madeAt": JSON(manifest.madeAt),
        "sha256": .string(hash), "schema": .string(manifest.schema),
        "isEncrypted": .bool(isEncrypted),
        "isVerified": true, "missingFiles": JSON(manifest.missing), "losses": JSON(losses),
      ]
    }
  }

  /// Writes the backup.
  ///
  /// An existing file of that name stays unchanged until the new one is complete and verified.
  ///
  /// - Throws: `BackupCancelled`, `BackupFailure` if reading it back shows different content,
  ///   `POSIXFailure`.
  package func write(to file: URL) throws -> Account {
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    IncomingFile.removeAbandoned(in: file.deletingLastPathComponent())
    let incoming = try IncomingFile(for: file)
    let report = try archive.storageReport()
    let attachmentBytes = report.attachmentBytes
    watch.begin([report.archiveBytes, attachmentBytes, report.archiveBytes + attachmentBytes])
    let madeAt = archive.clock.now
    let change = try archive.newestPlace()
    var hash = SHA256()
    let writer = try BackupWriter(for: target, madeAt: Int(madeAt.milliseconds / 1_000)) {
      hash.update(data: $0)
      try incoming.append($0)
    }
    let guide = BackupGuide.text(madeAt: madeAt, program: ArkivedVersion.current)
    try writer.add(BackupManifest.guideName, Data(guide.utf8))
    var manifest = BackupManifest(
      madeAt: madeAt, program: ArkivedVersion.current, schema: report.schema,
      lines: ExportJob.version)
    let total = report.counts.reduce(0) { $0 + $1.count }
    let passing = try writeEntries(
      into: writer, &manifest, share: Double(report.archiveBytes) / Double(max(1, total)))
    watch.finishFile()
    try writeAttachments(into: writer, &manifest)
    watch.finishFile()
    try writer.add(
      MemberName.settings, Data(try settings().bytes(indented: true) + [0x0A]))
    if let companion { try writer.add(companion.name, companion.content) }
    manifest = try writer.finish(manifest)
    try incoming.synchronise()
    try verify(incoming.temporary, manifest, key: writer.fileKey)
    let bytes = try incoming.temporary.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    try incoming.commit()
    return Account(
      file: file, bytes: bytes, hash: hash.finalize().hexadecimal,
      manifest: manifest, isEncrypted: target != nil,
      archive: try archive.identity()?.archive, change: change, passing: passing)
  }

  /// The other settings of the owner: saved mappings of tables, and what was said not to be the same.
  static let keptSettings = ["tableProfiles", "entriesApart", "tagsApart"]

  /// Returns the owner's display settings, with the templates and prompts under `writing` and other
  /// settings under `kept`.
  private func settings() throws -> JSON {
    var settings = try archive.preferences().json.object ?? JSONObject()
    settings["writing"] = try archive.writingSettings().json
    let all = try archive.portableSettings()
    var kept = JSONObject()
    for name in Self.keptSettings { kept[name] = all[name] }
    settings["kept"] = .object(kept)
    return .object(settings)
  }

  /// Writes a backup under a name that an earlier one may have, and adds it to the backup list.
  ///
  /// An earlier backup is replaced only by one that has everything the earlier one has. Otherwise,
  /// or if the content of the existing file is unknown, the new backup is written next to it.
  package func replace(_ file: URL) throws -> Account {
    let book = BackupBook(of: archive)
    let path = file.standardizedFileURL.path
    let earlier = book.entries.first { $0.path == path && $0.isThere }
    let isTaken =
      (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber)
      .map { $0.intValue > 0 } ?? false
    let incoming =
      isTaken
      ? PlannedBackup.free(file.lastPathComponent, in: file.deletingLastPathComponent()) : file
    var account = try write(to: incoming)
    let losses = BackupLosses(archive: archive)
    if let earlier { account.losses = try losses.between(earlier, account) }
    // The earlier one may itself lack something that another one has.
    if let whole = book.lastWhole(now: archive.clock.now), whole.path != earlier?.path {
      for loss in try losses.between(whole, account) where !account.losses.contains(loss) {
        account.losses.append(loss)
      }
    }
    if earlier != nil, account.losses.isEmpty {
      guard rename(incoming.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      try DurableFile.toleratingUnflushable {
        try DurableFile.synchronise(file.deletingLastPathComponent())
      }
      account.file = file
    }
    // The list is for reminders; a backup counts without it.
    _ = try? BackupBook.change(of: archive) { $0.note(account, isRotated: false) }
    return account
  }

  private func look() throws {
    guard !watch.isToStop() else { throw BackupCancelled() }
  }

  /// Writes a file of lines for each type, from one consistent view of the archive.
  ///
  /// - Parameters:
  ///   - writer: the backup.
  ///   - manifest: receives the number of entries of each type.
  ///   - share: bytes of the archive per entry, for reporting progress.
  /// - Returns: the number of lines among them that come and go although nothing is lost.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or the backup can't
  ///   be written.
  private func writeEntries(
    into writer: BackupWriter, _ manifest: inout BackupManifest, share: Double
  ) throws -> Int {
    var type: String?
    var number = 0
    var passing = 0
    var buffer: [UInt8] = []
    var done = 0
    try archive.forEachEntity { next, json in
      if next != type {
        if type != nil {
          try buffer.withUnsafeBytes { try writer.write($0) }
          buffer.removeAll(keepingCapacity: true)
          try writer.end()
        }
        type = next
        number += 1
        try writer.begin(MemberName.lines(number, next))
      }
      buffer.append(contentsOf: ExportJob.typed(next, json).utf8)
      buffer.append(0x0A)
      manifest.counts[next, default: 0] += 1
      if Self.isPassing(next, json) { passing += 1 }
      done += 1
      watch.count()
      guard buffer.count > 1 << 18 else { return }
      try buffer.withUnsafeBytes { try writer.write($0) }
      buffer.removeAll(keepingCapacity: true)
      watch.reach(Int(Double(done) * share))
      try look()
    }
    guard type != nil else { return 0 }
    try buffer.withUnsafeBytes { try writer.write($0) }
    try writer.end()
    return passing
  }

  /// Returns true for a match that the rules found, which disappears when its goal is deleted or its
  /// unit changes, and for the mark of a deletion, which disappears when its entry is restored.
  private static func isPassing(_ type: String, _ json: JSON) -> Bool {
    switch type {
    case "tombstone": true
    case ActionGoalContribution.typeName:
      json["matchMethod"]?.string == MatchMethod.autoInferred.rawValue
    default: false
    }
  }

  /// Writes the attached files.
  ///
  /// They are named by their content and never change, so no consistent view is needed.
  private func writeAttachments(
    into writer: BackupWriter, _ manifest: inout BackupManifest
  ) throws {
    var seen: Set<String> = []
    var done = 0
    for attachment in try archive.attachments() + archive.oldAttachments() {
      guard let path = attachment.relativePath, seen.insert(path).inserted else { continue }
      let name = "attachments/\(path)"
      guard let file = archive.file(of: attachment), MemberName.isAttachment(name),
        let content = try? opens(file)
      else {
        manifest.missing.append(path)
        continue
      }
      try writer.begin(name, size: content.count, packs: !Self.isSmallAlready(name))
      let isWhole = try copy(content, into: writer, &done)
      try writer.end()
      // Corrupt files are included but count as missing, because the last backup that has them
      // intact must be kept.
      let isIntact = attachment.contentHash.map { writer.members.last?.hash == $0 } ?? true
      if !isWhole || !isIntact { manifest.missing.append(path) }
    }
  }

  /// Copies an attachment's content, with zeros for every block that can't be read: one bad block
  /// must not keep everything else out of all backups.
  ///
  /// - Returns: true if everything could be read.
  private func copy(
    _ content: any RandomBytes, into writer: BackupWriter, _ done: inout Int
  ) throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    var isWhole = true
    // Up to here, only single blocks are read, because one of them can't be.
    var carefulEnd = 0
    while offset < content.count {
      let isCareful = offset < carefulEnd
      let wanted = min(isCareful ? Self.blockSize : buffer.count, content.count - offset)
      let read = try? buffer.withUnsafeMutableBytes {
        try content.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]))
      }
      var count = read ?? 0
      if count <= 0 {
        guard isCareful else {
          carefulEnd = offset + wanted
          continue
        }
        // The block can't be read, or the file became shorter.
        isWhole = false
        count = wanted
        for index in 0..<wanted { buffer[index] = 0 }
      }
      try buffer.withUnsafeBytes {
        try writer.write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      offset += count
      done += count
      watch.reach(done)
      try look()
    }
    return isWhole
  }

  private static let blockSize = 4_096

  private static let smallEndings: Set<String> = [
    "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "mp3", "m4a", "aac", "ogg", "opus",
    "flac", "mp4", "m4v", "mov", "webm", "mkv", "zip", "gz", "xz", "zst", "7z", "docx", "xlsx",
    "pdf",
  ]

  private static func isSmallAlready(_ name: String) -> Bool {
    name.split(separator: ".").last.map { smallEndings.contains(String($0)) } ?? false
  }

  /// Reads the file back from the disk and compares all of its content.
  private func verify(_ file: URL, _ manifest: BackupManifest, key: AgeFileKey?) throws {
    try PlainFile(file).forgetCache()
    let reader = try BackupReader(file, unlocks: key.map { [AgeUnlock.fileKey($0)] } ?? [])
    guard reader.manifest == manifest else {
      throw BackupFailure.damaged("the written file differs when read back")
    }
    try reader.check(progress: { done in
      watch.reach(done)
      try look()
    })
  }
}
