import ArkivedCore
import Foundation

extension AnswerWork {
  // MARK: People

  /// The people of an entry who answer: those in the role asked for, where the sentence says it.
  func people(of entry: TimelineEntry, role: String?) -> [String] {
    let known = Set(
      question.people.filter { !$0.isExcluded }.flatMap { $0.names })
    if let role, !role.isEmpty {
      let frame = frames.frame(of: entry, timeline)
      let inRole =
        role == "subject" ? frame.subjects : frame.peopleByRole[role] ?? []
      let left = inRole.filter { !known.contains($0) }
      if !left.isEmpty { return left }
    }
    return entry.people.filter { !known.contains($0) }
  }

  var personRole: String? {
    let text = " " + question.text.lowercased()
    if question.lightVerbs.contains("by") { return "by" }
    if text.range(
      of:
        #" with (?:me|us)\b| me for |\b(?:join|joins|joined|accompany|accompanied|company|partner)\b|\b(?:came|come|comes|went) along\b"#,
      options: .regularExpression) != nil
    {
      return nil
    }
    if text.contains(" for whom") || text.contains(" for?") { return "for" }
    for role in ["for", "to", "from"]
    where text.range(
      of: "\\b(?:i|we)\\b.* \(role)\\s*(?:\\?|\\(|$)", options: .regularExpression) != nil
    {
      return role
    }
    // "who's the person I chat with most": whom I do.
    let isMine =
      text.range(
        of:
          #"^ who(?:(?!\b(?:when|while|after|before|since|until|days?|that)\b)[^?])*?\b(?:i|we)\b"#,
        options: .regularExpression) != nil
    return text.hasPrefix(" who ") && !isMine ? "subject" : nil
  }

  func who(_ selection: Selection) -> TimelineAnswer {
    var limited = selection
    if personRole == "subject" {
      var sayings = Sayings<Bool>()
      let acting = selection.entries.filter { entry in
        sayings.of(entry) { !frames.frame(of: $0, timeline).subjects.isEmpty }
      }
      if !acting.isEmpty, question.terms.contains(where: \.isVerb) { limited.entries = acting }
    }
    if personRole == "by" { return authors(selection) }
    if let role = personRole, ["for", "to", "from"].contains(role) {
      var sayings = Sayings<Bool>()
      let fitting = selection.entries.filter { entry in
        sayings.of(entry) { !(frames.frame(of: $0, timeline).peopleByRole[role] ?? []).isEmpty }
      }
      if !fitting.isEmpty { limited.entries = fitting }
    }
    if limited.entries.count < selection.entries.count {
      limited.doubts.append(
        Doubts.further(
          selection.entries.count - limited.entries.count, "that name people otherwise"))
    }
    var counts: [String: Int] = [:]
    var order: [String] = []
    let role = personRole
    var sayings = Sayings<[String]>()
    for entry in limited.entries {
      let named = sayings.of(entry) { people(of: $0, role: role) }
      for name in noteLimited(named, entry, limited) {
        if counts[name] == nil { order.append(name) }
        counts[name, default: 0] += 1
      }
    }
    guard !order.isEmpty else {
      // Nobody where the verb is said: the thing alone may tell.
      var bare = question
      bare.terms.removeAll { $0.isVerb && !$0.isExcluded }
      if bare.terms.count < question.terms.count, !bare.terms.isEmpty {
        return with(bare).who(selector.select(bare))
      }
      return none(
        "\(entries(selection.entries.count, selection).capitalisedFirst)\(circumstances(selection)), and none names anybody."
      )
    }
    // Somebody without a name may have been there.
    let silent = limited.entries.count { $0.hasNobody }
    if silent > 0, silent * 2 <= limited.entries.count, !limited.isFromNotes {
      limited.doubts.append(
        Doubts.further(silent, "that \(silent == 1 ? "names" : "name") nobody"))
    }
    let ranked = order.sorted { counts[$0] ?? 0 > counts[$1] ?? 0 }
    let shown = ranked.prefix(8).map {
      "\($0)\((counts[$0] ?? 0) > 1 ? " (\(counts[$0] ?? 0))" : "")"
    }
    let more = ranked.count > 8 ? " and \(ranked.count - 8) more" : ""
    return finish(
      "\(shown.joined(separator: ", "))\(more)\(circumstances(limited)), in "
        + "\(entries(limited.entries.count, limited)).", "who",
      values: ranked.map { .string($0) }, labels: ranked.map { String(counts[$0] ?? 0) }, limited)
  }

  /// Of a note only those count whom the sentence names.
  private func noteLimited(
    _ names: [String], _ entry: TimelineEntry, _ selection: Selection
  ) -> [String] {
    guard let sentence = selection.sentences[entry.id] else { return names }
    let keys = Set(sentence.filter(\.isCapitalised).map(\.key))
    if personRole == "subject",
      let first = sentence.first(where: { word in
        word.isCapitalised && names.contains { selector.words(of: $0).contains(word.key) }
      })
    {
      return names.filter { selector.words(of: $0).contains(first.key) }
    }
    return names.filter { name in !keys.isDisjoint(with: selector.words(of: name)) }
  }

  /// "by Ruth Nakagawa".
  private func authors(_ selection: Selection) -> TimelineAnswer {
    var names: [String] = []
    var sayings = Sayings<String?>()
    for entry in selection.entries {
      if let name = sayings.of(entry, author(of:)), !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else {
      return none(
        "\(entries(selection.entries.count, selection).capitalisedFirst)\(circumstances(selection)), and none says by whom."
      )
    }
    return finish(
      "\(names.joined(separator: ", "))\(circumstances(selection)).", "who",
      values: names.map { .string($0) }, selection)
  }

  /// "by Ruth Nakagawa"; else a name of several words at the end: "27 pages of Oona Pell".
  func author(of entry: TimelineEntry) -> String? {
    // "by M. Haddow"
    if let by = entry.words.lastIndex(where: { $0.lower == "by" }) {
      let name = AnswerWork.name(entry.words[(by + 1)...])
      if !name.isEmpty { return name }
    }
    let tail = entry.words.reversed().prefix { $0.isCapitalised && !$0.isQuoted }.reversed()
    return tail.count > 1 ? tail.map(\.text).joined(separator: " ") : nil
  }

  /// The capitalised words that begin some words; a letter alone is an initial: "J. T. Vasari".
  private static func name(_ words: ArraySlice<Word>) -> String {
    var name = ""
    var isInitial = true
    for word in words {
      guard word.isCapitalised, !word.isQuoted,
        word.sign == nil || isInitial && (word.sign == "." || name.isEmpty)
      else { break }
      isInitial = word.text.count == 1
      name += (name.isEmpty ? "" : " ") + word.text + (isInitial ? "." : "")
    }
    return name
  }

  /// The places of a kind, where some are called so: museums among all places.
  func ofKind(_ names: [String]) -> [String] {
    guard let mark = question.lightVerbs.first(where: { $0.hasPrefix("@") }) else { return names }
    let key = String(mark.dropFirst())
    // A shop's name seldom says that it is one.
    if ["shop", "store"].contains(key) { return names }
    let kind = Ontology.members(of: key).union([key])
    let fitting = names.filter { name in
      WordCutter.words(of: name).contains { kind.contains($0.key) }
    }
    return fitting.isEmpty ? names : fitting
  }

  // MARK: Places

  /// What a sentence says behind a place about where that is: "the pier" + " in Kinsale".
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

  /// Where a sentence sets out to: "for Edinburgh".
  private func destination(_ frame: SentenceFrame) -> String? {
    guard let verb = frame.verb, ["set", "leav", "head", "depart"].contains(verb),
      let goal = frame.role("for"), let first = goal.first, first.isCapitalised
    else { return nil }
    return PlaceWords.cut(goal).map(\.text).joined(separator: " ")
  }

  /// Where a flight begins: "Flight Hamburg–Sofia".
  private func flightStart(_ entry: TimelineEntry) -> String? {
    guard flightGoal(entry) != nil,
      let dash = entry.words.firstIndex(where: { $0.sign == "–" && $0.isCapitalised })
    else { return nil }
    let name = entry.words[..<dash].reversed().prefix {
      $0.isCapitalised && $0.key != "flight" && $0.sign == nil
    }
    return name.isEmpty ? nil : name.reversed().map(\.text).joined(separator: " ")
  }

  /// Where a flight goes, where flights are asked for: "Flight Hamburg–Sofia".
  private func flightGoal(_ entry: TimelineEntry) -> String? {
    guard question.terms.contains(where: { ["fly", "flight"].contains($0.key) }),
      entry.keys.contains("flight"),
      let start = entry.words.firstIndex(where: { $0.sign == "–" && $0.isCapitalised })
    else { return nil }
    let rest = entry.words[(start + 1)...].prefix { $0.isCapitalised && $0.sign == nil }
    return ([entry.words[start]] + rest).map(\.text).joined(separator: " ")
  }

  /// The place that an entry names; of a place in a town both, if long.
  func place(of entry: TimelineEntry, isLong: Bool = false) -> String? {
    if let goal = flightGoal(entry) { return goal }
    if let place = entry.place, !place.isEmpty { return place }
    let frame = frames.frame(of: entry, timeline)
    // What was looked at is no place.
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
        return (hasArticle ? "the " : "") + text + (isLong ? inside(after: role, frame) : "")
      }
    }
    return nil
  }

  /// Whether a town is asked for, rather than a place in it.
  private var asksTown: Bool {
    question.lightVerbs.contains { ["@town", "@city", "@country"].contains($0) }
      || question.text.range(
        of: #"\b(?:which|what) (?:town|city)\b"#, options: [.regularExpression, .caseInsensitive])
        != nil
  }

  /// The town that a sentence names, else that of the journey of its day.
  private func town(of entry: TimelineEntry, _ towns: [(days: ClosedRange<DayKey>, name: String)])
    -> String?
  {
    let known = Set(towns.map(\.name))
    if let said = entry.words.first(where: { $0.isCapitalised && known.contains($0.text) }) {
      return said.text
    }
    return towns.first { $0.days.contains(entry.day) }?.name
  }

  /// A place without what the question says itself: "the Prater in Vienna" of what was in Vienna.
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
    // "Where did I go on 11 February?": where the journey went.
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
      // "At which restaurants did we eat?": few entries say the word.
      if let hole = question.terms.first(where: \.isHole) {
        var bare = question
        bare.terms.removeAll(where: \.isHole)
        let wider = selector.select(bare)
        if bare.terms.count + bare.people.count > 0, !wider.entries.isEmpty {
          bare.ignored.append("whether each is one of the \(hole.text)")
          return with(bare).places(wider)
        }
      }
      return none(
        "\(self.entries(selection.entries.count, selection).capitalisedFirst)\(circumstances(selection)), and none says where."
      )
    }
    var selection = selection
    // The way back is none to a place.
    if let home = entries.lazy.compactMap(flightStart).first, order.contains(home), order.count > 1
    {
      order.removeAll { $0 == home }
      selection.doubts.append("the way back to \(home)")
    }
    if cited.count < entries.count {
      selection.doubts.append(Doubts.further(entries.count - cited.count, "that say no place"))
    }
    let isMeal = selection.concepts.contains { $0.term.isHole && $0.term.key == "eat" }
    if isMeal { selection.doubts.append("whether each is one of what is asked for") }
    let fitting = isMeal ? order : ofKind(order)
    if fitting.count < order.count {
      selection.doubts.append("\(order.count - fitting.count) places called otherwise")
      order = fitting
    }
    // "South Mall" is said by "the dentist's on South Mall".
    order = order.filter { name in
      !order.contains { $0.hasSuffix(" on \(name)") || $0.hasSuffix(" in \(name)") }
    }
    // "the harbour grill in Split" is the harbour grill.
    for (position, name) in order.enumerated().reversed() {
      guard let range = name.range(of: " in ", options: .backwards) else { continue }
      let inner = String(name[..<range.lowerBound])
      guard order.contains(inner) else { continue }
      counts[inner, default: 0] += counts[name] ?? 0
      order.remove(at: position)
    }
    let ranked = order.sorted { counts[$0] ?? 0 > counts[$1] ?? 0 }
    let shown = ranked.prefix(8).joined(separator: ", ")
    let more = ranked.count > 8 ? " and \(ranked.count - 8) more" : ""
    return finish(
      "\(shown)\(more)\(circumstances(selection)), in \(self.entries(cited.count, selection)).",
      "where",
      values: ranked.map { .string($0) }, labels: ranked.map { String(counts[$0] ?? 0) }, selection,
      citations: cited)
  }

}

/// Nouns that are places, or only look like it, behind "in", "on" and "at".
enum PlaceWords {
  /// A place without what is told behind it: "Kyoto and took photographs".
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
