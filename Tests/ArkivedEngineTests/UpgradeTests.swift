import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("Upgrades of every version")
struct UpgradeTests {
  /// By how many steps the released versions had; the first one had two.
  static let versions = 2..<Migrations.all.steps.count

  /// Where a table's rows went, if not to the table of its name; nil where the step says that they go.
  private static let moved: [String: String?] = [
    // 004: the entities' rows, under views of their former names.
    "activities": "activity_rows", "days": "day_rows", "day_metrics": "metric_rows",
    "persons": "person_rows", "tags": "tag_rows", "changes": "change_rows",
    // 003: answers to repeated requests, which are kept for days only.
    "idempotency_keys": nil,
  ]

  private let identity = AgeIdentity()

  /// All lines of an export but the first, which tells the time, and old versions; ordered, since files come as
  /// their rows do.
  private func lines(_ archive: Archive) throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: archive).writeJSONLines { lines.append($0) }
    return lines.dropFirst().filter { !$0.hasPrefix(#"{"type":"history""#) }.sorted()
  }

  private func expectSame(
    _ lines: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let difference = lines.difference(from: expected)
    #expect(difference.isEmpty, "\(difference)", sourceLocation: sourceLocation)
  }

  private func expectSound(
    _ archive: Archive, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wrong = try archive.examine().filter { $0.verdict == .problem }
    #expect(wrong.isEmpty, sourceLocation: sourceLocation)
  }

  /// One upgrade shows all of it, since each takes a snapshot for every step.
  @Test("All of an archive comes along, and leads back", arguments: versions)
  func allOfAnArchiveComesAlong(version: Int) throws {
    let old = try OlderArchive(steps: version)
    expectFull(old)
    let archive = try old.open()
    try expectKept(old, in: archive)
    try expectSound(archive)
    let first = try expectSnapshots(of: old)
    let before = try lines(archive)
    try expectBackup(of: archive, in: old.folder)
    try expectUndo(in: archive, before)
    // The snapshot before the upgrade leads back, whatever was written since.
    try archive.add(try TestArchive().activity("later"))
    _ = try RestoreJob(archive: archive, homeZone: .utc).prepare(first, unlocks: []).apply()
    expectSame(try lines(archive), before)
    try expectSound(archive)
  }

  /// Expects a value in every column of the old archive.
  private func expectFull(_ old: OlderArchive) {
    for table in old.tables {
      let rows = old.content[table] ?? []
      for (index, column) in (old.columns[table] ?? []).enumerated() {
        #expect(
          rows.contains { !$0[index].isNull }, "\(table).\(column) is empty; see ColumnValues")
      }
    }
  }

  /// Expects every row of every table with all its values, in the place to which the steps moved it.
  private func expectKept(_ old: OlderArchive, in archive: Archive) throws {
    try archive.read { db in
      for table in old.tables {
        guard let place = Self.moved[table, default: table] else { continue }
        guard try db.tableExists(place) else {
          Issue.record("\(table) is gone")
          continue
        }
        let kept = try SchemaFiller.rows(of: place, columns: old.columns[table], db)
        let rows = old.content[table] ?? []
        // The opening adds what it needs to know of the archive.
        #expect((table == "settings" ? kept.filter(rows.contains) : kept) == rows, "\(table)")
      }
      let applied = try String.fetchAll(
        db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
      #expect(applied == Migrations.all.steps.map { $0.identifier })
    }
  }

  /// Expects a snapshot for each step, the first of which is the old archive.
  ///
  /// - Returns: the first.
  private func expectSnapshots(of old: OlderArchive) throws -> URL {
    let folder = old.home.appending(path: "snapshots")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let missing = Migrations.all.steps.dropFirst(old.steps.count).map {
      "before-\($0.identifier)-"
    }
    #expect(names.count == missing.count && zip(names, missing).allSatisfy { $0.hasPrefix($1) })
    let first = folder.appending(path: try #require(names.first))
    let copy = try DatabaseQueue(path: first.path)
    let (tables, content, verdict) = try copy.read { db in
      let tables = try SchemaFiller.tables(db)
      return (
        tables, try tables.map { try SchemaFiller.rows(of: $0, db) },
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
      )
    }
    try copy.close()
    #expect(tables == old.tables && verdict == ["ok"])
    for (table, rows) in zip(tables, content) { #expect(rows == old.content[table], "\(table)") }
    return first
  }

  /// Expects that a backup, restored elsewhere, is the same.
  private func expectBackup(of archive: Archive, in folder: TemporaryFolder) throws {
    let file = folder.url.appending(path: "life.zip.age")
    _ = try BackupJob(archive: archive, target: .recipients([identity.recipient])).write(to: file)
    let target = try TestArchive()
    let restored = try RestoreJob(archive: target.archive, homeZone: target.zone)
      .prepare(file, unlocks: [.identity(identity)])
    #expect(restored.shortfalls.isEmpty)
    _ = try restored.apply()
    expectSame(try lines(target.archive), try lines(archive))
    let attachment = try #require(try target.archive.attachments().first)
    let copy = try #require(target.archive.file(of: attachment))
    #expect(try Data(contentsOf: copy) == Data(ColumnValues.fileContent.utf8))
    try expectSound(target.archive)
  }

  /// Expects that a change from before the upgrade can be taken back, and that too.
  private func expectUndo(in archive: Archive, _ before: [String]) throws {
    let edit = try #require(try archive.changes().first { $0.action == "edit" })
    let day = try archive.day(try #require(DayKey("2026-01-10")))
    let activity = try #require(day.activities.first)
    #expect(try archive.history(of: activity.id).count == 1)
    let undone = try archive.undo(edit.id)
    #expect(try archive.activity(activity.id)?.text == "as it was before")
    _ = try archive.undo(undone.change.id)
    // Undoing is a change: it is the time of the last one that differs.
    let time = /"updatedAt":"[^"]*"/
    expectSame(
      try lines(archive).map { $0.replacing(time, with: "") },
      before.map { $0.replacing(time, with: "") })
    try expectSound(archive)
  }
}
