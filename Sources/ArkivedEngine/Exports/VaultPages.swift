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

  mutating func add(_ path: String, _ content: Data) { hashes[path] = Self.hash(content) }

  /// Adds a page that the owner has changed, with the content that the last export that wrote it gave
  /// it, or else would have given it.
  mutating func keep(_ path: String, from before: VaultPages, orAs content: Data) {
    hashes[path] = before.hashes[path] ?? Self.hash(content)
  }

  /// Returns true if a file isn't as the last export wrote it, or if that didn't write it; nil if
  /// it listed no pages.
  func isChanged(_ path: String, _ file: URL) -> Bool? {
    guard !hashes.isEmpty else { return nil }
    if hashes[path] != nil { return !isUnchanged(path, file) }
    // Some file systems don't distinguish names by case, so it may have its former name.
    let former = hashes.keys.first { $0.caseInsensitiveCompare(path) == .orderedSame }
    return former.map { !isUnchanged($0, file) } ?? true
  }

  /// Returns true if a file has the content that the export wrote.
  func isUnchanged(_ path: String, _ file: URL) -> Bool {
    guard let hash = hashes[path], let content = try? Data(contentsOf: file) else { return false }
    return Self.hash(content) == hash
  }

  /// Removes the unchanged files of pages that no longer exist, such as those of deleted entries or
  /// renamed notes, and adds the pages outside the span and those that the owner has changed.
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
      if before.isUnchanged(path, file) {
        try FileManager.default.removeItem(at: file)
      } else if FileManager.default.fileExists(atPath: file.path) {
        hashes[path] = hash
      }
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
