import ArkivedCore
import Foundation

/// Answers that list entries, or confirm that there are some.
extension AnswerWork {
  func list(_ selection: Selection) -> TimelineAnswer {
    if case .thing(let key) = question.hole, let answer = things(selection, key) { return answer }
    if question.hole == .tag { return most(selection) }
    if case .period(let period) = question.hole, period == .month || period == .year {
      let keys = Array(Set(selection.entries.map { key(of: $0.day, period) })).sorted()
      let names = keys.map { periodName($0, period) }
      return finish(
        "\(enumeration(names))\(circumstances(selection)), "
          + "\(inEntries(selection.entries.count, selection)).", "list",
        values: names.map { .string($0) }, labels: names, selection)
    }
    var entries = selection.entries
    if question.excludesClauseEntries, let join = question.joins.first?.question.first {
      let told = Set(selector.select(join).entries.map(\.id))
      let others = entries.filter { !told.contains($0.id) }
      if !others.isEmpty { entries = others }
    }
    let shown = entries.prefix(3).map { quoted($0, 80) }
    let more = entries.count - shown.count
    let notes = notesOfPeople()
    let noted =
      notes.isEmpty
      ? ""
      : said(notes.count, one: " and 1 day note", other: " and \(notes.count) day notes")
    let sentence =
      "\(self.entries(entries.count, selection))\(noted)\(circumstances(selection)): "
      + enumeration(shown, more: more) + "."
    entries += notes
    // "seedlings pricked out in 2023": sums the quantities stated in sentences.
    if question.lightVerbs.contains("nominal"), question.kind == .list,
      let noun = question.terms.first
    {
      var asked = question
      asked.lightVerbs = ["#" + noun.key]
      if let counted = with(asked).averageQuantity(selection),
        counted.values.first?.double ?? 0 > Double(entries.count)
      {
        return counted
      }
    }
    // "lunches with Ada in May" names things, so the answer gives the number and lists them.
    let isNamed = question.lightVerbs.contains("nominal")
    let listed = AnswerWork.listed(entries)
    return finish(
      sentence, isNamed ? "count" : "list",
      values: isNamed ? [JSON(selection.entries.count)] : listed.map { .string($0.text) },
      labels: isNamed ? ["entries"] : listed.map(\.day.description), selection,
      citations: entries)
  }

  /// Returns the entries whose texts become values of an answer; the citations contain all of them.
  static func listed(_ entries: [TimelineEntry]) -> ArraySlice<TimelineEntry> {
    entries.prefix(1_000)
  }

  /// True if the question asks for entries themselves, not for things in them.
  private var asksForEntries: Bool { question.hole == .entry || question.hole == .thing("") }

  /// Returns the day notes that mention the people in a question that asks for nothing else.
  private func notesOfPeople() -> [TimelineEntry] {
    let people = question.people.filter { !$0.isExcluded }
    guard !people.isEmpty, people.count == question.people.count, asksForEntries,
      question.terms.isEmpty, question.joins.isEmpty, question.clause == nil,
      question.threshold == nil, question.dayValue == nil, !question.hasNobody
    else { return [] }
    var condition = IndexCondition(days: selector.span(of: question))
    condition.weekdays = question.weekdays
    condition.all = people.map { person in person.names.map { .person($0) } }
    return timeline.entries(.day, where: condition).filter { $0.type == .day }
  }

  func yes(_ selection: Selection) -> TimelineAnswer {
    let near = selection.concepts.filter { $0.isWidened && !$0.term.isExcluded }
    if !near.isEmpty, !selection.isFromNotes {
      let sure = selection.entries.filter { entry in
        near.allSatisfy { concept in
          entry.says(Synonyms.exact(concept.term.key).union([concept.term.key]))
            || entry.placeKeys.contains(concept.term.key)
        }
      }
      if sure.isEmpty {
        let count = selection.entries.count
        let example = quoted(selection.entries[0], 80)
        var answer = none(
          said("No: I couldn’t find an entry\(circumstances(selection)) that says exactly that")
            + "; "
            + said(
              count, one: "\(entries(count, selection)) is similar: \(example).",
              other: "\(entries(count, selection)) are similar, such as \(example)."))
        answer.ignored += selection.doubts + selection.uncertain
        answer.uncertain += selection.uncertain
        return answer
      }
    }
    var selection = selection
    if selection.entries.count <= Self.deniedLimit, selection.entries.allSatisfy(isDenied) {
      selection.uncertain.append(said("whether this entry answers the question"))
    }
    let last = selection.entries.last
    let sentence =
      said("Yes, \(entries(selection.entries.count, selection))\(circumstances(selection))")
      + (last.map { said(", the latest on \($0.day.shownPlainName): \(quoted($0, 80)).") } ?? ".")
    return finish(
      sentence, "list", values: AnswerWork.listed(selection.entries).map { .string($0.text) },
      labels: AnswerWork.listed(selection.entries).map(\.day.description), selection)
  }

  /// The maximum number of entries for which a confirmation is uncertain if all of them are
  /// denials.
  private static let deniedLimit = 3

  /// Returns true if an entry denies something in words that the question doesn't contain: "Off to
  /// Rome alone" doesn't confirm that somebody came along.
  private func isDenied(_ entry: TimelineEntry) -> Bool {
    let asked = Set(WordCutter.words(of: question.text).map(\.lower))
    return entry.words.contains { word in
      ReaderLexicon.shared.isDenying(word.lower) && !asked.contains(word.lower)
    }
  }
}
