import ArkivedCore
import Foundation

/// An object between the runs of a rich text: media, rules, tables, and the contents of Apple's
/// journalling suggestions.
enum DayOneObject {
  /// Returns an object as a block of Markdown, or nil if it has no message.
  static func markdown(_ object: JSON) -> String? {
    let type = object["type"]?.string ?? ""
    if let kind = DayOneMedia.Kind(word: type), let identifier = identifier(object) {
      let path = kind == .photo ? "//" : "/\(kind.linkWord)/"
      return "![](dayone-moment:\(path)\(identifier))"
    }
    switch type {
    case "horizontalRuleLine", "horizontalLineRule": return "---"
    case "renderableCodeBlock": return object["contents"]?.string.map(fenced)
    case "table": return table(object)
    default: return saying(object).map(MarkdownEscapes.escaped)
    }
  }

  /// Returns an object's message in words if it isn't media, decoration or a table.
  static func saying(_ object: JSON) -> String? {
    func text(_ key: String) -> String? {
      object[key]?.string.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        .flatMap { $0.isEmpty ? nil : $0 }
    }
    func list(_ keys: [String]) -> String? {
      let texts = keys.compactMap(text)
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
    func named(_ name: String, _ saying: String?) -> String? { saying.map { "\(name): \($0)" } }
    switch text("type") ?? "" {
    case "horizontalRuleLine", "horizontalLineRule", "renderableCodeBlock", "table": return nil
    case let type where DayOneMedia.Kind(word: type) != nil: return nil
    case "externalVideo": return named("Video", text("url"))
    case "externalAudio": return named("Audio", text("url"))
    case "preview": return named("Page", text("url"))
    case "contact": return named("Contact", text("name"))
    case "location": return named("Place", list(["placeName", "city"]))
    case "song": return named("Song", list(["song", "artist", "album"]))
    case "podcast": return named("Podcast", list(["show", "episode"]))
    case "genericMedia": return named("Media", list(["title", "artist", "album"]))
    case "motionActivity":
      let steps = object["steps"]?.int.map { "\($0) steps" }
      return named("Movement", joined([text("movementTypeName"), steps]))
    case "workout":
      let metres = object["distance"]?.double.map { "\(AmountText.plain($0)) m" }
      return named("Workout", joined([text("displayName") ?? text("activityType"), metres]))
    case "stateOfMind":
      func names(_ key: String) -> String? {
        let names = object[key]?.array?.compactMap(\.string) ?? []
        return names.isEmpty ? nil : names.joined(separator: ", ")
      }
      return named(
        text("kindDisplayName") ?? "State of mind",
        joined([
          text("valenceClassificationDisplayName"), names("labelsDisplayNames"),
          names("associationsDisplayNames"),
        ]))
    case "dayOneEntry":
      return named("Entry", text("entryID").map { "dayone2://view?entryId=\($0)" })
    default: return list(["title", "name", "url"])
    }
  }

  private static func joined(_ parts: [String?]) -> String? {
    let parts = parts.compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func identifier(_ object: JSON) -> String? {
    guard let identifier = object["identifier"]?.string, !identifier.isEmpty,
      identifier.utf8.count <= 128,
      identifier.unicodeScalars.allSatisfy({
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_")
      })
    else { return nil }
    return identifier
  }

  /// Returns a code block whose fence is longer than any inside it.
  static func fenced(_ text: String) -> String {
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)\n\(text)\n\(fence)"
  }

  private static func table(_ object: JSON) -> String? {
    if let markdown = object["markdown"]?.string, !markdown.isEmpty { return markdown }
    let rows = (object["rows"]?.array ?? []).map { row in
      (row.array ?? []).map { cell in
        (cell["content"]?.array ?? []).compactMap { $0["text"]?.string }.joined()
          .split(whereSeparator: \.isNewline).joined(separator: " ")
      }
    }
    guard let first = rows.first, !first.isEmpty else { return nil }
    func line(_ cells: [String]) -> String {
      "| " + cells.map(MarkdownEscapes.escaped).joined(separator: " | ") + " |"
    }
    let rule = "| " + first.map { _ in "---" }.joined(separator: " | ") + " |"
    return ([line(first), rule] + rows.dropFirst().map(line)).joined(separator: "\n")
  }
}
