import ArkivedCore
import Foundation

/// Explanations for questions whose answers would have no support.
extension AnswerWork {
  /// An explanation for "When was I at my highest?", which mentions nothing with comparable
  /// amounts.
  var unmeasurable: String? {
    guard question.kind == .longest, question.measure == .extent, question.terms.isEmpty,
      question.people.isEmpty, question.joins.isEmpty, question.clause == nil, question.top == nil,
      question.hole == .entry || question.hole == .day || question.hole == .thing(""),
      let match = question.text.lowercased().firstMatch(
        of:
          /\b(heaviest|lightest|highest|lowest|biggest|largest|smallest|greatest)\b/
      )
    else { return nil }
    return said("I can’t tell what “\(match.1)” refers to. Say what was measured.")
  }

  /// An explanation for "What is Ada's phone number?" if no entry mentions one.
  var unwritten: String? {
    guard question.kind == .list || question.kind == .who,
      let match = question.text.lowercased().firstMatch(
        of:
          /\b(phone|telephone|mobile|account|passport|insurance|customer|membership|e-?mail|postal|home) (number|address)\b/
      )
    else { return nil }
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [match.1, match.2].map { [.word(Lemma.key(String($0)))] }
    return timeline.count(.activity, where: condition) == 0
      ? said("Not in the archive: \(match.0).") : nil
  }

  /// The caveat that a question about a duration doesn't name the activity, so all entries were
  /// used.
  var unnamed: [String] {
    guard case .duration = question.measure ?? .people,
      [.sum, .average, .longest].contains(question.kind), question.terms.isEmpty,
      question.people.isEmpty, question.joins.isEmpty, question.clause == nil,
      question.hole == .entry
    else { return [] }
    return [said("what the time was spent on (all entries are included)")]
  }

  /// Answers "How often did I go fishing?" if fish was only eaten.
  func undone(_ selection: Selection) -> TimelineAnswer? {
    guard !isSide,
      let concept = selection.concepts.first(where: {
        $0.isThingForDoing && !$0.term.isExcluded
      })
    else { return nil }
    let count = selection.entries.count
    var answer = none(
      said("Not in the archive: \(concept.term.shown).") + " "
        + said(
          count, one: "1 entry only mentions it",
          other: "\(count) entries only mention it")
        + "\(circumstances(selection)).")
    answer.ignored.append(concept.term.shown)
    return answer
  }

  /// Returns the caveat for "the highest mountain", which was judged by duration or distance.
  func superlative(_ unit: String) -> String? {
    guard question.measure == .extent,
      let match = question.text.lowercased().firstMatch(
        of: /\b(heaviest|lightest|highest|lowest|biggest|largest|smallest|greatest)\b/)
    else { return nil }
    return said("“\(match.1)” (measured by \(saidWhole(unit)))")
  }

  /// Returns the names in an entry; one that the question already contains is replaced with the
  /// phrase after "for": "took Pickle for a grooming".
  func besideAsked(_ names: [String], _ entry: TimelineEntry) -> [String] {
    let people = question.people.filter { !$0.isExcluded }
    guard !people.isEmpty else { return names }
    let asked = Set(people.flatMap { [$0.words] + $0.names }.map { NameFolding.loose($0) })
    let kin = TextPeople.animals.union(TextPeople.relations)
    return names.flatMap { name -> [String] in
      let words = WordCutter.words(of: name).map(\.lower)
      let isAsked =
        asked.contains(NameFolding.loose(name))
        || words.count == 2 && ["the", "my"].contains(words[0]) && kin.contains(words[1])
      guard isAsked else { return [name] }
      return frames.frame(of: entry, timeline).role("for").map { [text($0)] } ?? []
    }
  }
}
