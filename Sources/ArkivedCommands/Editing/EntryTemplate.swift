import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// A new activity as written in an editor: optional lines such as `time:`, `kind:` and `tags:`,
/// then a quick-add line, then notes.
struct EntryTemplate: Equatable {
  /// The line as typed; it may contain times, a kind and tags.
  var line: String
  /// The time in words.
  var time: String?
  var kind: String?
  var tags: [String] = []
  var notes: String?

  /// The line at which the instructions begin, which continue to the end.
  private static let cut = "# ---------------------------- >8 ----------------------------"

  private static var advice: String {
    said(
      """
      # What did you do? The first line is read as in “arkived add”: times, days, a (kind) and
      # #tags are recognised. Lines below it become notes. Above it you can add:
      #   time: yesterday 12:30-13:15
      #   kind: social
      #   tags: friends, food
      # The line with >8 and everything below it is ignored. Without any text, nothing is saved.
      """)
  }

  static func text(_ line: String) -> String {
    """
    \(line)


    \(cut)
    \(advice)

    """
  }

  /// Parses a template.
  ///
  /// - Returns: nil if nothing was written.
  /// - Throws: `EntrySheet.Problem` with the invalid line.
  init?(reading text: String) throws(EntrySheet.Problem) {
    var lines = text.replacing("\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0 != EntryTemplate.cut }.enumerated().map {
        (number: $0.offset + 1, text: $0.element)
      }
    var fields: [String: (line: Int, value: String)] = [:]
    while let first = lines.first {
      if let colon = first.text.firstIndex(of: ":"),
        case let key = first.text[..<colon].lowercased(),
        ["time", "kind", "tags"].contains(key)
      {
        guard fields[key] == nil else {
          throw EntrySheet.Problem(
            line: first.number, message: said("the line “\(key):” appears twice"))
        }
        let value = first.text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
        fields[key] = (first.number, value)
      } else if !first.text.allSatisfy(\.isWhitespace) {
        break
      }
      lines.removeFirst()
    }
    let given = fields.values.filter { !$0.value.isEmpty }
    guard let first = lines.first else {
      guard let field = given.min(by: { $0.line < $1.line }) else { return nil }
      throw EntrySheet.Problem(line: field.line, message: said("the text doesn’t say what you did"))
    }
    line = first.text.trimmingCharacters(in: .whitespaces)
    func field(_ name: String) -> String? {
      fields[name].flatMap { $0.value.isEmpty ? nil : $0.value }
    }
    time = field("time")
    kind = field("kind")?.lowercased()
    tags = TagArgument.list([field("tags") ?? ""])
    let rest = lines.dropFirst().map(\.text).joined(separator: "\n")
      .trimmingCharacters(in: .newlines)
    notes = rest.allSatisfy(\.isWhitespace) ? nil : rest
  }

  /// Returns the corresponding activity, unsaved.
  func activity(
    archive: Archive, zone: Zone
  ) throws -> (activity: Activity, reading: QuickAddReading) {
    let entry = EntryLine(archive: archive, zone: zone, language: TerminalLanguage.typed)
    var reading = try entry.understand(time.map { "\($0): \(line)" } ?? line)
    if let time {
      let reader = QuickAddReader(
        now: archive.clock.now, zone: zone, language: TerminalLanguage.typed)
      guard reader.startsWithTime("\(time): \(line)") else {
        throw FieldError(
          "time",
          said("is \(FieldError.shown(time)). Use a time such as 09:30, or yesterday 12:30-13:15"))
      }
      reading.typedText = line
    }
    if let kind { reading.kind = ActivityKind(rawValue: kind) }
    for tag in tags
    where !reading.tags.contains(where: { NameFolding.key($0) == NameFolding.key(tag) }) {
      reading.tags.append(tag)
    }
    var activity = entry.activity(from: reading)
    activity.notes = notes
    return (activity, reading)
  }
}
