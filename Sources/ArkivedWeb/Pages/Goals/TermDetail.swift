import ArkivedCore
import ArkivedStore
import Foundation

/// The review of a term for its template.
struct TermDetail: Sendable {
  let review: TermReview
  let newest: UUID?
  let overview: GoalOverview
  let versions: [OldVersion]
  let notices: [Notice]
  let today: DayKey

  /// The largest number of lines of a kind that are shown; further ones are only counted.
  static let lineLimit = 100

  init(_ term: Term, archive: Archive, today: DayKey, notices: [Notice]) throws {
    newest = try archive.newestChange()
    review = try archive.review(of: term, today: today, sample: 10)
    let lines = (review.committed + review.overlapping).map { ($0.goal.id, $0.progress) }
    overview = try GoalOverview(
      archive, today: today, known: Dictionary(lines) { first, _ in first })
    versions = try archive.oldVersions(of: term.id, limit: EntryContext.historyLimit)
    self.notices = notices
    self.today = today
  }

  private var term: Term { review.term }
  private var href: String { "/terms/\(term.id.uuidString)" }

  var context: [String: Any] {
    var context = TermCard(term: term, today: today).context
    context["version"] = EntityTag.text(term.updatedAt)
    context["isLongTitle"] = term.shownTitle.count > 80
    context["isActive"] = review.status == .active
    context["hasStarted"] = today >= term.startDate
    context["hasDescription"] = term.description != nil
    context["description"] = ClippedText.of(term.description ?? "", limit: 4_000)
    context["hasNotesText"] = term.notes != nil
    context["notesText"] = ClippedText.of(term.notes ?? "", limit: 4_000)
    context["reflection"] = FormValue(term.reflection ?? "")
    context["figures"] = figures.map { ["figureName": $0.0, "figure": $0.1] }
    addWarnings(to: &context)
    addGoals(to: &context)
    addValues(to: &context)
    let days = term.days
    context["hasUnlinked"] = review.unlinkedActions > 0
    context["unlinkedCount"] = DayContext.grouped(Double(review.unlinkedActions))
    context["unlinkedHref"] =
      "/actions?linked=no&from=\(days.lowerBound)&to=\(days.upperBound)"
    context["unlinked"] = review.unlinkedSample.map {
      [
        "actionHref": "/actions/\($0.id.uuidString)",
        "actionText": ClippedText.of($0.text, limit: 160),
        "actionDay": GoalWords.day($0.dayKey, today: today),
        "actionDayISO": $0.dayKey.description,
      ]
    }
    return context
  }

  private func addWarnings(to context: inout [String: Any]) {
    let overlaps = overview.terms.filter { $0.id != term.id && $0.overlaps(term) }
    context["hasOverlap"] = !overlaps.isEmpty
    let others = Self.list(overlaps.map(\.shownTitle), limit: 3)
    context["overlapLine"] =
      said("This term overlaps \(others). The one that started last is the active one.")
    let neglected = review.neglected
    context["hasNeglected"] = !neglected.isEmpty
    let names = Self.list(neglected.map { "“\($0.goal.title)”" }, limit: 5)
    context["neglectedLine"] = said("No actions for two weeks or more: \(names).")
  }

  /// Returns a list such as "a, b and 3 more".
  private static func list(_ names: [String], limit: Int) -> String {
    let shown = names.prefix(limit).map { ClippedText.of($0, limit: 60) }
      .joined(separator: ", ")
    return names.count > limit ? said("\(shown) and \(names.count - limit) more") : shown
  }

  private var figures: [(String, String)] {
    let committed = review.committed
    let done = committed.filter(\.progress.isComplete).count
    return [
      (said("Goals reached"), said("\(done) of \(committed.count)")),
      (said("Actions that count"), DayContext.grouped(Double(review.linkedActions))),
      (said("Not linked to a goal"), DayContext.grouped(Double(review.unlinkedActions))),
    ]
  }

  private func addGoals(to context: inout [String: Any]) {
    let committed = review.committed
    func lines(_ lines: [TermReview.GoalLine], isOrdered: Bool) -> [[String: Any]] {
      lines.prefix(Self.lineLimit).enumerated().compactMap { index, line in
        guard var card = overview.cards([line.goal]).first else { return nil }
        let goal = "\(href)/goals/\(line.goal.id.uuidString)"
        let gave = GoalWords.amount(line.inTerm, line.goal.measurementUnit)
        let actions = GoalWords.count(line.actionsInTerm, "action")
        card["hasTerm"] = true
        card["isOrdered"] = isOrdered
        let nothing =
          review.status == .complete
          ? said("Nothing in this term") : said("Nothing in this term yet")
        card["inTermLine"] =
          line.actionsInTerm == 0 ? nothing : said("In this term: \(gave), \(actions)")
        card["isNeglected"] = line.isNeglected
        card["moveAction"] = "\(goal)/move"
        card["removeAction"] = "\(goal)/remove"
        card["isFirst"] = index == 0
        card["isLast"] = index == lines.count - 1
        card["commitAction"] = "\(href)/goals"
        card["commitGoal"] = line.goal.id.uuidString
        return card
      }
    }
    let overlapping = review.overlapping
    context["hasCommitted"] = !committed.isEmpty
    context["committed"] = lines(committed, isOrdered: true)
    context["hasOverlapping"] = !overlapping.isEmpty
    context["overlapping"] = lines(overlapping, isOrdered: false)
    let taken = Set(committed.map(\.goal.id))
    let choices = overview.goals.filter {
      !taken.contains($0.id) && ($0.targetDate.map { $0 >= term.startDate } ?? true)
    }.prefix(TermPageController.goalLimit)
    context["hasChoices"] = !choices.isEmpty
    context["commitAction"] = "\(href)/goals"
    context["choices"] = choices.map {
      ["value": $0.id.uuidString, "label": ClippedText.of($0.title, limit: 80)]
    }
  }

  /// Returns a share for the width of a bar.
  private static func share(_ count: Int, of largest: Int) -> String {
    SVGNumber.of(Double(count) / Double(max(1, largest)) * 100)
  }

  private func addValues(to context: inout [String: Any]) {
    let largest = review.values.map(\.actionsInTerm).max() ?? 0
    context["hasServed"] = !review.values.isEmpty
    context["served"] = review.values.prefix(Self.lineLimit).map { line -> [String: String] in
      let goals = Self.list(line.goals.map(\.title), limit: 4)
      return [
        "valueHref": "/values/\(line.value.id.uuidString)",
        "valueTitle": ClippedText.of(line.value.title, limit: 80),
        "valueActions": GoalWords.count(line.actionsInTerm, "action"),
        "valueBar": Self.share(line.actionsInTerm, of: largest), "valueGoals": goals,
      ]
    }
    context["hasUnserved"] = !review.valuesWithoutGoals.isEmpty
    context["unserved"] = review.valuesWithoutGoals.prefix(Self.lineLimit).map {
      [
        "valueHref": "/values/\($0.id.uuidString)",
        "valueTitle": ClippedText.of($0.title, limit: 80),
      ]
    }
  }
}
