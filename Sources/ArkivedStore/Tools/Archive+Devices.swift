package import ArkivedCore
import Foundation
import GRDB

/// The door to the home network, and the devices that were paired there.
///
/// Each lies in a row of the settings: `phone-door`, `phone-code`, and one `phone-device-HASH` for
/// each device, where HASH is the hash of the token that it holds. They belong to this computer, so
/// that no backup has them and restoring one leaves them alone.
extension Archive {
  private static let doorName = "phone-door"
  private static let codeName = "phone-code"
  private static let devicePrefix = "phone-device-"
  /// How old "last seen" may be before it is written again.
  private static let seenMinutes = 10

  // MARK: The door

  /// Where devices may come in; nil where the owner never opened that door.
  package func phoneDoor() throws -> PhoneDoorSettings? {
    try read { db in try Self.setting(db, Self.doorName).flatMap { PhoneDoorSettings($0) } }
  }

  package func setPhoneDoor(_ settings: PhoneDoorSettings) throws {
    let now = clock.now
    try writer.write { db in try Self.set(db, Self.doorName, settings.json, now) }
  }

  // MARK: Pairing

  /// Makes a code the only one that pairs a device.
  ///
  /// - Parameter end: after which it is worthless.
  package func setPairingCode(_ codeHash: String, until end: Instant) throws {
    let now = clock.now
    try writer.write { db in
      let code: JSON = ["hash": .string(codeHash), "until": JSON(end)]
      try Self.set(db, Self.codeName, code, now)
    }
  }

  /// Whether a code would pair a device now.
  package func hasPairingCode(_ codeHash: String) throws -> Bool {
    let now = clock.now
    return try read { db in try Self.isOpen(db, codeHash, now) }
  }

  /// Pairs a device by a code, which is worthless then.
  ///
  /// - Parameters:
  ///   - given: the device's name.
  ///   - isSame: whether a device of that name gets the new token instead of the one that it had.
  ///   - tokenHash: of the token that the device will hold.
  /// - Returns: nil where the code is wrong, was used, or is too old.
  /// - Throws: `FieldError` for a name that is none or that another device has; the code stays good.
  package func pairDevice(
    named given: String, isSame: Bool, code codeHash: String, token tokenHash: String
  ) throws -> PairedDevice? {
    let name = given.trimmingCharacters(in: .whitespaces)
    let now = clock.now
    let id = identities.next()
    return try writer.write { db in
      guard try Self.isOpen(db, codeHash, now) else { return nil }
      try PairedDevice.validate(name: name)
      var device = PairedDevice(id: id, name: name, createdAt: now, lastSeenAt: now)
      let other = try Self.deviceRows(db).first {
        NameFolding.key($0.device.name) == NameFolding.key(name)
      }
      if let other {
        guard isSame || other.device.hasExpired(at: now) else {
          throw FieldError(
            "name", "is \(FieldError.shown(name)), but a device with that name is already paired")
        }
        (device.id, device.createdAt) = (other.device.id, other.device.createdAt)
        try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [other.row])
      }
      try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [Self.codeName])
      try Self.set(db, Self.devicePrefix + tokenHash, device.json, now)
      return device
    }
  }

  private static func isOpen(_ db: Database, _ codeHash: String, _ now: Instant) throws -> Bool {
    guard let code = try setting(db, codeName),
      let end = code["until"]?.string.flatMap({ Instant($0) })
    else { return false }
    return code["hash"]?.string == codeHash && now <= end
  }

  // MARK: Devices

  /// All that are paired, in the order of their names.
  package func devices() throws -> [PairedDevice] {
    let now = clock.now
    return try read { db in try Self.deviceRows(db).map(\.device) }
      .filter { !$0.hasExpired(at: now) }
      .sorted { NameFolding.key($0.name) < NameFolding.key($1.name) }
  }

  /// Who holds the token of a hash; nil for nobody, and for a device that stayed away too long.
  package func device(holding tokenHash: String) throws -> PairedDevice? {
    let now = clock.now
    let device = try read { db in
      try Self.setting(db, Self.devicePrefix + tokenHash).flatMap { PairedDevice($0) }
    }
    return device.flatMap { $0.hasExpired(at: now) ? nil : $0 }
  }

  /// Notes that a device was here.
  ///
  /// - Returns: whether that was news; within some minutes it is none.
  package func noteDevice(holding tokenHash: String, _ device: PairedDevice) throws -> Bool {
    let now = clock.now
    guard device.lastSeenAt.adding(seconds: Self.seenMinutes * 60) <= now else { return false }
    var seen = device
    seen.lastSeenAt = now
    try writer.write { db in
      // One that was revoked meanwhile does not come back.
      try db.execute(
        sql: "UPDATE settings SET value = ?, updated_at = ? WHERE name = ?",
        arguments: [seen.json.text(), now.milliseconds, Self.devicePrefix + tokenHash])
    }
    return true
  }

  /// Revokes a device: what it holds opens nothing any more.
  ///
  /// - Parameter text: its identity or its name.
  /// - Throws: `ArchiveError.notFound`.
  package func removeDevice(_ text: String) throws -> PairedDevice {
    let wanted = NameFolding.key(text.trimmingCharacters(in: .whitespaces))
    return try writer.write { db in
      guard
        let found = try Self.deviceRows(db).first(where: {
          $0.device.id.uuidString == text.uppercased() || NameFolding.key($0.device.name) == wanted
        })
      else { throw ArchiveError.notFound("No device named \(FieldError.shown(text)).") }
      try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [found.row])
      return found.device
    }
  }

  // MARK: Rows

  private static func deviceRows(_ db: Database) throws -> [(row: String, device: PairedDevice)] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT name, value FROM settings WHERE name GLOB 'phone-device-*'")
    return rows.compactMap { row -> (row: String, device: PairedDevice)? in
      let (name, value): (String, String) = (row["name"], row["value"])
      guard let json = try? JSON(parsing: value), let device = PairedDevice(json) else {
        return nil
      }
      return (row: name, device: device)
    }
  }

  private static func setting(_ db: Database, _ name: String) throws -> JSON? {
    let text = try String.fetchOne(
      db, cached: "SELECT value FROM settings WHERE name = ?", arguments: [name])
    return text.flatMap { try? JSON(parsing: $0) }
  }

  private static func set(_ db: Database, _ name: String, _ value: JSON, _ now: Instant) throws {
    try db.execute(
      sql: """
        INSERT INTO settings (name, value, updated_at) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
        """, arguments: [name, value.text(), now.milliseconds])
  }
}
