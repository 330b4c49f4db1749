import Foundation

extension Zone {
  /// Returns the time zone to which the system is currently set.
  ///
  /// `system` keeps the zone from the program's launch, so a long-running program doesn't notice
  /// when its computer travels.
  ///
  /// - Parameters:
  ///   - environment: the environment variables.
  ///   - link: a link to a file of the zone database (localtime(5)).
  /// - Returns: nil if the zone cannot be determined.
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
