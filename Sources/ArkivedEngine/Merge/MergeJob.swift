package import ArkivedBackup
package import ArkivedCore
import ArkivedImport
package import ArkivedStore
package import Foundation

/// Brings another archive's entries into this one: by identity, then by what they came from. What is
/// only likely the same stays apart and is proposed.
///
/// The other archive becomes lines with the identities of this one, which an import takes: it is
/// written aside, appears at once or not at all, and is one change that can be undone.
package struct MergeJob {
  package let archive: Archive
  package let homeZone: Zone
  package let watch: ImportWatch

  package init(archive: Archive, homeZone: Zone, watch: ImportWatch = ImportWatch()) {
    self.archive = archive
    self.homeZone = homeZone
    self.watch = watch
  }

  /// Reads another archive and finds out how its entries stand to those here. Nothing is changed, on
  /// either side.
  ///
  /// - Parameter source: an archive's folder, a backup, or an export in JSON Lines (a file, or the
  ///   folder it lies in).
  /// - Throws: `AgeFailure`, `BackupFailure`, `ImportRefusal`, `ImportCancelled`, and
  ///   `ArchiveError.refused` where it is this archive itself.
  package func prepare(_ source: URL, unlocks: [AgeUnlock] = []) throws -> PreparedMerge {
    let restore = RestoreJob(archive: archive, homeZone: homeZone, watch: watch)
    let work = try restore.workFolder()
    let lines: MergeSource
    do {
      lines = try MergeSourceReader(archive: archive, restore: restore, work: work.url)
        .read(source, unlocks: unlocks)
    } catch is BackupCancelled {
      throw ImportCancelled()
    }
    let index = try MergeIndex(archive)
    var map = MergeMap(index)
    try lines.forEachLine { _, _, json in
      guard let json, let type = json["type"]?.string else { return }
      map.take(type, json)
    }
    map.settle()
    try watch.look()
    let versions = try MergeVersions(archive, index, &map, lines)
    try watch.look()
    // Named for the list of changes: “Imported the backup laptop.zip.age”.
    let title = "the \(lines.kind.rawValue) \(source.lastPathComponent.prefix(60))"
    let writer = MergeWriter(
      folder: work.url.appendingPathComponent(title), source: lines, archive: archive,
      index: index)
    try writer.write(versions, &map, look: watch.look)
    return PreparedMerge(
      job: self, work: work, name: source.lastPathComponent, folder: writer.folder,
      report: MergeReport(
        kind: lines.kind.rawValue, counts: map.counts, linked: map.identities.count,
        isSame: writer.sameCount, conflicts: writer.conflicts,
        conflictCount: writer.conflictCount, namesakes: map.namesakes,
        renumberedTerms: map.renumbered.values.sorted()),
      files: writer.files, coming: writer.coming)
  }
}

/// How another archive stands to this one.
package struct MergeReport: Sendable {
  /// archive, backup or export.
  package var kind: String
  /// Entries of the other archive by their type.
  package var counts: [String: Int]
  /// Entries that have another identity there and are the same: they came from the same source, are
  /// of the same day, or have the same address, event or number.
  package var linked: Int
  /// Entries that say the same in both, or of which the version here is the later one without a doubt.
  package var isSame: Int
  /// Entries that were changed on both sides, the first thousand of them.
  package var conflicts: [MergeConflict]
  package var conflictCount: Int
  /// People there who share nothing but a name with somebody here; they stay apart.
  package var namesakes: [String]
  /// New numbers of terms whose own belongs to another term here.
  package var renumberedTerms: [Int]

  static let conflictLimit = 1_000

  package var json: JSON {
    var counted = JSONObject()
    for (type, count) in counts.sorted(by: { $0.key < $1.key }) { counted[type] = JSON(count) }
    return [
      "kind": .string(kind), "counts": .object(counted), "linked": JSON(linked),
      "same": JSON(isSame), "conflicts": .array(conflicts.map(\.json)),
      "conflictCount": JSON(conflictCount),
      "namesakes": JSON(namesakes), "renumberedTerms": JSON(renumberedTerms.map(String.init)),
    ]
  }
}

/// Another archive that was read and waits to be merged.
package final class PreparedMerge {
  /// What a merge did.
  package struct Outcome: Sendable {
    /// The account of the merge as an import, by which it is taken back; nil where there was nothing.
    package var run: ImportRun?
    /// Pairs of entries that likely tell of the same and wait for the owner.
    package var proposals: Int
  }

  package let name: String
  package let report: MergeReport
  private let job: MergeJob
  private let work: RestoreJob.WorkFolder
  private let folder: URL
  private let files: MergeFiles
  private let coming: [EntrySketch]

  init(
    job: MergeJob, work: RestoreJob.WorkFolder, name: String, folder: URL, report: MergeReport,
    files: MergeFiles, coming: [EntrySketch]
  ) {
    self.coming = coming
    self.job = job
    self.work = work
    self.name = name
    self.folder = folder
    self.report = report
    self.files = files
  }

  private var importJob: ImportJob {
    ImportJob(
      archive: job.archive, homeZone: job.homeZone, importers: [JSONLinesImporter()],
      watch: job.watch)
  }

  /// What the merge would bring, without bringing it; nil where nothing would come in.
  package func forecast() throws -> ImportForecast? {
    guard !files.isEmpty else { return nil }
    return try importJob.forecast(folder).runs.first
  }

  /// Entries that would come in and are likely the same as some here. They stay apart.
  ///
  /// - Parameter limit: so many at most, the newest.
  package func likelySame(limit: Int = 200) throws -> [MergeLikeness] {
    try job.archive.nearDuplicates(ofComing: coming, limit: limit).map { pair in
      MergeLikeness(
        here: pair.here.id, dayKey: pair.here.dayKey, text: pair.here.text,
        there: pair.coming.id, textThere: pair.coming.text)
    }
  }

  /// Merges.
  package func apply() throws -> Outcome {
    defer { work.remove() }
    guard !files.isEmpty else { return Outcome(run: nil, proposals: 0) }
    // A while may have gone by since it was read.
    if let there = files.there { try MergeSource.refuseLinks(in: there) }
    // Old versions name files too. One that nothing names, because the merge ends early, does no harm.
    try files.store(into: job.archive, look: job.watch.look)
    let runs = try importJob.run(folder, named: name)
    return Outcome(run: runs.first, proposals: try job.archive.nearDuplicates(limit: 200).count)
  }
}

/// What is needed to decide about entries that differ.
struct MergeVersions {
  /// The entries here whose content the other archive has otherwise.
  private(set) var here: [UUID: JSON] = [:]
  /// Entries that say the same in both.
  private(set) var same: Set<UUID> = []
  private(set) var oldHere: [UUID: Set<MergePrint>] = [:]
  private(set) var oldThere: [UUID: Set<MergePrint>] = [:]
  /// What old versions of days and people said once.
  private(set) var saidHere: [UUID: Set<String>] = [:]
  private(set) var saidThere: [UUID: Set<String>] = [:]

  /// A tag says nothing but its name, and what counts towards a goal is found anew.
  private static let settledByRules: Set<String> = ["tag", "contribution"]
  /// Of these some is said once and some is joined.
  private static let joinedTables: Set<String> = [
    EntityType.day.rawValue, EntityType.person.rawValue,
  ]

  init(
    _ archive: Archive, _ index: MergeIndex, _ map: inout MergeMap, _ source: MergeSource
  ) throws {
    var (differing, same): (Set<UUID>, Set<UUID>) = ([], [])
    var terms = map
    var (old, said): ([UUID: Set<MergePrint>], [UUID: Set<String>]) = ([:], [:])
    try source.forEachLine { _, _, json in
      guard let json, let type = json["type"]?.string else { return }
      if type == "history" {
        let version = terms.adapted(type, json)
        guard let id = MergeContent.identity(version["sourceId"]), index.entries[id] != nil,
          let record = version["record"]
        else { return }
        old[id, default: []].insert(MergeContent.print(index.withPeopleOfHere(record)))
        guard Self.isJoined(version) else { return }
        said[id, default: []].formUnion(MergeContent.sayings(record))
      } else if !MergeContent.noEntries.contains(type), !Self.settledByRules.contains(type) {
        let entry = terms.adapted(type, json)
        guard let id = MergeContent.identity(entry["id"]), let known = index.entries[id] else {
          return
        }
        if known == MergeContent.print(entry) { same.insert(id) } else { differing.insert(id) }
      }
    }
    map = terms
    self.same = same
    oldThere = old.filter { differing.contains($0.key) }
    saidThere = said.filter { differing.contains($0.key) }
    guard !differing.isEmpty else { return }
    var (mine, versions): ([UUID: JSON], [UUID: Set<MergePrint>]) = ([:], [:])
    said = [:]
    try archive.forEachEntity { type, json in
      if type == "history" {
        guard let id = MergeContent.identity(json["sourceId"]), differing.contains(id),
          let record = json["record"]
        else { return }
        versions[id, default: []].insert(MergeContent.print(index.withPeopleOfHere(record)))
        guard Self.isJoined(json) else { return }
        said[id, default: []].formUnion(MergeContent.sayings(record))
      } else if let id = MergeContent.identity(json["id"]), differing.contains(id) {
        mine[id] = json
      }
    }
    (here, oldHere, saidHere) = (mine, versions, said)
  }

  private static func isJoined(_ version: JSON) -> Bool {
    version["sourceTable"]?.string.map(joinedTables.contains) ?? false
  }

  /// Takes what an earlier line made of an entry, where several lines are about one.
  mutating func joined(_ id: UUID, _ json: JSON) { here[id] = json }
}
