package import ArkivedBackup
package import ArkivedCore
import ArkivedImport
import ArkivedSearch
package import ArkivedStore
import ArkivedCrypto
package import Foundation

/// A job that packs an archive for another computer, and unpacks it there.
///
/// The file is a backup with one additional file, always encrypted, because even addresses of
/// calendars can be secrets. Tokens of programs, browser sessions and search indexes are not
/// included: they belong to the old computer or are rebuilt.
package struct MoveJob {
  package let archive: Archive
  package let homeZone: Zone
  package let watch: ImportWatch

  package init(archive: Archive, homeZone: Zone, watch: ImportWatch = ImportWatch()) {
    self.archive = archive
    self.homeZone = homeZone
    self.watch = watch
  }

  /// The result of packing.
  package struct Packed: Sendable {
    package var backup: BackupJob.Account
    package var pack: MovePack
    /// Descriptions of everything that could not be included.
    package var problems: [String]

    package var json: JSON {
      var object = backup.json.object ?? [:]
      object["fingerprint"] = .string(MoveJob.fingerprint(backup.manifest))
      object["links"] = JSON(pack.links.count)
      object["secrets"] = JSON(pack.secrets.count)
      object["drafts"] = JSON(pack.drafts.keys.filter { $0.hasSuffix(".md") }.count)
      object["problems"] = JSON(problems)
      return .object(object)
    }
  }

  /// The name of this computer, determined without a network query.
  package static var thisHost: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns a fingerprint of the hashes of everything packed, which is the same on both computers
  /// if everything arrived.
  package static func fingerprint(_ manifest: BackupManifest) -> String {
    let lines = manifest.members.map { "\($0.path) \($0.bytes) \($0.hash)" }
    let digest = SHA256.hash(data: Data(lines.joined(separator: "\n").utf8))
    let digits = digest.prefix(8).hexadecimal.uppercased()
    return stride(from: 0, to: digits.count, by: 4).map { start in
      String(digits.dropFirst(start).prefix(4))
    }.joined(separator: "-")
  }

  /// Writes the file and verifies it by reading it back.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - target: the recipient of the encryption.
  ///   - host: the name of this computer.
  ///   - withSecrets: true if the calendars' passwords and the models' keys are included.
  /// - Returns: a summary of the packed data.
  /// - Throws: as `BackupJob.write`, and `ArchiveError.refused` for an archive in memory.
  package func pack(
    to file: URL, target: AgeTarget, host: String, withSecrets: Bool
  ) throws -> Packed {
    guard let home = archive.home else {
      throw ArchiveError.refused(
        "An archive in memory can’t be moved. Choose a folder for the archive.")
    }
    var problems: [String] = []
    let links = try archive.syncLinks()
    var secrets: [UUID: JSON] = [:]
    if withSecrets {
      let kept = CalendarSecrets(file: home.appendingPathComponent(CalendarSecrets.fileName))
      for link in links {
        do {
          if let secret = try kept.read(link.id).json { secrets[link.id] = secret }
        } catch let error as FieldError {
          problems.append(error.description)
        }
      }
    }
    var models: [String: JSON] = [:]
    for name in MoveFiles.models {
      models[name] = MoveFiles.model(name, in: home, withSecrets: withSecrets)
    }
    let book = BackupBook(of: archive)
    let unread =
      MoveFiles.models.filter { !models.keys.contains($0) }
      + (book.isUnreadable ? ["backup.json"] : [])
    problems += unread.map { home.appendingPathComponent($0).path }
      .filter { FileManager.default.fileExists(atPath: $0) }
      .map { "\($0) can’t be read; copy it manually" }
    let drafts = MoveFiles.drafts(in: home)
    problems += drafts.left.map {
      "\($0) isn’t a text file or is larger than 4 MB; copy it "
        + "manually"
    }
    let pack = MovePack(
      packedAt: archive.clock.now, program: ArkivedVersion.current, host: host,
      folder: home.path, links: links, secrets: secrets, bringsSecrets: withSecrets,
      settings: try archive.portableSettings(), models: models,
      plan: book.plan?.json, drafts: drafts.texts)
    let content = Data(pack.json.bytes(indented: true) + [0x0A])
    // Entries written during packing may or may not be included.
    let place = try archive.newestPlace()
    let account = try BackupJob(
      archive: archive, target: target, watch: watch,
      companion: (name: MemberName.move, content: content)
    ).write(to: file)
    // The file is complete even if this cannot be recorded.
    try? archive.notePacked(upTo: place)
    return Packed(backup: account, pack: pack, problems: problems)
  }

  /// Verifies a file completely and makes an archive from it, which is kept next to the empty one.
  ///
  /// - Throws: `AgeFailure`, `BackupFailure`, `ArchiveError.notEmpty` if this archive contains
  ///   anything, `.refused` if the file is only a backup.
  package func prepare(_ file: URL, unlocks: [AgeUnlock]) throws -> PreparedMove {
    try archive.checkIsEmpty(for: file.lastPathComponent)
    let pack = try Self.pack(of: file, unlocks: unlocks)
    let prepared = try RestoreJob(archive: archive, homeZone: homeZone, watch: watch)
      .prepare(file, unlocks: unlocks)
    return PreparedMove(archive: archive, prepared: prepared, pack: pack)
  }

  private static func pack(of file: URL, unlocks: [AgeUnlock]) throws -> MovePack {
    let reader = try RestoreJob.open(file, unlocks)
    guard reader.manifest.members.contains(where: { $0.path == MemberName.move }) else {
      let name = Archive.shellWord(file.lastPathComponent)
      throw ArchiveError.refused(
        "This file is a backup that wasn’t made by arkived move pack. Nothing was changed. To "
          + "replace this archive with it: arkived restore \(name)")
    }
    var content: [UInt8] = []
    try reader.check(take: { member in
      guard member.path == MemberName.move else { return nil }
      return { content.append(contentsOf: $0) }
    })
    return try MovePack(JSON(parsing: content))
  }
}

extension Archive {
  /// Throws if the archive is not empty.
  ///
  /// - Throws: `ArchiveError.notEmpty`.
  fileprivate func checkIsEmpty(for name: String) throws {
    guard try isEmpty() else {
      throw ArchiveError.notEmpty(
        "This archive already has entries. Nothing was changed. Unpack into a new archive with "
          + "--archive DIR, or add the other archive’s entries with: arkived merge "
          + "\(Self.shellWord(name))")
    }
  }
}

/// A moved archive that was verified and is ready to be applied.
package final class PreparedMove {
  package let pack: MovePack
  private let archive: Archive
  private let prepared: PreparedRestore

  init(archive: Archive, prepared: PreparedRestore, pack: MovePack) {
    self.archive = archive
    self.prepared = prepared
    self.pack = pack
  }

  /// Applies the archive, then counts and compares everything with the packed data.
  package func apply() throws -> MoveReport {
    guard let home = archive.home, let manifest = prepared.manifest else {
      throw ArchiveError.refused(
        "The content of an archive in memory can’t be replaced. Choose a folder for the archive.")
    }
    var report = MoveReport(pack: pack, manifest: manifest, problems: prepared.shortfalls)
    try archive.checkIsEmpty(for: prepared.name)
    // Entries come last: until they exist, an interrupted move can start again.
    try prepared.candidate.takePortableSettings(pack.settings)
    let links = try newLinks(home, &report)
    try takeFiles(home, &report)
    _ = try prepared.apply(adding: links) { try archive.checkIsEmpty(for: prepared.name) }
    try takePlan(&report)
    try compare(manifest, &report)
    report.foresee()
    return report
  }

  /// Returns the places that are not linked here yet, and stores their credentials.
  private func newLinks(_ home: URL, _ report: inout MoveReport) throws -> [SyncLink] {
    let secrets = CalendarSecrets(file: home.appendingPathComponent(CalendarSecrets.fileName))
    let known = Set(try archive.syncLinks().map(\.address))
    let links = pack.links.filter { !known.contains($0.address) }
    for link in links {
      if let credentials = pack.secrets[link.id].flatMap({ CalendarCredentials($0) }) {
        try secrets.write(credentials, for: link.id)
      } else if link.kind == .calDAV {
        report.remaining.append(
          """
          Enter the password for the calendar “\(link.name)” again: unlink it, then run arkived \
          sync link
          """
        )
      } else if link.kind.isService {
        report.remaining.append(
          """
          Enter the API key for “\(link.name)” again: unlink it, then run arkived sync link
          """
        )
      } else if link.kind == .cardDAV {
        report.remaining.append(
          """
          Enter the password for the address book “\(link.name)” again: unlink it, then run arkived \
          sync link
          """
        )
      }
      let isFile = [.tenWeek, .calendarFile, .calendarFolder].contains(link.kind)
      if isFile, !FileManager.default.fileExists(atPath: link.address) {
        report.remaining.append(
          """
          \(link.address) is linked but isn’t on this computer. Copy it here, or run arkived sync \
          unlink
          """
        )
      }
    }
    return links
  }

  private func takeFiles(_ home: URL, _ report: inout MoveReport) throws {
    for (name, content) in pack.models where MoveFiles.models.contains(name) {
      let file = home.appendingPathComponent(name)
      guard !FileManager.default.fileExists(atPath: file.path) else { continue }
      try DurableFile.write(Data(content.bytes(indented: true) + [0x0A]), to: file)
      report.remaining.append(
        "This computer now uses the address in \(name) (\(content["address"]?.string ?? "none")). Check that "
          + "it responds"
          + (pack.bringsSecrets ? "" : ", and set its key if it needs one"))
    }
    let drafts = DraftFiles(.folder(home)).folder
    for (name, text) in pack.drafts where MoveFiles.isDraft(name) {
      try DurableFile.makeFolder(drafts)
      let file = drafts.appendingPathComponent(name)
      guard !FileManager.default.fileExists(atPath: file.path) else { continue }
      try DurableFile.write(Data(text.utf8), to: file)
    }
  }

  private func takePlan(_ report: inout MoveReport) throws {
    guard let plan = pack.plan.flatMap({ BackupBook.Plan($0) }) else { return }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: plan.folder, isDirectory: &isFolder)
    guard isThere, isFolder.boolValue else {
      report.remaining.append(
        "Backups went to \(plan.folder), which isn’t on this computer. Choose a folder: arkived "
          + "backup schedule --folder DIR --to \(plan.recipients.first?.description ?? "KEY")")
      return
    }
    try BackupBook.change(of: archive) { $0.plan = plan }
  }

  /// Counts the entries, and checks every file against its hash.
  private func compare(_ manifest: BackupManifest, _ report: inout MoveReport) throws {
    var here: [String: Int] = [:]
    try archive.forEachEntity { type, _ in here[type, default: 0] += 1 }
    report.here = here
    for finding in try archive.examine() where finding.verdict == .problem {
      report.problems.append("\(finding.check): \(finding.detail)")
    }
    for member in manifest.members where MemberName.isAttachment(member.path) {
      guard let file = archive.home?.appendingPathComponent(member.path),
        let data = try? Data(contentsOf: file, options: .mappedIfSafe), data.count == member.bytes,
        SHA256.hash(data: data).hexadecimal == member.hash
      else {
        report.problems.append("\(member.path) doesn’t match what was packed")
        continue
      }
      report.files += 1
      report.bytes += member.bytes
    }
  }
}

/// A report of the received data, for comparison with the packed data.
package struct MoveReport: Sendable {
  package var pack: MovePack
  package var manifest: BackupManifest
  /// The number of entries here by type.
  package var here: [String: Int] = [:]
  /// The number of attached files that arrived unchanged.
  package var files = 0
  package var bytes = 0
  package var problems: [String]
  /// The tasks that have to be done again here.
  package var remaining: [String] = []

  init(pack: MovePack, manifest: BackupManifest, problems: [String]) {
    self.pack = pack
    self.manifest = manifest
    self.problems = problems
  }

  package var isComplete: Bool {
    problems.isEmpty && manifest.counts.allSatisfy { here[$0.key] == $0.value }
  }

  package var fingerprint: String { MoveJob.fingerprint(manifest) }

  package var json: JSON {
    let types = Set(manifest.counts.keys).union(here.keys).sorted()
    return [
      "isComplete": .bool(isComplete), "fingerprint": .string(fingerprint),
      "packedAt": JSON(pack.packedAt), "from": .string(pack.host),
      "entries": .array(
        types.map {
          [
            "type": .string($0), "packed": JSON(manifest.counts[$0] ?? 0),
            "here": JSON(here[$0] ?? 0),
          ]
        }), "files": JSON(files), "bytes": JSON(bytes), "missing": JSON(manifest.missing),
      "links": JSON(pack.links.count), "problems": JSON(problems), "remaining": JSON(remaining),
    ]
  }

  /// Adds the tasks for things that no file can transfer.
  mutating func foresee() {
    remaining.append(
      "Programs need new tokens: arkived token create. Browsers and phones must sign in again")
    remaining.append(
      "Set up anything that starts Arkived automatically (a service, a shortcut) on this computer")
    let model = EmbeddingModelFolder(environment: ProcessInfo.processInfo.environment)
    if !model.hasModel {
      remaining.append(
        "Search by meaning needs its model in \(model.url.path), or in a folder set in ARKIVED_MODEL"
      )
    }
    remaining.append(
      "Search indexes must be rebuilt. Run arkived index, or leave arkived serve running")
    remaining.append(
      """
      Once everything works here, run arkived move leave NAME on the old computer. Nothing can be \
      written there after that
      """
    )
  }
}
