package import ArkivedCore
import Foundation

/// A parser of instructions in plain sentences: “add lunch with Sam yesterday at noon”, “tag that
/// as work”, “move it to friday”.
///
/// A sentence that could also be a question isn't treated as an instruction, because answering
/// changes nothing.
package struct ImperativeReader: Sendable {
  let times: TimeReader
  let today: DayKey

  package init(now: Instant, zone: Zone) {
    times = TimeReader(now: now, zone: zone)
    today = zone.dayKey(at: now)
  }

  /// The maximum length of a sentence; longer ones are not parsed.
  package static let lengthLimit = 4_000

  /// Returns the instruction in a sentence; nil for questions and everything else.
  package func read(_ sentence: String) -> Imperative? {
    var text = sentence.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.count <= Self.lengthLimit else { return nil }
    var line = SpokenLine(text)
    var start = line.after("ok|okay|hey|now|and|then|also|so? please|kindly?") ?? 0
    let polite =
      line.after("can|could|would|will you please|kindly?", from: start)
      ?? line.after("i want|need|like you? to", from: start)
      ?? line.after("i would|'d like you? to", from: start)
      ?? line.after("i'd like to", from: start)
    if let polite { start = polite }
    while let last = text.last, "?!.".contains(last) {
      // Polite requests may end in a question mark.
      guard last != "?" || polite != nil else { return nil }
      text.removeLast()
    }
    let whole = SpokenLine(text).tail(start)
    line = SpokenLine(whole)
    if polite == nil, line.count == 1, line.key(0) == "undo" { return .undo }
    guard line.count > 1 else { return nil }
    return takingBack(line) ?? reminder(line) ?? tagging(line) ?? feeling(line) ?? renaming(line)
      ?? moving(line)
      ?? pinning(line) ?? deleting(line) ?? adding(line)
  }

  // MARK: Writing

  private static let asking: Set<String> = [
    "how", "what", "when", "who", "whom", "whose", "which", "where", "why", "did", "do", "does",
  ]
  /// The words after “add” and “log” that show the sentence isn't an instruction.
  private static let noObject: Set<String> = [
    "up", "together", "of", "for", "in", "from", "about", "on", "all", "every", "everything",
    "total", "entries", "books", "book", "to",
  ]

  private func adding(_ line: SpokenLine) -> Imperative? {
    let entry = "entry|activity called|that|for|about|saying?"
    var start =
      line.after("add|log|record|create|make|enter a|an|the|new? new? \(entry)")
      ?? line.after("write|put|jot down that?") ?? line.after("record that")
    if start == nil, let first = line.after("add|log") {
      guard !Self.noObject.contains(line.key(first)), !Self.asking.contains(line.key(first)) else {
        return nil
      }
      // “add … to it” extends an existing entry instead of creating one.
      guard !["it", "that", "this"].contains(line.key(line.count - 1)) else { return nil }
      // “log that I walked 5 km”
      start = line.key(first) == "that" && first + 2 < line.count ? first + 1 : first
    }
    guard let start, start < line.count else { return nil }
    return .add(line: line.tail(start))
  }

  private func reminder(_ line: SpokenLine) -> Imperative? {
    if let start = line.after("note|remember down? that")
      ?? line.after("make|take|add a note that|of|saying"), start < line.count
    {
      return .note(line.tail(start), day: today)
    }
    if let start = line.after("note down"), start < line.count {
      return .note(line.tail(start), day: today)
    }
    guard let start = line.after("make|take|add? a? note") else { return nil }
    if line.words[start - 1].endsClause, start < line.count {
      return .note(line.tail(start), day: today)
    }
    // “note for yesterday: …”
    guard line.after("for|to|on", from: start) != nil,
      let colon = line.words.indices.first(where: { $0 > start && line.words[$0].endsClause })
        ?? line.words.indices.first(where: { $0 > start && line.key($0) == "that" }),
      colon + 1 < line.count
    else { return nil }
    let end = line.words[colon].endsClause ? colon + 1 : colon
    guard let day = day(in: line.part(start..<end), isWhole: true) else { return nil }
    return .note(line.tail(colon + 1), day: day)
  }

  // MARK: Tags

  private func tagging(_ line: SpokenLine) -> Imperative? {
    if let start = line.after("add|put|set the|a? tag|tags") ?? marks(line, after: "add|put"),
      let to = link(["to", "on"], line, from: start), areTags(line, start..<to),
      let target = target(line, to + 1..<line.count)
    {
      return tags(in: line.part(start..<to)).map { .tag(target, add: $0, remove: []) }
    }
    if let start = line.after("remove|delete|take the|a? tag|tags")
      ?? marks(line, after: "remove|delete|take"),
      let from = link(["from", "off"], line, from: start), areTags(line, start..<from),
      let target = target(line, from + 1..<line.count)
    {
      return tags(in: line.part(start..<from)).map { .tag(target, add: [], remove: $0) }
    }
    if let start = line.after("mark it|that|this as|with"), start < line.count {
      return tagged(line, 1..<2, line.tail(start))
    }
    guard let start = line.after("tag|label") else { return nil }
    if let marks = line.words.indices.first(where: {
      $0 > start && line.part($0..<$0 + 1).hasPrefix("#")
    }) {
      let end = ["as", "with"].contains(line.key(marks - 1)) ? marks - 1 : marks
      return tagged(line, start..<end, line.tail(marks))
    }
    guard
      let link = line.last(["as"], in: start..<line.count)
        ?? line.last(["with"], in: start..<line.count), link > start
    else { return nil }
    return tagged(line, start..<link, line.tail(link + 1))
  }

  /// Returns the position after a verb if a tag with its mark follows: `add #work`.
  private func marks(_ line: SpokenLine, after verb: String) -> Int? {
    line.after(verb).flatMap { line.part($0..<$0 + 1).hasPrefix("#") ? $0 : nil }
  }

  /// Returns false if other words follow a tag with its mark: “#health call to the dentist” is a
  /// line to add.
  private func areTags(_ line: SpokenLine, _ range: Range<Int>) -> Bool {
    func isMarked(_ index: Int) -> Bool { line.part(index..<index + 1).hasPrefix("#") }
    return !isMarked(range.lowerBound)
      || range.allSatisfy { isMarked($0) || ["and", ""].contains(line.key($0)) }
  }

  /// Returns the position of the word between tags and their entry.
  ///
  /// It is the first one, because the words for an entry may contain it as well: “the trip to
  /// Rome”, “lunch on friday”. If a pronoun follows the last one, everything before belongs to the
  /// tags.
  private func link(_ keys: Set<String>, _ line: SpokenLine, from start: Int) -> Int? {
    let places = (start..<line.count).filter { $0 > start && keys.contains(line.key($0)) }
    guard let first = places.first, let last = places.last else { return nil }
    return target(line, last + 1..<line.count) == .spokenOf ? last : first
  }

  private func tagged(_ line: SpokenLine, _ range: Range<Int>, _ names: String) -> Imperative? {
    guard let names = tags(in: names) else { return nil }
    let words = line.part(range)
    if isMany(line, range) { return .many(verb: "tag", words: words) }
    return target(line, range).map { .tag($0, add: names, remove: []) }
  }

  /// Parses tag names: `#work #fun`, “work and fun”.
  private func tags(in text: String) -> [String]? {
    let marks = text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("#") }
    let pieces =
      marks.isEmpty
      ? text.replacingOccurrences(of: " and ", with: ",").split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      : marks.map { String($0.dropFirst()).trimmingCharacters(in: .punctuationCharacters) }
    let names = pieces.filter { !$0.isEmpty }
    return names.isEmpty || names.count > 20 ? nil : names
  }

  // MARK: A day's mood, energy and title

  private static let numbers = ["one": 1, "two": 2, "three": 3, "four": 4, "five": 5]

  private func feeling(_ line: SpokenLine) -> Imperative? {
    let verb = "set|change|put|update my|the|today's|yesterday's?"
    if let start = line.after("\(verb) title"),
      // The title may contain the word as well: “Back to work”.
      let to = line.words.indices.first(where: { $0 >= start && line.key($0) == "to" }),
      to + 1 < line.count, let day = titledDay(line, start..<to)
    {
      return .title(line.tail(to + 1), day: day)
    }
    guard let start = line.after("\(verb) mood|energy level?"),
      let to = line.words.indices.first(where: {
        $0 >= start && ["to", "at", "as"].contains(line.key($0))
          && number(line, $0 + 1) != nil
      }), let value = number(line, to + 1)
    else { return nil }
    let isMood = line.words[..<start].contains { $0.key == "mood" }
    let other = isMood ? "energy" : "mood"
    var (end, second) = (to + 2, line.words[start..<to].contains { $0.key == other } ? value : nil)
    // “… and my energy to 3”
    if second == nil,
      let next = line.after("and my|the? \(other) level? to|at|as?", from: end),
      let value = number(line, next)
    {
      (end, second) = (next + 1, value)
    }
    let around = line.part(0..<to) + " ; " + line.tail(end)
    let day = day(in: around, isWhole: false) ?? today
    if let second {
      return .feelings(
        mood: isMood ? value : second, energy: isMood ? second : value, day: day)
    }
    return isMood ? .mood(value, day: day) : .energy(value, day: day)
  }

  private func number(_ line: SpokenLine, _ index: Int) -> Int? {
    Self.numbers[line.key(index)] ?? Int(line.key(index))
  }

  /// Returns the day whose title is given, which the words after “title” or those before it name;
  /// nil if they name something else, such as an entry.
  private func titledDay(_ line: SpokenLine, _ between: Range<Int>) -> DayKey? {
    let fill: Set = ["of", "for", "on", "the", "this", "my", "day"]
    guard !between.allSatisfy({ fill.contains(line.key($0)) }) else {
      return day(in: line.part(0..<between.lowerBound), isWhole: false) ?? today
    }
    guard !["entry", "activity"].contains(line.key(between.upperBound - 1)) else { return nil }
    return day(in: line.part(between), isWhole: true)
  }

  // MARK: Existing entries

  private func takingBack(_ line: SpokenLine) -> Imperative? {
    let end = line.after("undo that|it|this") ?? line.after("take that|it|this back")
    return end == line.count ? .undo : nil
  }

  private func renaming(_ line: SpokenLine) -> Imperative? {
    let start = line.after("rename") ?? line.after("change the text|title|name of")
    let isPlain = line.after("change|make it|that|this to|into") != nil
    guard let begin = start ?? (isPlain ? 1 : nil),
      let to = line.words.indices.first(where: {
        $0 > begin && ["to", "into", "as"].contains(line.key($0))
      }), to + 1 < line.count, let target = target(line, begin..<to)
    else { return nil }
    // “name” may also refer to a person or a tag.
    if case .described = target, !["entry", "activity"].contains(line.key(to - 1)) { return nil }
    // “change it to friday” names a time.
    if start == nil, isTime(line.tail(to + 1)) { return .move(target, to: line.tail(to + 1)) }
    return .rename(target, text: line.tail(to + 1))
  }

  private func moving(_ line: SpokenLine) -> Imperative? {
    guard
      let start = line.after("move|reschedule|shift|postpone|push")
        ?? line.after("change the time|date|day of")
    else { return nil }
    let links: Set = ["to", "for", "until", "till"]
    let places = (start..<line.count).filter { links.contains(line.key($0)) && $0 > start }
    guard let link = places.first(where: { isTime(line.tail($0 + 1)) }) else { return nil }
    let words = line.part(start..<link)
    if isMany(line, start..<link) { return .many(verb: "move", words: words) }
    return target(line, start..<link).map { .move($0, to: line.tail(link + 1)) }
  }

  private static let definite: Set<String> = [
    "the", "my", "that", "this", "it", "yesterday's", "today's", "last", "latest",
  ]

  private func pinning(_ line: SpokenLine) -> Imperative? {
    let isPinned = line.after("pin") != nil
    guard let start = line.after("pin|unpin"), Self.definite.contains(line.key(start)),
      let target = target(line, start..<line.count)
    else { return nil }
    return .pin(target, isPinned: isPinned)
  }

  private func deleting(_ line: SpokenLine) -> Imperative? {
    guard let start = line.after("delete|remove|erase") ?? line.after("get rid of"),
      start < line.count
    else { return nil }
    if isMany(line, start..<line.count) { return .many(verb: "delete", words: line.tail(start)) }
    return target(line, start..<line.count).map { .delete($0) }
  }

  // MARK: Parts

  private func isMany(_ line: SpokenLine, _ range: Range<Int>) -> Bool {
    let first = line.key(range.lowerBound)
    let many: Set = [
      "all", "every", "everything", "both", "any", "them", "those", "these", "entries",
    ]
    return many.contains(first) || line.key(range.lowerBound + 1) == "all"
  }

  private func target(_ line: SpokenLine, _ range: Range<Int>) -> ImperativeTarget? {
    guard !range.isEmpty, range.upperBound <= line.count else { return nil }
    let pronouns: Set = ["it", "that", "this"]
    let rest = (range.lowerBound + 1..<range.upperBound).map(line.key)
    if pronouns.contains(line.key(range.lowerBound)),
      rest.isEmpty || [["one"], ["entry"], ["activity"]].contains(rest)
    {
      return .spokenOf
    }
    return .described(line.part(range))
  }

  /// Returns true if words state a time and nothing else.
  private func isTime(_ words: String) -> Bool {
    let found = times.matches(in: words)
    guard let first = found.first, let last = found.last else { return false }
    var rest = String(words[..<first.range.lowerBound])
    if found.count > 1 { rest += words[first.range.upperBound..<last.range.lowerBound] }
    rest += " \(words[last.range.upperBound...])"
    let fill: Set<Substring> = ["at", "on", "the", ",", "for"]
    return found.count <= 2
      && rest.split(whereSeparator: \.isWhitespace).allSatisfy { fill.contains($0) }
  }

  /// Returns the single day that words refer to.
  private func day(in words: String, isWhole: Bool) -> DayKey? {
    let found = times.matches(in: words)
    guard found.count == 1, let match = found.first else { return nil }
    if isWhole, match.text.count + 8 < words.count { return nil }
    return match.singleDay
  }
}
