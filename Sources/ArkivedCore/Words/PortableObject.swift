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

    /// Whether it may be said: it is translated, a person has looked at it, and the same things are
    /// put in as in English.
    package var isUsable: Bool {
      !isFuzzy && !forms.isEmpty && problem == nil && forms.allSatisfy { !$0.isEmpty }
    }

    /// What keeps it from being said in its language; nil also for what is not translated yet.
    package var problem: String? {
      let wanted = Places.of(plural ?? key)
      for (index, form) in forms.enumerated() where !form.isEmpty {
        let found = Places.of(form)
        // One thing may be told without its number: "ein Eintrag".
        let isOne = plural != nil && index == 0
        guard isOne ? found.isSubset(of: wanted) : found == wanted else {
          let missing = wanted.symmetricDifference(found).sorted().joined(separator: ", ")
          return "line \(line): “\(form.prefix(60))” differs from the English text in \(missing)"
        }
      }
      return nil
    }
  }

  /// Without the header.
  package private(set) var entries: [Entry] = []

  /// - Throws: `PortableObjectError` that names the line.
  package init(parsing text: String) throws(PortableObjectError) {
    var current: Entry?
    var isFuzzy = false
    var field = ""
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") {
        if let entry = current { keep(entry) }
        current = nil
        if line.hasPrefix("#,") { isFuzzy = line.contains("fuzzy") }
        continue
      }
      let quote = line.firstIndex(of: "\"") ?? line.endIndex
      let keyword = line[..<quote].trimmingCharacters(in: .whitespaces)
      let value = try Self.unquoted(line[quote...], number)
      if keyword == "msgid" {
        if let entry = current { keep(entry) }
        current = Entry(key: "", isFuzzy: isFuzzy, line: number)
        isFuzzy = false
      }
      if !keyword.isEmpty { field = keyword }
      guard current != nil else { throw PortableObjectError(line: number, problem: "has no msgid") }
      switch field {
      case "msgid": current?.key += value
      case "msgid_plural": current?.plural = (current?.plural ?? "") + value
      default:
        guard field.hasPrefix("msgstr") else {
          throw PortableObjectError(line: number, problem: "begins with “\(field.prefix(40))”")
        }
        if !keyword.isEmpty { current?.forms.append("") }
        if let last = current?.forms.indices.last { current?.forms[last] += value }
      }
    }
    if let entry = current { keep(entry) }
  }

  private mutating func keep(_ entry: Entry) {
    if !entry.key.isEmpty { entries.append(entry) }
  }

  private static func unquoted(
    _ text: Substring, _ line: Int
  ) throws(PortableObjectError) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else {
      throw PortableObjectError(line: line, problem: "has no text in quotes")
    }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if isEscaped {
        result.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}

/// Why a file is no catalogue.
package struct PortableObjectError: Error, Hashable, CustomStringConvertible {
  package let line: Int
  package let problem: String

  package var description: String { "Line \(line) \(problem)." }
}

/// The places of a text where something is put in: `{1}`, `{name}`, and in templates the marks of
/// elements, `<1>`, `</1>`, `<2/>`.
enum Places {
  static func of(_ text: String) -> Set<String> {
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
