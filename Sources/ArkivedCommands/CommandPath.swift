import ArkivedCore
import Foundation

/// Paths among the arguments of a command.
enum CommandPath {
  /// Throws `CommandFailure` (usage) for an empty path.
  ///
  /// It would be the current folder, which a script's unset variable must not choose.
  static func check(_ path: String) throws {
    guard path.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure(.usage, said("A path is empty. Enter a file or a folder."))
    }
  }

  /// Returns the file or folder of a path, in which `~` is the home folder.
  ///
  /// - Throws: `CommandFailure` (usage) for an empty path.
  static func url(_ path: String) throws -> URL {
    try check(path)
    return URL(fileURLWithPath: HomeFolder.expandingTilde(path))
  }

  /// Returns the folder of a path, in which `~` is the home folder.
  ///
  /// - Throws: `CommandFailure` (usage) for an empty path.
  static func folder(_ path: String) throws -> URL {
    try check(path)
    return URL(fileURLWithPath: HomeFolder.expandingTilde(path), isDirectory: true)
  }
}
