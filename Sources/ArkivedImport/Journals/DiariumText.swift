import ArkivedCore
import Foundation

/// A Diarium entry as plain text, with one file per entry: the date in words on the first line,
/// then the heading and the text, then lines that begin with `Tags:`, `People:`, `Tracker:` and
/// others.
enum DiariumText {
  /// The lines below a text, in English and German, and the corresponding JSON field.
  private static let fields: [(names: [String], key: String)] = [
    (["Tags"], "tags"), (["People", "Personen"], "people"), (["Tracker"], "tracker"),
    (["Rating", "Bewertung"], "rating"), (["Location", "Ort", "Standort"], "location"),
    (["Weather", "Wetter"], "weather"), (["Sun", "Sonne"], "sun"), (["Moon", "Mond"], "lunar"),
  ]

  /// Returns true if a file is named as by Diarium (`Diarium_2026-03-10.txt`) or has Diarium's
  /// lines below a text.
  static func isEntry(_ head: [UInt8], named name: String) -> Bool {
    let lower = name.lowercased()
    guard lower.hasSuffix(".txt") else { return false }
    let text = HeadText.of(head)
    guard let first = text.split(whereSeparator: \.isNewline).first,
      JournalDate(first.trimmingCharacters(in: .whitespaces)) != nil
    else { return false }
    let last = lower.split(separator: "/").last ?? ""
    return last.hasPrefix("diarium")
      || text.split(whereSeparator: \.isNewline).contains { line in
        ["Tracker:", "People:", "Personen:"].contains { line.hasPrefix($0) }
      }
  }

  /// Returns the first line with words, which is the date.
  private static func date(_ file: ImportFile) -> String? {
    guard let text = try? PageText.read(file).text else { return nil }
    return text.split(separator: "\n").first { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns the entry in the structure of Diarium's JSON.
  ///
  /// - Throws: `ImportRefusal` if the file isn't text.
  static func read(
    _ file: ImportFile, _ context: ImportContext, into sink: any ImportSink
  ) throws -> JSON {
    let (text, isLatin) = try PageText.read(file)
    if isLatin {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name, message: "the text is not UTF-8; it was read as Windows-1252"))
    }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) } ?? lines.endIndex
    guard start < lines.endIndex else {
      throw ImportRefusal(place: file.name, message: "the file is empty")
    }
    var entry: JSONObject = [:]
    let written = lines[start].trimmingCharacters(in: .whitespaces)
    let order = JournalDateOrder("diarium", context) {
      let texts = context.files.filter { $0.name.lowercased().hasSuffix(".txt") }
      return (texts.isEmpty ? [file] : texts).compactMap(Self.date)
    }.order(of: [written], at: file.name, into: sink)
    let date = JournalDate(written, order: order)
    entry["date"] = .string(
      date.map { date in
        date.wall.map { "\($0.day)T\($0.clockText)" } ?? "\(date.day)"
      } ?? String(lines[start].prefix(80)))
    lines.removeSubrange(...start)
    while let last = lines.last, let (key, value) = field(last) {
      if let key { entry[key] = value }
      lines.removeLast()
    }
    entry["text"] = .string(lines.joined(separator: "\n"))
    return .object(entry)
  }

  /// Returns the content of a line below the text; without a key if the line is blank.
  private static func field(_ line: Substring) -> (key: String?, value: JSON)? {
    let line = line.trimmingCharacters(in: .whitespaces)
    guard !line.isEmpty else { return (nil, .null) }
    for (names, key) in fields {
      guard let name = names.first(where: { line.hasPrefix("\($0):") }) else { continue }
      let value = line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
      switch key {
      case "tags", "people", "tracker":
        return (
          key,
          .array(
            value.split(separator: ",").map {
              .string($0.trimmingCharacters(in: .whitespaces))
            })
        )
      case "rating":
        let stars = value.count { $0 == "★" }
        let number = value.split { !$0.isNumber }.first.flatMap { Int($0) }
        return (key, JSON(stars > 0 ? stars : number ?? 0))
      case "location":
        let pair = value.split { $0 == "," || $0 == " " }.compactMap { Double($0) }
        return (key, pair.count == 2 ? .array(pair.map { .number($0) }) : ["name": .string(value)])
      default: return (key, .string(value))
      }
    }
    return nil
  }
}
