import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `match` command: suggestions of actions that may count toward goals.
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Decide which uncertain matches count.",
    discussion: """
      arkived match review              reviews matches one by one
      arkived match review --list       lists them
      arkived match confirm 3F2A91B0    or reject, for scripts
      arkived match infer               looks for matches again

      A match of 70% or more counts automatically. Below that, it waits for review here. Your decisions are kept.
      """,
    subcommands: [
      MatchReview.self, MatchConfirm.self, MatchReject.self, MatchInfer.self,
    ], defaultSubcommand: MatchReview.self)
}

struct MatchReview: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review", abstract: "Review matches one by one.",
    discussion: """
      Keys: y confirms, n rejects, s skips, a confirms all for this goal, u undoes the last \
      decision, q quits. Without a terminal, the matches are listed.
      """)

  @Option(help: "Only matches of this goal.", completion: .goals) var goal: String?
  @Flag(help: "Only list them.") var list = false
  @Option(help: "The maximum number to list.") var limit = 50
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard limit >= 0 else { throw CommandFailure(.usage, said("--limit can’t be negative.")) }
    let archive = try context.open()
    let goal = try goal.map { try archive.goal(named: $0) }
    let counts = try archive.waitingCounts()
    let total = goal.map { counts[$0.id] ?? 0 } ?? counts.values.reduce(0, +)
    if !list, !context.output.isJSON, StandardInput.isInteractive {
      return try MatchSession(context, archive, goal: goal?.id).run()
    }
    let matches = try archive.waitingMatches(goal: goal?.id, limit: limit)
    let actions = ActionText(context, archive)
    context.output.result(
      [
        "waiting": JSON(total),
        "matches": .array(
          matches.map {
            ["match": $0.contribution.json, "action": $0.action.json, "goal": $0.goal.json]
          }),
      ],
      lines: matches.map { match in
        let unit = match.goal.measurementUnit.map { " \($0)" } ?? ""
        return "\(match.contribution.id.uuidString.prefix(8))  \(actions.line(match.action)) → "
          + "\(EntryText.oneLine(match.goal.title)): "
          + "\(AmountText.told(match.contribution.contribution))\(unit) "
          + "(\(GoalText.why(match.contribution)))"
      })
    guard !context.output.isJSON else { return }
    if total == 0 {
      context.output.say(said("Nothing to review."))
    } else {
      context.output.say(
        said(
          total,
          one: "\(total) match waiting for review: `arkived match confirm ID…` or `reject ID…`",
          other: "\(total) matches waiting for review: `arkived match confirm ID…` or `reject ID…`")
      )
    }
  }
}

/// The matches that a script specifies.
struct MatchNames: ParsableArguments {
  @Argument(help: "The IDs of the matches, or their first digits.")
  var ids: [String] = []
  @Option(help: "All matches of this goal that are waiting for review.", completion: .goals)
  var goal: String?
  @OptionGroup var options: GlobalOptions

  func decide(_ method: MatchMethod, as key: String) throws {
    let context = try Context(options)
    guard ids.isEmpty != (goal == nil) else {
      throw CommandFailure(
        .usage, said("Give IDs from `arkived match review --list`, or a goal with --goal.")
      )
    }
    let archive = try context.open()
    let keys: [UUID]
    if let goal {
      let goal = try archive.goal(named: goal)
      keys = try archive.waitingMatches(goal: goal.id, limit: .max).map(\.contribution.id)
    } else {
      keys = try identities(archive)
    }
    let decided = keys.isEmpty ? [] : try archive.decide(keys, method).value
    context.output.result(
      [key: .array(decided.map(\.json))],
      lines: [
        method == .userRejected
          ? said(
            decided.count, one: "\(decided.count) match rejected.",
            other: "\(decided.count) matches rejected.")
          : said(
            decided.count, one: "\(decided.count) match confirmed.",
            other: "\(decided.count) matches confirmed.")
      ])
    if !decided.isEmpty { context.output.say(said("`arkived undo` reverts this.")) }
  }

  private func identities(_ archive: Archive) throws -> [UUID] {
    let waiting =
      ids.allSatisfy { UUID(uuidString: $0) != nil }
      ? [] : try archive.waitingMatches(limit: .max).map(\.contribution.id)
    var keys: [UUID] = []
    for id in ids {
      let key = try MatchNames.identity(id, among: waiting)
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  private static func identity(_ text: String, among waiting: [UUID]) throws -> UUID {
    if let id = UUID(uuidString: text) { return id }
    let digits = text.uppercased().filter { $0 != "-" }
    let found =
      digits.count < 4
      ? []
      : waiting.filter { $0.uuidString.filter { $0 != "-" }.hasPrefix(digits) }
    guard let first = found.first else {
      throw ArchiveError.notFound(
        "No match with the ID “\(text.prefix(60))” is waiting for review.")
    }
    guard found.count == 1 else {
      throw ArchiveError.ambiguous(
        "Several matches have IDs that start with \(text.prefix(60)). Enter more digits.")
    }
    return first
  }
}

struct MatchConfirm: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm", abstract: "Confirm matches to make them count.")

  @OptionGroup var names: MatchNames

  func run() throws { try names.decide(.userConfirmed, as: "confirmed") }
}

struct MatchReject: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reject", abstract: "Reject matches. They aren’t suggested again.")

  @OptionGroup var names: MatchNames

  func run() throws { try names.decide(.userRejected, as: "rejected") }
}

struct MatchInfer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer", abstract: "Look for matches again.",
    discussion: """
      Matches are updated with every change. This command only double-checks them. Your decisions \
      are kept.
      """)

  @Option(help: "Only matches of this goal. Can be repeated.", completion: .goals) var goal:
    [String] = []
  @Option(help: "Only actions from this day on. A phrase such as “last month” works too.") var from:
    String?
  @Option(help: "Only actions up to this day. A phrase such as “last month” works too.") var to:
    String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let days = try DayRange.read(from: from, to: to, context)
    let archive = try context.open()
    let goals = try goal.map { try archive.goal(named: $0) }.uniqued()
    let report = try archive.inferContributions(
      goals: goals.isEmpty ? nil : goals.map(\.id), days: days)
    context.output.result(
      report.json,
      lines: [
        said(
          """
          \(PaceText.actions(report.analysed)) checked: \(report.matched) matched, \
          \(report.ambiguous) unclear, \(report.unmatched) didn’t match.
          """),
        said(
          report.added,
          one: "\(report.added) match added, \(report.changed) changed, \(report.removed) removed.",
          other:
            "\(report.added) matches added, \(report.changed) changed, \(report.removed) removed."),
      ])
    for warning in report.warnings { context.output.say(said("Warning: \(warning).")) }
  }
}
