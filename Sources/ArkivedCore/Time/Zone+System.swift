import Foundation

extension Zone {
  /// The zone that the system is set to now. `system` stays what it was when the program started, so
  /// that one that goes on running does not learn of a journey by it.
  ///
  /// - Parameter link: names a file of the zone database (localtime(5)).
  /// - Returns: nil where that cannot be told.
  package static func systemNow(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    link: String = "/etc/localtime"
  ) -> Zone? {
    if let name = environment["TZ"], !name.isEmpty {
      return Zone(name.hasPrefix(":") ? String(name.dropFirst()) : name)
    }
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
      return nil
    }
    let parts = target.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
    let name = parts[parts.index(after: folder)...].drop { ["posix", "right"].contains($0) }
    return Zone(name.joined(separator: "/"))
  }
}
