import Foundation

/// The front matter of a Markdown page between `---` and `---`: the part of YAML that people and
/// note programs use there.
struct FrontMatter {
  /// The properties in order, with their names as written and their values; a value that isn't a
  /// list has one element.
  private(set) var properties: [(name: String, values: [String])] = []
  /// The lines that can't be parsed, kept so that they aren't lost.
  private(set) var strange: [String] = []
  /// The lines of the page below the front matter.
  private(set) var body: [Substring]
  /// The line of the file on which the body begins, from 1.
  private(set) var bodyLine = 1

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    body = lines
    guard lines.first.map(Self.isRule) == true,
      let end = lines.dropFirst().firstIndex(where: { Self.isRule($0) || $0 == "..." })
    else { return }
    body = Array(lines[(end + 1)...])
    bodyLine = end + 2
    read(Array(lines[1..<end]))
  }

  private static func isRule(_ line: Substring) -> Bool {
    line.hasPrefix("---") && line.dropFirst(3).allSatisfy(\.isWhitespace)
  }

  private mutating func read(_ lines: [Substring]) {
    var index = 0
    while index < lines.count {
      let line = lines[index]
      index += 1
      let words = line.trimmingCharacters(in: .whitespaces)
      if words.isEmpty || words.hasPrefix("#") { continue }
      guard line.first?.isWhitespace == false, let (name, rest) = Self.pair(words) else {
        strange.append(words)
        continue
      }
      let end = lines[index...].firstIndex { Self.ends($0) } ?? lines.count
      let below = lines[index..<end].filter { !$0.allSatisfy(\.isWhitespace) }
      index = end
      properties.append((name, Self.values(rest, below)))
    }
  }

  /// Returns true if a line belongs to the next property, because it is neither indented nor a list
  /// item.
  private static func ends(_ line: Substring) -> Bool {
    guard let first = line.first else { return false }
    return !first.isWhitespace && !line.hasPrefix("- ") && line != "-"
  }

  /// Parses `name: value`; the name may be quoted.
  private static func pair(_ line: String) -> (name: String, value: String)? {
    if line.hasPrefix("\""), let end = line.dropFirst().firstIndex(of: "\"") {
      let rest = line[line.index(after: end)...]
      guard rest.hasPrefix(":") else { return nil }
      return (
        scalar(String(line[...end])), rest.dropFirst().trimmingCharacters(in: .whitespaces)
      )
    }
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let value = line[line.index(after: colon)...]
    guard colon > line.startIndex, value.isEmpty || value.first?.isWhitespace == true else {
      return nil
    }
    return (String(line[..<colon]), value.trimmingCharacters(in: .whitespaces))
  }

  private static func values(_ value: String, _ below: [Substring]) -> [String] {
    let lines = below.map { $0.trimmingCharacters(in: .whitespaces) }
    if value.first == "|" || value.first == ">" {
      return [lines.joined(separator: value.first == "|" ? "\n" : " ")]
    }
    if value.hasPrefix("["), ([value] + lines).joined().hasSuffix("]") {
      return list(([value] + lines).joined(separator: " ").dropFirst().dropLast())
    }
    let items = lines.map { line in
      line.hasPrefix("- ") ? scalar(line.dropFirst(2).trimmingCharacters(in: .whitespaces)) : line
    }.filter { $0 != "-" }
    let own = scalar(value)
    return (own.isEmpty ? [] : [own]) + items
  }

  /// Returns the items of `[a, "b, c"]`.
  private static func list(_ text: Substring) -> [String] {
    var items: [String] = []
    var item = ""
    var quote: Character?
    var isEscaped = false
    for character in text {
      if character == ",", quote == nil {
        items.append(item)
        item = ""
        continue
      }
      item.append(character)
      if isEscaped {
        isEscaped = false
      } else if character == "\\", quote == "\"" {
        isEscaped = true
      } else if quote == character {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
      }
    }
    return (items + [item]).map { scalar($0.trimmingCharacters(in: .whitespaces)) }
      .filter { !$0.isEmpty }
  }

  /// Returns a value without its quotes or a trailing comment.
  private static func scalar(_ text: String) -> String {
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
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
    if text.count > 1, text.hasPrefix("'"), text.hasSuffix("'") {
      return String(text.dropFirst().dropLast()).replacing("''", with: "'")
    }
    guard let remark = text.range(of: " #") else { return text }
    // `#tag #tag` is a common way to write tags.
    return text.hasPrefix("#")
      ? text : String(text[..<remark.lowerBound]).trimmingCharacters(in: .whitespaces)
  }
}
