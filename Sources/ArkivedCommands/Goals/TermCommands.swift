import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `term` command: periods of about ten weeks, each with the goals committed to for it.
struct TermCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "term", abstract: "Plan terms of about ten weeks and look back on them.",
    discussion: """
      arkived term                                      all terms
      arkived term create Spring base --from monday     ten weeks from the nearest Monday
      arkived term add-goal current run sleep           commits to goals
      arkived term progress                             the current term’s progress
      arkived term edit 3 --reflection "Less, but better."

      Name a term by its number, by current, last or next, or by a part of its theme.
      """,
    subcommands: [
      TermList.self, TermCreate.self, TermShow.self, TermEdit.self, TermDelete.self,
      TermCurrent.self, TermAddGoal.self, TermRemoveGoal.self, TermProgress.self,
    ], defaultSubcommand: TermList.self)
}

/// The attributes of a term.
struct TermFields: ParsableArguments {
  @Option(parsing: .unconditional, help: "Its number, which must be unique.")
  var number: String?
  @Option(help: "Its first day: today, monday, 2026-03-02.", completion: .days) var from: String?
  @Option(help: "Its last day. Default: 70 days after the first.", completion: .days)
  var to: String?
  @Option(help: "What it is about.") var theme: String?
  @Option(help: "Your reflection on it.") var reflection: String?
  @Option(help: "A longer description.") var description: String?
  @Option(help: "Additional notes.") var notes: String?

  var isEmpty: Bool {
    [number, from, to, theme, reflection, description, notes].allSatisfy { $0 == nil }
  }

  func fields(_ context: Context, changing present: Term? = nil) throws -> JSONObject {
    var fields = JSONObject()
    func set(_ field: String, _ text: String?) {
      if let text { fields[field] = text.isEmpty ? .null : .string(text) }
    }
    if let number {
      guard let value = Int(number) else {
        throw FieldError(
          "termNumber",
          said("is \(FieldError.shown(number)), but must be a whole number (--number)")
        )
      }
      fields["termNumber"] = JSON(value)
    }
    let start = try from.map { text in
      guard !text.isEmpty else {
        throw FieldError("startDate", said("is empty. A term needs a first day (--from)"))
      }
      return try context.firstDay(text, option: "--from")
    }
    if let start { fields["startDate"] = JSON(start) }
    if let to {
      let anchor = (start ?? present?.startDate)?.advanced(by: 1) ?? context.today
      fields["targetDate"] =
        to.isEmpty ? .null : JSON(try context.lastDay(to, from: anchor, option: "--to"))
    }
    set("theme", theme)
    set("reflection", reflection)
    set("description", description)
    set("notes", notes)
    return fields
  }

  /// Warns about overlapping terms, which are allowed but seldom intended.
  static func sayOverlaps(_ term: Term, _ context: Context, _ archive: Archive) throws {
    for other in try archive.terms() where other.id != term.id && other.overlaps(term) {
      context.output.say(
        said(
          """
          Warning: it overlaps with \(EntryText.oneLine(other.shownTitle)) (\(other.startDate) – \
          \(other.targetDate)).
          """))
    }
  }
}

struct TermList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List terms, newest first.")

  @Option(
    help: "Only terms with this status: active, upcoming or complete.",
    completion: .list(TermStatus.known.map(\.rawValue)))
  var status: String?
  @Option(parsing: .unconditional, help: "The maximum number to show.") var limit: Int?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    if let limit, limit < 0 { throw CommandFailure(.usage, said("--limit can’t be negative.")) }
    let wanted: TermStatus?
    do { wanted = try status.flatMap(TermStatus.filter) } catch {
      throw CommandFailure(.usage, said("--status must be active, upcoming, complete or all."))
    }
    let archive = try context.open()
    let terms = Array(
      try archive.terms().filter {
        wanted == nil || $0.status(on: context.today) == wanted
      }.prefix(limit ?? .max))
    let counts = Dictionary(grouping: try archive.assignments(), by: \.termID)
      .mapValues(\.count)
    let text = GoalText(context)
    context.output.result(
      ["terms": .array(terms.map { $0.json(on: context.today) })],
      lines: terms.map { term in
        let count = counts[term.id] ?? 0
        return text.line(term)
          + context.output.faint("  " + said(count, one: "\(count) goal", other: "\(count) goals"))
      })
    if terms.isEmpty, !context.output.isJSON {
      context.output.say(said("No terms found. To plan one: `arkived term create --from monday`"))
    }
  }
}

struct TermCreate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Plan a term.",
    discussion: """
      arkived term create Spring base --from monday
      arkived term create --number 4 --from 2026-06-01 --to 2026-08-09 --theme Rest

      Without options, a term gets the next number, starts the day after the last term (today at \
      the earliest) and lasts 70 days.
      """)

  @Argument(help: "Its theme.") var words: [String] = []
  @OptionGroup var term: TermFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard words.isEmpty || term.theme == nil else {
      throw CommandFailure(.usage, said("Give the theme only once: as words or with --theme."))
    }
    var fields = try term.fields(context)
    if !words.isEmpty { fields["theme"] = .string(words.joined(separator: " ")) }
    let archive = try context.open()
    let next = try archive.nextTerm(today: context.today)
    if fields["termNumber"] == nil { fields["termNumber"] = JSON(next.number) }
    if fields["startDate"] == nil {
      fields["startDate"] = JSON(next.start)
      if let to = term.to, !to.isEmpty {
        fields["targetDate"] = JSON(
          try context.lastDay(to, from: next.start.advanced(by: 1), option: "--to"))
      }
    }
    var reader = FieldReader(fields)
    let defaults = EntryDefaults(
      now: archive.clock.now, homeZone: context.zone, identities: archive.identities)
    let saved = try GoalFieldNames.naming {
      try archive.create(try Term(&reader, defaults: defaults)).value
    }
    context.output.result(
      ["created": saved.json(on: context.today)], lines: [GoalText(context).line(saved)])
    try TermFields.sayOverlaps(saved, context, archive)
    guard !context.output.isJSON else { return }
    context.output.say(
      said("To commit to goals: `arkived term add-goal \(saved.termNumber) GOAL…`"))
  }
}

/// A term with its goals.
struct TermReport {
  private let context: Context
  private let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  func tell(_ term: Term, as key: String) throws {
    let goals = try archive.goals()
    let links = try archive.assignments().filter { $0.termID == term.id }
      .compactMap { link in goals.first { $0.id == link.goalID }.map { (link, $0) } }
      .sorted { ($0.0.order, $0.1.title) < ($1.0.order, $1.1.title) }
    let progress = try archive.progress(of: links.map(\.1), today: context.today)
    let text = GoalText(context)
    let reflection = term.reflection.map { said("Reflection: \($0)") }
    context.output.result(
      [
        key: term.json(on: context.today),
        "goals": .array(
          links.map { link, goal in
            ["goal": goal.json(with: progress[goal.id]), "assignment": link.json]
          }),
      ],
      lines: [text.line(term)]
        + links.compactMap { link, goal in
          progress[goal.id].map { "  \(link.order). " + text.line(goal, $0) }
        } + [term.description, term.notes, reflection].compactMap { $0 }.flatMap { ["", $0] })
    guard links.isEmpty, !context.output.isJSON else { return }
    context.output.say(
      said(
        "You haven’t committed to any goals yet. To add one: `arkived term add-goal \(term.termNumber) GOAL…`"
      ))
  }
}

struct TermShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a term with its goals.")

  @Argument(help: "The term: its number, current, last, next, or its theme.", completion: .terms)
  var term: [String]
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let term = try archive.term(named: term.joined(separator: " "), today: context.today)
    try TermReport(context, archive).tell(term, as: "term")
  }
}

struct TermCurrent: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "current", abstract: "Show the current term.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let term = try archive.term(named: "current", today: context.today)
    try TermReport(context, archive).tell(term, as: "term")
  }
}

struct TermEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a term. The earlier version stays in the history.",
    discussion: """
      arkived term edit 3 --reflection "Less, but better."
      arkived term edit next --from "1 june"      its last day shifts too
      arkived term edit 3 --theme ""              an empty text clears a field
      """)

  @Argument(help: "The term: its number, current, last, next, or its theme.", completion: .terms)
  var term: [String]
  @OptionGroup var fields: TermFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard !fields.isEmpty else {
      throw CommandFailure(
        .usage,
        said(
          "Specify what to change: --number, --from, --to, --theme, --reflection, --description, --notes."
        ))
    }
    let archive = try context.open()
    let old = try archive.term(named: term.joined(separator: " "), today: context.today)
    let object = try fields.fields(context, changing: old)
    let saved = try GoalFieldNames.naming {
      try archive.update(Term.self, old.id) { try $0.change(object, homeZone: context.zone) }
    }
    try TermReport(context, archive).tell(saved.value, as: "updated")
    if saved.value.days != old.days { try TermFields.sayOverlaps(saved.value, context, archive) }
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }
}

struct TermDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a term. Its goals are kept. arkived undo brings it back.")

  @Argument(help: "The term: its number, current, last, next, or its theme.", completion: .terms)
  var term: [String]
  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let term = try archive.term(named: term.joined(separator: " "), today: context.today)
    let commitments = try archive.assignments().count { $0.termID == term.id }
    let company = GoalRelations.company([
      (commitments, GoalRelations.commitments(commitments))
    ])
    try Confirmation.ask(
      said("Delete \(EntryText.oneLine(term.shownTitle))\(company)?"), isGiven: yes,
      refusal: said("Nothing was deleted."))
    let deleted = try archive.delete(Term.self, term.id).value
    let name = EntryText.oneLine(deleted.shownTitle)
    context.output.result(
      ["deleted": deleted.json(on: context.today), "commitments": JSON(commitments)],
      lines: [said("Deleted \(name)\(company). Its goals are kept.")])
    context.output.say(said("`arkived undo` reverts this."))
  }
}

struct TermAddGoal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-goal", abstract: "Commit to goals for a term.",
    discussion: "arkived term add-goal current run \"Sleep early\"")

  @Argument(help: "The term: its number, current, last, next, or its theme.", completion: .terms)
  var term: String
  @Argument(help: "The goals: titles, parts of them, or IDs.", completion: .goals)
  var goals: [String]
  @Option(
    parsing: .unconditional,
    help: "The position at which the goals are inserted. Default: at the end.")
  var order: Int?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let term = try archive.term(named: term, today: context.today)
    let goals = try goals.map { try archive.goal(named: $0) }.uniqued()
    if let order, !(0...TermGoalAssignment.lastPlace).contains(order) {
      throw FieldError(
        "order", said("is \(order), but must be between 0 and \(TermGoalAssignment.lastPlace)"))
    }
    let titles = goals.map { "“\($0.title.prefix(60))”" }.joined(separator: ", ")
    let written = try archive.write(by: .owner, "commit", "Committed to \(titles)") { scope in
      let written = try scope.commit(to: goals.map(\.id), inTerm: term.id, order: order)
      if written.isEmpty { try scope.forget() }
      return Set(written.map(\.goalID))
    }.value
    for goal in goals where !written.contains(goal.id) {
      context.output.say(said("You have already committed to “\(EntryText.oneLine(goal.title))”."))
    }
    try TermReport(context, archive).tell(term, as: "term")
  }
}

struct TermRemoveGoal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-goal", abstract: "Remove goals from a term. The goals are kept.")

  @Argument(help: "The term: its number, current, last, next, or its theme.", completion: .terms)
  var term: String
  @Argument(help: "The goals: titles, parts of them, or IDs.", completion: .goals)
  var goals: [String]
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let term = try archive.term(named: term, today: context.today)
    let present = try archive.assignments().filter { $0.termID == term.id }
    var edits = GoalSideEdits()
    let goals = try goals.map { try archive.goal(named: $0) }.uniqued()
    for goal in goals {
      guard let link = present.first(where: { $0.goalID == goal.id }) else {
        throw ArchiveError.notFound(
          "“\(goal.title.prefix(60))” isn’t part of term \(term.termNumber).")
      }
      edits.removed.append(link)
    }
    try archive.apply(
      edits, action: "commit",
      "Removed \(goals.map { "“\($0.title.prefix(60))”" }.joined(separator: ", ")) from term "
        + "\(term.termNumber)")
    try TermReport(context, archive).tell(term, as: "term")
  }
}
