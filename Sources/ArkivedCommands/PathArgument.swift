import ArkivedCore
import Foundation

/// A path of a file or folder as typed at the command line.
enum PathArgument {
  /// Returns the file or folder at a path.
  ///
  /// - Throws: `CommandFailure` (usage) for an empty path.
  static func url(_ path: String) throws -> URL {
    URL(fileURLWithPath: HomeFolder.expandingTilde(try checked(path)))
  }

  /// Returns the folder at a path.
  ///
  /// - Throws: `CommandFailure` (usage) for an empty path.
  static func folder(_ path: String) throws -> URL {
    URL(fileURLWithPath: HomeFolder.expandingTilde(try checked(path)), isDirectory: true)
  }

  /// Returns a path unless it is empty.
  ///
  /// A script's unset variable must not choose the folder in which it runs.
  static func checked(_ path: String) throws -> String {
    guard !path.allSatisfy(\.isWhitespace) else {
      throw CommandFailure(.usage, said("The path is empty. Enter a file or folder."))
    }
    return path
  }
}
