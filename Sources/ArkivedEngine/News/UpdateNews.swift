import ArkivedCore
package import ArkivedStore
import Foundation

/// The version whose news the owner has seen: `news.json` in the archive's folder.
package struct UpdateNews: Sendable {
  /// The version whose news was seen last.
  package private(set) var seen: String?

  /// Reads the version of an archive.
  package init(of archive: Archive) {
    guard let file = Self.file(of: archive), let data = try? Data(contentsOf: file),
      let json = try? JSON(parsing: data)
    else { return }
    seen = json["seenVersion"]?.string
  }

  private static func file(of archive: Archive) -> URL? {
    archive.databaseFile?.deletingLastPathComponent().appendingPathComponent("news.json")
  }

  /// Records that the news of a version has been seen; does nothing for an archive in memory.
  package static func see(_ version: String, of archive: Archive) throws {
    guard let file = file(of: archive) else { return }
    let json: JSON = ["seenVersion": .string(version)]
    try DurableFile.write(Data(json.bytes(indented: true) + [0x0A]), to: file)
  }

  /// Records the program's version in an archive that has no record yet: its owner has no older
  /// version to compare with.
  package static func begin(_ current: String, of archive: Archive) {
    guard UpdateNews(of: archive).seen == nil else { return }
    // Without the record, only the next update's news isn't announced.
    try? see(current, of: archive)
  }

  /// Returns the version whose news was seen last if the program is newer.
  package static func lastSeen(before current: String, of archive: Archive) -> String? {
    UpdateNews(of: archive).seen.flatMap { ReleaseNotes.isOlder($0, current) ? $0 : nil }
  }
}
