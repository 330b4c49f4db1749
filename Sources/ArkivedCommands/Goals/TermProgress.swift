import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `term progress` command: the results of a term.
struct TermProgress: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "progress",
    abstract: "Look back on a term: its goals, the values they serve, and what was neglected.")

  @Argument(
    help: "The term: its number, current, last, next, or its theme. Default: the current one.",
    completion: .terms)
  var term: [String] = []
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let name = term.isEmpty ? "current" : term.joined(separator: " ")
    let term = try archive.term(named: name, today: context.today)
    let review = try archive.review(of: term, today: context.today)
    try context.output.result(
      review.json, lines: TermReviewText(context, archive).lines(review))
  }
}

/// The wording of a term's review.
struct TermReviewText {
  private let context: Context
  private let archive: Archive
  private let text: GoalText

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
    text = GoalText(context)
  }

  private var output: Output { context.output }

  /// Formats a term's name, its days, and the share of its time that has passed.
  static func head(_ term: Term, _ context: Context) -> [String] {
    let share = term.shareGone(on: context.today)
    let width = max(10, min(40, context.output.columns - 40))
    var lines = [GoalText(context).line(term)]
    if term.status(on: context.today) == .active {
      lines.append(
        "\(Bar.line(share, width: width)) "
          + said("\(PercentText.of(share * 100)) of the time has passed"))
    }
    return lines
  }

  func lines(_ review: TermReview) throws -> [String] {
    var lines = TermReviewText.head(review.term, context)
    if review.committed.isEmpty {
      lines += [
        "",
        said(
          """
          You didn’t commit to any goals. To add one: `arkived term add-goal \(review.term.termNumber) GOAL…`
          """
        ),
      ]
    } else {
      lines += ["", output.bold(said("Committed to"))]
      for line in review.committed { lines += goal(line, review.term) }
    }
    if !review.overlapping.isEmpty {
      lines += ["", output.bold(said("Also active at the time"))]
      lines += review.overlapping.map { line in
        "  " + text.line(line.goal, line.progress)
          + (line.actionsInTerm > 0
            ? said("  \(PaceText.actions(line.actionsInTerm)) in the term") : "")
      }
    }
    lines += values(review) + (try actions(review))
    if let reflection = review.term.reflection, !reflection.isEmpty {
      lines += ["", output.bold(said("Reflection")), reflection]
    } else if review.status == .complete {
      lines += [
        "",
        said(
          """
          How did it go? Add a reflection: `arkived term edit \(review.term.termNumber) \
          --reflection "…"`
          """
        ),
      ]
    }
    return lines
  }

  private func goal(_ line: TermReview.GoalLine, _ term: Term) -> [String] {
    let pace = PaceText(goal: line.goal, progress: line.progress, today: context.today)
    var lines = text.block(line.goal, line.progress, indent: "  ")
    var parts: [String] = []
    if line.actionsInTerm > 0 {
      let actions = PaceText.actions(line.actionsInTerm)
      parts.append(
        line.progress.unit == nil
          ? said("in the term: \(actions)")
          : said("in the term: \(pace.amount(line.inTerm)) in \(actions)"))
      if let last = line.lastDay { parts.append(said("last on \(last.dateText(context.today))")) }
    } else if context.today >= term.startDate {
      parts.append(
        context.today > term.targetDate
          ? said("nothing in the term") : said("nothing in the term yet"))
    }
    if line.isNeglected {
      let days = line.quietDays
      parts.append(
        output.bold(
          said(days, one: "neglected for \(days) day", other: "neglected for \(days) days")))
    }
    if !parts.isEmpty { lines.append("  " + parts.joined(separator: " · ")) }
    return lines
  }

  private func values(_ review: TermReview) -> [String] {
    var lines: [String] = []
    if !review.values.isEmpty {
      lines += ["", output.bold(said("Values"))]
      lines += review.values.map { line in
        "  \(EntryText.oneLine(line.value.title)): "
          + line.goals.map { EntryText.oneLine($0.title) }.joined(separator: ", ")
          + " (\(PaceText.actions(line.actionsInTerm)))"
      }
    }
    if !review.valuesWithoutGoals.isEmpty {
      let names = review.valuesWithoutGoals.map { EntryText.oneLine($0.title) }
      lines += [
        lines.isEmpty ? "" : nil,
        said("No goal of this term serves these values: \(names.joined(separator: ", "))"),
      ].compactMap { $0 }
    }
    return lines
  }

  private func actions(_ review: TermReview) throws -> [String] {
    guard review.linkedActions + review.unlinkedActions > 0 else { return [] }
    var lines = [
      "",
      said(
        review.linkedActions,
        one: "\(review.linkedActions) action of the term counts toward goals; ",
        other: "\(review.linkedActions) actions of the term count toward goals; ")
        + said(
          review.unlinkedActions,
          one: "\(review.unlinkedActions) with measurements counts toward none",
          other: "\(review.unlinkedActions) with measurements count toward none")
        + (review.unlinkedActions == 0 ? "." : ":"),
    ]
    let shown = Array(review.unlinkedSample.prefix(5))
    lines += try ActionText(context, archive).lines(shown) { _ in nil }.map { "  \($0)" }
    if review.unlinkedActions > shown.count, !shown.isEmpty {
      lines.append(
        said(
          """
            … arkived action list --with-measurements --unlinked \
          --from \(review.term.startDate) --to \(review.term.targetDate)
          """))
    }
    return lines
  }
}
