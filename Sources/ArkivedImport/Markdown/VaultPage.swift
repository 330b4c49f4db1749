import ArkivedCore
import Foundation

/// One page of a vault: its text, and what its properties say.
struct VaultPage {
  private(set) var title: String?
  private(set) var lines: [Substring]
  let properties: PageProperties
  /// On which line of the file the text begins, from 1.
  let firstLine: Int

  /// - Parameter day: the day whose page it is; nil for another page.
  init(_ text: String, of vault: Vault, named stem: String, day: DayKey?, homeZone: Zone) {
    let front = FrontMatter(text)
    var found = front.properties
    var lines = front.body
    if vault.kind == .logseq {
      let outline = LogseqOutline(lines)
      found += outline.properties
      lines = outline.lines
    }
    var properties = PageProperties(found, homeZone: homeZone)
    properties.lines += front.strange
    // Of a note that Arkived wrote out, these say what it belongs to and not what it says.
    if vault.kind == .arkived, day == nil { properties.lines = [] }
    self.properties = properties
    title = properties.title
    while let first = lines.first, first.allSatisfy(\.isWhitespace) { lines.removeFirst() }
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

  /// The text with what else the properties say below it; as the page has it but for blank lines at
  /// its ends.
  ///
  /// - Parameter keepsTags: writes the tags that the text does not have as its last line.
  func text(of lines: [Substring], keepsTags: Bool) -> String {
    var lines = lines
    while let first = lines.first, first.allSatisfy(\.isWhitespace) { lines.removeFirst() }
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

/// The text of a file of words, whatever it is encoded in.
enum PageText {
  /// A longer page is none.
  static let sizeLimit = 16 << 20

  /// - Returns: the text with line ends as LF, and whether it was read as Windows-1252.
  /// - Throws: `ImportRefusal` where the file cannot be read, is too long, or holds no text.
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
        place: file.name, message: "this is named like a page but contains no text")
    }
    let utf8 = String(validating: bytes, as: UTF8.self)
    let text = utf8 ?? String(decoding: WindowsLatin.utf8(bytes[...]), as: UTF8.self)
    return (
      text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"), utf8 == nil
    )
  }
}
