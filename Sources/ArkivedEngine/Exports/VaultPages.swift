import ArkivedCore
import ArkivedCrypto
import ArkivedImport
import Foundation

/// The pages and attachments that an export wrote into a folder, with the hashes of their content,
/// as the folder's mark lists them below its first line.
struct VaultPages {
  /// The hashes by path.
  private(set) var hashes: [String: String] = [:]
  /// The time zone of times that don't name one.
  let zone: Zone?

  init(zone: Zone? = nil) { self.zone = zone }

  /// Reads the pages of the last export; none if an earlier version made it.
  init(listedIn mark: URL) {
    let text = (try? String(contentsOf: mark, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").dropFirst()
    zone = lines.first { $0.hasPrefix(ExportedLine.zoneName) }
      .flatMap { Zone(String($0.dropFirst(ExportedLine.zoneName.count))) }
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, Self.isPage(parts[1]) else { continue }
      hashes[String(parts[1])] = String(parts[0])
    }
  }

  /// The lines of the mark.
  var text: String {
    (zone.map { "\(ExportedLine.zoneName)\($0)\n" } ?? "")
      + hashes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined()
  }

  /// Returns the names of the pages of people and notes in a folder, by the ID in their front
  /// matter.
  ///
  /// Pages that were changed in the folder are included.
  func names(in folder: URL) -> [UUID: String] {
    var names: [UUID: String] = [:]
    for shelf in [VaultNames.peopleFolder, VaultNames.notesFolder] {
      let url = folder.appendingPathComponent(shelf)
      let files = ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted()
      // A copy of a page has the same ID.
      let listed = files.filter { hashes["\(shelf)/\($0)"] != nil }
      for name in listed + files {
        guard let id = Self.id(in: url.appendingPathComponent(name)), names[id] == nil else {
          continue
        }
        names[id] = String(name.dropLast(".md".count))
      }
    }
    return names
  }

  /// Returns the ID in the front matter of a page.
  private static func id(in page: URL) -> UUID? {
    let type = try? FileManager.default.attributesOfItem(atPath: page.path)[.type]
    guard type as? FileAttributeType == .typeRegular,
      let handle = try? FileHandle(forReadingFrom: page)
    else { return nil }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: 4_096) else { return nil }
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.first == "---" else { return nil }
    return lines.dropFirst().prefix { $0 != "---" }.first { $0.hasPrefix("id: ") }
      .flatMap { UUID(uuidString: $0.dropFirst("id: ".count).trimmingCharacters(in: .whitespaces)) }
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
    guard hasPages else { return nil }
    if hashes[path] != nil { return !isUnchanged(path, file) }
    // Some file systems don't distinguish names by case, so it may have its former name.
    let former = hashes.keys.first { $0.caseInsensitiveCompare(path) == .orderedSame }
    return former.map { !isUnchanged($0, file) } ?? true
  }

  /// Adds the file of an attachment that a page links to.
  mutating func add(_ attachment: Attachment) {
    guard let path = attachment.relativePath, let hash = attachment.contentHash else { return }
    hashes["\(Self.attachmentsFolder)/\(path)"] = hash
  }

  /// True if there are pages and not only attachments.
  var hasPages: Bool { hashes.keys.contains { $0.hasSuffix(".md") } }

  /// Keeps everything that the last export listed.
  mutating func keep(_ before: VaultPages) {
    hashes.merge(before.hashes) { own, _ in own }
  }

  /// Returns true if a file has the content that the export wrote.
  func isUnchanged(_ path: String, _ file: URL) -> Bool {
    guard let hash = hashes[path], let now = try? Self.hash(ofFileAt: file) else { return false }
    return now == hash
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
      // The days of notes and attachments aren't known.
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

  /// Returns the hash of a file, which may be a long film.
  private static func hash(ofFileAt file: URL) throws -> String {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var sum = SHA256()
    while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
      sum.update(data: piece)
    }
    return sum.finalize().hexadecimal
  }

  private static let attachmentsFolder = "attachments"

  /// Returns true for a path that an export gives to a page or an attachment; the list may come from
  /// anyone.
  private static func isPage(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 3, parts[0] == attachmentsFolder[...] {
      // Two digits of the hash, and a name.
      return parts[1].count == 2 && parts[1].allSatisfy(\.isHexDigit)
        && parts[2].prefix(64).allSatisfy(\.isHexDigit) && parts[2].count >= 64
    }
    guard parts.count == 2, parts[1].hasSuffix(".md"), !parts[1].hasPrefix(".") else {
      return false
    }
    return [VaultNames.peopleFolder, VaultNames.notesFolder].contains { $0 == parts[0] }
      || parts[0].count == 4 && parts[0].allSatisfy(\.isNumber)
  }
}
