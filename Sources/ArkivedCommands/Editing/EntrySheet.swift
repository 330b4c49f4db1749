import ArkivedCore
import Foundation

/// Entries as a single text, for changing many of them in an editor.
///
/// Each begins with a header line, `=== ID DAY [TIME] [(kind)] [#tag …] [*]`, or for a day's own
/// entry `=== ID DAY note [mood=4] [energy=3]`. Its text follows, then `--- description` and `---
/// notes` (for a day `--- title`), each with its own header line. A line of text that looks like
/// one of these is prefixed with a backslash. Lines before the first header are comments and must
/// begin with `#`.
struct EntrySheet {
  /// An entry in the text.
  struct Block: Equatable {
    /// The part of an entry to which lines belong.
    enum Section: String, CaseIterable {
      /// The activity's text; for a day, its note.
      case body
      case description, notes, title
    }

    /// The line of its header, starting at 1.
    var line: Int
    /// The ID in the header line; nil for a new entry.
    var id: String?
    var day: DayKey
    var isNote = false
    var time: String?
    var kind: String?
    var tags: [String] = []
    var isPinned = false
    var mood: String?
    var energy: String?
    var sections: [Section: String] = [:]

    func text(_ section: Section) -> String { sections[section] ?? "" }
  }

  /// A parse error, with its line.
  struct Problem: Error, CustomStringConvertible {
    let line: Int
    let message: String
    var description: String { said("line \(line): \(saidAgain(message))") }
  }

  var blocks: [Block]

  // MARK: Writing

  /// Formats entries as a sheet.
  ///
  /// - Parameters:
  ///   - entries: the entries.
  ///   - ids: the short IDs in the header lines.
  /// - Returns: the sheet.
  static func text(_ entries: [JournalEntry], ids: [UUID: String]) -> String {
    let count = said(entries.count, one: "One entry.", other: "\(entries.count) entries.")
    var lines = [
      said(
        """
        # \(count) Change what you like, then save and close the editor. Only
        # differences are saved. Close without saving to leave everything as it is.
        # === ID DAY [TIME] [(kind)] [#tag …] [*] starts an entry; * pins it. The lines
        # --- description and --- notes start those parts. === new DAY [TIME] … adds an entry.
        # If you remove an entry’s lines, you are asked whether to delete it.
        """)
    ]
    for entry in entries {
      lines.append("")
      let id = ids[entry.id] ?? entry.id.uuidString
      switch entry {
      case .activity(let activity):
        lines.append(head(activity, id))
        lines += escaped(activity.text)
        for (name, text) in [("description", activity.description), ("notes", activity.notes)] {
          if let text, !text.isEmpty { lines += ["--- \(name)"] + escaped(text) }
        }
      case .day(let day):
        var head = "=== \(id) \(day.dayKey) note"
        if let mood = day.mood { head += " mood=\(mood)" }
        if let energy = day.energy { head += " energy=\(energy)" }
        lines += [head] + escaped(day.note)
        if let title = day.title, !title.isEmpty { lines += ["--- title"] + escaped(title) }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func head(_ activity: Activity, _ id: String) -> String {
    var parts = ["===", id, activity.dayKey.description]
    if let time = SheetTime.text(of: activity) { parts.append(time) }
    if activity.kind != .other { parts.append("(\(quoted(activity.kind.rawValue, ")")))") }
    parts += activity.tags.map { "#\(quoted($0, ""))" }
    if activity.isPinned { parts.append("*") }
    return parts.joined(separator: " ")
  }

  /// Returns a word, in quotes if it couldn't be parsed otherwise.
  private static func quoted(_ word: String, _ end: String) -> String {
    let isPlain =
      !word.isEmpty
      && !word.unicodeScalars.contains {
        $0.properties.isWhitespace || $0 == "\"" || $0 == "\\" || $0.value < 0x20
          || end.unicodeScalars.contains($0)
      }
    return isPlain ? word : JSON.string(word).text()
  }

  private static func escaped(_ text: String) -> [String] {
    lines(of: text).map { line in
      isMark(line.drop { $0 == "\\" }) ? "\\\(line)" : String(line)
    }
  }

  /// Splits a text into lines, which end with a line feed or a carriage return and a line feed.
  private static func lines(of text: String) -> [Substring] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      Substring(line.last == "\r" ? line.dropLast() : line)
    }
  }

  private static func isMark(_ line: Substring) -> Bool {
    line.hasPrefix("=== ") || line == "===" || section(line) != nil
  }

  private static func section(_ line: Substring) -> Block.Section? {
    guard line.hasPrefix("--- ") else { return nil }
    let name = line.dropFirst(4).trimmingCharacters(in: .whitespaces)
    return name == "body" ? nil : Block.Section(rawValue: name)
  }

  // MARK: Reading

  init(blocks: [Block]) { self.blocks = blocks }

  /// Parses a sheet.
  ///
  /// - Throws: `Problem` for the first invalid line.
  init(reading text: String) throws(Problem) {
    var blocks: [Block] = []
    var section = Block.Section.body
    var lines: [Substring] = []
    func finishSection() {
      guard let last = blocks.indices.last else { return }
      // Surrounding blank lines only separate entries.
      while let line = lines.last, line.allSatisfy(\.isWhitespace) { lines.removeLast() }
      let rest = lines.drop { $0.allSatisfy(\.isWhitespace) }
      if !rest.isEmpty { blocks[last].sections[section] = rest.joined(separator: "\n") }
      lines = []
    }
    for (index, line) in EntrySheet.lines(of: text).enumerated() {
      let number = index + 1
      if line.hasPrefix("=== ") || line == "===" {
        finishSection()
        blocks.append(try EntrySheet.head(line.dropFirst(3), line: number))
        section = .body
      } else if blocks.isEmpty {
        guard line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) else {
          throw Problem(
            line: number,
            message: said("this text isn’t in an entry. Add a line “=== new 2026-03-14” above it")
          )
        }
      } else if let next = EntrySheet.section(line) {
        finishSection()
        section = next
        if blocks[blocks.count - 1].sections[section] != nil {
          throw Problem(
            line: number, message: said("this entry already has a part named “\(next.rawValue)”"))
        }
        let isOfNotes = section == .title
        guard blocks[blocks.count - 1].isNote == isOfNotes else {
          throw Problem(
            line: number, message: said("the part “\(next.rawValue)” isn’t allowed here"))
        }
      } else {
        let isEscaped = line.first == "\\" && EntrySheet.isMark(line.drop { $0 == "\\" })
        lines.append(isEscaped ? line.dropFirst() : line)
      }
    }
    finishSection()
    self.blocks = blocks
  }

  private static func head(_ rest: Substring, line: Int) throws(Problem) -> Block {
    var words = try words(of: rest, line: line)
    guard words.count >= 2, let day = DayKey(words[1].text) else {
      throw Problem(
        line: line,
        message: said("a heading must be === ID DAY or === new DAY, with a day such as 2026-03-14"))
    }
    var block = Block(line: line, id: words[0].text == "new" ? nil : words[0].text, day: day)
    words.removeFirst(2)
    for word in words {
      switch word.sign {
      case "#": block.tags.append(word.text)
      case "(":
        guard block.kind == nil else {
          throw Problem(
            line: line, message: said("this entry has two kinds, but only one is allowed"))
        }
        block.kind = word.text
      default:
        switch word.text {
        case "*", "★": block.isPinned = true
        case "note": block.isNote = true
        case let text where text.hasPrefix("mood="): block.mood = String(text.dropFirst(5))
        case let text where text.hasPrefix("energy="): block.energy = String(text.dropFirst(7))
        case let text:
          guard block.time == nil, text.first?.isNumber == true || text == SheetTime.allDay else {
            throw Problem(
              line: line,
              message: said("“\(text.prefix(60))” isn’t a time, a (kind), a #tag or a *")
            )
          }
          block.time = text
        }
      }
    }
    return block
  }

  private struct Word {
    /// The sign: `#`, `(` or nothing.
    var sign: Character?
    var text: String
  }

  private static func words(of line: Substring, line number: Int) throws(Problem) -> [Word] {
    var words: [Word] = []
    var rest = line.drop { $0.isWhitespace }
    while let first = rest.first {
      let sign = first == "#" || first == "(" ? first : nil
      if sign != nil { rest.removeFirst() }
      var text: String
      if sign != nil, rest.first == "\"" {
        let literal = try quotedWord(rest, line: number)
        rest = rest[literal.endIndex...]
        guard case .string(let value)? = try? JSON(parsing: String(literal)) else {
          throw Problem(
            line: number, message: said("\(literal.prefix(60)) has no valid closing quote"))
        }
        text = value
      } else {
        let word = rest.prefix { !$0.isWhitespace && (sign != "(" || $0 != ")") }
        rest = rest[word.endIndex...]
        text = String(word)
      }
      if sign == "(" {
        guard rest.first == ")" else {
          throw Problem(
            line: number, message: said("“(\(text.prefix(60))” is missing its closing parenthesis"))
        }
        rest.removeFirst()
      }
      guard !text.isEmpty else {
        throw Problem(line: number, message: said("nothing follows “\(first)”"))
      }
      words.append(Word(sign: sign, text: text))
      rest = rest.drop { $0.isWhitespace }
    }
    return words
  }

  /// Parses a word in quotes, up to the closing quote.
  private static func quotedWord(
    _ rest: Substring, line number: Int
  ) throws(Problem) -> Substring {
    var isEscape = false
    for index in rest.indices.dropFirst() {
      if isEscape {
        isEscape = false
      } else if rest[index] == "\\" {
        isEscape = true
      } else if rest[index] == "\"" {
        return rest[...index]
      }
    }
    throw Problem(line: number, message: said("a closing quote is missing"))
  }
}
