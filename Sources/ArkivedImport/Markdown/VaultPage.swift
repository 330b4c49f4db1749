import ArkivedCore
import Foundation

/// A page of a vault: its text and the contents of its properties.
struct VaultPage {
  private(set) var title: String?
  private(set) var lines: [Substring]
  let properties: PageProperties
  /// The line of the file on which the text begins, from 1.
  let firstLine: Int

  /// Parses a page.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - vault: the folder to which it belongs.
  ///   - stem: its name without the extension.
  ///   - day: the day of the page; nil for other pages.
  ///   - homeZone: the home time zone.
  ///   - hasOwnScale: returns true if `mood` or `energy` has another scale than 1 to 5 in the vault.
  init(
    _ text: String, of vault: Vault, named stem: String, day: DayKey?, homeZone: Zone,
    hasOwnScale: (String) -> Bool = { _ in false }
  ) {
    let front = FrontMatter(text)
    var found = front.properties
    var lines = front.body
    if vault.kind == .logseq {
      let outline = LogseqOutline(lines)
      found += outline.properties
      lines = outline.lines
    }
    var properties = PageProperties(found, homeZone: homeZone, hasOwnScale: hasOwnScale)
    properties.lines += front.strange
    // For a note that Arkived exported, these properties describe where it belongs instead of its
    // content.
    if vault.kind == .arkived, day == nil { properties.lines = [] }
    self.properties = properties
    title = properties.title
    // All at once, because each removal from an array moves the rest of it.
    lines = Array(lines.drop { $0.allSatisfy(\.isWhitespace) })
    if let heading = lines.first.flatMap(Self.heading) {
      let isName = heading == stem || day.map { Self.names(of: $0).contains(heading) } ?? false
      // The name of the file or day says nothing; Arkived's own export writes a title there.
      if isName || (vault.kind == .arkived && day != nil) {
        lines.removeFirst()
        if !isName { title = title ?? heading }
      }
    }
    self.lines = lines
    firstLine = front.bodyLine + front.body.count - lines.count
  }

  private static func heading(_ line: Substring) -> String? {
    guard line.hasPrefix("# ") else { return nil }
    return line.dropFirst(2).trimmingCharacters(in: .whitespaces)
  }

  private static func names(of day: DayKey) -> [String] {
    [day.description, day.longName, day.plainName]
  }

  /// Returns the text followed by the remaining properties.
  ///
  /// The text is left unchanged, except for blank lines at either end.
  ///
  /// - Parameters:
  ///   - lines: the lines of the text.
  ///   - keepsTags: true to write the tags that the text lacks as its last line.
  /// - Returns: the text.
  func text(of lines: [Substring], keepsTags: Bool) -> String {
    var lines = lines.drop { $0.allSatisfy(\.isWhitespace) }
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    var parts = lines.isEmpty ? [] : [lines.joined(separator: "\n")]
    if !properties.lines.isEmpty { parts.append(properties.lines.joined(separator: "  \n")) }
    if keepsTags {
      let own = Set(
        JrnlTags.names(in: parts.joined(separator: "\n"), symbols: ["#"]).map(NameFolding.key))
      let missing = properties.tags.filter { !own.contains(NameFolding.key($0)) }
      if !missing.isEmpty {
        parts.append(
          missing.map { "#" + $0.map { $0.isWhitespace ? "_" : String($0) }.joined() }
            .joined(separator: " "))
      }
    }
    return parts.joined(separator: "\n\n")
  }
}

/// Reads text files in any encoding.
enum PageText {
  /// The maximum size of a page, in bytes.
  static let sizeLimit = 16 << 20

  /// Reads a file.
  ///
  /// - Returns: The text with LF line ends, and true if it was read as Windows-1252.
  /// - Throws: `ImportRefusal` if the file can't be read, is too long, or isn't text.
  static func read(_ file: ImportFile) throws(ImportRefusal) -> (text: String, isLatin: Bool) {
    var bytes: [UInt8] = []
    do {
      var reader = try TextBytes(file.url)
      defer { reader.close() }
      while bytes.count <= sizeLimit, let chunk = try reader.readChunk() { bytes += chunk }
    } catch {
      throw ImportRefusal(
        place: file.name, message: "the file can’t be read: \(error.localizedDescription)")
    }
    guard bytes.count <= sizeLimit else {
      throw ImportRefusal(place: file.name, message: "the page is longer than 16 MiB")
    }
    guard !bytes.contains(0) else {
      throw ImportRefusal(
        place: file.name, message: "the file name suggests a page, but the file contains no text")
    }
    let utf8 = String(validating: bytes, as: UTF8.self)
    let text = utf8 ?? String(decoding: WindowsLatin.utf8(bytes[...]), as: UTF8.self)
    return (
      text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"), utf8 == nil
    )
  }
}
