import ArkivedCore
import Foundation

extension AnswerWork {
  // MARK: Places

  /// Returns the words after a place that locate it: "the pier" + " in Kinsale".
  private func inside(after role: SentenceFrame.Role, _ frame: SentenceFrame) -> String {
    guard role.preposition != "in", let place = frame.roles.firstIndex(of: role),
      frame.roles.indices.contains(place + 1),
      ["in", "on"].contains(frame.roles[place + 1].preposition)
    else { return "" }
    let next = PlaceWords.cut(frame.roles[place + 1].words)
    guard let first = next.first, first.isCapitalised, Int(first.text) == nil,
      !MonthName.full.contains(first.text), AskReader.weekday(first.lower) == nil
    else { return "" }
    return " \(frame.roles[place + 1].preposition) " + next.map(\.text).joined(separator: " ")
  }

  /// Returns the phrase before a place that narrows it: "in the chapel" + " at the Abbey".
  private func within(_ role: SentenceFrame.Role, _ frame: SentenceFrame) -> String? {
    guard let place = frame.roles.firstIndex(of: role), place > 0 else { return nil }
    let before = frame.roles[place - 1]
    guard ["in", "on"].contains(before.preposition), before.words.first?.lower == "the",
      (2...4).contains(before.words.count), let last = before.words.last,
      !PlaceWords.times.contains(last.lower), !PlaceWords.media.contains(last.lower),
      !before.words.contains(where: { AskReader.weekday($0.lower) != nil })
    else { return nil }
    return before.words.map(\.text).joined(separator: " ")
  }

  /// Returns the destination that a sentence states: "for Edinburgh".
  private func destination(_ frame: SentenceFrame) -> String? {
    guard let verb = frame.verb, ["set", "leav", "head", "depart"].contains(verb),
      let goal = frame.role("for"), let first = goal.first, first.isCapitalised
    else { return nil }
    return PlaceWords.cut(goal).map(\.text).joined(separator: " ")
  }

  /// Returns the place where a flight starts: "Flight Hamburg–Sofia".
  private func flightStart(_ entry: TimelineEntry) -> String? {
    guard flightGoal(entry) != nil,
      let dash = entry.words.firstIndex(where: { $0.sign == "–" && $0.isCapitalised })
    else { return nil }
    let name = entry.words[..<dash].reversed().prefix {
      $0.isCapitalised && $0.key != "flight" && $0.sign == nil
    }
    return name.isEmpty ? nil : name.reversed().map(\.text).joined(separator: " ")
  }

  /// Returns the destination of a flight if the question asks for flights: "Flight Hamburg–Sofia".
  private func flightGoal(_ entry: TimelineEntry) -> String? {
    guard question.terms.contains(where: { ["fly", "flight"].contains($0.key) }),
      entry.keys.contains("flight"),
      let start = entry.words.firstIndex(where: { $0.sign == "–" && $0.isCapitalised })
    else { return nil }
    let rest = entry.words[(start + 1)...].prefix { $0.isCapitalised && $0.sign == nil }
    return ([entry.words[start]] + rest).map(\.text).joined(separator: " ")
  }

  /// Returns the place that an entry mentions; both the place and its town if `isLong`.
  func place(of entry: TimelineEntry, isLong: Bool = false) -> String? {
    if let goal = flightGoal(entry) { return goal }
    if let place = entry.place, !place.isEmpty { return place }
    let frame = frames.frame(of: entry, timeline)
    // The object of "look at" isn't a place where someone was.
    let looks = ["look", "laugh", "lose", "shout", "point"].contains(frame.verb ?? "")
    if let goal = destination(frame) { return goal }
    for preposition in ["at", "in", "on", "by", "under", "through", "round", "along", "to", "from"]
    {
      var isFirst = true
      for role in frame.roles where role.preposition == preposition {
        defer { isFirst = false }
        if looks, isFirst, preposition == "at" { continue }
        var words = role.words
        if words.first?.lower == "the" { words.removeFirst() }
        words = PlaceWords.cut(words)
        guard let first = words.first else { continue }
        let hasArticle = role.words.first?.lower == "the"
        guard Quantities.number(first.lower) == nil,
          !PlaceWords.times.contains(words.last?.lower ?? ""),
          !PlaceWords.times.contains(first.lower), !PlaceWords.media.contains(first.lower),
          !["half", "quarter", "about", "around", "least", "last", "first", "once", "an", "a"]
            .contains(first.lower),
          AskReader.weekday(first.lower) == nil, !MonthName.full.contains(first.text)
        else { continue }
        let isNamed = first.isCapitalised && !entry.people.contains { $0.hasPrefix(first.text) }
        let text = words.map { $0.isPossessive ? $0.text + "'s" : $0.text }.joined(separator: " ")
        let withArticle = timeline.names.place(called: "the " + text)
        let isKnown = withArticle != nil || timeline.names.place(called: text) != nil
        let isInside =
          preposition == "in" && hasArticle && words.count <= 4 && timeline.places.isEmpty
        let isPlain = words.contains { PlaceWords.surfaces.contains($0.key) }
        guard
          isNamed || isKnown || preposition == "at" && words.count <= 5 || isInside || isPlain
            || hasArticle && ["to", "round", "along", "through"].contains(preposition)
              && timeline.places.isEmpty
        else { continue }
        if preposition == "to" || preposition == "from", !isKnown, !isNamed,
          !(hasArticle && timeline.places.isEmpty)
        {
          continue
        }
        if ["my desk", "desk", "last", "home", "work"].contains(text.lowercased()) { continue }
        if let withArticle { return withArticle }
        if isLong, preposition == "in", let place = frame.roles.firstIndex(of: role), place > 0,
          ["on", "at"].contains(frame.roles[place - 1].preposition),
          frame.roles[place - 1].words.first?.lower == "the"
        {
          return frame.roles[place - 1].words.map(\.text).joined(separator: " ") + " in \(text)"
        }
        let name = (hasArticle ? "the " : "") + text
        if isLong, preposition == "at", isNamed, let outer = within(role, frame) {
          return outer + " at \(name)"
        }
        return name + (isLong ? inside(after: role, frame) : "")
      }
    }
    return nil
  }

  /// True if the question asks for a town instead of a place within one.
  private var asksTown: Bool {
    question.lightVerbs.contains { ["@town", "@city", "@country"].contains($0) }
      || question.text.range(
        of: #"\b(?:which|what) (?:town|city)\b"#, options: [.regularExpression, .caseInsensitive])
        != nil
  }

  /// Returns the town that a sentence mentions, otherwise the town of that day's journey.
  private func town(of entry: TimelineEntry, _ towns: [(days: ClosedRange<DayKey>, name: String)])
    -> String?
  {
    let known = Set(towns.map(\.name))
    if let said = entry.words.first(where: { $0.isCapitalised && known.contains($0.text) }) {
      return said.text
    }
    return towns.first { $0.days.contains(entry.day) }?.name
  }

  /// Returns a place without the words that the question already contains: "the Prater in Vienna"
  /// becomes "the Prater" if the question says Vienna.
  func answering(_ place: String) -> String? {
    let keys = Set(
      question.terms.filter { !$0.isExcluded && !$0.isHole && $0.isCapitalised }.map(\.key))
    guard !keys.isEmpty else { return place }
    for preposition in [" in ", " on "] {
      guard let range = place.range(of: preposition, options: .backwards) else { continue }
      let outer = WordCutter.words(of: String(place[range.upperBound...])).map(\.key)
      if !outer.isEmpty, keys.isSuperset(of: outer) { return String(place[..<range.lowerBound]) }
    }
    let own = WordCutter.words(of: place).map(\.key).filter { $0 != "the" }
    return keys.isSuperset(of: own) ? nil : place
  }

  func places(_ selection: Selection) -> TimelineAnswer {
    var counts: [String: Int] = [:]
    var order: [String] = []
    var cited: [TimelineEntry] = []
    let excluded = Set(question.terms.filter(\.isExcluded).map(\.key))
    var entries = selection.entries
    // "Where did I go on 11 February?": the destination of the journey.
    if question.lightVerbs.contains("go"), question.terms.isEmpty, entries.count < 500 {
      let starts = entries.filter { Journeys.length(of: $0) != nil }
      if !starts.isEmpty { entries = starts }
    }
    if question.lightVerbs.contains("visit"),
      entries.contains(where: { $0.keys.contains("visit") }), entries.count < 500
    {
      var asked = question
      asked.hole = .thing("sight")
      if let answer = with(asked).things(selection, "sight") { return answer }
    }
    // "which places did I draw": the places visited on those occasions.
    if entries.count < 500, question.terms.contains(where: { $0.isVerb && !$0.isExcluded }),
      question.text.range(
        of: #"^(?:which|what) places (?:did|have) (?:i|we)\b"#,
        options: [.regularExpression, .caseInsensitive]) != nil,
      entries.allSatisfy({ $0.keys.contains("visit") && FrameWords.sight($0.words) != nil })
    {
      var asked = question
      asked.hole = .thing("sight")
      if let answer = with(asked).things(selection, "sight") { return answer }
    }
    var sayings = Sayings<String?>()
    let towns = asksTown ? Journeys(timeline: timeline, today: today).towns() : []
    for entry in entries {
      if asksTown, let town = town(of: entry, towns) {
        cited.append(entry)
        if counts[town] == nil { order.append(town) }
        counts[town, default: 0] += 1
        continue
      }
      let said = sayings.of(entry) { entry in
        place(of: entry, isLong: true).flatMap(answering).flatMap { place in
          excluded.isDisjoint(with: WordCutter.words(of: place).map(\.key)) ? place : nil
        }
      }
      guard let place = said else { continue }
      cited.append(entry)
      if counts[place] == nil { order.append(place) }
      counts[place, default: 0] += 1
    }
    guard !order.isEmpty else {
      // "At which restaurants did we eat?": few entries contain the word.
      if let hole = question.terms.first(where: \.isHole) {
        var bare = question
        bare.terms.removeAll(where: \.isHole)
        let wider = selector.select(bare)
        if bare.terms.count + bare.people.count > 0, !wider.entries.isEmpty {
          bare.uncertain.append(said("whether each is really one of the \(hole.text)"))
          return with(bare).places(wider)
        }
      }
      return none(said("\(counted(selection))\(circumstances(selection)), but no place given."))
    }
    var selection = selection
    // The start of the outward flight isn't a destination.
    if let home = entries.lazy.compactMap(flightStart).first, order.contains(home), order.count > 1
    {
      order.removeAll { $0 == home }
      selection.doubts.append(said("the way back to \(home)"))
    }
    if cited.count < entries.count {
      selection.doubts.append(
        Doubts.further(entries.count - cited.count, said("without a place")))
    }
    let isMeal = selection.concepts.contains { $0.term.isHole && $0.term.key == "eat" }
    if isMeal { selection.uncertain.append(said("whether each is really what you asked for")) }
    let fitting = isMeal ? order : ofKind(order)
    if fitting.count < order.count {
      let others = order.count - fitting.count
      selection.doubts.append(
        said(
          others, one: "\(others) place with another name",
          other: "\(others) places with other names"))
      order = fitting
    }
    // "the dentist's on South Mall" already includes "South Mall".
    order = order.filter { name in
      !order.contains { $0.hasSuffix(" on \(name)") || $0.hasSuffix(" in \(name)") }
    }
    // "the harbour grill in Split" and "the harbour grill" are the same place.
    for (position, name) in order.enumerated().reversed() {
      guard let range = name.range(of: " in ", options: .backwards) else { continue }
      let inner = String(name[..<range.lowerBound])
      guard order.contains(inner) else { continue }
      counts[inner, default: 0] += counts[name] ?? 0
      order.remove(at: position)
    }
    let ranked = order.sorted { counts[$0] ?? 0 > counts[$1] ?? 0 }
    let shown = enumeration(ranked.prefix(8), more: ranked.count - 8)
    return finish(
      "\(shown)\(circumstances(selection)), \(inEntries(cited.count, selection)).",
      "where",
      values: ranked.map { .string($0) }, labels: ranked.map { String(counts[$0] ?? 0) }, selection,
      citations: cited)
  }

}

/// Nouns that are places, or only look like places, after "in", "on" and "at".
enum PlaceWords {
  /// Returns a place without the words that don't belong to it: "Kyoto" for "Kyoto and took
  /// photographs".
  static func cut(_ words: [Word]) -> [Word] {
    guard
      let end = words.indices.dropFirst().first(where: { index in
        index + 1 < words.count
          && ["and", "which", "where", "together", "when", "while", "because", "that"]
            .contains(words[index].lower)
          && (["i", "we", "he", "she", "they"].contains(words[index + 1].lower)
            || FrameReader.isVerb(words[index + 1], hasSubject: false)
            || words[index].lower != "and")
      })
    else { return words.last?.lower == "together" ? Array(words.dropLast()) : words }
    return Array(words[..<end])
  }

  static let media: Set<String> = [
    "tv", "telly", "television", "radio", "phone", "video", "zoom", "netflix",
  ]
  static let times: Set<String> = [
    "rain", "morning", "evening", "afternoon", "night", "dark", "sun", "snow", "wind", "end",
    "fog", "time", "noon", "midnight", "dawn", "dusk", "row", "minutes", "hours", "phone", "bed",
    "weekend", "last", "once", "heat", "cold", "lunch", "dinner", "breakfast", "way", "work",
    "first", "least", "most", "best", "world", "shade", "middle", "parents",
  ]
  static let surfaces = QuestionWords.keys(
    "roof sofa train tram boat plane stairs floor bench balcony terrace square market bus ferry boat pier bridge lawn hill"
  )
}
