package import ArkivedCore
package import Foundation
import GRDB

/// The identity of an archive and of the file that contains it.
///
/// It is stored twice: in `identity.json` next to the database, which shows that there was an
/// archive even if the database is missing, and in the database's settings, which distinguish one
/// archive's database from another's. A copied database has a different inode than the one it
/// records, which is how copies are recognised.
package struct ArchiveIdentity: Hashable, Sendable {
  package let archive: UUID
  /// The inode of the database file.
  package let file: UInt64
  /// The time by the computer's clock at which the database was created, restored or copied here.
  ///
  /// nil in the database itself.
  package var since: Instant?

  static let fileName = "identity.json"
  /// The name of its entry in the database's settings.
  static let settingName = "identity"

  init(archive: UUID, file: UInt64, since: Instant? = nil) {
    self.archive = archive
    self.file = file
    self.since = since
  }

  private init?(_ json: JSON?) {
    guard let archive = json?["archive"]?.string.flatMap(UUID.init(uuidString:)),
      // Text, because an inode may need all of 64 bits.
      let file = json?["file"]?.string.flatMap({ UInt64($0) })
    else { return nil }
    self.init(
      archive: archive, file: file, since: json?["since"]?.string.flatMap { Instant($0) })
  }

  private var json: JSON {
    var object: JSONObject = [
      "archive": .string(archive.identityText), "file": .string(String(file)),
    ]
    if let since { object["since"] = JSON(since) }
    return .object(object)
  }

  /// Reads `identity.json`; nil if it is missing or unreadable.
  static func read(in folder: URL) -> ArchiveIdentity? {
    let file = folder.appendingPathComponent(fileName)
    guard let data = try? Data(contentsOf: file) else { return nil }
    return ArchiveIdentity(try? JSON(parsing: data))
  }

  /// Writes `identity.json` durably.
  func write(in folder: URL) throws {
    try DurableFile.write(
      Data(json.bytes(indented: true) + [0x0A]),
      to: folder.appendingPathComponent(ArchiveIdentity.fileName))
  }

  /// Reads the identity from a database; nil in one that was created before archives had an
  /// identity.
  static func read(_ db: Database) throws -> ArchiveIdentity? {
    guard try db.tableExists("settings") else { return nil }
    let text = try String.fetchOne(
      db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [settingName])
    return text.flatMap { ArchiveIdentity(try? JSON(parsing: $0)) }
  }

  /// Writes the identity into a database, inside the caller's transaction.
  func write(_ db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
      arguments: [
        ArchiveIdentity.settingName,
        ArchiveIdentity(archive: archive, file: file).json.text(), Instant(Date()).milliseconds,
      ])
  }
}

extension Archive {
  /// Returns the identity of this archive; nil in memory.
  package func identity() throws -> ArchiveIdentity? {
    guard let folder = databaseFile?.deletingLastPathComponent() else { return nil }
    if let kept = ArchiveIdentity.read(in: folder) { return kept }
    return try read { db in try ArchiveIdentity.read(db) }
  }

  /// Records that the archive's content has just been replaced, for example by a restore.
  ///
  /// For a week afterwards, nothing is removed merely because the new content does not refer to it.
  package func noteReplacedContent() throws {
    guard let folder = databaseFile?.deletingLastPathComponent(), var identity = try identity()
    else { return }
    identity.since = Instant(Date())
    try identity.write(in: folder)
  }
}
