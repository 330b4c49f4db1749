package import ArkivedCore
import Foundation
import GRDB

/// Moving an archive to another computer, and the data moved besides its entries.
extension Archive {
  /// The destination of a moved archive.
  package struct Departure: Hashable, Sendable {
    package var at: Instant
    /// The owner's name for the other computer.
    package var destination: String

    /// The reason the archive refuses changes.
    package var sentence: String {
      "This archive was moved to “\(destination)” on \(at.description.prefix(10)). It is "
        + "read-only here, and nothing was changed. Make changes there. To write here again: "
        + "arkived move stay"
    }

    package var json: JSON { ["at": JSON(at), "destination": .string(destination)] }
  }

  private static let movedName = "moved"

  /// Returns the destination this archive was moved to; nil if it was not moved.
  package func departure() throws -> Departure? {
    try read { db in try Self.departure(db) }
  }

  /// Marks the archive as moved: it can be read, exported and backed up, but not changed.
  ///
  /// - Throws: `ArchiveError.conflict` if it is already marked, `.busy` while an import runs.
  package func leave(for destination: String) throws -> Departure {
    // A running import has already begun its change, and would end it after the mark.
    let lock = try databaseFile.map {
      try FileLock(
        at: WaitingWriters.lockFile(in: $0.deletingLastPathComponent()), waits: 5,
        else: "An import is running. Nothing was changed. Try again when it’s done.")
    }
    defer { lock?.release() }
    let departure = Departure(at: clock.now, destination: destination)
    try transact { db in
      if let present = try Self.departure(db) { throw ArchiveError.conflict(present.sentence) }
      try db.execute(
        sql: "INSERT INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
        arguments: [Self.movedName, departure.json.text(), clock.now.milliseconds])
    }
    return departure
  }

  /// Removes the mark.
  ///
  /// - Returns: the mark; nil if there was none.
  package func stay() throws -> Departure? {
    try transact { db in
      let present = try Self.departure(db)
      try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [Self.movedName])
      return present
    }
  }

  /// Throws if the archive was moved.
  ///
  /// - Throws: `ArchiveError.refused` if the archive was moved.
  static func checkStays(_ db: Database) throws {
    if let departure = try Self.departure(db) { throw ArchiveError.refused(departure.sentence) }
  }

  private static func departure(_ db: Database) throws -> Departure? {
    let text = try String.fetchOne(
      db, cached: "SELECT value FROM settings WHERE name = ?", arguments: [movedName])
    guard let text else { return nil }
    let json = try? JSON(parsing: text)
    return Departure(
      at: json?["at"]?.string.flatMap { Instant($0) } ?? .earliest,
      destination: json?["destination"]?.string ?? "another computer")
  }

  // MARK: Packing

  private static let packedName = "packed"

  /// Returns the position of the newest change among all changes.
  package func newestPlace() throws -> Int {
    try read { db in try Int.fetchOne(db, sql: "SELECT max(position) FROM changes") ?? 0 }
  }

  /// Returns true if the archive may legitimately contain less than before: since a change,
  /// something was permanently deleted or an import was undone, or old versions are kept for a
  /// limited time.
  ///
  /// - Parameter place: the position of that change; nil if it is unknown.
  /// - Returns: true if there is one.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func mayHoldLess(sinceChange place: Int?) throws -> Bool {
    if try !retention().isForEver { return true }
    return try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM changes WHERE position > ? AND action IN ('\(Archive.purgeAction)', 'undo'))
          """, arguments: [place ?? 0]) ?? false
    }
  }

  /// Records that the changes up to a position were packed for another computer.
  package func notePacked(upTo place: Int) throws {
    try transact { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
        arguments: [Self.packedName, JSON(place).text(), clock.now.milliseconds])
    }
  }

  /// Returns the number of changes since the last packing; nil if there was none.
  package func changesSincePacking() throws -> Int? {
    try read { db in
      guard let place = try StoredSetting.value(Self.packedName, db)?.int else { return nil }
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM changes WHERE position > ?", arguments: [place])
    }
  }

  // MARK: Settings

  /// The settings that belong to the owner and not to the computer; preferences are in every
  /// backup.
  static let portableNames = [
    "tableProfiles", "entriesApart", "tagsApart", "retention", writingName,
  ]

  /// Returns the owner's settings besides the preferences, by name.
  package func portableSettings() throws -> JSON {
    try read { db in
      var settings = JSONObject()
      for name in Self.portableNames {
        let text = try String.fetchOne(
          db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [name])
        settings[name] = try text.map { try JSON(parsing: $0) }
      }
      return .object(settings)
    }
  }

  /// Adopts the settings of another archive; unknown names are ignored.
  package func takePortableSettings(_ settings: JSON) throws {
    try transact { db in
      for name in Self.portableNames {
        guard let value = settings[name] else { continue }
        try db.execute(
          sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
          arguments: [name, value.text(), clock.now.milliseconds])
      }
    }
  }
}
