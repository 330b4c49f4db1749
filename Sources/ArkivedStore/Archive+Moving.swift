package import ArkivedCore
import Foundation
import GRDB

/// An archive that was moved to another computer, and what of it goes along besides its entries.
extension Archive {
  /// Where an archive went.
  package struct Departure: Hashable, Sendable {
    package var at: Instant
    /// What its owner calls the other computer.
    package var destination: String

    /// Why nothing is written here any more.
    package var sentence: String {
      "This archive was moved to “\(destination)” on \(at.description.prefix(10)). It is "
        + "read-only here, and nothing was changed. Make changes there. To write here again: "
        + "arkived move stay"
    }

    package var json: JSON { ["at": JSON(at), "destination": .string(destination)] }
  }

  private static let movedName = "moved"

  /// Where this archive was moved to; nil while it is at home here.
  package func departure() throws -> Departure? {
    try read { db in try Self.departure(db) }
  }

  /// Marks the archive as moved: it can be read, exported and backed up, and takes no change.
  ///
  /// - Throws: `ArchiveError.conflict` where it is marked already, `.busy` while an import runs.
  package func leave(for destination: String) throws -> Departure {
    // An import has begun its change already, and would end it after the mark.
    let lock = try databaseFile.map {
      try FileLock(
        at: WaitingWriters.lockFile(in: $0.deletingLastPathComponent()), waits: 5,
        else: "An import is running. Nothing was changed. Try again when it’s done.")
    }
    defer { lock?.release() }
    let departure = Departure(at: clock.now, destination: destination)
    try writer.write { db in
      if let present = try Self.departure(db) { throw ArchiveError.conflict(present.sentence) }
      try db.execute(
        sql: "INSERT INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
        arguments: [Self.movedName, departure.json.text(), clock.now.milliseconds])
    }
    return departure
  }

  /// Takes the mark away.
  ///
  /// - Returns: what it said; nil where there was none.
  package func stay() throws -> Departure? {
    try writer.write { db in
      let present = try Self.departure(db)
      try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [Self.movedName])
      return present
    }
  }

  /// - Throws: `ArchiveError.refused` where the archive was moved.
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

  // MARK: What was packed

  private static let packedName = "packed"

  /// The place of the newest change among all.
  package func newestPlace() throws -> Int {
    try read { db in try Int.fetchOne(db, sql: "SELECT max(position) FROM changes") ?? 0 }
  }

  /// Whether the archive may rightly hold less than it did: something was forgotten for ever or an
  /// import was taken back since a change, or old versions are kept for a limited time.
  ///
  /// - Parameter place: the place of that change; nil if it is not known.
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

  /// Remembers that the changes up to a place were packed for another computer.
  package func notePacked(upTo place: Int) throws {
    try writer.write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
        arguments: [Self.packedName, JSON(place).text(), clock.now.milliseconds])
    }
  }

  /// How many changes are not in what was packed last; nil where nothing was.
  package func changesSincePacking() throws -> Int? {
    try read { db in
      let text = try String.fetchOne(
        db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [Self.packedName])
      guard let text, let place = (try? JSON(parsing: text))?.int else { return nil }
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM changes WHERE position > ?", arguments: [place])
    }
  }

  // MARK: Settings

  /// Settings that belong to the life and not to the computer; the preferences are in every backup.
  static let portableNames = ["tableProfiles", "entriesApart", "tagsApart", "retention"]

  /// What the owner set up besides the preferences, by its name.
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

  /// Takes over settings that another archive had; names that are none of them are left alone.
  package func takePortableSettings(_ settings: JSON) throws {
    try writer.write { db in
      for name in Self.portableNames {
        guard let value = settings[name] else { continue }
        try db.execute(
          sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
          arguments: [name, value.text(), clock.now.milliseconds])
      }
    }
  }
}
