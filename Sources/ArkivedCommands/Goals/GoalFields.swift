import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The attributes of a goal, when it is set and when it is changed.
struct GoalFields: ParsableArguments {
  @Option(help: "The unit of measurement: km, pages, minutes, times.") var unit: String?
  @Option(
    parsing: .unconditional, help: "How much you want to reach: 120, or “120 km” with its unit.")
  var target: String?
  @Option(help: "The first day that counts: 2026-01-01, today, “1 january”.", completion: .days)
  var from: String?
  @Option(help: "The last day that counts: 2026-03-31, “in ten weeks”.", completion: .days)
  var to: String?
  @Option(
    help: "Goal, SmartGoal (fully specified) or Milestone (reached on a single date).",
    completion: .list(GoalType.known.map(\.rawValue)))
  var type: String?
  @Option(help: "Why it matters.") var relevant: String?
  @Option(
    help: ArgumentHelp(
      "Which actions count, as JSON: {\"units\":[\"km\"],\"keywords\":[\"run\"]}.",
      valueName: "json"))
  var actionable: String?
  @Option(
    name: .customLong("hint-unit"),
    help: ArgumentHelp(
      "Count actions with a measurement in this unit. Can be repeated.", valueName: "unit"))
  var hintUnit: [String] = []
  @Option(
    help: ArgumentHelp(
      "Count only actions that contain this word, in any form. Can be repeated.", valueName: "word")
  )
  var keyword: [String] = []
  @Option(parsing: .unconditional, help: "The expected duration in weeks.")
  var weeks: String?
  @Option(help: "A longer description.") var description: String?
  @Option(help: "Additional notes.") var notes: String?
  @Option(help: "A value that it serves. Can be repeated.", completion: .values)
  var value: [String] = []
  @Option(help: "A term to add it to. Can be repeated.", completion: .terms)
  var term: [String] = []

  /// True if no attribute of the goal itself is given.
  var isEmpty: Bool {
    [unit, target, from, to, type, relevant, actionable, weeks, description, notes]
      .allSatisfy { $0 == nil } && hintUnit.isEmpty && keyword.isEmpty
  }

  /// Returns the given fields by their names in goals; null clears one.
  ///
  /// - Parameters:
  ///   - context: the archive and its settings.
  ///   - present: the goal to change.
  /// - Returns: the fields.
  /// - Throws: an error if an option isn't valid.
  func fields(_ context: Context, changing present: Goal? = nil) throws -> JSONObject {
    var fields = JSONObject()
    func set(_ field: String, _ text: String?) {
      if let text { fields[field] = text.isEmpty ? .null : .string(text) }
    }
    set(
      "measurementUnit", unit.map { UnitTable.standard.typedName($0, in: TerminalLanguage.typed) })
    if let target {
      let (amount, own) = try GoalFields.amount(target)
      fields["measurementTarget"] = JSON(amount)
      if let own, unit == nil { fields["measurementUnit"] = .string(own) }
    }
    let start = try from.map {
      $0.isEmpty ? nil : try context.firstDay($0, option: "--from")
    }
    if let start { fields["startDate"] = JSON(start) }
    if let to {
      let anchor = (start ?? present?.startDate)?.advanced(by: 1) ?? context.today
      fields["targetDate"] =
        to.isEmpty ? .null : JSON(try context.lastDay(to, from: anchor, option: "--to"))
    }
    if let type { fields["goalType"] = .string(GoalFields.type(type, context.output).rawValue) }
    set("howGoalIsRelevant", relevant)
    set("howGoalIsActionable", try actionability(changing: present))
    if let weeks {
      guard let number = weeks.isEmpty ? 0 : Int(weeks) else {
        throw FieldError(
          "expectedTermLength",
          said("is \(FieldError.shown(weeks)), but must be a whole number of weeks (--weeks)"))
      }
      fields["expectedTermLength"] = weeks.isEmpty ? .null : JSON(number)
    }
    set("description", description)
    set("notes", notes)
    return fields
  }

  /// Returns the given hints; friendlier options change only what they name.
  private func actionability(changing present: Goal?) throws -> String? {
    guard !hintUnit.isEmpty || !keyword.isEmpty else { return actionable }
    guard actionable == nil else {
      throw CommandFailure(
        .usage, said("--actionable already covers this. Remove --hint-unit and --keyword."))
    }
    var hints = GoalHints()
    if case .hints(let old) = GoalHints.read(present?.howGoalIsActionable) { hints = old }
    if !hintUnit.isEmpty { hints.units = hintUnit.filter { !$0.isEmpty } }
    if !keyword.isEmpty { hints.keywords = keyword.filter { !$0.isEmpty } }
    return hints.text(over: present?.howGoalIsActionable) ?? ""
  }

  /// Parses an amount with an optional unit; nil for an empty text.
  private static func amount(_ text: String) throws -> (amount: Double?, unit: String?) {
    guard !text.isEmpty else { return (nil, nil) }
    let known = TitleTarget.read(text)
    let typed = TypedNumber.read(text, in: TerminalLanguage.typed)
    guard let amount = known?.amount ?? typed, amount > 0, amount <= Goal.largestTarget
    else {
      throw FieldError(
        "measurementTarget",
        said(
          """
          is \(FieldError.shown(text)), but must be above 0 and at most \
          \(AmountText.plain(Goal.largestTarget)) (--target)
          """))
    }
    return (amount, known?.unit)
  }

  /// Returns a type by its name in any case, or by a prefix.
  private static func type(_ text: String, _ output: Output) -> GoalType {
    let wanted = NameFolding.loose(text)
    let known = GoalType.known.first { $0.rawValue.lowercased() == wanted }
    if let type = known ?? (wanted == "smart" ? .smartGoal : nil) { return type }
    if !text.isEmpty {
      output.say(
        said(
          """
          \(FieldError.shown(text)) isn’t a known type (Goal, SmartGoal, Milestone). It is saved \
          unchanged.
          """))
    }
    return GoalType(rawValue: text)
  }

  // MARK: Relations

  /// Resolves the named values and terms, all of them before anything is written.
  func ends(_ context: Context, _ archive: Archive) throws -> (
    values: [PersonalValue], terms: [Term]
  ) {
    let values = try value.map { name in
      let value = try archive.value(named: name)
      try value.checkIsValue()
      return value
    }
    let terms = try term.map { try archive.term(named: $0, today: context.today) }
    return (values.uniqued(), terms.uniqued())
  }
}

extension Array where Element: Identifiable {
  /// Returns the elements without duplicates, in the order of their first occurrence.
  func uniqued() -> [Element] {
    var seen: Set<Element.ID> = []
    return filter { seen.insert($0.id).inserted }
  }
}

/// Field errors in terms of the command line.
enum GoalFieldNames {
  private static let options = [
    "measurementUnit": "--unit", "measurementTarget": "--target", "startDate": "--from",
    "targetDate": "--to", "goalType": "--type", "howGoalIsRelevant": "--relevant",
    "howGoalIsActionable": "--actionable or --keyword", "expectedTermLength": "--weeks",
    "incentiveType": "--type", "lifeDomain": "--domain", "alignmentGuidance": "--guidance",
    "termNumber": "--number", "expectedYears": "--years", "contribution": "--amount",
  ]

  /// Runs a closure, and makes its field errors name the option that fixes them.
  static func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as FieldError {
      guard let option = options[error.field], !error.problem.contains("--") else { throw error }
      throw FieldError(error.field, "\(error.problem) (\(option))")
    }
  }
}
