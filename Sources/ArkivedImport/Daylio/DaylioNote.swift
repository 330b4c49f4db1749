import Foundation

/// Converts the few HTML tags in Daylio's notes to Markdown.
enum DaylioNote {
  private static let marks: [String: String] = [
    "br": "\n", "br/": "\n", "/p": "\n\n", "/div": "\n", "b": "**", "/b": "**", "strong": "**",
    "/strong": "**", "i": "*", "/i": "*", "em": "*", "/em": "*", "li": "\n- ", "/li": "", "p": "",
    "div": "\n", "ul": "", "/ul": "\n", "ol": "", "/ol": "\n", "u": "", "/u": "", "s": "~~",
    "/s": "~~", "span": "", "/span": "", "font": "", "/font": "",
  ]
  private static let names = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "nbsp": " ", "#39": "'",
  ]

  /// Returns a note without Daylio's tags; anything else that looks like a tag is kept.
  static func markdown(_ note: String) -> String {
    var text = ""
    var rest = note[...]
    while let next = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      text += rest[..<next]
      let end: Character = rest[next] == "<" ? ">" : ";"
      let inside = rest[next...].dropFirst()
      guard let close = inside.prefix(40).firstIndex(of: end),
        let mark = mark(String(inside[..<close]), isTag: end == ">")
      else {
        text.append(rest[next])
        rest = inside
        continue
      }
      text += mark
      rest = inside[inside.index(after: close)...]
    }
    text += rest
    // Several tags in a row end only one paragraph.
    while text.contains("\n\n\n") { text = text.replacingOccurrences(of: "\n\n\n", with: "\n\n") }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func mark(_ inside: String, isTag: Bool) -> String? {
    guard isTag else { return names[inside] }
    // "<br />" and "<font color=…>" are recognised by their first word.
    let name = inside.lowercased().split(separator: " ").first.map(String.init) ?? ""
    return marks[name]
  }
}
