package import Foundation

/// The owner's home folder.
package enum HomeFolder {
  /// Returns `HOME` if it is an absolute path, as other programs do, and the account's home folder
  /// otherwise.
  package static func url(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    if let home = environment["HOME"], home.hasPrefix("/") {
      return URL(fileURLWithPath: home, isDirectory: true)
    }
    return FileManager.default.homeDirectoryForCurrentUser
  }

  /// Returns a path with a leading `~` replaced by the home folder.
  package static func expandingTilde(
    _ path: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    if path == "~" { return url(environment).path }
    guard path.hasPrefix("~/") else { return (path as NSString).expandingTildeInPath }
    return url(environment).appendingPathComponent(String(path.dropFirst(2))).path
  }
}
