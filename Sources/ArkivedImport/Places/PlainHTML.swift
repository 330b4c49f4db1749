/// Converts the HTML of descriptions in map services to plain text.
enum PlainHTML {
  /// Tags that end a line.
  private static let breaks: Set<String> = [
    "br", "p", "/p", "div", "/div", "li", "/li", "tr", "/tr", "h1", "h2", "h3", "h4", "/h1", "/h2",
    "/h3", "/h4", "table", "/table",
  ]
  /// Tags whose content isn't shown.
  private static let hidden: Set<String> = ["script", "style", "head"]
  private static let entities: [Substring: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
  ]

  /// Returns the text without tags, one line for each line that a browser would show.
  ///
  /// Text without tags and entities is returned unchanged.
  static func text(_ html: String) -> String {
    guard html.contains("<") || html.contains("&") else { return html }
    var words = ""
    var rest = html[...]
    var hidden: String?
    while let character = rest.first {
      if character == "<", let tag = tag(rest) {
        if let name = hidden {
          if tag.name == "/" + name { hidden = nil }
        } else if Self.hidden.contains(tag.name) {
          hidden = tag.name
        } else if breaks.contains(tag.name) {
          words.append("\n")
        } else if tag.name == "td" || tag.name == "th" {
          words.append(" ")
        }
        rest = rest[tag.end...]
      } else if character == "&", let entity = entity(rest) {
        if hidden == nil { words.append(entity.character) }
        rest = rest[entity.end...]
      } else {
        if hidden == nil { words.append(character) }
        rest.removeFirst()
      }
    }
    return words.split(whereSeparator: \.isNewline)
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Returns the tag that begins here, in lower case, and the position where it ends; nil if `<` is
  /// an ordinary character.
  private static func tag(_ text: Substring) -> (name: String, end: Substring.Index)? {
    let inside = text.dropFirst()
    guard let first = inside.first, first.isASCII, first.isLetter || first == "/" || first == "!",
      let close = inside.prefix(4_000).firstIndex(of: ">")
    else { return nil }
    let name = inside[..<close].prefix { !$0.isWhitespace }.lowercased()
    let bare = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
    return (bare, inside.index(after: close))
  }

  /// Returns the character of the entity that begins here, and the position where it ends.
  private static func entity(_ text: Substring) -> (character: Character, end: Substring.Index)? {
    let inside = text.dropFirst().prefix(10)
    guard let close = inside.firstIndex(of: ";") else { return nil }
    let name = inside[..<close]
    let end = text.index(after: close)
    if let character = entities[name] { return (character, end) }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let code =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let code, code >= 0x20, let scalar = Unicode.Scalar(code) else { return nil }
    return (Character(scalar), end)
  }
}
