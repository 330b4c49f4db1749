import ArkivedCore
import Foundation

/// The form of a journal's file, recognised from its first bytes and its name.
enum JrnlForm: Equatable {
  case text
  case json
  /// A journal encrypted by this version of jrnl.
  case encrypted(String)
  /// A file that is named like a journal but isn't text.
  case unreadable

  /// Recognises a journal.
  ///
  /// - Parameters:
  ///   - head: the first bytes, up to 4 KiB.
  ///   - fileName: the path below the selected file or folder.
  init?(head: [UInt8], fileName: String) {
    if head.starts(with: Array("JRNLv3".utf8)) {
      self = .encrypted("4")
      return
    }
    // The text is a Fernet token in Base64 and nothing else.
    let trimmed = head.reversed().drop { [0x0A, 0x0D, 0x20].contains($0) }
    if head.starts(with: Array("gAAAAA".utf8)), trimmed.allSatisfy(Self.isBase64) {
      self = .encrypted("2 or 3")
      return
    }
    let isNamed = JrnlFile.isNamedJournal(fileName)
    guard let text = Self.decoded(head), !Self.isBinary(text) else {
      guard isNamed, JrnlFile.isNamedText(fileName) else { return nil }
      self = .unreadable
      return
    }
    if text.first == UInt8(ascii: "{") {
      guard JrnlJSONHead(text).isJrnl else { return nil }
      self = .json
      return
    }
    guard Self.isText(text, isWhole: head.count < 4096, fileName: fileName) else { return nil }
    self = .text
  }

  /// Chooses a form for a file that wasn't recognised.
  init(forced head: [UInt8]) {
    self = Self.decoded(head)?.first == UInt8(ascii: "{") ? .json : .text
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
      || [0x2D, 0x5F, 0x3D, 0x2B, 0x2F].contains(byte)
  }

  /// Returns the head in UTF-8 without a byte order mark or leading blank lines, or nil if it isn't
  /// readable.
  private static func decoded(_ head: [UInt8]) -> [UInt8]? {
    var bytes = head[...]
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      let isBig = head[0] == 0xFE
      let units = stride(from: 2, to: head.count - 1, by: 2).lazy.map { index -> UInt16 in
        let (first, second) = (UInt16(head[index]), UInt16(head[index + 1]))
        return isBig ? first << 8 | second : second << 8 | first
      }
      bytes = Array(String(decoding: Array(units), as: UTF16.self).utf8)[...]
    } else if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = head.dropFirst(3)
    }
    return Array(bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
  }

  /// Returns true if there are more control characters than any text has; in random bytes they make
  /// up a tenth.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    let controls = bytes.count { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
    return controls > 4 && controls * 20 > bytes.count
  }

  /// Returns true if a text begins like a journal.
  ///
  /// Its first line that isn't blank is an entry's header, and most of the other headers follow a
  /// blank line, as jrnl writes them. Logs and chats have dated lines, too, but no blank lines
  /// before them.
  private static func isText(_ text: [UInt8], isWhole: Bool, fileName: String) -> Bool {
    let isNamed = JrnlFile.isNamedJournal(fileName)
    let lower = fileName.lowercased()
    guard !lower.hasSuffix(".log") else { return false }
    if text.isEmpty { return isNamed && isWhole }
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      Array(line.last == 0x0D ? line.dropLast() : line)
    }
    if JrnlHeaderForm.bracketed.header(lines[0]) == nil {
      lines = lines.map { $0.contains(0x1B) ? JrnlPrint.withoutColours($0) : $0 }
    }
    // The last line may be truncated.
    if !isWhole, lines.count > 1 { lines.removeLast() }
    let form: JrnlHeaderForm
    if JrnlHeaderForm.bracketed.header(lines[0]) != nil {
      form = .bracketed
    } else if JrnlFile.isDayPath(fileName), JrnlHeaderForm.timeOnly(lines[0]) != nil {
      return true
    } else if JrnlFile.isNamedText(fileName),
      let first = JrnlHeaderForm.bareForms(lines[0], allowsDaysAlone: isNamed).first
    {
      form = first
    } else {
      return lower.hasSuffix(".jrnl")
    }
    if form == .bracketed, let stamp = form.header(lines[0])?.stamp {
      // A date alone may just as well head a list of changes.
      guard stamp.second != nil || JrnlFile.isNamedText(fileName) else { return false }
    }
    var (headers, apart) = (0, 0)
    for (index, line) in lines.enumerated().dropFirst() where form.header(line) != nil {
      headers += 1
      if lines[index - 1].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { apart += 1 }
    }
    return isNamed || lower.hasSuffix(".jrnl") || apart * 2 >= headers
  }
}

/// The beginning of a JSON document, examined for signs that jrnl wrote it.
private struct JrnlJSONHead {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var isJrnl = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isJrnl = looksLikeJrnl()
  }

  private enum Token: Equatable {
    case string(String)
    case mark(UInt8)
    /// A number, true, false or null.
    case word
  }

  /// Reads the next token; returns nil at the end of the head.
  private mutating func next() -> Token? {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    if byte == UInt8(ascii: "\"") {
      var end = position + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard end < bytes.count else {
        position = bytes.count
        return nil
      }
      defer { position = end + 1 }
      return .string(String(decoding: bytes[(position + 1)..<end], as: UTF8.self))
    }
    if "{}[]:,".utf8.contains(byte) {
      position += 1
      return .mark(byte)
    }
    while position < bytes.count, !" \t\r\n,]}:".utf8.contains(bytes[position]) { position += 1 }
    return .word
  }

  private mutating func looksLikeJrnl() -> Bool {
    guard next() == .mark(UInt8(ascii: "{")) else { return false }
    let start = position
    guard case .string(let key)? = next(), next() == .mark(UInt8(ascii: ":")) else { return false }
    switch key {
    case "tags":
      guard next() == .mark(UInt8(ascii: "{")) else { return looksLikeEntry(from: start) }
      return isTagCount()
    case "entries": return next() == .mark(UInt8(ascii: "[")) && isFirstEntry()
    default: return looksLikeEntry(from: start)
    }
  }

  /// Returns true if names with a symbol and their counts follow, and then the entries if the head
  /// extends that far.
  private mutating func isTagCount() -> Bool {
    var count = 0
    while let token = next() {
      switch token {
      case .mark(UInt8(ascii: ",")): continue
      case .mark(UInt8(ascii: "}")):
        guard next() == .mark(UInt8(ascii: ",")) else { return false }
        guard next() == .string("entries"), next() == .mark(UInt8(ascii: ":")) else { return false }
        return next() == .mark(UInt8(ascii: "[")) && isFirstEntry()
      case .string(let name):
        guard let first = name.first, !first.isLetter, !first.isNumber,
          next() == .mark(UInt8(ascii: ":")), next() == .word
        else { return false }
        count += 1
      default: return false
      }
    }
    return count > 0
  }

  private mutating func isFirstEntry() -> Bool {
    switch next() {
    case .mark(UInt8(ascii: "{"))?: looksLikeEntry(from: position)
    case .mark(UInt8(ascii: "]"))?: true
    default: false
    }
  }

  /// Returns true if an object's keys, as far as the head shows them, are those of jrnl's entries.
  private mutating func looksLikeEntry(from start: Int) -> Bool {
    position = start
    var keys: Set<String> = []
    var depth = 1
    var isKey = true
    while depth > 0, let token = next() {
      switch token {
      case .mark(UInt8(ascii: "{")), .mark(UInt8(ascii: "[")): depth += 1
      case .mark(UInt8(ascii: "}")), .mark(UInt8(ascii: "]")): depth -= 1
      case .mark(UInt8(ascii: ",")): isKey = depth == 1
      case .string(let key) where isKey && depth == 1:
        guard JrnlJSONReader.fields.contains(key) else { return false }
        keys.insert(key)
        isKey = false
      default: break
      }
    }
    if depth == 0 { return keys.isSuperset(of: ["title", "date"]) }
    return keys.contains("title") || keys.contains("body")
  }
}
