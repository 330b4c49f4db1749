package import ArkivedBackup
package import ArkivedCore
import ArkivedImport
import ArkivedStore
package import Foundation

/// Restoring one day or one entry.
extension RestoreJob {
  /// The part of a backup to restore.
  package enum Part: Sendable {
    /// A day's own entry, its activities with their meetings and files, its measurements and notes.
    case day(DayKey)
    /// One entry, given by its ID or at least the first eight characters of it.
    case entry(String)

    var name: String {
      switch self {
      case .day(let day): "day \(day)"
      case .entry(let id): "entry \(id)"
      }
    }
  }

  /// Restores a part as one change, which can be undone.
  ///
  /// Its current state is saved in the history, and entries in it that the owner deleted are
  /// restored.
  ///
  /// - Throws: `ArchiveError.notFound` if the backup has no such part, `.ambiguous` if several
  ///   entries have that prefix.
  package func restore(_ part: Part, of file: URL, unlocks: [AgeUnlock]) throws -> [ImportRun] {
    let work = try workFolder()
    defer { work.remove() }
    let reader = try RestoreJob.open(file, unlocks)
    let all = work.url.appendingPathComponent("all")
    let wanted = work.url.appendingPathComponent("\(part.name) of \(file.lastPathComponent)")
    for folder in [all, wanted] { try DurableFile.makeFolder(folder) }
    try unpack(reader) { MemberName.isLines($0) ? all.appendingPathComponent($0) : nil }
    var filter = PartFilter(part)
    let names = reader.manifest.members.map(\.path).filter(MemberName.isLines)
    for name in names { try filter.look(at: all.appendingPathComponent(name)) }
    for name in names {
      try filter.take(all.appendingPathComponent(name), into: wanted.appendingPathComponent(name))
    }
    guard filter.count > 0 else {
      throw ArchiveError.notFound(
        "This backup doesn’t contain "
          + "\(part.name).")
    }
    guard filter.entries.count < 2 else {
      throw ArchiveError.ambiguous(
        "Several entries in the backup match this ID: "
          + "\(filter.entries.sorted().joined(separator: ", ")). Enter more digits.")
    }
    let paths = filter.paths
    try unpack(reader) { paths.contains($0) ? wanted.appendingPathComponent($0) : nil }
    return try ImportJob(
      archive: archive, homeZone: homeZone, importers: [JSONLinesImporter()], overridesOwner: true,
      watch: watch
    ).run(wanted, named: "\(part.name) of \(file.lastPathComponent)")
  }
}

/// A filter that picks the lines that belong to a part.
private struct PartFilter {
  let part: RestoreJob.Part
  /// The number of lines that were picked.
  private(set) var count = 0
  /// The IDs that match the given prefix.
  private(set) var entries: Set<String> = []
  /// The paths of attachments' files among the picked lines.
  private(set) var paths: Set<String> = []
  private var kept: Set<String> = []

  init(_ part: RestoreJob.Part) { self.part = part }

  /// The entries that the selected meetings belong to.
  ///
  /// Meetings are read after their entries.
  private var entriesOfMeetings: Set<String> = []

  private static let typesOfDay: Set<String> = ["day", "activity", "metric", "note", "attachment"]
  /// The fields that identify a line's owner, or either of the two entries that a line links.
  private static let owners = [
    "activityId", "meetingId", "noteId", "threadId", "actionId", "goalId", "valueId", "termId",
  ]
  private static let noEntries: Set<String> = ["history", "tombstone", "interchange", "arkived"]

  /// Records the entry of a selected meeting, so that it is restored with the meeting.
  mutating func look(at source: URL) throws {
    guard case .entry = part, source.lastPathComponent.hasSuffix("-meeting.jsonl") else { return }
    try forEachLine(of: source) { filter, json, _ in
      guard filter.isNamed(json, "meeting"), let id = json["activityId"]?.string else { return }
      filter.entriesOfMeetings.insert(id)
    }
  }

  /// Copies the lines that belong to the part; writes no file if there are none.
  mutating func take(_ source: URL, into target: URL) throws {
    var output = Data()
    try forEachLine(of: source) { filter, json, bytes in
      guard filter.isWanted(json) else { return }
      output.append(contentsOf: bytes + [0x0A])
      filter.count += 1
    }
    if !output.isEmpty { try output.write(to: target) }
  }

  private mutating func forEachLine(
    of source: URL, _ body: (inout PartFilter, JSON, [UInt8]) -> Void
  ) throws {
    var lines = try LineReader(source)
    defer { lines.close() }
    while let line = try lines.next() {
      guard case .bytes(let bytes) = line,
        let json = try? JSON(parsing: bytes, depthLimit: JSON.lineDepth)
      else { continue }
      body(&self, json, bytes)
    }
  }

  private mutating func isWanted(_ json: JSON) -> Bool {
    guard let type = json["type"]?.string, !Self.noEntries.contains(type) else { return false }
    // Matches inferred by rules will be inferred again.
    guard json["matchMethod"]?.string != MatchMethod.autoInferred.rawValue else { return false }
    let owners = Self.owners.compactMap { json[$0]?.string }
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
      guard name.count >= 8, let id = json["id"]?.string else { return false }
      if type == "activity", entriesOfMeetings.contains(id) { return true }
      guard id.uppercased().hasPrefix(name.uppercased()) else { return false }
      entries.insert(id)
      return true
    }
  }
}
