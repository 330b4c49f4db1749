import Foundation

/// Recognises from the first and last bytes of a text whether it is a complete calendar or card.
struct CalendarShape {
  private static let kept = 4096

  /// The kind of text that is expected.
  private let kind: DAVKind
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  private(set) var count = 0

  init(_ kind: DAVKind = .calendar) { self.kind = kind }

  mutating func add(_ bytes: some Collection<UInt8>) {
    count += bytes.count
    if head.count < Self.kept { head += bytes.prefix(Self.kept - head.count) }
    if bytes.count >= Self.kept {
      tail = Array(bytes.suffix(Self.kept))
    } else {
      tail += bytes
      if tail.count > 2 * Self.kept { tail.removeFirst(tail.count - Self.kept) }
    }
  }

  /// The component that the text begins with, in upper case, such as `VCALENDAR`; nil if it begins
  /// with anything else.
  var component: String? {
    let bytes = beginning
    guard let start = bytes.firstIndex(where: { !Self.isSpace($0) }) else { return nil }
    let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    let line = String(decoding: bytes[start..<end], as: UTF8.self).uppercased()
    guard line.hasPrefix("BEGIN:") else { return nil }
    return line.dropFirst(6).trimmingCharacters(in: .whitespaces)
  }

  /// True if the text ends with the end of its first component.
  ///
  /// Anything that a server appends, such as a comment, is accepted unless another component
  /// begins.
  var isWhole: Bool {
    guard let component else { return false }
    // Nearly all texts end with it, so nothing else has to be checked.
    let end = Self.lastLine(tail)
    if end.count == component.utf8.count + 4,
      String(decoding: end, as: UTF8.self).uppercased() == "END:" + component
    {
      return true
    }
    let lines = Self.lines(ending).map { $0.uppercased() }
    guard let end = lines.lastIndex(where: { $0 == "END:" + component }) else { return false }
    return !lines[end...].contains { $0.hasPrefix("BEGIN:") }
  }

  /// True if the text ends with the end of any component.
  ///
  /// Careless programs write such texts, but one that breaks off inside an event never ends this
  /// way.
  var endsWithAnEnd: Bool {
    Self.lines(ending).last?.uppercased().hasPrefix("END:") == true
  }

  /// The beginning without a byte order mark and the zeros of UTF-16.
  private var beginning: [UInt8] {
    var bytes = head[...]
    for mark in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]]
    where bytes.starts(with: mark) {
      bytes = bytes.dropFirst(mark.count)
      break
    }
    return bytes.filter { $0 != 0 }
  }

  private var ending: [UInt8] { tail.filter { $0 != 0 } }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Returns the last line that isn't empty, trimmed.
  private static func lastLine(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return [] }
    let before = bytes[...last].lastIndex { $0 == 0x0A || $0 == 0x0D }
    return bytes[(before.map { $0 + 1 } ?? 0)...last].drop(while: isSpace)
  }

  /// Returns the lines that aren't empty, trimmed.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split { $0 == 0x0A || $0 == 0x0D }.lazy
      .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  // MARK: Unexpected responses

  /// A description of a text that isn't a calendar, as the rest of “it is …”.
  var otherwise: String {
    guard count > 0 else { return "empty" }
    let text = String(decoding: beginning, as: UTF8.self)
    let start = text.drop { $0.isWhitespace }
    let lower = start.lowercased()
    if lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html") || lower.contains("<head") {
      return page(lower: lower, text: String(start))
    }
    if component != nil { return "incomplete or unrelated data, starting with “\(shown(start))”" }
    if lower.hasPrefix("<") { return "XML: “\(shown(start))”" }
    if lower.hasPrefix("{") || lower.hasPrefix("[") { return "JSON: “\(shown(start))”" }
    if start.isEmpty { return "empty" }
    return "something else: “\(shown(start))”"
  }

  private func page(lower: String, text: String) -> String {
    var title = ""
    if let open = text.range(of: "<title", options: .caseInsensitive),
      let from = text[open.upperBound...].firstIndex(of: ">"),
      let close = text.range(
        of: "</title", options: .caseInsensitive, range: from..<text.endIndex)
    {
      title = shown(text[text.index(after: from)..<close.lowerBound])
    }
    let isLogin =
      lower.contains("type=\"password\"") || lower.contains("type=password")
      || ["log in", "login", "sign in", "signin", "anmeld"].contains {
        title.lowercased().contains($0)
      }
    let kind = isLogin ? "a login page" : "a web page"
    return kind + (title.isEmpty ? "" : " (“\(title)”)")
      + (isLogin ? self.kind.loginHint : "")
  }

  /// Returns the beginning of a text on one line.
  private func shown(_ text: some StringProtocol) -> String {
    let words = text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 } }
    let line = words.joined(separator: " ")
    return "\(line.prefix(80))\(line.count > 80 ? "…" : "")"
  }
}
