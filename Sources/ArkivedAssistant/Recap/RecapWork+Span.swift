import ArkivedCore

// Weeks, months and years.
extension RecapWork {
  func spanSections() -> [Recap.Section] {
    let topics = topics()
    return [
      section("overview", overview() + subjectsOverall()),
      section(
        "highlights", topics.enumerated().map { told($1, index: $0) } + highlights(besides: topics)),
      section("days", unusualDays()),
      section("people", spanPeople()), section("places", spanPlaces()),
      section("measures", spanMeasures()), section("time", time()),
      section("health", metrics()), section("mood", mood()),
      section("firsts", firsts()), section("streaks", streaks() + rhythms()),
      section("ended", ended()),
      section("note", longestNote()), section("ahead", planned()), section("past", past()),
    ]
  }

  // MARK: Overview

  private func overview() -> [Recap.Statement] {
    guard let elapsed else { return [] }
    let entries = ledger.entries
    guard !entries.isEmpty else {
      return [
        .init(
          said("No entries, but \(RecapText.notes(notes.count))."), entries: notes,
          figures: [.init("entries", 0), .init("notes", Double(notes.count))])
      ]
    }
    let written = ledger.byDay.count
    let usual = usual(peers.map { Double(before.count(in: $0)) }, isFirst: true)
    var sentence = RecapText.capitalised(RecapText.entries(entries.count))
    if isSoFar { sentence = said("\(sentence) so far") }
    // The days before the archive's first aren't empty days.
    let dayCount = elapsed.count { $0 >= history.first ?? .earliest }
    if written == dayCount, dayCount > 1 {
      sentence += said(", with at least one every day")
    } else if written == 1, let day = entries.first?.day {
      sentence +=
        entries.count == 1 ? said(", on \(dayName(day))") : said(", all on \(dayName(day))")
    } else {
      let filled = RecapText.number(written)
      sentence += said(
        dayCount, one: " on \(filled) of one day",
        other: " on \(filled) of \(RecapText.number(dayCount)) days")
    }
    if let usual {
      sentence += ", " + usual.comparison(of: Double(entries.count), unit: nil, .many)
    }
    if !notes.isEmpty { sentence += said(", and \(RecapText.notes(notes.count))") }
    var statements =
      beginning() + [
        Recap.Statement(
          sentence + ".", entries: entries,
          figures: [
            .init("entries", Double(entries.count), usual: usual),
            .init("days", Double(written)), .init("notes", Double(notes.count)),
          ])
      ]
    if span.unit == "year", let months = months() {
      statements.append(months)
    } else if let full = fullest() {
      statements.append(full)
    }
    if isSoFar, usual != nil {
      let year = elapsed.lowerBound.year - 1
      let against =
        switch span.unit {
        case "year": said("Compared with the same days of \(year).")
        case "month": said("Compared with the same number of days in previous months.")
        default: said("Compared with the same number of days in previous weeks.")
        }
      statements.append(.init(against, citing: []))
    }
    return statements
  }

  /// Mentions the archive's first day if it is in the span, which then has no baseline.
  private func beginning() -> [Recap.Statement] {
    guard let first = history.first, span.days.contains(first),
      first > span.days.lowerBound
        || before.entries.isEmpty
    else { return [] }
    return [
      .init(
        said("The archive starts on \(first.shownPlainName)."),
        entries: Array(ledger.entries.prefix(1)))
    ]
  }

  /// Describes the day with the most entries, if it clearly has more than the others.
  private func fullest() -> Recap.Statement? {
    let counts = ledger.byDay.mapValues(\.count)
    guard counts.count >= 3, let best = counts.values.max(), best >= 4 else { return nil }
    let days = counts.filter { $0.value == best }.keys.sorted()
    guard days.count == 1, let day = days.first else { return nil }
    return .init(
      said("\(dayName(day)) was the busiest day, with \(RecapText.number(best)) entries."),
      entries: Array(ledger.entries(on: day)), figures: [.init("most in a day", Double(best))])
  }

  /// Describes the busiest and the quietest month of a year, if each is a single one.
  private func months() -> Recap.Statement? {
    guard let elapsed else { return nil }
    let counts = (1...elapsed.upperBound.month).compactMap {
      month -> (first: DayKey, count: Int, isWhole: Bool)? in
      guard let first = DayKey(year: elapsed.lowerBound.year, month: month, day: 1) else {
        return nil
      }
      // The current month and that of the archive's first day are incomplete, so they can be the
      // busiest, but not the quietest.
      let isWhole =
        !(isSoFar && month == elapsed.upperBound.month) && first >= history.first ?? .earliest
      return (first, ledger.count(in: RecapSpan.month(first).days), isWhole)
    }
    let whole = counts.filter(\.isWhole)
    guard whole.count >= 3, let most = counts.map(\.count).max(),
      let least = whole.map(\.count).min(), most > least
    else { return nil }
    let busiest = counts.filter { $0.count == most }
    let quietest = whole.filter { $0.count == least }
    guard busiest.count == 1, let first = busiest.first?.first else { return nil }
    let full = MonthName.shown[first.month - 1]
    let count = RecapText.number(most)
    let few = RecapText.number(least)
    let quiet =
      quietest.count == 1 ? quietest.first.map { MonthName.shown[$0.first.month - 1] } : nil
    let sentence =
      if let quiet, least == 0 {
        said(
          "\(full) was the busiest month, with \(count) entries. Nothing was recorded in \(quiet).")
      } else if let quiet {
        said(
          """
          \(full) was the busiest month, with \(count) entries, and \(quiet) the quietest, with \
          \(few).
          """
        )
      } else {
        said("\(full) was the busiest month, with \(count) entries.")
      }
    return .init(
      sentence, entries: Array(ledger.slice(RecapSpan.month(first).days)),
      figures: [
        .init("most in a month", Double(most)), .init("least in a month", Double(least)),
      ])
  }

  /// Describes the subjects that have the most entries.
  private func subjectsOverall() -> [Recap.Statement] {
    let tags = ranked { if case .tag = $0 { true } else { false } }
    guard ledger.entries.count >= 8, tags.count >= 3 else { return [] }
    // The tags of a week or month are mentioned only if they aren't the usual ones.
    let top = before.bySubject.filter { if case .tag = $0.key { true } else { false } }
      .sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(3).map(\.key)
    if span.unit != "year", Set(top) == Set(tags.prefix(3).map(\.subject)) { return [] }
    let shown = tags.prefix(span.unit == "year" ? 5 : 3)
    let list = RecapText.list(
      shown.map { "\($0.subject.told) (\(RecapText.grouped(String($0.positions.count))))" })
    return [
      statement(
        said("Most frequent tags: \(list)."), positions(of: shown.map(\.subject)),
        figures: shown.map { .init($0.subject.told, Double($0.positions.count)) })
    ]
  }

  // MARK: People and places

  private func spanPeople() -> [Recap.Statement] {
    let named = ranked { if case .person = $0 { true } else { false } }
    guard !named.isEmpty else { return [] }
    let shown = named.prefix(span.unit == "year" ? 5 : 3)
    let top = shown[0]
    let days = ledger.days(at: top.positions).count
    let on = days > 1 && days < top.positions.count ? " \(RecapText.onDays(days))" : ""
    let lead =
      named.count == 1
      ? said("\(top.subject.told) was the only person mentioned")
      : said("\(top.subject.told) was mentioned most")
    let told = shown.dropFirst().map { item in
      "\(item.subject.told) (\(RecapText.number(item.positions.count)))"
    }
    let rest = named.count - shown.count
    var more =
      rest > 0
      ? said(
        rest, one: "; one other was mentioned too",
        other: "; \(RecapText.number(rest)) others were mentioned too") : ""
    var sentence = "\(lead), \(RecapText.inEntries(top.positions.count))\(on)"
    if named.count > 1, top.positions.count == 1 {
      let all = [top.subject.told] + shown.dropFirst().map(\.subject.told)
      more = ""
      sentence = said("Mentioned once each: \(RecapText.list(all, more: rest))")
    } else if !told.isEmpty {
      sentence += said(", then \(RecapText.list(told))")
    }
    var statements = [
      statement(
        "\(sentence)\(more).", positions(of: shown.map(\.subject)),
        figures: shown.map { .init($0.subject.told, Double($0.positions.count)) }
          + [.init("people", Double(named.count))])
    ]
    if let more = seenMore(besides: Set(shown.map(\.subject))) { statements.append(more) }
    return statements
  }

  /// Names the people mentioned clearly more often than usual, besides those always present.
  private func seenMore(besides shown: Set<RecapSubject>) -> Recap.Statement? {
    guard peers.count >= 3 else { return nil }
    let least = span.unit == "week" ? 3 : 4
    let risen = ranked { if case .person = $0 { !shown.contains($0) } else { false } }
      .filter { item in
        guard item.positions.count >= least, let earlier = before.bySubject[item.subject] else {
          return false
        }
        return Double(item.positions.count) >= 3 * Double(earlier.count) / Double(peers.count)
      }
    guard let best = risen.first else { return nil }
    let usual = median(of: best.subject)
    let entries = RecapText.inEntries(best.positions.count)
    return statement(
      said("\(best.subject.told) was mentioned more than usual, \(entries)."),
      best.positions,
      figures: [.init(best.subject.told, Double(best.positions.count), usual: usual)])
  }

  private func median(of subject: RecapSubject) -> Usual? {
    let days = (before.bySubject[subject] ?? []).map { before.days[$0] }
    return usual(peers.map { range in Double(days.filter { range.contains($0) }.count) })
  }

  private func spanPlaces() -> [Recap.Statement] {
    let places = ranked { if case .place = $0 { true } else { false } }
    guard !places.isEmpty else { return [] }
    let shown = places.prefix(span.unit == "year" ? 5 : 3)
    // A number common to all of them adds nothing.
    let isPlain = places[0].positions.count == 1
    let told = shown.map { item in
      item.positions.count == 1
        ? item.subject.told
        : "\(item.subject.told) (\(RecapText.grouped(String(item.positions.count))))"
    }
    let rest = places.count - shown.count
    let list = RecapText.list(told, more: rest)
    let sentence =
      if places.count == 1 {
        said("The only place: \(list).")
      } else if isPlain || rest == 0 {
        said("Places: \(list).")
      } else {
        said("Most frequent places: \(list).")
      }
    return [
      statement(
        sentence, positions(of: shown.map(\.subject)),
        figures: shown.map { .init($0.subject.told, Double($0.positions.count)) }
          + [.init("places", Double(places.count))])
    ]
  }

  // MARK: Subjects that stopped

  /// Describes subjects that were frequent in the previous span and have stopped, for whole months
  /// and years only.
  private func ended() -> [Recap.Statement] {
    guard !isSoFar, span.unit == "year" || span.unit == "month", !peers.isEmpty else { return [] }
    let end = span.days.upperBound
    let isYear = span.unit == "year"
    let gone = before.bySubject.compactMap {
      subject, positions -> (subject: RecapSubject, last: DayKey, positions: [Int], was: Int)? in
      let inside = ledger.bySubject[subject] ?? []
      guard let latest = positions.last,
        let last = inside.last.map({ ledger.days[$0] }) ?? Optional(before.days[latest])
      else { return nil }
      // For a month, only subjects that stopped in the one before it, so each is reported once.
      let isGone =
        isYear
        ? last.distance(to: end) > 120
        : inside.isEmpty && last.distance(to: span.days.lowerBound) <= 31
      // Frequent means spread over many months, which excludes a journey.
      guard isGone, before.fills(months: isYear ? 6 : 8, at: positions) else { return nil }
      return (subject, last, inside, positions.count)
    }.sorted { ($0.was, $1.subject) > ($1.was, $0.subject) }
    let distinct = distinct(Array(gone.prefix(24))) { item in
      (before.bySubject[item.subject] ?? []).map { before.entries[$0] }
    }
    return distinct.prefix(isYear ? 4 : 2).map { item in
      let was = RecapText.entries(item.was)
      let name = item.subject.told
      let last = dayAndMonth(item.last)
      let year = end.year - 1
      var sentence =
        if isYear {
          item.positions.isEmpty
            ? said("\(name) no longer came up, compared with \(was) in \(year).")
            : said(
              "\(name) last came up on \(last) that year. There were \(was) in \(year).")
        } else {
          said("\(name) didn’t come up, compared with \(was) in the 12 months before.")
        }
      sentence = RecapText.capitalised(sentence)
      let cited =
        item.positions.isEmpty
        ? (before.bySubject[item.subject] ?? []).suffix(1).map { before.entries[$0] }
        : item.positions.map { ledger.entries[$0] }
      return .init(
        sentence, entries: cited,
        figures: [
          .init(
            name, Double(item.positions.count),
            usual: .init(
              value: Double(item.was), basis: isYear ? "\(year)" : "the 12 months before"))
        ])
    }
  }

  private func longestNote() -> [Recap.Statement] {
    // A year has too many notes to compare them all; those of its unusual days are quoted.
    guard span.unit != "year", notes.count > 0,
      let longest = notes.max(by: { $0.text.utf8.count < $1.text.utf8.count })
    else { return [] }
    let opening = RecapText.opening(of: longest.text, limit: 200)
    guard !opening.isEmpty else { return [] }
    let quote = RecapText.quoted(opening, to: 240)
    let day = dayName(longest.day)
    return [
      .init(
        notes.count == 1
          ? said("The note from \(day) begins: \(quote).")
          : said("The longest note, from \(day), begins: \(quote)."),
        entries: [longest])
    ]
  }
}
