import ArkivedCore
import ArkivedCrypto
import Foundation

/// The pages that an export wrote into a folder, with the hashes of their content, as the folder's
/// mark lists them below its first line.
struct VaultPages {
  /// The hashes by path.
  private(set) var hashes: [String: String] = [:]

  init() {}

  /// Reads the pages of the last export; none if an earlier version made it.
  init(listedIn mark: URL) {
    let text = (try? String(contentsOf: mark, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n").dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, Self.isPage(parts[1]) else { continue }
      hashes[String(parts[1])] = String(parts[0])
    }
  }

  /// The lines of the mark.
  var text: String {
    hashes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined()
  }

  /// True if no pages are listed, as in the mark of an earlier version.
  var isEmpty: Bool { hashes.isEmpty }

  mutating func add(_ path: String, _ content: Data) { hashes[path] = Self.hash(content) }

  /// Adds a page that was changed in the folder, as the last export wrote it.
  mutating func keep(_ path: String, from before: VaultPages) {
    hashes[path] = before.hashes[path]
  }

  /// Returns true if a file has the content that the export wrote.
  func isUnchanged(_ path: String, _ file: URL) -> Bool {
    guard let hash = hashes[path], let content = try? Data(contentsOf: file) else { return false }
    return Self.hash(content) == hash
  }

  /// Removes the unchanged files of pages that no longer exist, such as those of deleted entries or
  /// renamed notes, and adds the pages outside the span.
  ///
  /// - Parameters:
  ///   - before: the pages of the last export.
  ///   - folder: the folder.
  ///   - span: the days that were exported.
  /// - Throws: an error if a file can't be removed.
  mutating func replace(_ before: VaultPages, in folder: URL, of span: DayFilter) throws {
    for (path, hash) in before.hashes where hashes[path] == nil {
      guard span.isOpen || Self.day(of: path).map(span.holds) ?? false else {
        hashes[path] = hash
        continue
      }
      let file = folder.appendingPathComponent(path)
      if before.isUnchanged(path, file) { try FileManager.default.removeItem(at: file) }
    }
  }

  /// Returns the day of a day's page; a note may have the name of one.
  private static func day(of path: String) -> DayKey? {
    let parts = path.split(separator: "/")
    guard parts.count == 2, parts[0].allSatisfy(\.isNumber) else { return nil }
    return DayKey(String(parts[1].dropLast(".md".count)))
  }

  private static func hash(_ content: Data) -> String { SHA256.hash(data: content).hexadecimal }

  /// Returns true for a path that an export gives to a page; the list may come from anyone.
  private static func isPage(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix(".md"), !parts[1].hasPrefix(".") else {
      return false
    }
    return [VaultNames.peopleFolder, VaultNames.notesFolder].contains { $0 == parts[0] }
      || parts[0].count == 4 && parts[0].allSatisfy(\.isNumber)
  }
}
