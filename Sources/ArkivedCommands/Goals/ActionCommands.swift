import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `action` command: activities from the perspective of goals.
struct ActionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "action", abstract: "Log actions with measurements and link them to goals.",
    discussion: """
      arkived action                                        those with measurements or goals
      arkived action create ran by the river --measure km=5 --minutes 28
      arkived action create "called Mum" --goal "Keep in touch"
      arkived action edit 3F2A91B0 --measure km=6
      arkived action goals 3F2A91B0                         what it counts toward, and why
      arkived action goals 3F2A91B0 --add run --amount 4

      An action is an entry with a measurement, or one that counts toward a goal.
      """,
    subcommands: [
      ActionList.self, ActionCreate.self, ActionShow.self, ActionEdit.self, ActionDelete.self,
      ActionGoals.self,
    ], defaultSubcommand: ActionList.self)
}

struct ActionList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List actions, newest first.")

  @Option(help: "The first day, or a phrase such as “last month”.") var from: String?
  @Option(help: "The last day, or a phrase such as “last month”.") var to: String?
  @Option(help: "Only actions that contain this text.") var search: String?
  @Flag(help: "Only actions with measurements.") var withMeasurements = false
  @Flag(name: .customLong("without"), help: "Only actions without measurements.")
  var withoutMeasurements = false
  @Flag(help: "Only actions with a duration.") var withDuration = false
  @Flag(help: "Only actions without a duration.") var withoutDuration = false
  @Flag(help: "Only actions that count toward a goal.") var linked = false
  @Flag(help: "Only actions that don’t count toward any goal.") var unlinked = false
  @Option(parsing: .unconditional, help: "The maximum number to show.") var limit = 50
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard limit >= 0 else { throw CommandFailure(.usage, said("--limit can’t be negative.")) }
    guard !(withMeasurements && withoutMeasurements), !(withDuration && withoutDuration),
      !(linked && unlinked)
    else {
      throw CommandFailure(
        .usage,
        said(
          """
          Use only one of each pair: --with-measurements or --without, --with-duration or \
          --without-duration, --linked or --unlinked.
          """))
    }
    let days = try DayRange.read(from: from, to: to, context)
    let archive = try context.open()
    let filter = ActionFilter(
      searchText: search,
      hasMeasurements: withMeasurements ? true : withoutMeasurements ? false : nil,
      hasDuration: withDuration ? true : withoutDuration ? false : nil,
      isLinked: linked ? true : unlinked ? false : nil, from: days?.lowerBound,
      to: days?.upperBound, limit: limit)
    let actions = try archive.actions(filter)
    let count = try archive.countActions(filter)
    let links =
      context.output.isJSON
      ? []
      : try actions.map { action in
        try archive.contributions(ofAction: action.id).filter(\.contribution.counts)
          .map { EntryText.oneLine($0.goal.title) }
      }
    try context.output.result(
      ["actions": .array(actions.map(\.json)), "count": JSON(count)],
      lines: ActionText(context, archive).lines(actions) { index in
        links[index].isEmpty ? nil : "→ \(links[index].joined(separator: ", "))"
      })
    guard !context.output.isJSON else { return }
    if actions.isEmpty {
      context.output.say(
        said("No actions found. To log one: `arkived action create ran --measure km=5`"))
    } else if count > actions.count {
      context.output.say(
        said("\(actions.count) of \(count) shown. Use --limit \(count) to show all."))
    }
  }
}

struct ActionCreate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Log an action. Without options, arkived add does the same.",
    discussion: """
      arkived action create "yesterday at 7am: ran by the river" --measure km=5 --minutes 28
      arkived action create read --measure pages=30 --goal "Read 12 books" --amount 0.1
      """)

  @Argument(help: "The line, as for arkived add.") var words: [String]
  @Option(help: "A unit and an amount: km=5. Can be repeated.") var measure: [String] = []
  @Option(parsing: .unconditional, help: "The duration in minutes.") var minutes: String?
  @Option(help: "The day, if the line doesn’t contain one.", completion: .days) var day: String?
  @Option(help: "A goal to link it to right away. Can be repeated.", completion: .goals)
  var goal: [String] = []
  @Option(parsing: .unconditional, help: "The amount it adds to the goal, in the goal’s unit.")
  var amount: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard amount == nil || goal.count == 1 else {
      throw CommandFailure(.usage, said("--amount needs exactly one --goal."))
    }
    let given = try amount.map(MeasureOption.amount)
    let length = try minutes.map(MeasureOption.minutes)
    let page = try day.map { try context.day([$0]) }
    let archive = try context.open()
    let amounts = try MeasureOption.read(
      measure, units: try archive.units(in: TerminalLanguage.typed))
    let goals = try goal.map { try archive.goal(named: $0) }.uniqued()
    let entry = EntryLine(
      archive: archive, zone: context.zone, language: TerminalLanguage.typed)
    let reading = try entry.understand(words.joined(separator: " "), onPage: page)
    var action = entry.activity(from: reading)
    action.measurements.merge(amounts) { $1 }
    if let length { action.durationMinutes = length }
    // Nothing is written before everything has been validated.
    let facts = ActionFacts(action)
    for goal in goals where given == nil {
      guard goal.measurementUnit == nil || GoalMatcher(goal).measured(facts) != nil else {
        throw FieldError(
          "contribution",
          said(
            """
            is missing: the action has no measurement in \(goal.measurementUnit ?? ""). Use \
            --amount to say how much it adds to “\(goal.title.prefix(60))”
            """))
      }
    }
    try EntryReport(context, archive).add(
      action, reading, goals: goals.map(\.id), amount: given)
  }
}

struct ActionShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show an action and what it counts toward.")

  @Argument(help: "The ID of the action, or its first digits.", completion: .identities)
  var id: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    try ActionReport(context, archive).tell(archive.activityID(matching: id), as: "action")
  }
}

struct ActionEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change an action. The earlier version stays in the history.",
    discussion: """
      arkived action edit 3F2A91B0 --measure km=6 --remove-measure kcal --minutes 30

      Other measurements stay. To change anything else: arkived edit.
      """)

  @Argument(help: "The ID of the action, or its first digits.", completion: .identities)
  var id: String
  @Option(help: "What you did.") var text: String?
  @Option(help: "The day it belongs to.", completion: .days) var day: String?
  @Option(help: "A unit and an amount: km=6. Can be repeated.") var measure: [String] = []
  @Option(name: .customLong("remove-measure"), help: "A unit to remove. Can be repeated.")
  var removeMeasure: [String] = []
  @Option(parsing: .unconditional, help: "The duration in minutes. An empty value removes it.")
  var minutes: String?
  @Option(help: "A longer description.") var description: String?
  @Option(help: "Additional notes.") var notes: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard
      !measure.isEmpty || !removeMeasure.isEmpty
        || [text, day, minutes, description, notes].contains(where: { $0 != nil })
    else {
      throw CommandFailure(
        .usage,
        said(
          """
          Specify what to change: --text, --day, --measure, --remove-measure, --minutes, \
          --description, --notes. To use your editor, run `arkived edit \(id)`.
          """))
    }
    let length = try minutes.map { $0.isEmpty ? nil : try MeasureOption.minutes($0) }
    let newDay = try day.map { try context.day([$0]) }
    let archive = try context.open()
    let units = try archive.units(in: TerminalLanguage.typed)
    let amounts = try MeasureOption.read(measure, units: units)
    let key = try archive.activityID(matching: id)
    let saved = try archive.updateActivity(key) { action in
      if let text { action.text = text }
      for unit in removeMeasure {
        let names = action.measurements.keys.filter { units.isSame($0, unit) }
        guard !names.isEmpty else {
          throw FieldError(
            "measurements", said("doesn’t include \(FieldError.shown(unit))"))
        }
        for name in names { action.measurements[name] = nil }
      }
      action.measurements.merge(amounts) { $1 }
      if let length { action.durationMinutes = length }
      if let description { action.description = description.isEmpty ? nil : description }
      if let notes { action.notes = notes.isEmpty ? nil : notes }
      try ActivityTimes.change(&action, day: newDay, start: nil, end: nil)
    }
    try ActionReport(context, archive).tell(key, as: "updated")
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }
}

/// An action with its linked goals.
struct ActionReport {
  private let context: Context
  private let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  func tell(_ id: UUID, as key: String) throws {
    guard let action = try archive.activity(id) else {
      throw ArchiveError.notFound("No action with the ID \(id.uuidString).")
    }
    let links = try archive.contributions(ofAction: id)
    let text = ActionText(context, archive)
    try context.output.result(
      [
        key: action.json,
        "goals": .array(
          links.map { ["goal": $0.goal.json, "contribution": $0.contribution.json] }),
      ],
      lines: text.lines([action]) { _ in nil }
        + [action.description, action.notes].compactMap { $0 }.map { "    \($0)" }
        + links.map { link, goal in
          "  → \(EntryText.oneLine(goal.title)): \(AmountText.told(link.contribution))"
            + (goal.measurementUnit.map { " \($0)" } ?? "") + " (\(GoalText.why(link)))"
        })
  }
}

struct ActionDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete actions. arkived undo brings them back.")

  @Argument(
    help: "The IDs of the actions, or their first digits.", completion: .identities)
  var ids: [String]
  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var keys: [UUID] = []
    for id in ids {
      let key = try archive.activityID(matching: id)
      if !keys.contains(key) { keys.append(key) }
    }
    let links = try keys.reduce(0) { sum, key in
      try sum + archive.contributions(ofAction: key).count(where: \.contribution.counts)
    }
    if !context.output.isJSON, !yes {
      for line in try ActionText(context, archive).lines(
        archive.activities(keys), tail: { _ in nil })
      { context.output.say(line) }
    }
    let company = GoalRelations.company([
      (links, said(links, one: "\(links) link to a goal", other: "\(links) links to goals"))
    ])
    try Confirmation.ask(
      keys.count == 1
        ? said("Delete this action\(company)?")
        : said("Delete these \(keys.count) actions\(company)?"),
      isGiven: yes, refusal: said("Nothing was deleted."))
    let deleted = try archive.deleteActivities(keys).value
    context.output.result(
      ["deleted": .array(deleted.map(\.json)), "links": JSON(links)],
      lines: [said("Deleted \(PaceText.actions(deleted.count))\(company).")])
    context.output.say(
      deleted.count == 1
        ? said("`arkived undo` reverts this.") : said("`arkived undo` reverts this."))
  }
}

struct ActionGoals: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goals",
    abstract: "Show what an action counts toward and why, or change its "
      + "goals.",
    discussion: """
      arkived action goals 3F2A91B0
      arkived action goals 3F2A91B0 --add run --amount 4
      arkived action goals 3F2A91B0 --remove run     it won’t count, now or later
      arkived action goals 3F2A91B0 --confirm run    or --reject, for a match to review
      """)

  @Argument(help: "The ID of the action, or its first digits.", completion: .identities)
  var id: String
  @Option(help: "A goal to link it to.", completion: .goals) var add: String?
  @Option(
    parsing: .unconditional,
    help: "The amount it adds, in the goal’s unit. Default: the action’s own measurement.")
  var amount: String?
  @Option(help: "A goal to unlink it from.", completion: .goals) var remove: String?
  @Option(help: "A goal to confirm the match for.", completion: .goals) var confirm: String?
  @Option(help: "A goal to reject the match for.", completion: .goals) var reject: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let asked = [add, remove, confirm, reject].compactMap { $0 }
    guard asked.count <= 1 else {
      throw CommandFailure(.usage, said("Use only one: --add, --remove, --confirm or --reject."))
    }
    guard amount == nil || add != nil else {
      throw CommandFailure(.usage, said("--amount needs --add."))
    }
    let given = try amount.map(MeasureOption.amount)
    let archive = try context.open()
    let action = try archive.activityID(matching: id)
    if let name = asked.first {
      let goal = try archive.goal(named: name)
      if add != nil {
        _ = try GoalFieldNames.naming {
          try archive.link(action: action, goal: goal.id, amount: given)
        }
      } else if remove != nil {
        try archive.unlink(action: action, goal: goal.id)
      } else {
        let links = try archive.contributions(ofAction: action)
        guard let link = links.first(where: { $0.goal.id == goal.id })?.contribution else {
          throw ArchiveError.notFound(
            "No link between this action and “\(goal.title.prefix(60))”. To create one, use --add.")
        }
        try archive.decide([link.id], confirm != nil ? .userConfirmed : .userRejected)
      }
    }
    try ActionReport(context, archive).tell(action, as: "action")
    guard asked.isEmpty, !context.output.isJSON else { return }
    if try archive.contributions(ofAction: action).isEmpty {
      context.output.say(said("This action doesn’t count toward any goal."))
    }
  }
}
