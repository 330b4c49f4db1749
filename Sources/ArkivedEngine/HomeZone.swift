package import ArkivedCore
package import ArkivedStore
package import Foundation

/// The home time zone that the owner chose for an archive on this computer: `zone.json` in the
/// archive's folder.
package enum HomeZone {
  /// The origin of the home zone.
  package enum Source: Sendable { case environment, choice, computer }

  private static func file(in folder: URL) -> URL { folder.appendingPathComponent("zone.json") }

  /// Returns the chosen zone, or nil to follow the computer's.
  ///
  /// - Throws: `FieldError` with the file's path if the file is invalid or can't be read. Entries
  ///   would otherwise be written in another zone.
  package static func chosen(in folder: URL) throws(FieldError) -> Zone? {
    let file = file(in: folder)
    guard let data = try? Data(contentsOf: file) else {
      guard (try? FileManager.default.attributesOfItem(atPath: file.path)) == nil else {
        throw FieldError(
          file.path, "can’t be read. Check its permissions, or remove it and choose a zone again")
      }
      return nil
    }
    guard let json = try? JSON(parsing: data), let name = json["zone"] else {
      throw FieldError(file.path, "isn’t a time zone setting. Remove it, and choose a zone again")
    }
    guard name != .null else { return nil }
    guard let zone = Zone(name.string ?? "") else {
      throw unknown(name.string ?? name.text(), file.path)
    }
    return zone
  }

  private static func unknown(_ name: String, _ field: String) -> FieldError {
    FieldError(
      field,
      "is \(FieldError.shown(name)), but must be a city or an IANA time zone such as Europe/Rome")
  }

  /// Returns the zone with a name, or with the name of its city.
  private static func zone(_ typed: String) throws(FieldError) -> Zone {
    if let zone = Zone(typed) { return zone }
    let name = typed.lowercased().replacingOccurrences(of: " ", with: "_")
    let known = TimeZone.knownTimeZoneIdentifiers.first { identifier in
      let zone = identifier.lowercased()
      return zone == name || zone.hasSuffix("/\(name)")
    }
    guard let zone = known.flatMap({ Zone($0) }) else { throw unknown(typed, "zone") }
    return zone
  }

  /// Stores the owner's choice, which applies from the next start.
  ///
  /// - Parameters:
  ///   - name: the zone or its city, or nil to follow the computer again.
  ///   - archive: the archive.
  /// - Throws: `FieldError` for an unknown zone, `ArchiveError.refused` for an archive in memory, or
  ///   an error if the file can't be written.
  package static func choose(_ name: String?, of archive: Archive) throws {
    let chosen = try name.map(zone)
    guard let folder = archive.databaseFile?.deletingLastPathComponent() else {
      throw ArchiveError.refused(
        "An archive in memory uses this computer’s time zone. Choose a folder for the archive.")
    }
    let setting: JSON = ["zone": JSON(chosen?.identifier)]
    try DurableFile.write(Data(setting.bytes(indented: true) + [0x0A]), to: file(in: folder))
  }
}
