package import ArkivedCore
import Foundation
import GRDB

/// Access from the home network, and the devices that are paired.
///
/// Each is a row of the settings: `phone-door`, `phone-code`, and one `phone-device-HASH` for each
/// device, where HASH is the hash of its token. They belong to this computer, so backups don't
/// contain them and restoring leaves them unchanged.
extension Archive {
  private static let doorName = "phone-door"
  private static let codeName = "phone-code"
  private static let devicePrefix = "phone-device-"
  /// The age in minutes beyond which "last seen" is written again.
  private static let seenMinutes = 10

  // MARK: Phone access

  /// Returns the settings of access for devices; nil if the owner never enabled it.
  package func phoneDoor() throws -> PhoneDoorSettings? {
    try read { db in try StoredSetting.value(Self.doorName, db).flatMap { PhoneDoorSettings($0) } }
  }

  package func setPhoneDoor(_ settings: PhoneDoorSettings) throws {
    let now = clock.now
    try transact { db in try StoredSetting.set(Self.doorName, to: settings.json, at: now, db) }
  }

  // MARK: Pairing

  /// Makes a code the only one that pairs a device.
  ///
  /// - Parameters:
  ///   - codeHash: the hash of the code.
  ///   - end: the time after which it is invalid.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func setPairingCode(_ codeHash: String, until end: Instant) throws {
    let now = clock.now
    try transact { db in
      let code: JSON = ["hash": .string(codeHash), "until": JSON(end)]
      try StoredSetting.set(Self.codeName, to: code, at: now, db)
    }
  }

  /// Returns true if a code can pair a device at present.
  package func hasPairingCode(_ codeHash: String) throws -> Bool {
    let now = clock.now
    return try read { db in try Self.isOpen(db, codeHash, now) }
  }

  /// Pairs a device using a code, which is then invalid.
  ///
  /// - Parameters:
  ///   - given: the device's name.
  ///   - isSame: true if a device of that name gets the new token instead of its current one.
  ///   - codeHash: the hash of the code.
  ///   - tokenHash: the hash of the device's token.
  /// - Returns: nil if the code is wrong, was used, or has expired.
  /// - Throws: `FieldError` for a name that is invalid or belongs to another device; the code stays
  ///   valid.
  package func pairDevice(
    named given: String, isSame: Bool, code codeHash: String, token tokenHash: String
  ) throws -> PairedDevice? {
    let name = given.trimmingCharacters(in: .whitespaces)
    let now = clock.now
    let id = identities.next()
    return try transact { db in
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
      try StoredSetting.set(Self.devicePrefix + tokenHash, to: device.json, at: now, db)
      return device
    }
  }

  private static func isOpen(_ db: Database, _ codeHash: String, _ now: Instant) throws -> Bool {
    guard let code = try StoredSetting.value(codeName, db),
      let end = code["until"]?.string.flatMap({ Instant($0) })
    else { return false }
    return code["hash"]?.string == codeHash && now <= end
  }

  // MARK: Devices

  /// Returns all paired devices, in the order of their names.
  package func devices() throws -> [PairedDevice] {
    let now = clock.now
    return try read { db in try Self.deviceRows(db).map(\.device) }
      .filter { !$0.hasExpired(at: now) }
      .sorted { NameFolding.key($0.name) < NameFolding.key($1.name) }
  }

  /// Returns the device with a token's hash; nil if there is none, or if the device was absent for
  /// too long.
  package func device(holding tokenHash: String) throws -> PairedDevice? {
    let now = clock.now
    let device = try read { db in
      try StoredSetting.value(Self.devicePrefix + tokenHash, db).flatMap { PairedDevice($0) }
    }
    return device.flatMap { $0.hasExpired(at: now) ? nil : $0 }
  }

  /// Records a visit of a device.
  ///
  /// - Returns: true if it was recorded; false if the last one was only minutes ago.
  package func noteDevice(holding tokenHash: String, _ device: PairedDevice) throws -> Bool {
    let now = clock.now
    guard device.lastSeenAt.adding(seconds: Self.seenMinutes * 60) <= now else { return false }
    var seen = device
    seen.lastSeenAt = now
    try transact { db in
      // A device that was revoked in the meantime must not be restored.
      try db.execute(
        sql: "UPDATE settings SET value = ?, updated_at = ? WHERE name = ?",
        arguments: [seen.json.text(), now.milliseconds, Self.devicePrefix + tokenHash])
    }
    return true
  }

  /// Revokes a device, whose token then gives no access.
  ///
  /// - Parameter text: its ID or its name.
  /// - Returns: the device that was removed.
  /// - Throws: `ArchiveError.notFound` if no device has this identity or name.
  package func removeDevice(_ text: String) throws -> PairedDevice {
    let wanted = NameFolding.key(text.trimmingCharacters(in: .whitespaces))
    return try transact { db in
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
}
