import ArkivedCore
import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A JSON file in the archive's folder that is read, changed and written again.
enum SettingsFile {
  /// Reads a file.
  ///
  /// - Returns: its object; nil if the file doesn't exist.
  /// - Throws: `ArchiveError.refused` if it exists but can't be read.
  static func read(_ file: URL) throws -> JSON? {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      var about = stat()
      guard lstat(file.path, &about) == 0 else { return nil }
      throw unreadable(file)
    }
    guard let json = try? JSON(parsing: data), json.object != nil else { throw unreadable(file) }
    return json
  }

  static func unreadable(_ file: URL) -> ArchiveError {
    .refused(
      "\(file.path) can’t be read, so it was left unchanged. Repair it, or move it elsewhere to start "
        + "with an empty one.")
  }
}
