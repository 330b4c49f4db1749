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
  private let times: TimeReader
  /// The current time for reading lines.
  package var now: Instant { times.now }
  private let persons: PersonReader
  private let kinds: [String: ActivityKind]
  private let units: UnitTable
  private let isGerman: Bool

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
    var grammar = times.grammar(for: line)
    grammar.joinsLengths = false
    grammar.joinsOpenings = false
    let words = grammar.tokens.map { line[$0.range].lowercased().replacing("’", with: "'") }
    grammar.hourStarts = Set(
      grammar.tokens.indices.filter { index in
        LineLexicon.shared.ends(words, at: index, .hours)
          || grammar.isWord(index - 1, "at")
            && LineLexicon.shared.ends(words, at: index - 1, .atHour)
          // For example, "9-5 work".
          || index == 0 && words.count > 3 && grammar.number(2) != nil
            && LineLexicon.shared.has(words[3], .hours)
      })
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
    var grammar = times.grammar(for: String(line.prefix(200)))
    grammar.joinsLengths = false
    guard let (reading, next) = grammar.expression(0), grammar.isSign(next, ":") else {
      return false
    }
    if reading.isImpossible || reading.hasClock && !reading.isOpen { return true }
    guard let start = reading.start, let end = reading.end, !reading.isOpen else { return false }
    return start.day.distance(to: end.day) == 1 && end.secondOfDay == 0
  }

  /// A line being read.
  private struct Draft {
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

  // MARK: Marks

  private func readMarks(_ draft: inout Draft) {
    let line = draft.line
    let limit =
      line.index(
        line.startIndex, offsetBy: TimeTokenizer.characterLimit, limitedBy: line.endIndex)
      ?? line.endIndex
    draft.marks = QuickAddMarks.marks(in: line, upTo: limit)
    if let home = draft.marks.first(where: { QuickAddReader.isPlace($0) }) {
      draft.reading.place = home.name
      draft.note(.place, home.range, home.name)
    }
    draft.marks.removeAll { QuickAddReader.isPlace($0) }
    var tags: Set<String> = []
    for mark in draft.marks {
      switch mark.kind {
      case .tag:
        draft.cuts.remove(mark.range)
        if tags.insert(NameFolding.key(mark.name)).inserted { draft.reading.tags.append(mark.name) }
        draft.note(.tag, mark.range, "#\(mark.name)")
        if draft.reading.kind == nil { draft.reading.kind = kinds[NameFolding.key(mark.name)] }
      case .kind, .person: break
      }
    }
    if let mark = draft.marks.first(where: { $0.kind == .kind }) {
      let kind = kinds[NameFolding.key(mark.name)] ?? ActivityKind(rawValue: mark.name.lowercased())
      draft.reading.kind = kind
      draft.cuts.remove(mark.range)
      draft.note(.kind, mark.range, kind.rawValue)
    }
    readPeople(&draft)
  }

  /// Returns true for a mark such as "@home", which is no person.
  private static func isPlace(_ mark: QuickAddMarks.Mark) -> Bool {
    mark.kind == .person
      && ["home", "work", "office", "school", "gym"].contains(mark.name.lowercased())
  }

  /// Reads names written with an @ and removes the sign; at the end of the line, the name is
  /// removed too if the text already contains it.
  private func readPeople(_ draft: inout Draft) {
    let people = draft.marks.filter { $0.kind == .person }
    var ending = draft.cuts
    var isEnding: Set<String.Index> = []
    for mark in people.reversed() where ending.isEnd(mark.range.upperBound, of: draft.line) {
      isEnding.insert(mark.range.lowerBound)
      ending.remove(mark.range)
    }
    var present = NameWords()
    var position = draft.line.startIndex
    for mark in draft.marks {
      present.add(String(draft.line[position..<mark.range.lowerBound]))
      position = mark.range.upperBound
      guard mark.kind == .person else { continue }
      let candidates = persons.candidates(named: mark.name)
      let name = candidates.count == 1 ? candidates[0].name : mark.name
      add(name, &draft)
      draft.note(.person, mark.range, name)
      if isEnding.contains(mark.range.lowerBound), present.contains(mark.name) {
        draft.cuts.remove(mark.range)
      } else {
        draft.cuts.replace(mark.range, with: mark.name)
        present.add(mark.name)
      }
    }
  }

  private func add(_ name: String, _ draft: inout Draft) {
    let key = NameFolding.key(name)
    guard !draft.reading.people.contains(where: { NameFolding.key($0) == key }) else { return }
    draft.reading.people.append(name)
  }

  /// Reads known people named without an @; ambiguous first names are ignored.
  private func readNames(_ draft: inout Draft) {
    let marked = draft.marks.map(\.range)
    for match in persons.mentions(in: draft.line) {
      guard let person = match.person, !marked.contains(where: { $0.overlaps(match.range) }) else {
        continue
      }
      let key = NameFolding.key(person.name)
      guard !draft.reading.people.contains(where: { NameFolding.key($0) == key }) else { continue }
      draft.reading.people.append(person.name)
      draft.note(.person, match.range, person.name)
    }
  }

  /// Suggests new people: first names after words such as "with" that no known person has.
  private func suggestPeople(_ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]) {
    let known = draft.reading.understood.filter { [.person, .place, .tag].contains($0.role) }
      .map(\.range)
    let names = NewNames(grammar: grammar, words: words, isGerman: isGerman)
    for tokens in names.names {
      guard let range = range(of: tokens, grammar), !known.contains(where: { $0.overlaps(range) }),
        !draft.taken.contains(where: tokens.contains),
        persons.candidates(named: String(draft.line[range])).isEmpty
      else { continue }
      let name = NewNames.plain(draft.line[range])
      let key = NameFolding.key(name)
      guard !draft.reading.people.contains(where: { NameFolding.key($0) == key }),
        !draft.reading.suggestedPeople.contains(where: { NameFolding.key($0) == key })
      else { continue }
      draft.reading.suggestedPeople.append(name)
    }
  }

  // MARK: Times

  private func readTimes(
    _ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]
  ) throws(QuickAddError) {
    let line = draft.line
    let taken = draft.taken
    let findings = times.scan(line, grammar).filter { !$0.tokens.contains(where: taken.contains) }
    var chooser = QuickAddTimes(line: line, grammar: grammar, cuts: draft.cuts, words: words)
    let clocks = findings.filter {
      $0.reading.hasClock && !$0.isPart && !$0.reading.isOpen && !chooser.isTalk($0)
    }
    chooser.hasOneClock = clocks.count == 1
    // The duration may come last, after the time, so it is removed before the ends are examined.
    let inFindings = Set(findings.flatMap { Array($0.tokens) })
    let duration = chooser.duration { inFindings.contains($0) }
    if let duration, let range = range(of: duration.tokens, grammar) {
      draft.cuts.remove(range)
      draft.taken.formUnion(duration.tokens)
      draft.reading.durationMinutes = duration.minutes
      draft.note(.duration, range, QuickAddReader.label(minutes: duration.minutes))
      chooser = chooser.with(cuts: draft.cuts)
    }
    var day = QuickAddTimes.best(findings.filter(chooser.isDay).map(chooser.choice))
    // Cutting a part from one end may leave another time there.
    if let day { chooser = cutting(day, chooser) }
    var time: QuickAddTimes.Choice?
    if day.map({ !$0.finding.reading.hasClock || $0.finding.reading.grain == .partOfDay }) ?? true {
      time = QuickAddTimes.best(
        findings.filter { $0.range != day?.finding.range && chooser.isTime($0) }
          .map(chooser.choice))
      if let time, day == nil {
        chooser = cutting(time, chooser)
        day = QuickAddTimes.best(
          findings.filter {
            $0.range != time.finding.range && chooser.isDay($0)
              && (!$0.reading.hasClock || $0.reading.grain == .partOfDay)
          }.map(chooser.choice))
      }
    }
    try check(findings, chooser)
    for choice in [day, time].compactMap({ $0 }) {
      draft.cuts.remove(choice.range)
      draft.taken.formUnion(choice.finding.tokens)
    }
    // Words of other times are neither measurements nor places.
    draft.taken.formUnion(inFindings)
    settle(&draft, day: day, time: time, chooser)
    guard day == nil, time == nil || draft.reading.start != nil else { return }
    if let year = findings.first(where: {
      chooser.isYear($0, before: times.zone.dayKey(at: times.now))
    }), let start = year.match?.start {
      // The words stay, because they only give the year.
      let shift = draft.reading.dayKey.distance(to: start.day) * 86_400
      draft.reading.dayKey = start.day
      draft.reading.start = draft.reading.start?.adding(seconds: shift)
      draft.reading.end = draft.reading.end?.adding(seconds: shift)
      draft.note(.day, year.range, QuickAddReader.label(day: start.day))
    }
  }

  private func cutting(_ choice: QuickAddTimes.Choice, _ chooser: QuickAddTimes) -> QuickAddTimes {
    var cuts = chooser.cuts
    cuts.remove(choice.range)
    return chooser.with(cuts: cuts)
  }

  private func check(
    _ findings: [TimeReader.Finding], _ chooser: QuickAddTimes
  ) throws(QuickAddError) {
    for finding in findings where !chooser.isTalk(finding) {
      if finding.reading.isContradictory, finding.reading.hasClock {
        let ends = chooser.ends(finding)
        throw .endBeforeStart(start: ends.start, end: ends.end)
      }
      let isOn = chooser.grammar.isWord(finding.tokens.lowerBound, "on")
      if finding.reading.isImpossible, isOn || chooser.position(finding) == .prefix {
        var words = String(chooser.line[finding.range])
        if ["on ", "am "].contains(words.prefix(3).lowercased()) {
          words = String(words.dropFirst(2)).trimmingCharacters(in: .whitespaces)
        }
        throw .noSuchDate(words)
      }
    }
  }

  private func settle(
    _ draft: inout Draft, day: QuickAddTimes.Choice?, time: QuickAddTimes.Choice?,
    _ chooser: QuickAddTimes
  ) {
    let grammar = chooser.grammar
    let today = draft.reading.dayKey
    if let day, let start = day.finding.match?.start {
      draft.reading.dayKey = start.day
      draft.note(.day, day.finding.range, QuickAddReader.label(day: start.day))
      if day.finding.reading.hasClock, time == nil {
        draft.reading.start = start
        draft.reading.end = QuickAddReader.end(of: day.finding)
      }
    }
    if let time, let match = time.finding.match, let start = match.start {
      var shift = today.distance(to: draft.reading.dayKey) * 86_400
      if let part = day?.finding, part.reading.grain == .partOfDay,
        (part.match?.start?.hour ?? 0) >= 12, start.hour < 12,
        !match.text.lowercased().contains("am")
      {
        // For example, "Yesterday evening: dinner at 7".
        shift += 43_200
      }
      draft.reading.start = start.adding(seconds: shift)
      draft.reading.end = QuickAddReader.end(of: time.finding)?.adding(seconds: shift)
    }
    if let told = (time ?? day)?.finding, QuickAddTimes.isEarly(told, draft.line, grammar),
      let start = draft.reading.start, (13...18).contains(start.hour), day?.finding.isPart != true
    {
      draft.reading.start = start.adding(seconds: -43_200)
    }
    if let told = (time ?? day)?.finding, QuickAddTimes.isNight(told, draft.line, grammar) {
      // Twelve means midnight in this case.
      let half = draft.reading.start?.hour == 12 ? -43_200 : 43_200
      draft.reading.start = draft.reading.start?.adding(seconds: half)
      draft.reading.end = draft.reading.end?.adding(seconds: half)
    }
    if let told = (time ?? day)?.finding, day?.finding.isPart != true {
      if chooser.isBedtime(told) || chooser.isAfterNoon(told) {
        draft.reading.start = draft.reading.start?.adding(seconds: 43_200)
        draft.reading.end = draft.reading.end?.adding(seconds: 43_200)
      } else if chooser.isEarlyShift(told) {
        draft.reading.start = draft.reading.start?.adding(seconds: -43_200)
        draft.reading.end = draft.reading.end?.adding(seconds: -43_200)
      }
    }
    settleNight(&draft, day: day, time: time, chooser)
    guard let start = draft.reading.start else { return }
    let isPart = (time ?? day)?.finding.reading.grain == .partOfDay
    if draft.reading.end == nil, !isPart, let minutes = draft.reading.durationMinutes,
      minutes < 1_000_000
    {
      draft.reading.end = end(seconds: Int((minutes * 60).rounded()), after: start)
    }
    if let range = (time ?? day)?.finding.range {
      let part = isPart && draft.reading.end == nil ? QuickAddReader.partLabel(start) : nil
      draft.note(
        .time, range, part ?? QuickAddReader.label(start: start, end: draft.reading.end))
    }
  }

  /// Moves a night to the last one: "slept from 11pm to 6:45am" typed in the morning began
  /// yesterday, and staying up until 2am belongs to the day before.
  private func settleNight(
    _ draft: inout Draft, day: QuickAddTimes.Choice?, time: QuickAddTimes.Choice?,
    _ chooser: QuickAddTimes
  ) {
    let now = times.zone.wallTime(at: times.now)
    guard chooser.isOfNight(isMorning: now.hour < 12) || chooser.isOfBed else { return }
    if day == nil, let time, let start = draft.reading.start {
      let isOver =
        draft.reading.end.map { end in
          start.day < end.day && end.adding(seconds: -86_400) <= now
        } ?? (now.hour < 12 && (start.hour >= 18 || start.day > now.day) && chooser.isOfBed)
      guard start > now, isOver else { return }
      draft.reading.start = start.adding(seconds: -86_400)
      draft.reading.end = draft.reading.end?.adding(seconds: -86_400)
      guess(start.day.advanced(by: -1), time.finding.range, &draft)
    } else if time == nil, let until = chooser.untilLate(now) {
      guard let day else { return guess(now.day.advanced(by: -1), until.range, &draft) }
      // The line doesn't say when it began.
      if day.finding.isPart { (draft.reading.start, draft.reading.end) = (nil, nil) }
    }
  }

  /// Sets a day that the line does not name.
  private func guess(_ day: DayKey, _ range: Range<String.Index>, _ draft: inout Draft) {
    draft.reading.dayKey = day
    draft.reading.isDayGuessed = true
    draft.note(.day, range, QuickAddReader.label(day: day))
  }

  /// Returns the end of something with a known duration, counted in real time: eight hours of sleep
  /// are eight even in the night in which clocks go forward.
  ///
  /// If the end would be the second of an hour that occurs twice, the clock time is simply added
  /// instead.
  private func end(seconds: Int, after start: WallTime) -> WallTime {
    let instant = times.zone.instant(of: start).adding(seconds: seconds)
    let end = times.zone.wallTime(at: instant)
    return times.zone.instant(of: end) == instant ? end : start.adding(seconds: seconds)
  }

  private static func end(of finding: TimeReader.Finding) -> WallTime? {
    finding.reading.isPoint || finding.reading.grain == .partOfDay ? nil : finding.match?.end
  }

  private func range(of tokens: Range<Int>, _ grammar: TimeGrammar) -> Range<String.Index>? {
    guard let first = grammar.token(tokens.lowerBound),
      let last = grammar.token(tokens.upperBound - 1)
    else { return nil }
    return first.range.lowerBound..<last.range.upperBound
  }

  // MARK: Kind, measures, place

  /// Reads a known kind in parentheses at the end of the line: "Standup (Work)".
  private func readKind(_ draft: inout Draft, _ grammar: TimeGrammar) {
    guard draft.reading.kind == nil || !draft.marks.contains(where: { $0.kind == .kind }) else {
      return
    }
    for index in grammar.tokens.indices
    where grammar.isSign(index, "(") && grammar.isSign(index + 2, ")") {
      guard let kind = kinds[grammar.word(index + 1)],
        let range = range(of: index..<index + 3, grammar),
        draft.cuts.isEnd(range.upperBound, of: draft.line)
      else { continue }
      draft.reading.kind = kind
      draft.cuts.remove(range)
      draft.taken.formUnion(index..<index + 3)
      draft.note(.kind, range, kind.rawValue)
      return
    }
    if let kind = draft.reading.kind,
      let mark = draft.marks.first(where: { kinds[NameFolding.key($0.name)] == kind })
    {
      draft.note(.kind, mark.range, kind.rawValue)
    }
  }

  /// Reads the time taken for a distance: "10.5 km in 58:20", "parkrun 24:31".
  ///
  /// The words stay in the text.
  private func readResult(_ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]) {
    let lexicon = LineLexicon.shared
    let measures = MeasureReader(grammar: grammar, units: units, words: words).measures {
      _ in false
    }
    let metres = measures.filter { $0.unit.dimension == .length }
      .reduce(0) { $0 + $1.amount * $1.unit.factor }
    guard metres > 0 || lexicon.isAmong(words, .moving) || words.contains(where: isRace),
      let start = grammar.tokens.indices.first(where: {
        grammar.isSign($0 + 1, ":") && lexicon.ends(words, at: $0, .result)
      }),
      let (seconds, next) = grammar.stopwatch(
        start, metres: metres, isLong: metres == 0 && words.contains(where: isRace)),
      let range = range(of: start..<next, grammar)
    else { return }
    draft.taken.formUnion(start..<next)
    draft.reading.durationMinutes = Double(seconds) / 60
    draft.note(.duration, range, String(draft.line[range]))
  }

  private func isRace(_ word: String) -> Bool { word.hasSuffix("marathon") }

  private func readMeasures(_ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]) {
    let taken = draft.taken
    for measure in MeasureReader(grammar: grammar, units: units, words: words).measures(
      outside: taken.contains)
    {
      guard let range = range(of: measure.tokens, grammar) else { continue }
      let sum = (draft.reading.measurements[measure.unit.name] ?? 0) + measure.amount
      draft.reading.measurements[measure.unit.name] = sum
      draft.taken.formUnion(measure.tokens)
      draft.note(.measure, range, measure.unit.shownText(measure.amount))
    }
  }

  private func readPlace(_ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]) {
    let taken = draft.taken
    let reader = PlaceReader(grammar: grammar, words: words, isGerman: isGerman) { [persons] in
      !persons.candidates(named: $0).isEmpty
    }
    guard draft.reading.place == nil, let place = reader.place(outside: taken.contains),
      let range = range(of: place.tokens, grammar),
      let name = self.range(of: place.nameTokens, grammar)
    else { return }
    draft.reading.place = String(draft.line[name])
    draft.note(.place, range, String(draft.line[name]))
  }
}
