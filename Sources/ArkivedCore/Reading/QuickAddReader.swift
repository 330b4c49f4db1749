import Foundation

/// Reads one typed line into the parts of an activity.
///
/// The words for the day, the time (with the duration), the kind and tags are removed from the
/// text; people, places and measurements stay in it as words. A day or a time is recognised before
/// a colon ("yesterday at 7am: ran 5 km"), at either end of the line, and in the middle if it is
/// unambiguous ("on 3 march", "at 19:00", "12:30-13:15"). Spans of more than a day and references
/// to other times ("for tomorrow", "until friday", "the sunday paper") stay words. A part of the
/// day ("this morning") starts at its beginning (see `TimeReader`). An hour without am or pm is in
/// the morning if the line is about waking up or breakfast. A time with an open side ("until 10")
/// stays in the text, next to its day.
///
/// Odd text is never an error. Only the first 16,384 characters of a line are read.
package struct QuickAddReader: Sendable {
  let times: TimeReader
  /// The current time for reading lines.
  package var now: Instant { times.now }
  let persons: PersonReader
  let kinds: [String: ActivityKind]
  let units: UnitTable
  let isGerman: Bool

  package init(
    now: Instant, zone: Zone, knownPeople: [KnownPerson] = [],
    kinds: [ActivityKind] = ActivityKind.known, units: UnitTable = .standard,
    dateOrder: DateOrder = .inProcess, firstWeekday: Weekday = .monday,
    language: Language = .english
  ) {
    // In languages other than English, days come before months.
    times = TimeReader(
      now: now, zone: zone, dateOrder: language == .english ? dateOrder : .dayFirst,
      firstWeekday: firstWeekday, language: language, units: units)
    persons = PersonReader(people: knownPeople)
    // Kinds also match by the names shown on pages: "Standup (Arbeit)".
    let names = Catalogue.of(language)
    let shown = kinds.compactMap { kind in
      names?.pattern(kind.rawValue, count: nil).map { (NameFolding.key($0), kind) }
    }
    self.kinds = Dictionary(kinds.map { (NameFolding.key($0.rawValue), $0) } + shown) { first, _ in
      first
    }
    self.units = units
    isGerman = language == .german
  }

  /// Reads a line.
  ///
  /// - Throws: `QuickAddError` if the line cannot become an activity.
  package func read(_ line: String) throws(QuickAddError) -> QuickAddReading {
    guard QuickAddReader.isVisible(line) else { throw .empty }
    var draft = Draft(line: line, today: times.zone.dayKey(at: times.now))
    readMarks(&draft)
    let grammar = times.grammar(for: line, correctsDays: true)
    grammar.joinsLengths = false
    grammar.joinsOpenings = false
    let words = grammar.tokens.map { line[$0.range].lowercased().replacing("’", with: "'") }
    let starts = HourStarts(grammar: grammar, words: words)
    (grammar.hourStarts, grammar.hourMarks) = (starts.positions, starts.marks)
    readResult(&draft, grammar, words)
    try readTimes(&draft, grammar, words)
    readKind(&draft, grammar)
    readMeasures(&draft, grammar, words)
    readPlace(&draft, grammar, words)
    readNames(&draft)
    suggestPeople(&draft, grammar, words)
    draft.reading.text = draft.cuts.result(of: line)
    guard draft.reading.text.unicodeScalars.contains(where: QuickAddReader.isText) else {
      throw .nothingDone(understood: draft.roles)
    }
    draft.reading.understood.sort { $0.range.lowerBound < $1.range.lowerBound }
    return draft.reading
  }

  /// Returns true if the line begins with a time and a colon: "yesterday at 7am: ran 5 km".
  package func startsWithTime(_ line: String) -> Bool {
    let grammar = times.grammar(for: String(line.prefix(200)))
    grammar.joinsLengths = false
    guard let (reading, next) = grammar.expression(0), grammar.isSign(next, ":") else {
      return false
    }
    if reading.isImpossible || reading.hasClock && !reading.isOpen { return true }
    guard let start = reading.start, let end = reading.end, !reading.isOpen else { return false }
    return start.day.distance(to: end.day) == 1 && end.secondOfDay == 0
  }

  /// A line being read.
  struct Draft {
    let line: String
    var reading: QuickAddReading
    var cuts = QuickAddText()
    /// Tokens that have been assigned a meaning.
    var taken: Set<Int> = []
    /// The positions of tags, people and kinds.
    var marks: [QuickAddMarks.Mark] = []

    init(line: String, today: DayKey) {
      self.line = line
      reading = QuickAddReading(text: "", typedText: line, dayKey: today)
    }

    mutating func note(_ role: QuickAddReading.Role, _ range: Range<String.Index>, _ label: String)
    {
      reading.understood.append(
        QuickAddReading.Part(role: role, range: range, words: String(line[range]), label: label))
    }

    /// The parts found in the line, for the message that there is nothing else in it.
    var roles: String {
      let names: [(QuickAddReading.Role, String)] = [
        (.day, said("a day")), (.time, said("a time")), (.duration, said("a duration")),
        (.kind, said("a kind")), (.tag, said("tags")), (.person, said("people")),
        (.measure, said("a measurement")), (.place, said("a place")),
      ]
      let found = names.filter { name in reading.understood.contains { $0.role == name.0 } }
        .map(\.1)
      guard let last = found.last else { return said("symbols") }
      let others = found.dropLast()
      return others.isEmpty ? last : others.joined(separator: ", ") + said(" and ") + last
    }
  }

  func range(of tokens: Range<Int>, _ grammar: TimeGrammar) -> Range<String.Index>? {
    guard let first = grammar.token(tokens.lowerBound),
      let last = grammar.token(tokens.upperBound - 1)
    else { return nil }
    return first.range.lowerBound..<last.range.upperBound
  }
}
