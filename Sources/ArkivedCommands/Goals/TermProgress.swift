import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `term progress`: what became of a term.
struct TermProgress: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "progress",
    abstract: "Look back on a term: its goals, the values they serve, what was left aside.")

  @Argument(
    help: "The term: its number, current, last, next, or its theme; the present one when left out.",
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

/// How a look back on a term reads.
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

  /// A term's name, days, and how much of its time is gone.
  static func head(_ term: Term, _ context: Context) -> [String] {
    let share = term.shareGone(on: context.today)
    let width = max(10, min(40, context.output.columns - 40))
    var lines = [GoalText(context).line(term)]
    if term.status(on: context.today) == .active {
      lines.append(
        "\(Bar.line(share, width: width)) \(PaceText.percent(share * 100)) of the time gone")
    }
    return lines
  }

  func lines(_ review: TermReview) throws -> [String] {
    var lines = TermReviewText.head(review.term, context)
    if review.committed.isEmpty {
      lines += [
        "", "No goal was committed to: arkived term add-goal \(review.term.termNumber) GOAL…",
      ]
    } else {
      lines += ["", output.bold("Committed to")]
      for line in review.committed { lines += goal(line, review.term) }
    }
    if !review.overlapping.isEmpty {
      lines += ["", output.bold("Also running then")]
      lines += review.overlapping.map { line in
        "  " + text.line(line.goal, line.progress)
          + (line.actionsInTerm > 0 ? "  \(PaceText.actions(line.actionsInTerm)) in the term" : "")
      }
    }
    lines += values(review) + (try actions(review))
    if let reflection = review.term.reflection, !reflection.isEmpty {
      lines += ["", output.bold("Reflection"), reflection]
    } else if review.status == .complete {
      lines += [
        "", "What came of it? arkived term edit \(review.term.termNumber) --reflection \"…\"",
      ]
    }
    return lines
  }

  private func goal(_ line: TermReview.GoalLine, _ term: Term) -> [String] {
    let pace = PaceText(goal: line.goal, progress: line.progress, today: context.today)
    var lines = text.block(line.goal, line.progress, indent: "  ")
    var parts: [String] = []
    if line.actionsInTerm > 0 {
      let gave = line.progress.unit == nil ? "" : "\(pace.amount(line.inTerm)) in "
      parts.append("in the term: \(gave)\(PaceText.actions(line.actionsInTerm))")
      if let last = line.lastDay { parts.append("last on \(last.dateText(context.today))") }
    } else if context.today >= term.startDate {
      parts.append("nothing in the term\(context.today > term.targetDate ? "" : " yet")")
    }
    if line.isNeglected {
      let since = max(line.lastDay ?? term.startDate, line.goal.startDate ?? term.startDate)
      let days = since.distance(to: min(context.today, term.targetDate))
      parts.append(output.bold("neglected for \(GoalText.days(days))"))
    }
    if !parts.isEmpty { lines.append("  " + parts.joined(separator: " · ")) }
    return lines
  }

  private func values(_ review: TermReview) -> [String] {
    var lines: [String] = []
    if !review.values.isEmpty {
      lines += ["", output.bold("Values")]
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
        "No goal of this term serves: \(names.joined(separator: ", "))",
      ].compactMap { $0 }
    }
    return lines
  }

  private func actions(_ review: TermReview) throws -> [String] {
    guard review.linkedActions + review.unlinkedActions > 0 else { return [] }
    var lines = [
      "",
      "\(PaceText.actions(review.linkedActions)) of the term "
        + "\(review.linkedActions == 1 ? "counts" : "count") towards goals; "
        + "\(review.unlinkedActions) with measurements "
        + "\(review.unlinkedActions == 1 ? "counts" : "count") towards none"
        + (review.unlinkedActions == 0 ? "." : ":"),
    ]
    let shown = Array(review.unlinkedSample.prefix(5))
    lines += try ActionText(context, archive).lines(shown) { _ in nil }.map { "  \($0)" }
    if review.unlinkedActions > shown.count, !shown.isEmpty {
      lines.append(
        "  … arkived action list --with-measurements --unlinked "
          + "--from \(review.term.startDate) --to \(review.term.targetDate)")
    }
    return lines
  }
}
