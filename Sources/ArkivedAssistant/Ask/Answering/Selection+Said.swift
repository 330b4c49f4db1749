import ArkivedCore
import Foundation

/// Filters for entries that use the question's own wording, or a means of communication other than
/// the one it asks for.
extension Selector {
  /// Keeps the entries that state an absence, as in "When did Mum walk without her stick?", instead
  /// of all that don't mention the thing.
  func saysWithout(
    _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection
  ) -> Bool {
    let left = Set(question.terms.filter(\.isExcluded).map(\.key))
    guard !left.isEmpty, !question.countsDays,
      [.when, .first, .last, .who, .where, .yesNo, .since, .clock].contains(question.kind),
      question.terms.contains(where: { !$0.isExcluded }) || !question.people.isEmpty,
      question.text.range(of: #"\bwithout\b"#, options: [.regularExpression, .caseInsensitive])
        != nil
    else { return false }
    var plain = question
    for index in plain.terms.indices { plain.terms[index].isExcluded = false }
    let concepts = resolver.concepts(plain).map { resolver.widened($0) }
    var found = Selection()
    let entries = query(plain, base, concepts, &found).filter { entry in
      let words = entry.words
      return words.indices.dropFirst().contains { index in
        left.contains(words[index].key)
          && words[max(0, index - 3)..<index].contains { $0.lower == "without" }
      }
    }
    guard !entries.isEmpty else { return false }
    selection = found
    selection.entries = entries
    selection.concepts = concepts
    return true
  }

  private static let calls = QuestionWords.keys("call phone ring telephone video speak talk chat")
  private static let written = QuestionWords.keys(
    "letter parcel package message postcard card email text note")

  /// Excludes letters and parcels with the same tag when figures are about calls.
  func ofMeans(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> [TimelineEntry] {
    guard entries.count > 1, entries.count <= 5_000,
      [.longest, .average, .sum, .count].contains(question.kind),
      concepts.contains(where: { concept in
        ["call", "phone", "ring"].contains(concept.term.key) && !concept.term.isExcluded
          && !ConceptResolver.tags(concept.atoms).isEmpty
      }),
      !concepts.contains(where: { Selector.written.contains($0.term.key) })
    else { return entries }
    var sayings = Sayings<Bool>()
    let kept = entries.filter { entry in
      sayings.of(entry) { !$0.says(Selector.written) || $0.says(Selector.calls) }
    }
    guard !kept.isEmpty, kept.count < entries.count else { return entries }
    let others = entries.count - kept.count
    if question.kind == .count {
      selection.uncertain.append(
        said("whether you also mean letters, parcels or messages (\(others) of these entries)"))
    } else {
      selection.doubts.append(Doubts.further(others, said("about letters, parcels or messages")))
    }
    // The time spent on a letter isn't the length of a call; counts keep it and say so.
    return question.kind == .count ? entries : kept
  }

  /// Keeps entries at the requested time of day, as in "Evenings at the Anchor", if entries state
  /// their time.
  func ofHours(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ selection: inout Selection
  ) -> [TimelineEntry] {
    guard let part = question.terms.first(where: { resolver.isHourOfPlace($0, question.terms) })
    else { return entries }
    let hours =
      ["morning": 0..<720, "afternoon": 720..<1080][part.key] ?? 960..<1440
    let kept = entries.filter { $0.fillsDay || $0.startMinute.map(hours.contains) ?? true }
    guard !kept.isEmpty, kept.count < entries.count else { return entries }
    selection.doubts.append(
      Doubts.further(entries.count - kept.count, said("at another time of day")))
    return kept
  }

  /// Adds a caveat for entries that are tagged with somebody's name but don't mention them: "just
  /// the two of us".
  func doubtTags(
    _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection
  ) {
    guard !selection.isFromNotes,
      [.count, .sum, .average, .first, .last, .since, .longest, .gap, .streak, .most].contains(
        question.kind)
    else { return }
    for (position, person) in question.people.enumerated()
    where !person.isExcluded && person.names.count == 1 {
      let first = person.names[0].split(separator: " ").first.map { $0.lowercased() } ?? ""
      guard let tag = timeline.names.tag(joined: first) else { continue }
      var others = question
      others.people.remove(at: position)
      var tagged = base
      tagged.all.append([.tag(tag)])
      tagged.none.append([.person(person.names[0])])
      let more = plainCount(others, tagged, selection.concepts)
      if more > 0 {
        selection.doubts.append(
          Doubts.further(
            more,
            said(
              more, one: "tagged #\(tag) that doesn’t mention this person",
              other: "tagged #\(tag) that don’t mention this person")))
      }
    }
  }

  /// Adds a caveat if some of the counted entries are of a different kind than most: a climbed hill
  /// in contrast to a hall.
  func doubtKinds(
    _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection
  ) {
    doubtRest(question, base, &selection)
    guard question.kind == .count, (4...2_000).contains(selection.entries.count),
      selection.concepts.contains(where: { concept in
        !concept.term.isExcluded && ConceptResolver.tags(concept.atoms).isEmpty
      })
    else { return }
    var counts: [String: Int] = [:]
    for entry in selection.entries { for tag in entry.tags { counts[tag, default: 0] += 1 } }
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return }
    let others = selection.entries.count - most.value
    if others > 0, others * 4 <= selection.entries.count {
      selection.uncertain.append(
        said(
          others,
          one: "whether \(others) of these entries counts, because it isn’t tagged #\(most.key)",
          other: "whether \(others) of these entries count, because they aren’t tagged #\(most.key)"
        ))
    }
  }

  /// Adds a caveat if all entries with a verb share a tag and others with that tag use different
  /// words: "a chat with Ada in the street" and "bumped into Ada".
  private func doubtRest(
    _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection
  ) {
    let used = selection.concepts.filter { !$0.term.isExcluded }
    let count = selection.entries.count
    guard question.kind == .count || question.kind == .most, (4...2_000).contains(count),
      used.count == 1, used[0].term.key.hasSuffix("_into"),
      let tag = sharedTag(selection.entries)
    else { return }
    var kind = base
    kind.all.append([.tag(tag)])
    let more = plainCount(question, kind, []) - count
    if more > 0, more <= count * 8 {
      selection.doubts.append(
        Doubts.further(more, said("tagged #\(tag) (possibly the same thing in other words)")))
    }
  }

  /// Adds a caveat if most entries were at one place and others there may describe the same thing
  /// in different words: "heard a choir in the abbey" and "a concert in the abbey".
  func doubtPlaces(
    _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection
  ) {
    let used = selection.concepts.filter { !$0.term.isExcluded }
    guard [.count, .list, .gap, .who, .sum, .average].contains(question.kind),
      (2...100).contains(selection.entries.count),
      used.contains(where: { concept in
        ConceptResolver.tags(concept.atoms).isEmpty && !concept.term.isCapitalised
          && !concept.term.isVerb && !concept.term.isHole
      }),
      let tag = sharedTag(selection.entries)
    else { return }
    var counts: [[String]: Int] = [:]
    for entry in selection.entries {
      if let place = Selector.placeKeys(entry) { counts[place, default: 0] += 1 }
    }
    let ranked = counts.sorted { first, second in
      (first.value, second.key.joined()) > (second.value, first.key.joined())
    }
    for (place, count) in ranked.prefix(2)
    where count * 5 >= selection.entries.count * 2 && count > 1 {
      var there = base
      for key in place { there.all.append([.word(key)]) }
      there.all.append([.tag(tag)])
      let more = plainCount(question, there, []) - count
      guard more > 0, more <= selection.entries.count * 4 else { continue }
      selection.doubts.append(
        Doubts.further(
          more,
          said(
            "tagged #\(tag) and at the same place as \(count) of these entries (possibly about the same thing)"
          )
        ))
    }
  }

  private func sharedTag(_ entries: [TimelineEntry]) -> String? {
    var counts: [String: Int] = [:]
    for entry in entries { for tag in entry.tags { counts[tag, default: 0] += 1 } }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.flatMap { $0.value * 2 > entries.count ? $0.key : nil }
  }

  /// Returns the keys of a place that a sentence names directly or with an article: "at the design
  /// museum".
  private static func placeKeys(_ entry: TimelineEntry) -> [String]? {
    let words = entry.words
    for index in words.indices.dropLast() where ["at", "in"].contains(words[index].lower) {
      var phrase = Array(
        words[(index + 1)...].prefix {
          $0.sign == nil && !FrameReader.prepositions.contains($0.lower) && $0.lower != "and"
        })
      let hasArticle = phrase.first?.lower == "the"
      if hasArticle { phrase.removeFirst() }
      guard let first = phrase.first, hasArticle || first.isCapitalised,
        (1...3).contains(phrase.count), !PlaceWords.times.contains(phrase.last?.lower ?? ""),
        AskReader.weekday(first.lower) == nil, !MonthName.full.contains(first.text)
      else { continue }
      return phrase.map(\.key)
    }
    return nil
  }
}
