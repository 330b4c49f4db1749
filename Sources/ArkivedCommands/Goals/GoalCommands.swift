import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `goal` command: goals to reach.
struct GoalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goal", abstract: "Set goals, change them and see your progress.",
    discussion: """
      arkived goal                                       all goals
      arkived goal create Run 120 km --to "31 march" --keyword run
      arkived goal progress run                          with pace, streaks and weeks
      arkived goal actions run                           what counts toward it
      arkived goal edit run --target 150
      arkived goal delete run

      A goal counts your entries. With --unit km, every action measured in km (or miles) counts. \
      With --keyword run, it must also contain that word. Name a goal by its title, a part of it, \
      or the start of its ID.
      """,
    subcommands: [
      GoalList.self, GoalCreate.self, GoalShow.self, GoalEdit.self, GoalDelete.self,
      ShowGoalProgress.self, GoalActions.self, GoalPack.self, GoalUnpack.self,
    ], defaultSubcommand: GoalList.self)
}

struct GoalList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List goals with their progress.")

  @Option(help: "Only goals that contain this text.") var search: String?
  @Option(help: "Only goals of this type.", completion: .list(GoalType.known.map(\.rawValue)))
  var type: String?
  @Option(help: "Only goals that are still active on this day or later.") var from: String?
  @Option(help: "Only goals that are active on this day or earlier.") var to: String?
  @Flag(help: "Only goals with a start or end date.") var withDates = false
  @Flag(help: "Only goals without a start or end date.") var withoutDates = false
  @Flag(help: "Only goals with a target.") var withTarget = false
  @Flag(help: "Only goals without a target.") var withoutTarget = false
  @Option(parsing: .unconditional, help: "The maximum number to show.") var limit: Int?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard !(withDates && withoutDates), !(withTarget && withoutTarget) else {
      throw CommandFailure(
        .usage,
        said(
          """
          Use only one of each pair: --with-dates or --without-dates, --with-target or \
          --without-target.
          """))
    }
    let archive = try context.open()
    let first = try from.map { try context.firstDay($0, option: "--from") }
    let last = try to.map {
      try context.lastDay($0, from: first ?? context.today, option: "--to")
    }
    if let limit, limit < 0 { throw CommandFailure(.usage, said("--limit can’t be negative.")) }
    let filter = GoalFilter(
      searchText: search, goalType: type,
      hasDates: withDates ? true : withoutDates ? false : nil,
      hasTarget: withTarget ? true : withoutTarget ? false : nil,
      span: DayFilter(from: first, to: last), page: ListPage(limit: limit ?? .max))
    let goals = filter.select(try archive.goals()).items
    let progress = try archive.progress(of: goals, today: context.today)
    let text = GoalText(context)
    context.output.result(
      ["goals": .array(goals.map { $0.json(with: progress[$0.id]) })],
      lines: goals.compactMap { goal in progress[goal.id].map { text.line(goal, $0) } })
    if goals.isEmpty, !context.output.isJSON {
      context.output.say(
        said("No goals found. To set one: `arkived goal create Run 120 km --to \"31 march\"`"))
    }
  }
}

struct GoalCreate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Set a goal.",
    discussion: """
      arkived goal create Run 120 km --from "1 january" --to "31 march" --keyword run
      arkived goal create Meditate --unit minutes --target 600 --keyword yoga
      arkived goal create Hand in the thesis --type Milestone --to "30 june"

      Without --unit and --target, an amount in the title becomes the target. Existing actions \
      count too.
      """)

  @Argument(help: "What you want to reach.") var title: [String]
  @OptionGroup var goal: GoalFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let title = title.joined(separator: " ")
    var fields = try goal.fields(context)
    fields["title"] = .string(title)
    if goal.unit == nil, goal.target == nil, let found = TitleTarget.read(title) {
      fields["measurementUnit"] = .string(found.unit)
      fields["measurementTarget"] = JSON(found.amount)
      context.output.say(
        said(
          "Taken from the title: --target \(AmountText.plain(found.amount)) --unit \(found.unit)"))
    }
    let archive = try context.open()
    let (values, terms) = try goal.ends(context, archive)
    var reader = FieldReader(fields)
    let defaults = EntryDefaults(
      now: archive.clock.now, homeZone: context.zone, identities: archive.identities)
    let new = try GoalFieldNames.naming { try Goal(&reader, defaults: defaults) }
    var edits = GoalSideEdits()
    edits.added.append(new)
    let relations = GoalRelations(archive: archive)
    edits.added += values.map { relations.alignment(new.id, $0.id) }
    edits.committed = terms.map { (new.id, $0.id) }
    let name = "the goal “\(new.title.prefix(120))”"
    _ = try GoalFieldNames.naming {
      try archive.apply(edits, action: "add", "Added \(name)")
    }
    try GoalReport(context, archive).tell(new, as: "created", values: values, terms: terms)
  }
}

/// A report on a saved goal.
struct GoalReport {
  private let context: Context
  private let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  func tell(
    _ goal: Goal, as key: String, values: [PersonalValue] = [], terms: [Term] = []
  ) throws {
    guard let progress = try archive.progress(of: [goal], today: context.today)[goal.id] else {
      return
    }
    let warnings = GoalMatcher(goal).warnings
    let text = GoalText(context)
    context.output.result(
      [
        key: goal.json, "progress": progress.shortJSON, "values": .array(values.map(\.json)),
        "terms": .array(terms.map { $0.json(on: context.today) }), "warnings": JSON(warnings),
      ], lines: [text.line(goal, progress)] + text.lines(goal))
    for warning in warnings { context.output.say(said("Warning: \(warning).")) }
    if !context.output.isJSON { sayWaiting(progress, goal) }
  }

  func sayWaiting(_ progress: GoalProgress, _ goal: Goal) {
    guard progress.waiting > 0 else { return }
    context.output.say(
      said(
        progress.waiting,
        one: "\(progress.waiting) match waiting for review: `arkived match review`",
        other: "\(progress.waiting) matches waiting for review: `arkived match review`"))
  }
}

struct GoalShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a goal with its values and terms.")

  @Argument(help: "The goal: its title, a part of it, or its ID.", completion: .goals)
  var goal: [String]
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let goal = try archive.goal(named: goal.joined(separator: " "))
    guard let progress = try archive.progress(of: [goal], today: context.today)[goal.id] else {
      throw ArchiveError.notFound("No goal with the ID \(goal.id.uuidString).")
    }
    let values = try archive.values()
    let alignments = try archive.alignments().filter { $0.goalID == goal.id }
      .compactMap { link in values.first { $0.id == link.valueID }.map { (link, $0) } }
    let terms = try archive.terms()
    let commitments = try archive.assignments().filter { $0.goalID == goal.id }
      .compactMap { link in terms.first { $0.id == link.termID }.map { (link, $0) } }
    let warnings = GoalMatcher(goal).warnings
    let text = GoalText(context)
    let served = alignments.map { link, value in
      value.title + (link.strength.map { said(" (\($0) of 10)") } ?? "")
    }
    context.output.result(
      [
        "goal": goal.json, "progress": progress.json,
        "values": .array(
          alignments.map { link, value in ["value": value.json, "alignment": link.json] }),
        "terms": .array(
          commitments.map { link, term in
            ["term": term.json(on: context.today), "assignment": link.json]
          }), "warnings": JSON(warnings),
      ],
      lines: text.block(goal, progress) + text.lines(goal)
        + (served.isEmpty ? [] : [said("Serves: \(served.joined(separator: ", "))")])
        + commitments.map { said("Committed to in \(EntryText.oneLine($0.1.title))") })
    for warning in warnings { context.output.say(said("Warning: \(warning).")) }
    if !context.output.isJSON { GoalReport(context, archive).sayWaiting(progress, goal) }
  }
}

struct GoalEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a goal. The earlier version stays in the history.",
    discussion: """
      arkived goal edit run --target 150 --to "30 april"
      arkived goal edit run --keyword run --keyword jog
      arkived goal edit run --relevant ""        an empty text clears a field
      """)

  @Argument(help: "The goal: its title, a part of it, or its ID.", completion: .goals)
  var goal: [String]
  @Option(help: "The title.") var title: String?
  @OptionGroup var fields: GoalFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard title != nil || !fields.isEmpty || !fields.value.isEmpty || !fields.term.isEmpty else {
      throw CommandFailure(
        .usage,
        said(
          """
          Specify what to change: --title, --unit, --target, --from, --to, --type, --relevant, \
          --actionable, --hint-unit, --keyword, --weeks, --description, --notes, --value, --term.
          """))
    }
    let archive = try context.open()
    let old = try archive.goal(named: goal.joined(separator: " "))
    let (values, terms) = try fields.ends(context, archive)
    var object = try fields.fields(context, changing: old)
    if let title { object["title"] = .string(title) }
    var new = old
    try GoalFieldNames.naming { try new.change(object, homeZone: context.zone) }
    var edits = GoalSideEdits()
    if new != old { edits.changed.append(new) }
    let relations = GoalRelations(archive: archive)
    let aligned = Set(try archive.alignments().filter { $0.goalID == old.id }.map(\.valueID))
    let committed = Set(try archive.assignments().filter { $0.goalID == old.id }.map(\.termID))
    edits.added += values.filter { !aligned.contains($0.id) }
      .map { relations.alignment(old.id, $0.id) }
    edits.committed = terms.filter { !committed.contains($0.id) }.map { (old.id, $0.id) }
    let change = try GoalFieldNames.naming {
      try archive.apply(
        edits, action: "edit", "Changed the goal “\(old.title.prefix(120))”")
    }
    let saved = try archive.entity(Goal.self, old.id) ?? new
    try GoalReport(context, archive).tell(saved, as: "updated", values: values, terms: terms)
    context.output.say(change == nil ? said("Nothing changed.") : said("Saved."))
  }
}

struct GoalDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a goal. arkived undo brings it back.")

  @Argument(help: "The goal: its title, a part of it, or its ID.", completion: .goals)
  var goal: [String]
  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let goal = try archive.goal(named: goal.joined(separator: " "))
    let links = try archive.progress(of: [goal], today: context.today)[goal.id]?.actions ?? 0
    let alignments = try archive.alignments().count { $0.goalID == goal.id }
    let commitments = try archive.assignments().count { $0.goalID == goal.id }
    let told: [(count: Int, words: String)] = [
      (links, said(links, one: "\(links) link to an action", other: "\(links) links to actions")),
      (
        alignments,
        said(
          alignments, one: "\(alignments) link to a value",
          other: "\(alignments) links to values")
      ), (commitments, GoalRelations.commitments(commitments)),
    ]
    try Confirmation.ask(
      said("Delete the goal “\(EntryText.oneLine(goal.title))”\(GoalRelations.company(told))?"),
      isGiven: yes, refusal: said("Nothing was deleted."))
    let deleted = try archive.delete(Goal.self, goal.id).value
    let gone: [(count: Int, words: String)] = [
      (links, said(links, one: "\(links) link", other: "\(links) links")),
      (
        alignments,
        said(alignments, one: "\(alignments) value link", other: "\(alignments) value links")
      ),
      (commitments, GoalRelations.commitments(commitments)),
    ]
    context.output.result(
      [
        "deleted": deleted.json, "links": JSON(links), "alignments": JSON(alignments),
        "commitments": JSON(commitments),
      ],
      lines: [
        said(
          "Deleted “\(EntryText.oneLine(deleted.title))”\(GoalRelations.company(gone)). The actions are kept."
        )
      ])
    context.output.say(said("`arkived undo` reverts this."))
  }
}

/// Relations as commands create them.
struct GoalRelations {
  let archive: Archive

  func alignment(
    _ goal: UUID, _ value: UUID, strength: Int? = nil, notes: String? = nil
  ) -> GoalValueAlignment {
    let now = archive.clock.now
    return GoalValueAlignment(
      id: archive.identities.next(), goalID: goal, valueID: value, strength: strength,
      notes: notes, createdAt: now, updatedAt: now)
  }

  /// Returns “ with 2 links and 1 commitment”; empty if there are none.
  ///
  /// - Parameter counts: the number of each, and that number in words.
  /// - Returns: the words.
  static func company(_ counts: [(count: Int, words: String)]) -> String {
    let parts = counts.filter { $0.count > 0 }.map(\.words)
    guard let last = parts.last else { return "" }
    let others = parts.dropLast().joined(separator: ", ")
    return others.isEmpty ? said(" with \(last)") : said(" with \(others) and \(last)")
  }

  static func commitments(_ count: Int) -> String {
    said(count, one: "\(count) commitment", other: "\(count) commitments")
  }
}
