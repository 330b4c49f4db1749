package import ArkivedBackup
package import ArkivedCore
import ArkivedImport
package import ArkivedStore
package import Foundation

/// A job that merges another archive's entries into this one: by ID, then by source.
///
/// Entries that are only likely the same stay separate and are proposed to the owner.
///
/// The other archive is converted to lines with this one's IDs, which are then imported: the import
/// is staged, appears at once or not at all, and is one change that can be undone.
package struct MergeJob {
  package let archive: Archive
  package let homeZone: Zone
  package let watch: ImportWatch

  package init(archive: Archive, homeZone: Zone, watch: ImportWatch = ImportWatch()) {
    self.archive = archive
    self.homeZone = homeZone
    self.watch = watch
  }

  /// Reads another archive and compares its entries with those here.
  ///
  /// Neither archive is changed.
  ///
  /// - Parameters:
  ///   - source: an archive's folder, a backup, or an export in JSON Lines (a file, or the folder
  ///     that contains it).
  ///   - unlocks: the keys that may open a backup.
  /// - Returns: the comparison.
  /// - Throws: `AgeFailure`, `BackupFailure`, `ImportRefusal`, `ImportCancelled`, and
  ///   `ArchiveError.refused` if it is this archive itself.
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
    // The name for the list of changes: “Imported the backup laptop.zip.age”.
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

/// A comparison of another archive with this one.
package struct MergeReport: Sendable {
  /// The kind of source: archive, backup or export.
  package var kind: String
  /// The number of entries of the other archive by type.
  package var counts: [String: Int]
  /// The number of entries that are the same although their IDs differ: they came from the same
  /// source, are of the same day, or have the same address, event or number.
  package var linked: Int
  /// The number of entries that have the same content in both, or whose version here is certainly
  /// the later one.
  package var isSame: Int
  /// The entries that were changed on both sides; only the first thousand.
  package var conflicts: [MergeConflict]
  package var conflictCount: Int
  /// The people there who have only a name in common with somebody here; they stay separate.
  package var namesakes: [String]
  /// The new numbers of terms whose own number belongs to another term here.
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

/// Another archive that was read and is ready to be merged.
package final class PreparedMerge {
  /// The result of a merge.
  package struct Outcome: Sendable {
    /// The merge's account as an import, which allows undoing it; nil if nothing was imported.
    package var run: ImportRun?
    /// The number of pairs of entries that are likely the same and wait for the owner.
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

  /// Returns the effects of the merge without merging; nil if nothing would be imported.
  package func forecast() throws -> ImportForecast? {
    guard !files.isEmpty else { return nil }
    return try importJob.forecast(folder).runs.first
  }

  /// Returns the entries that would be imported and are likely the same as some here.
  ///
  /// They stay separate.
  ///
  /// - Parameter limit: returns at most this many, the newest.
  /// - Returns: the pairs.
  /// - Throws: an error if the archives can't be read.
  package func likelySame(limit: Int = 200) throws -> [MergeLikeness] {
    try job.archive.nearDuplicates(ofComing: coming, limit: limit).map { pair in
      MergeLikeness(
        here: pair.here.id, dayKey: pair.here.dayKey, text: pair.here.text,
        there: pair.coming.id, textThere: pair.coming.text)
    }
  }

  /// Merges the other archive.
  package func apply() throws -> Outcome {
    defer { work.remove() }
    guard !files.isEmpty else { return Outcome(run: nil, proposals: 0) }
    // The other archive may have changed since it was read.
    if let there = files.there { try MergeSource.refuseLinks(in: there) }
    // Old versions refer to files too. A file that nothing refers to, because the merge ends early,
    // does no harm.
    try files.store(into: job.archive, look: job.watch.look)
    let runs = try importJob.run(folder, named: name)
    return Outcome(run: runs.first, proposals: try job.archive.nearDuplicates(limit: 200).count)
  }
}

/// The versions needed to decide about entries that differ.
struct MergeVersions {
  /// The entries here whose content differs in the other archive.
  private(set) var here: [UUID: JSON] = [:]
  /// The entries with the same content in both.
  private(set) var same: Set<UUID> = []
  private(set) var oldHere: [UUID: Set<MergePrint>] = [:]
  private(set) var oldThere: [UUID: Set<MergePrint>] = [:]
  /// The single values in old versions of days and people.
  private(set) var saidHere: [UUID: Set<String>] = [:]
  private(set) var saidThere: [UUID: Set<String>] = [:]

  /// A tag has no content but its name, and matches with goals are found again.
  private static let settledByRules: Set<String> = ["tag", "contribution"]
  /// The tables whose entries have both single values and joined ones.
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

  /// Records the result of an earlier line for an entry, in case several lines are about one.
  mutating func joined(_ id: UUID, _ json: JSON) { here[id] = json }
}
