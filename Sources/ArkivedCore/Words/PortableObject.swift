import Foundation

/// A catalogue file in the form of GNU gettext ("The Format of PO Files", gettext manual, section
/// 3): `msgid`, `msgid_plural`, `msgstr`, `msgstr[n]`, and comments, in UTF-8.
package struct PortableObject: Sendable {
  package struct Entry: Sendable {
    /// The English text.
    package var key: String
    /// The English text about several things.
    package var plural: String?
    package var forms: [String] = []
    package var isFuzzy = false
    /// The line of its `msgid`, from 1.
    package var line: Int

    /// True if it may be used: it is translated, reviewed by a person, and has the same
    /// placeholders as the English text.
    package var isUsable: Bool {
      !isFuzzy && !forms.isEmpty && problem == nil && forms.allSatisfy { !$0.isEmpty }
    }

    /// The reason it cannot be used in its language, or nil; also nil if it is not translated yet.
    package var problem: String? {
      let wanted = Places.of(plural ?? key)
      for (index, form) in forms.enumerated() where !form.isEmpty {
        let found = Places.of(form)
        // The singular may omit its number: "ein Eintrag".
        let isOne = plural != nil && index == 0
        guard isOne ? found.isSubset(of: wanted) : found == wanted else {
          let missing = wanted.symmetricDifference(found).sorted().joined(separator: ", ")
          return "line \(line): “\(form.prefix(60))” differs from the English text in \(missing)"
        }
      }
      return nil
    }
  }

  /// The entries without the header.
  package private(set) var entries: [Entry] = []

  /// Parses a catalogue.
  ///
  /// - Throws: `PortableObjectError` with the line number.
  package init(parsing text: String) throws(PortableObjectError) {
    // This works on bytes because a terminal reads the whole file at every launch.
    let lines = Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
    var current: Entry?
    var isFuzzy = false
    var field = Field.key
    for (index, whole) in lines.enumerated() {
      let line = Self.trimmed(whole)
      guard let first = line.first, first != 0x23 else {
        if let entry = current { keep(entry) }
        current = nil
        if line.starts(with: Self.marks) { isFuzzy = Self.holdsFuzzy(line) }
        continue
      }
      let quote = line.firstIndex(of: 0x22) ?? line.endIndex
      let keyword = Self.trimmed(line[..<quote])
      let value = try Self.unquoted(line[quote...], index + 1)
      if !keyword.isEmpty {
        field = try Self.field(keyword, index + 1)
        if field == .key {
          if let entry = current { keep(entry) }
          current = Entry(key: "", isFuzzy: isFuzzy, line: index + 1)
          isFuzzy = false
        }
        if field == .form { current?.forms.append("") }
      }
      guard current != nil else {
        throw PortableObjectError(line: index + 1, problem: "has no msgid")
      }
      switch field {
      case .key: current?.key += value
      case .plural:
        let plural = (current?.plural ?? "") + value
        current?.plural = plural
      case .form: if let last = current?.forms.indices.last { current?.forms[last] += value }
      }
    }
    if let entry = current { keep(entry) }
  }

  private enum Field { case key, plural, form }

  private static let marks = Array("#,".utf8)
  private static let keys = Array("msgid".utf8)
  private static let plurals = Array("msgid_plural".utf8)
  private static let forms = Array("msgstr".utf8)

  private static func field(
    _ keyword: ArraySlice<UInt8>, _ line: Int
  ) throws(PortableObjectError) -> Field {
    if keyword.elementsEqual(keys) { return .key }
    if keyword.elementsEqual(plurals) { return .plural }
    if keyword.starts(with: forms) { return .form }
    throw PortableObjectError(
      line: line, problem: "begins with “\(String(decoding: keyword.prefix(40), as: UTF8.self))”")
  }

  private static func holdsFuzzy(_ line: ArraySlice<UInt8>) -> Bool {
    String(decoding: line, as: UTF8.self).contains("fuzzy")
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line = line.dropLast() }
    return line
  }

  private mutating func keep(_ entry: Entry) {
    if !entry.key.isEmpty { entries.append(entry) }
  }

  private static func unquoted(
    _ text: ArraySlice<UInt8>, _ line: Int
  ) throws(PortableObjectError) -> String {
    guard text.count >= 2, text.first == 0x22, text.last == 0x22 else {
      throw PortableObjectError(line: line, problem: "has no text in quotes")
    }
    let inside = text.dropFirst().dropLast()
    guard inside.contains(0x5C) else { return String(decoding: inside, as: UTF8.self) }
    var result: [UInt8] = []
    var isEscaped = false
    for byte in inside {
      if isEscaped {
        result.append(byte == 0x6E ? 0x0A : byte == 0x74 ? 0x09 : byte)
        isEscaped = false
      } else if byte == 0x5C {
        isEscaped = true
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The reason a file is not a catalogue.
package struct PortableObjectError: Error, Hashable, CustomStringConvertible {
  package let line: Int
  package let problem: String

  package var description: String { "Line \(line) \(problem)." }
}

/// The placeholders in a text: `{1}`, `{name}`, and in templates the marks of elements, `<1>`,
/// `</1>`, `<2/>`.
enum Places {
  static func of(_ text: String) -> Set<String> {
    guard text.utf8.contains(where: { $0 == 0x7B || $0 == 0x3C }) else { return [] }
    var places: Set<String> = []
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "<" }) {
      let close: Character = rest[open] == "{" ? "}" : ">"
      let inside = rest[rest.index(after: open)...]
      guard let end = inside.firstIndex(of: close) else { break }
      let name = inside[..<end]
      let isPlace =
        !name.isEmpty
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/") }
      if isPlace { places.insert(String(rest[open...end])) }
      rest = isPlace ? inside[inside.index(after: end)...] : inside
    }
    return places
  }
}
