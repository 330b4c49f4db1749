package import ArkivedBackup
package import ArkivedCore
import ArkivedImport
import ArkivedStore
package import Foundation

/// Bringing one day or one entry back.
extension RestoreJob {
  /// What of a backup is wanted.
  package enum Part: Sendable {
    /// A day's own entry, its activities with their meetings and files, its numbers and notes.
    case day(DayKey)
    /// One entry by its identity or the beginning of it, at least eight characters.
    case entry(String)

    var name: String {
      switch self {
      case .day(let day): "day \(day)"
      case .entry(let id): "entry \(id)"
      }
    }
  }

  /// Brings a part back as one change, which can be undone. What is here of it now goes to history;
  /// what the owner deleted of it comes back.
  ///
  /// - Throws: `ArchiveError.notFound` where the backup has no such part, `.ambiguous` where several
  ///   entries begin so.
  package func restore(_ part: Part, of file: URL, unlocks: [AgeUnlock]) throws -> [ImportRun] {
    let work = try workFolder()
    defer { work.remove() }
    let reader = try BackupReader(file, unlocks: unlocks)
    let all = work.url.appendingPathComponent("all")
    let wanted = work.url.appendingPathComponent("\(part.name) of \(file.lastPathComponent)")
    for folder in [all, wanted] { try DurableFile.makeFolder(folder) }
    try unpack(reader) { MemberName.isLines($0) ? all.appendingPathComponent($0) : nil }
    var filter = PartFilter(part)
    let names = reader.manifest.members.map(\.path).filter(MemberName.isLines)
    for name in names {
      try filter.take(all.appendingPathComponent(name), into: wanted.appendingPathComponent(name))
    }
    guard filter.count > 0 else { throw ArchiveError.notFound("\(part.name) in this backup") }
    guard filter.entries.count < 2 else {
      throw ArchiveError.ambiguous(
        "Several entries of the backup begin so: \(filter.entries.sorted().joined(separator: ", ")). "
          + "Name more of the identity.")
    }
    let paths = filter.paths
    try unpack(reader) { paths.contains($0) ? wanted.appendingPathComponent($0) : nil }
    return try ImportJob(
      archive: archive, homeZone: homeZone, importers: [JSONLinesImporter()], overridesOwner: true,
      watch: watch
    ).run(wanted, named: "\(part.name) of \(file.lastPathComponent)")
  }
}

/// Picks the lines that belong to a part.
private struct PartFilter {
  let part: RestoreJob.Part
  /// Lines that were picked.
  private(set) var count = 0
  /// Identities that an entry's name fits.
  private(set) var entries: Set<String> = []
  /// Files of attachments among them.
  private(set) var paths: Set<String> = []
  private var kept: Set<String> = []

  init(_ part: RestoreJob.Part) { self.part = part }

  private static let typesOfDay: Set<String> = ["day", "activity", "metric", "note", "attachment"]
  private static let noEntries: Set<String> = ["history", "tombstone", "interchange", "arkived"]

  /// Copies the lines that belong to the part; without any there is no file.
  mutating func take(_ source: URL, into target: URL) throws {
    var lines = try LineReader(source)
    defer { lines.close() }
    var output = Data()
    while let line = try lines.next() {
      guard case .bytes(let bytes) = line, let json = try? JSON(parsing: bytes), isWanted(json)
      else { continue }
      output.append(contentsOf: bytes + [0x0A])
      count += 1
    }
    if !output.isEmpty { try output.write(to: target) }
  }

  private mutating func isWanted(_ json: JSON) -> Bool {
    guard let type = json["type"]?.string, !Self.noEntries.contains(type) else { return false }
    let owners = ["activityId", "meetingId", "noteId"].compactMap { json[$0]?.string }
    guard isNamed(json, type) || owners.contains(where: kept.contains) else { return false }
    if let id = json["id"]?.string { kept.insert(id) }
    for attachment in (json["attachments"]?.array ?? []) + [json] {
      if let path = attachment["relativePath"]?.string { paths.insert("attachments/\(path)") }
    }
    return true
  }

  private mutating func isNamed(_ json: JSON, _ type: String) -> Bool {
    switch part {
    case .day(let day):
      return Self.typesOfDay.contains(type) && json["dayKey"]?.string == day.description
    case .entry(let name):
      guard name.count >= 8, let id = json["id"]?.string,
        id.uppercased().hasPrefix(name.uppercased())
      else { return false }
      entries.insert(id)
      return true
    }
  }
}
