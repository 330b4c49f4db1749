import ArkivedCore
import ArkivedStore
import Foundation

/// Questions answered from meetings and notes: about promises, or when somebody was last met.
///
/// They are few and plainly worded; all others are left to the timeline.
struct MeetingQuestions {
  let archive: Archive
  let zone: Zone

  /// Answers a question from meetings and notes.
  ///
  /// - Returns: nil if the question is of a different kind, or doesn't mention anybody known.
  func answer(
    _ text: String, now: Instant, limit: Int, offset: Int
  ) throws -> Answer? {
    let plain = text.trimmingCharacters(in: CharacterSet(charactersIn: " ?!.\n\t"))
    guard plain.count < 300 else { return nil }
    let today = zone.dayKey(at: now)
    do {
      if let wanted = Self.owed(plain) { return try promises(wanted, today, limit, offset) }
      if let wanted = Self.met(plain) {
        return try met(wanted, now, isOfMeetings: plain.lowercased().contains("meeting"))
      }
      return try agenda(plain, now, limit, offset)
    } catch let namesakes as Namesakes {
      return ask(namesakes)
    }
  }

  // MARK: Promises

  private struct Owed {
    /// True if the archive's owner made the promise, false if somebody else did.
    var isMine: Bool?
    /// The person's name; nil for everybody.
    var name: String?
  }

  private static let everybody: Set<String> = [
    "", "others", "other people", "people", "everybody", "everyone", "anybody", "anyone",
    "somebody", "someone", "them", "who",
  ]

  private static func owed(_ text: String) -> Owed? {
    if let match = text.wholeMatch(
      of:
        /(?:what|which promises) (?:do|did|have) i (?:still )?(?:owe|promised?)(?: to)?(?: (.*?))?(?:,? by person)?/
        .ignoresCase())
    {
      return Owed(isMine: true, name: name(match.1))
    }
    if let match = text.wholeMatch(
      of: /what (?:does|did|do|has|have) (.+?) (?:still )?(?:owe|promised?)(?: to)?(?: me)?/
        .ignoresCase())
    {
      return Owed(isMine: false, name: name(match.1))
    }
    if text.wholeMatch(of: /who (?:still )?owes me (?:what|something|anything)/.ignoresCase())
      != nil
    {
      return Owed(isMine: false, name: nil)
    }
    if text.wholeMatch(
      of: /(?:what|which|list|show)?(?: are)?(?: the| all| my)* ?open promises(?: are there)?/
        .ignoresCase()) != nil
    {
      return Owed(isMine: text.lowercased().contains("my") ? true : nil, name: nil)
    }
    return nil
  }

  private static func name(_ text: Substring?) -> String? {
    let name = text.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    return everybody.contains(name.lowercased()) ? nil : name
  }

  private func promises(
    _ wanted: Owed, _ today: DayKey, _ limit: Int, _ offset: Int
  ) throws -> Answer? {
    var filter = PromiseFilter()
    filter.limit = 20_000
    var person: Person?
    if let name = wanted.name {
      guard let known = try known(name) else { return nil }
      person = known
      filter.people = [known.id]
    }
    if wanted.isMine == true { filter.owner = .me }
    if wanted.isMine == false { filter.owner = person.map { .person($0.id) } ?? .others }
    let found = try archive.promises(filter)
    guard !found.isEmpty else {
      let nothing =
        switch (wanted.isMine, person?.displayName) {
        case (true?, let name?): said("You have no open promises to \(name).")
        case (true?, nil): said("You have no open promises.")
        case (_, let name?): said("\(name) has no open promises.")
        case (false?, nil): said("Nobody else has open promises.")
        case (nil, nil): said("There are no open promises.")
        }
      return answer(
        nothing + " " + said("Promises are the open checkboxes in your notes."), kind: "none", [],
        0, people: [person?.displayName].compactMap { $0 })
    }
    let groups = Dictionary(grouping: found) { promise in
      promise.owner ?? RecapText.list(promise.to.map(\.name))
    }
    let byPerson = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let lines = byPerson.prefix(6).map { name, promises in
      let things = promises.prefix(5).map { promise in
        let late = promise.promise.due.map {
          $0 < today
            ? said(", overdue since \($0.shownPlainName)") : said(", by \($0.shownPlainName)")
        }
        return Language.current.quoted(promise.promise.text) + (late ?? "")
      }.joined(separator: "; ")
      let more = promises.count > 5 ? said(" and \(promises.count - 5) more") : ""
      return person == nil && !name.isEmpty ? "\(name): \(things)\(more)" : "\(things)\(more)"
    }
    let count = found.count
    let summary =
      switch (wanted.isMine, person?.displayName) {
      case (true?, let name?):
        said(
          count, one: "You have \(count) open promise to \(name).",
          other: "You have \(count) open promises to \(name).")
      case (true?, nil):
        said(
          count, one: "You have \(count) open promise.", other: "You have \(count) open promises.")
      case (_, let name?):
        said(
          count, one: "\(name) has \(count) open promise.",
          other: "\(name) has \(count) open promises.")
      case (false?, nil):
        said(
          count, one: "Others have \(count) open promise.",
          other: "Others have \(count) open promises.")
      case (nil, nil):
        said(
          count, one: "There is \(count) open promise.",
          other: "There are \(count) open promises.")
      }
    return answer(
      "\(summary) \(lines.joined(separator: ". ")).", kind: "list",
      try notes(found.map { ($0.noteID, $0.noteDay, $0.promise.text) }, limit, offset),
      Set(found.map(\.noteID)).count, values: found.map(\.json),
      people: [person?.displayName].compactMap { $0 })
  }

  // MARK: The agenda

  /// Answers questions about meetings, such as when the next one with Mei is.
  private func agenda(
    _ text: String, _ now: Instant, _ limit: Int, _ offset: Int
  ) throws -> Answer? {
    let today = zone.dayKey(at: now)
    var filter = MeetingFilter()
    (filter.includesDropped, filter.isAttended) = (false, true)
    var person: Person?
    if let next = text.wholeMatch(
      of:
        /when (?:do|will|is) (?:i|we|my|our) (?:next )?(?:meet|meeting with)(?: with)? (.+?)(?: next| again)?/
        .ignoresCase())
    {
      filter.from = today
      filter.order = .oldest
      guard let known = try known(String(next.1), meetingSoon: filter, now) else { return nil }
      filter.people = [known.id]
      // In another zone, it may still be yesterday, and what is tomorrow there may come first.
      filter.from = today.advanced(by: -1)
      let ahead = try archive.meetings(filter).filter { ($0.activity.startAt ?? now) > now }
        .min { ($0.activity.startAt ?? now) < ($1.activity.startAt ?? now) }
      guard let ahead else {
        return answer(
          said("No upcoming meeting with \(known.displayName)."), kind: "none", [], 0,
          people: [known.displayName])
      }
      return answer(
        said("You’re meeting \(known.displayName) next on \(told(ahead))."), kind: "when",
        [hit(ahead)],
        1,
        values: [JSON(ahead.activity.dayKey)], people: [known.displayName])
    }
    guard text.lowercased().contains("meetings") else { return nil }
    let times = TimeReader(now: now, zone: zone).matches(in: text)
    guard times.count < 2 else { return nil }
    var rest = text
    if let time = times.first { rest.removeSubrange(time.range) }
    rest = rest.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard
      let match = rest.wholeMatch(
        of:
          /(which|what|how many) meetings (do|did|will|have) (?:i|we) (?:have|had)(?: with (.+?))?(?: (?:in|on|for|during|since))?/
          .ignoresCase()), try archive.countMeetings(MeetingFilter()) > 0
    else { return nil }
    if let name = match.3 {
      guard let known = try known(String(name)) else { return nil }
      person = known
      filter.people = [known.id]
    }
    let isPast = ["did", "have"].contains(match.2.lowercased())
    if let days = times.first?.days {
      // Past meetings end by today, even if the requested year or month continues.
      let end = isPast ? min(days.upperBound, max(days.lowerBound, today)) : days.upperBound
      (filter.from, filter.to) = (days.lowerBound, end)
    } else if isPast {
      filter.to = today
    } else {
      filter.from = today
    }
    filter.order = isPast ? .newest : .oldest
    let count = try archive.countMeetings(filter)
    filter.limit = max(0, limit)
    filter.offset = max(0, offset)
    let found = try archive.meetings(filter)
    let with = person.map { said(" with \($0.displayName)") } ?? ""
    let when =
      times.first.map { time in
        Language.current == .english ? " \(time.text)" : " (\(SpanText.shownDays(time.days)))"
      } ?? (isPast ? said(" so far") : said(" from today on"))
    let planned =
      isPast
      ? try stillPlanned(filter, in: times.first?.days, after: today, isMore: count > 0) : ""
    let shown = try firstMeetings(of: filter, count: count)
    var answer =
      count == 0
      ? answer(
        said("No meeting\(with)\(when).") + planned, kind: "none", [], 0,
        people: [person?.displayName].compactMap { $0 })
      : answer(
        said(count, one: "1 meeting", other: "\(count) meetings") + "\(with)\(when): "
          + shown + planned,
        kind: match.1.lowercased() == "how many" ? "count" : "list", found.map(hit), count,
        values: match.1.lowercased() == "how many" ? [JSON(count)] : found.map { JSON($0.title) },
        people: [person?.displayName].compactMap { $0 })
    answer.computed.days = times.first?.days
    return answer
  }

  /// Returns the sentence about the remaining meetings in a period that is still running; empty if
  /// there are none.
  ///
  /// - Parameters:
  ///   - filter: which meetings count.
  ///   - days: the period; nil for all days.
  ///   - today: the current day.
  ///   - isMore: true if another sentence precedes it.
  /// - Returns: the sentence.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func stillPlanned(
    _ filter: MeetingFilter, in days: ClosedRange<DayKey>?, after today: DayKey, isMore: Bool
  ) throws -> String {
    guard let days, days.upperBound > today else { return "" }
    var ahead = filter
    (ahead.from, ahead.to) = (max(days.lowerBound, today.advanced(by: 1)), days.upperBound)
    let count = try archive.countMeetings(ahead)
    guard count > 0 else { return "" }
    let sentence =
      isMore
      ? said(count, one: "1 more is planned.", other: "\(count) more are planned.")
      : said(count, one: "1 is planned.", other: "\(count) are planned.")
    return " " + sentence
  }

  /// Names the first meetings of a list, whichever part of it is cited.
  func firstMeetings(of filter: MeetingFilter, count: Int) throws -> String {
    var first = filter
    (first.limit, first.offset) = (6, 0)
    let shown = try archive.meetings(first).map(told)
    return shown.joined(separator: "; ") + (count > shown.count ? "; …" : ".")
  }

  func told(_ entry: MeetingEntry) -> String {
    let clock =
      entry.meeting.isAllDay
      ? ""
      : entry.activity.startAt.map {
        // The day is the one there, too.
        said(" at \(entry.activity.zone.toldClock($0, home: zone))")
      } ?? ""
    let title = Language.current.quoted(String(entry.title.prefix(80)))
    return "\(entry.activity.dayKey.toldLongName)\(clock), \(title)"
  }

  func hit(_ entry: MeetingEntry) -> SearchHit {
    JournalEntry.activity(entry.activity).hit(because: SearchHit.Reason())
  }

  // MARK: Parts

  /// An error for a name that may refer to several people.
  struct Namesakes: Error {
    var name: String
    var people: [Person]
  }

  /// Returns the person with a name.
  ///
  /// - Throws: `Namesakes` if several people have that name.
  func known(_ name: String) throws -> Person? {
    let called = try archive.people(called: name)
    guard called.count < 2 else { throw Namesakes(name: name, people: called) }
    do {
      return try called.first ?? archive.person(named: name)
    } catch ArchiveError.notFound, ArchiveError.ambiguous {
      return nil
    }
  }

  /// Returns the person with a name, using an upcoming meeting to choose among several.
  private func known(
    _ name: String, meetingSoon ahead: MeetingFilter, _ now: Instant
  ) throws -> Person? {
    do {
      return try known(name)
    } catch let namesakes as Namesakes {
      let met = try namesakes.people.filter { person in
        var filter = ahead
        filter.people = [person.id]
        return try archive.meetings(filter).contains { ($0.activity.startAt ?? now) > now }
      }
      guard met.count == 1 else { throw namesakes }
      return met[0]
    }
  }

  /// Asks which of several people the question is about.
  func ask(_ namesakes: Namesakes) -> Answer {
    let names = namesakes.people.prefix(6).map(\.tellingName).joined(separator: ", ")
    let all = namesakes.people.count > 6 ? said("\(names) and others") : names
    return answer(
      said(
        """
        “\(namesakes.name)” could be any of these: \(all). Ask again with the email address or \
        full name.
        """),
      kind: "none", [], 0, people: namesakes.people.map(\.displayName))
  }

  /// Returns the notes as citations without duplicates.
  private func notes(
    _ found: [(id: UUID, day: DayKey, text: String)], _ limit: Int, _ offset: Int
  ) throws -> [SearchHit] {
    var seen: Set<UUID> = []
    let unique = found.filter { seen.insert($0.id).inserted }
    return try unique.dropFirst(max(0, offset)).prefix(max(0, limit)).map { one in
      SearchHit(
        type: .note, id: one.id, dayKey: one.day,
        title: try archive.note(one.id)?.headline ?? "Note",
        snippet: Snippet(text: one.text), score: 0, why: SearchHit.Reason())
    }
  }

  func answer(
    _ sentence: String, kind: String, _ citations: [SearchHit], _ count: Int,
    of question: String = "",
    values: [JSON] = [], people: [String] = []
  ) -> Answer {
    var computed = TimelineAnswer(
      sentence: sentence, kind: kind, question: AskQuestion(text: question))
    computed.values = values
    computed.people = people
    return Answer(computed: computed, citations: citations, citationCount: count)
  }
}
