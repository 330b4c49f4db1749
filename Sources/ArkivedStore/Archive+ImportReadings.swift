package import ArkivedCore
package import Foundation
import GRDB

/// Results of imports, stored to avoid reading the same input again.
extension Archive {
  private static let importReadingsName = "importReadings"
  /// The number of readings kept; the input of older ones is read again.
  private static let importReadingLimit = 200

  /// Returns the stored readings, newest first.
  package func importReadings() throws -> [JSON] {
    try read { db in try Self.importReadings(db) }
  }

  /// Stores a reading, replacing one of the same input.
  ///
  /// This does not change the archive's content, so undo leaves it alone; the reading is valid for
  /// as long as its runs are.
  ///
  /// - Parameter reading: an object; `settings` with `look` or `content` identify the input.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func keepImportReading(_ reading: JSON) throws {
    func isSame(_ other: JSON) -> Bool {
      guard other["settings"] == reading["settings"], other["name"] == reading["name"] else {
        return false
      }
      return ["look", "content"].contains { key in
        reading[key]?.string != nil && other[key] == reading[key]
      }
    }
    try transact { db in
      let others = try Self.importReadings(db).filter { !isSame($0) }
      try StoredSetting.set(
        Self.importReadingsName,
        to: JSON.array([reading] + others.prefix(Self.importReadingLimit - 1)), at: clock.now, db)
    }
  }

  private static func importReadings(_ db: Database) throws -> [JSON] {
    guard let json = try StoredSetting.value(importReadingsName, db) else { return [] }
    return json.array ?? []
  }

  // MARK: Imported files and folders

  private static let importedFilesName = "importedFiles"
  private static let importedFoldersLimit = 20

  /// Returns the files that were read under some settings, as `keepImportedFiles` stored them.
  package func importedFiles(_ settings: String) throws -> [JSON] {
    try read { db in
      try Self.importedFolders(db).first { $0["settings"]?.string == settings }?["files"]?.array
        ?? []
    }
  }

  /// Stores the files of a run, replacing those read under the same settings.
  package func keepImportedFiles(_ files: [JSON], of settings: String) throws {
    try transact { db in
      let others = try Self.importedFolders(db).filter { $0["settings"]?.string != settings }
      let own: JSON = ["settings": .string(settings), "files": .array(files)]
      try StoredSetting.set(
        Self.importedFilesName,
        to: JSON.array([own] + others.prefix(Self.importedFoldersLimit - 1)), at: clock.now, db)
    }
  }

  private static func importedFolders(_ db: Database) throws -> [JSON] {
    guard let json = try StoredSetting.value(importedFilesName, db) else { return [] }
    return json.array ?? []
  }

  // MARK: Undisturbed imports

  /// Returns a run if nothing has happened since that could make its input give another result.
  ///
  /// - Returns: nil if the run is missing or was undone; if something imported from its format was
  ///   since changed, deleted or merged by anyone, or has lost its files; if anything was removed
  ///   that an import may restore; if an import was undone or redone since, or something was
  ///   permanently deleted. Imports about days fill in missing values, so a change of any day
  ///   invalidates them; Arkived's own lines may be about everything, so any later change does.
  package func standingImportRun(_ id: UUID) throws -> ImportRun? {
    let found: (run: ImportRun, files: Set<String>)? = try read { db in
      let row = try Row.fetchOne(
        db, sql: Self.importRunQuery + " WHERE import_runs.id = ?", arguments: [id.uuidString])
      guard let row else { return nil }
      let run = try Self.importRun(row, db)
      guard !run.isUndone else { return nil }
      let place = try Row.fetchOne(
        db, sql: "SELECT position, pk FROM changes WHERE pk = ?",
        arguments: [row["change_pk"] as Int64])
      guard let place,
        try !Self.isDisturbed(
          run.format, since: (place["position"], place["pk"]), but: [], db)
      else { return nil }
      return (run, try String.fetchSet(db, sql: Self.filesOfFormat, arguments: [run.format]))
    }
    guard let found, let folder = attachmentsFolder else { return found?.run }
    let isWhole = found.files.allSatisfy {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
    }
    return isWhole ? found.run : nil
  }

  /// Returns true if nothing that an import's runs may have missed happened while they ran: for
  /// example, something they assumed was already there was removed before publication.
  ///
  /// - Parameters:
  ///   - runs: the imports.
  ///   - start: the newest change when the import began; nil for none.
  /// - Returns: true if that is so.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func wereUndisturbed(_ runs: [ImportRun], since start: UUID?) throws -> Bool {
    try read { db in
      var place: ChangePlace = (0, 0)
      if let start {
        let found = try Row.fetchOne(
          db, sql: "SELECT position, pk FROM changes WHERE id = ?", arguments: [start.uuidString])
        guard let found else { return false }
        place = (found["position"], found["pk"])
      }
      return try Set(runs.map(\.format)).allSatisfy { format in
        try !Self.isDisturbed(format, since: place, but: runs, db)
      }
    }
  }

  /// The position of a change among the others.
  private typealias ChangePlace = (position: Int64, pk: Int64)

  private static func isDisturbed(
    _ format: String, since place: ChangePlace, but runs: [ImportRun], _ db: Database
  ) throws -> Bool {
    let own = JSON.array(runs.map { .string($0.id.uuidString) }).text()
    // If it cannot be determined, the input is read.
    return try Bool.fetchOne(
      db, sql: importDisturbance,
      arguments: [place.position, place.pk, format, own]) ?? true
  }

  /// Files of entries that were imported or touched by imports of the format ?1.
  private static let filesOfFormat = ["activity", "day", "note"].map { owner in
    """
    SELECT relative_path FROM attachments JOIN \(owner)_rows AS it ON it.pk = \(owner)_pk
    WHERE relative_path IS NOT NULL
      AND (it.change_pk IN (SELECT change_pk FROM import_runs WHERE format = ?1)
        OR it.changed_pk IN (SELECT change_pk FROM import_runs WHERE format = ?1))
    """
  }.joined(separator: " UNION ")

  /// A query that is true if something happened after the place ?1, ?2 in the order of changes that
  /// affects entries imported from the format ?3, other than by the runs ?4.
  private static let importDisturbance = """
    WITH later AS (
      SELECT pk, action FROM changes
      -- The place of an import may be that of the change after it as well.
      WHERE (position, pk) > (?1, ?2)
        AND pk NOT IN (SELECT change_pk FROM import_runs
          WHERE (created = '{}' AND updated = 0) OR id IN (SELECT value FROM json_each(?4)))),
    own AS (SELECT change_pk, updated FROM import_runs WHERE format = ?3)
    SELECT (?3 = 'jsonl' AND EXISTS (SELECT 1 FROM later))
      OR EXISTS (SELECT 1 FROM later WHERE action = '\(purgeAction)')
      OR EXISTS (SELECT 1 FROM later JOIN own ON own.change_pk = later.pk WHERE own.updated > 0)
      OR EXISTS (
        SELECT 1 FROM later JOIN history ON history.change_pk = later.pk
        WHERE history.made_pk IN (SELECT change_pk FROM own)
          OR history.touched_pk IN (SELECT change_pk FROM own)
          OR (history.source_table = '\(EntityType.day.rawValue)'
            AND ?3 IN ('csv', 'daylio', 'markdown'))
          -- What was removed without a mark may come again.
          OR (history.reason = '\(HistoryRecord.Reason.delete.rawValue)'
            AND NOT EXISTS (SELECT 1 FROM tombstones WHERE source_id = history.source_id)))
      OR EXISTS (
        SELECT 1 FROM changes AS undone
        WHERE undone.undone_by IN (SELECT pk FROM later WHERE action IN ('undo', 'redo'))
          AND undone.action IN ('import', 'sample', \(UndoLine.regularSyncsSQL), 'undo', 'redo'))
    """
}
