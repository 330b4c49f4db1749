import Foundation

/// Something a person said they would do, written as a checkbox in a note.
///
/// `- [ ] @Priya send the draft by Friday` is Priya's promise; without an @ at the beginning, or
/// with `@me` (in German `@ich`), it is the owner's. Others named with an @ are those the promise
/// was made to.
package struct Promise: Hashable, Sendable {
  /// The line number in the note, from 1.
  package var line: Int
  /// The promise without the checkbox and the name of its owner.
  package var text: String
  package var isDone: Bool
  /// The name after the @, several as "Priya and Jonas", or nil for the owner of the archive.
  package var owner: String?
  /// The others named with an @.
  package var named: [String]
  /// The day it is due, or nil if none is given.
  package var due: DayKey?

  package init(
    line: Int, text: String, isDone: Bool = false, owner: String? = nil, named: [String] = [],
    due: DayKey? = nil
  ) {
    self.line = line
    self.text = text
    self.isDone = isDone
    self.owner = owner
    self.named = named
    self.due = due
  }
}

/// Finds promises in notes.
package struct PromiseReader: Sendable {
  package init() {}

  /// The largest number of promises read from a note, and of due dates looked up.
  package static let limit = 50_000
  private static let dueLimit = 2_000

  /// Returns the promises of a note, in order.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - day: the day the note was written, from which "by Friday" counts.
  ///   - known: the due days of promises read before for the same day, by their texts; they are not
  ///     computed again.
  /// - Returns: the promises.
  package func promises(
    in text: String, writtenOn day: DayKey?, known: [String: DayKey?] = [:]
  ) -> [Promise] {
    guard text.contains("[") else { return [] }
    var promises: [Promise] = []
    for (number, line) in PromiseReader.tasks(in: text) {
      guard promises.count < Self.limit else { break }
      let promise = read(
        line.text, isDone: line.isDone, number, day, known,
        looksForDay: promises.count < Self.dueLimit)
      // An empty checkbox promises nothing.
      if !promise.text.isEmpty { promises.append(promise) }
    }
    return promises
  }

  /// Returns the lines with checkboxes, by number.
  private static func tasks(in text: String) -> [(Int, (text: Substring, isDone: Bool))] {
    var found: [(Int, (text: Substring, isDone: Bool))] = []
    for (number, line, isCode) in numbered(text) where !isCode {
      if let item = MarkdownText.item(line), let task = MarkdownText.task(item) {
        found.append((number, task))
      }
    }
    return found
  }

  /// Returns the lines with their numbers in the text; fences count as lines.
  private static func numbered(_ text: String) -> [(Int, Substring, Bool)] {
    var lines: [(Int, Substring, Bool)] = []
    var starts: [String.Index: Int] = [:]
    for (index, line) in text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() {
      starts[line.startIndex] = index + 1
    }
    MarkdownText.forEachLine(text) { line, isCode in
      lines.append((starts[line.startIndex] ?? 0, line, isCode))
    }
    return lines
  }

  private func read(
    _ text: Substring, isDone: Bool, _ line: Int, _ day: DayKey?, _ known: [String: DayKey?],
    looksForDay: Bool
  ) -> Promise {
    var names = PromiseReader.names(in: text)
    var rest = text
    var owner: String?
    // “@Priya's draft” is nothing that Priya promises.
    if let first = names.first, first.range.lowerBound == text.startIndex, !first.isPossessive {
      var owners: [String] = []
      var end = text.startIndex
      while let next = names.first, !next.isPossessive,
        owners.isEmpty || Self.joins(text[end..<next.range.lowerBound])
      {
        owners.append(PromiseReader.isOwner(next.name) ? "me" : next.name)
        end = next.range.upperBound
        names.removeFirst()
      }
      owner = owners == ["me"] ? nil : owners.joined(separator: " and ")
      rest = text[end...].drop { $0.isWhitespace || ":,–—-".contains($0) }
      if rest.isEmpty { rest = text }
    }
    let words = String(rest).trimmingCharacters(in: .whitespaces)
    return Promise(
      line: line, text: words, isDone: isDone,
      owner: owner,
      named: names.map(\.name).filter { !PromiseReader.isOwner($0) },
      due: known[words] ?? (looksForDay ? due(rest, day) : nil))
  }

  /// Returns true if the text between two names makes both people owners: "@Priya and @Jonas".
  private static func joins(_ text: Substring) -> Bool {
    ["and", "und", "&", "+", "/", ",", ", and"].contains(
      text.trimmingCharacters(in: .whitespaces).lowercased())
  }

  /// Returns true if a name with an @ means the owner of the archive.
  package static func isOwner(_ name: String) -> Bool {
    ["me", "myself", "i", "ich", "mich"].contains(name.lowercased())
  }

  /// A name written with an @.
  private struct Name {
    var name: String
    var range: Range<String.Index>
    /// True for “@Priya's”.
    var isPossessive: Bool
  }

  /// Returns the names written with an @, with their ranges: `@Priya`, `@Priya.Nair`,
  /// `@Dr._Arne_Möller`.
  private static func names(in text: Substring) -> [Name] {
    var names: [Name] = []
    var index = text.startIndex
    while let at = text[index...].firstIndex(of: "@") {
      let begins =
        at == text.startIndex
        || text[text.index(before: at)].isWhitespace
        || "([{\"“‘/&+".contains(text[text.index(before: at)])
      var name = text[text.index(after: at)...].prefix {
        $0.isLetter || $0.isNumber || "._-'’".contains($0)
      }
      while let last = name.last, "._-'’".contains(last) { name.removeLast() }
      let isPossessive = name.count > 2 && (name.hasSuffix("'s") || name.hasSuffix("’s"))
      if isPossessive { name.removeLast(2) }
      index = name.endIndex > at ? name.endIndex : text.index(after: at)
      guard begins, name.first?.isLetter == true else { continue }
      // If underscores separate the words, a full stop belongs to the name.
      let spoken = name.split { name.contains("_") ? $0 == "_" : $0 == "." }
      names.append(
        Name(
          name: spoken.joined(separator: " "), range: at..<name.endIndex,
          isPossessive: isPossessive))
    }
    return names
  }

  /// The words about due days in a language.
  private struct DueWords: Sendable {
    /// Words before or at the beginning of a time that make it a due day.
    let marks: Set<String>
    /// Words at the beginning of a time that names no last day, as in "after 1 April".
    let openings: Set<String>
    /// Words in a time that is over.
    let past: Set<String>
  }

  private static let dueWords: [Language: DueWords] = [
    .english: DueWords(
      marks: ["by", "before", "until", "till", "due", "on", "for", "this", "next"],
      openings: ["after", "since", "from"], past: []),
    .german: DueWords(
      marks: [
        "bis", "vor", "spätestens", "fällig", "am", "zum", "zur", "für", "dies", "diese", "diesem",
        "diesen", "dieser", "dieses", "nächste", "nächsten", "nächster", "nächstes", "kommende",
        "kommenden", "kommender", "kommendes",
      ],
      openings: ["nach", "seit", "ab", "von", "vom"],
      past: [
        "letzte", "letzten", "letzter", "letztes", "vergangene", "vergangenen", "vergangener",
        "vergangenes", "vorige", "vorigen", "voriger", "voriges",
      ]),
  ]

  /// Returns the due day given with a word such as "by", "before", "until", "due" or "on" in any
  /// language, on or after the note's day.
  ///
  /// A weekday, or a date without a year or month, means the next one, because a promise looks
  /// ahead. A day with a year needs no such word unless it is past: “file the taxes of 2019” says
  /// nothing about when.
  private func due(_ text: Substring, _ day: DayKey?) -> DayKey? {
    let text = String(text)
    let now = Zone.utc.instant(of: WallTime(day: day ?? DayKey(clamping: 0), hour: 12))
    var read: [TimeMatch] = []
    for language in Language.all {
      let matches = TimeReader(now: now, zone: .utc, language: language).matches(in: text)
      // Readers of other languages understand English as well.
      let own = matches.filter { match in
        !read.contains { $0.range == match.range && $0.days == match.days }
      }
      if let due = due(own, in: text, language, day) { return due }
      read += own
    }
    return nil
  }

  private func due(
    _ matches: [TimeMatch], in text: String, _ language: Language, _ day: DayKey?
  ) -> DayKey? {
    guard let words = Self.dueWords[language] else { return nil }
    for match in matches {
      let before = text[..<match.range.lowerBound].split { !$0.isLetter }.last?.lowercased()
      let told = match.text.split { !$0.isLetter }.map { $0.lowercased() }
      let own = told.first
      guard match.end != nil, !(own.map(words.openings.contains) ?? false) else { continue }
      // The German "vor 3 Tagen" means three days ago, but "vor Freitag" before Friday.
      if own == "vor", match.start != nil { continue }
      if let day, match.days.upperBound < day, !words.past.isDisjoint(with: told) { continue }
      let isMarked = [before, own].contains { $0.map(words.marks.contains) ?? false }
      let isAhead = isExact(match) && day.map { match.days.upperBound >= $0 } ?? true
      guard isMarked || isAhead else { continue }
      guard let day else {
        return isExact(match) ? match.days.upperBound : nil
      }
      return ahead(match, of: day, TimeWording.of(language))
    }
    return nil
  }

  /// Returns true if it names a year and therefore means the same day whenever it was written.
  private func isExact(_ match: TimeMatch) -> Bool {
    match.text.contains { $0.isNumber }
      && match.text.split { !$0.isNumber }.contains { $0.count == 4 }
  }

  private func ahead(_ match: TimeMatch, of day: DayKey, _ wording: TimeWording?) -> DayKey {
    let found = match.days.upperBound
    guard found < day, !isExact(match) else { return found }
    let back = found.distance(to: day)
    guard back < 367 else { return found }
    // The time parser returned the most recent such day, but a promise means the next one.
    let words = match.text.lowercased().split { !$0.isLetter }.map(String.init)
    let numbers = match.text.split { !$0.isNumber }
    let hasMonth =
      numbers.count > 1
      || words.contains { TimeWords.months[$0] != nil || wording?.months[$0] != nil }
    if !numbers.isEmpty, hasMonth { return found.adding(months: 12) }
    if numbers.count == 1, match.grain == .day, !words.contains("ago"),
      !words.contains(where: {
        TimeWords.weekdays[$0] != nil || wording?.weekdays[$0] != nil
      })
    {
      // For example, "by the 20th".
      return (1...12).lazy.map { found.adding(months: $0) }.first { $0 >= day } ?? found
    }
    return back < 7 ? found.advanced(by: 7) : found.adding(months: 12)
  }
}

/// Finds decisions in notes.
package enum DecisionReader {
  /// Returns the decisions of a note with their lines: items under a heading such as "Decisions" or
  /// "Entscheidungen", and lines that state one themselves ("Decided: …", "We agreed to …",
  /// "Beschlossen: …").
  package static func decisions(in text: String) -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    var isUnderHeading = false
    var hasItems = false
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let bare = line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
      let plain = MarkdownText.plain(String(line)).trimmingCharacters(in: .whitespaces)
      if plain.isEmpty { continue }
      if let heading = heading(bare, plain) {
        isUnderHeading = names(heading)
        hasItems = false
        if isUnderHeading, let own = told(plain), !own.isEmpty { found.append((number, own)) }
        continue
      }
      if MarkdownText.item(bare).flatMap(MarkdownText.task) != nil { continue }
      let isItem = MarkdownText.item(bare) != nil
      hasItems = hasItems || isItem
      // The list under the heading ends where ordinary text continues.
      if hasItems, !isItem, bare.startIndex == line.startIndex { isUnderHeading = false }
      if isUnderHeading {
        found.append((number, plain))
      } else if let own = told(plain) {
        found.append((number, own))
      }
    }
    return found
  }

  private static let words: Set<String> = [
    "decision", "decisions", "decided", "agreed", "agreement", "agreements", "resolved",
    "entscheidung", "entscheidungen", "entschieden", "beschluss", "beschlüsse", "beschlossen",
    "vereinbart", "vereinbarung", "vereinbarungen",
  ]

  /// Words before a colon that state a decision.
  private static let leads = [
    "decision", "decisions", "decided", "agreed", "resolved", "entscheidung", "entscheidungen",
    "entschieden", "beschluss", "beschlüsse", "beschlossen", "vereinbart", "vereinbarung",
    "vereinbarungen",
  ]

  /// Returns the text of a heading, or of a line that is all bold or ends with a colon.
  private static func heading(_ line: Substring, _ plain: String) -> String? {
    if line.first == "#" { return plain }
    if line.hasPrefix("**"), line.hasSuffix("**") || line.hasSuffix("**:") { return plain }
    if plain.hasSuffix(":"), plain.count < 60, MarkdownText.item(line) == nil { return plain }
    return nil
  }

  private static func names(_ heading: String) -> Bool {
    heading.lowercased().split { !$0.isLetter }.contains { words.contains(String($0)) }
  }

  /// Returns the decision stated by a line, or nil if there is none.
  private static func told(_ line: String) -> String? {
    let lower = line.lowercased()
    for lead in leads {
      guard lower.hasPrefix(lead) else { continue }
      let rest = line.dropFirst(lead.count)
      guard let mark = rest.first else { return nil }
      if mark == ":" { return rest.dropFirst().trimmingCharacters(in: .whitespaces) }
      if mark == " ", lead == "decided" || lead == "agreed" { return line }
    }
    for lead in ["we decided", "we agreed", "we have decided", "we've decided", "we resolved"]
    where lower.hasPrefix(lead + " ") { return line }
    return nil
  }
}
