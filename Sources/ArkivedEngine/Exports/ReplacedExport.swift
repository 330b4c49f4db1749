import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// The attachments' files of an export in JSON Lines that a new one is about to replace.
struct ReplacedExport {
  private let attachments: URL
  /// The paths in `attachments/` that its lines name.
  private let paths: Set<String>

  /// Reads the export.
  ///
  /// It counts as having no files if it isn't alone in its folder, because other exports may use the
  /// same files.
  ///
  /// - Parameter file: the export; there may be none.
  /// - Throws: an error if it can't be read.
  init(_ file: URL) throws {
    let folder = file.deletingLastPathComponent()
    attachments = folder.appendingPathComponent("attachments")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard Set(names.filter { !$0.hasPrefix(".") }) == [file.lastPathComponent, "attachments"],
      Self.isFolder(attachments)
    else {
      paths = []
      return
    }
    var found = SpanLines(DayFilter())
    var lines = try LineReader(file)
    defer { lines.close() }
    while let line = try lines.next() {
      // Only these lines name files, and most versions in the history don't.
      guard case .bytes(let bytes) = line,
        ["attachment", "history"].contains(where: {
          bytes.starts(with: "{\"type\":\"\($0)\"".utf8)
        }), String(decoding: bytes, as: UTF8.self).contains("\"relativePath\""),
        let json = try? JSON(parsing: bytes, depthLimit: JSON.lineDepth),
        let type = json["type"]?.string
      else { continue }
      _ = found.take(type, json)
    }
    paths = found.paths
  }

  /// Removes its unchanged files that the new export doesn't name, such as those of entries that
  /// were deleted permanently.
  ///
  /// - Parameter used: the paths that the new export names.
  /// - Throws: an error if a file can't be removed.
  func removeFiles(besides used: Set<String>) throws {
    for path in paths.subtracting(used).sorted() {
      // The lines may come from anyone.
      guard path.wholeMatch(of: /[0-9a-f]{2}\/[0-9a-f]{64}[^\/]*/) != nil else { continue }
      let file = attachments.appendingPathComponent(path)
      guard Self.isFolder(file.deletingLastPathComponent()),
        (try? Archive.hasOwnName(file)) == true
      else { continue }
      try FileManager.default.removeItem(at: file)
    }
  }

  /// Returns true for a folder, but not for a link to one.
  private static func isFolder(_ url: URL) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
    return type as? FileAttributeType == .typeDirectory
  }
}
