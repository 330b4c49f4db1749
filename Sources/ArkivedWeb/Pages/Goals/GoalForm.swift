import ArkivedCore
import Foundation

/// The form of a goal, for goals, SMART goals and milestones.
struct GoalForm: EntityForm {
  typealias Entity = Goal

  var texts: FormTexts

  static let lines = [
    "title", "goalType", "measurementTarget", "measurementUnit", "startDate", "targetDate",
    "keywords", "units", "expectedTermLength",
  ]
  static let paragraphs = ["howGoalIsRelevant", "description", "notes"]

  /// Creates an empty form.
  init() { texts = FormTexts(["goalType": GoalType.goal.rawValue]) }

  init(_ fields: FormFields) {
    texts = FormTexts(fields, lines: Self.lines, paragraphs: Self.paragraphs)
  }

  init(_ goal: Goal) {
    texts = FormTexts(
      [
        "title": goal.title, "goalType": goal.goalType.rawValue,
        "measurementTarget": FormNumber.exact(goal.measurementTarget),
        "measurementUnit": goal.measurementUnit ?? "",
        "startDate": goal.startDate?.description ?? "",
        "targetDate": goal.targetDate?.description ?? "",
        "howGoalIsRelevant": goal.howGoalIsRelevant ?? "",
        "description": goal.description ?? "", "notes": goal.notes ?? "",
        "expectedTermLength": goal.expectedTermLength.map(String.init) ?? "",
      ], version: EntityTag.text(goal.updatedAt))
    if case .hints(let hints) = GoalHints.read(goal.howGoalIsActionable) {
      texts["units"] = hints.units.joined(separator: ", ")
      texts["keywords"] = hints.keywords.joined(separator: ", ")
    }
  }

  /// Applies the typed values to a goal.
  func apply(to goal: inout Goal) throws(FieldError) {
    let shown = GoalForm(goal).texts
    if !texts.isUntouched("title", shown) { goal.title = texts["title"] }
    let type = texts["goalType"]
    goal.goalType = type.isEmpty ? .goal : GoalType(rawValue: type)
    if !texts.isUntouched("measurementTarget", shown) {
      goal.measurementTarget = try texts.number("measurementTarget")
    }
    if !texts.isUntouched("measurementUnit", shown) {
      goal.measurementUnit = texts.optional("measurementUnit")
        .map { UnitTable.standard.typedName($0) }
    }
    goal.startDate = try texts.day("startDate")
    goal.targetDate = try texts.day("targetDate")
    goal.expectedTermLength = try texts.whole("expectedTermLength")
    goal.howGoalIsRelevant = texts.text(
      "howGoalIsRelevant", unless: shown, goal.howGoalIsRelevant)
    goal.description = texts.text("description", unless: shown, goal.description)
    goal.notes = texts.text("notes", unless: shown, goal.notes)
    if !texts.isUntouched("units", shown) || !texts.isUntouched("keywords", shown) {
      var known = GoalHints()
      if case .hints(let old) = GoalHints.read(goal.howGoalIsActionable) { known = old }
      let hints = GoalHints(
        units: texts.list("units", known: known.units),
        keywords: texts.list("keywords", known: known.keywords))
      goal.howGoalIsActionable = hints.text(over: goal.howGoalIsActionable)
    }
    do throws(FieldError) { try goal.validate() } catch {
      // The fields of hints exist only in the form.
      guard error.field == "howGoalIsActionable" else { throw error }
      throw FieldError("keywords", error.problem)
    }
  }

  static let rows: [[FormField]] = [
    [
      FormField(
        "title", "What do you want to achieve?", hint: "For example, Run 120 km", noun: "The title",
        isRequired: true)
    ],
    [
      FormField(
        "goalType", "Kind of goal",
        .choice([
          (GoalType.goal.rawValue, "Goal: as open as you like"),
          (GoalType.smartGoal.rawValue, "SMART goal: fully defined"),
          (GoalType.milestone.rawValue, "Milestone: reached on a single date"),
        ]))
    ],
    [
      FormField("measurementTarget", "Target", .number, hint: "For example, 120", isOptional: true),
      FormField(
        "measurementUnit", "Unit", hint: "For example, km, minutes, pages, times", isOptional: true),
    ],
    [
      FormField("startDate", "First day", .day, isOptional: true),
      FormField("targetDate", "Last day", .day, isOptional: true),
    ],
    [
      FormField(
        "keywords", "Words an action must contain",
        hint: "One is enough: run, jog. Leave empty to count by unit alone.",
        noun: "The words that count", isOptional: true)
    ],
    [
      FormField(
        "units", "Units that count",
        hint: "Only if they differ from the goal’s unit: km, miles",
        noun: "The units that count", isOptional: true)
    ],
    [
      FormField(
        "howGoalIsRelevant", "Why does it matter?", .paragraphs, noun: "Why it matters",
        isOptional: true)
    ],
    [FormField("description", "Description", .paragraphs, isOptional: true)],
    [FormField("notes", "Notes", .paragraphs, isOptional: true)],
    [
      FormField(
        "expectedTermLength", "How many weeks will it take?", .number, noun: "The number of weeks",
        isOptional: true)
    ],
  ]

  func context() -> [String: Any] { texts.context(Self.rows) }
}

/// The form of a value or a life area.
struct ValueForm: EntityForm {
  typealias Entity = PersonalValue

  var texts: FormTexts

  init() { texts = FormTexts(["incentiveType": IncentiveType.general.rawValue]) }

  init(_ fields: FormFields) {
    texts = FormTexts(
      fields, lines: ["title", "incentiveType", "priority", "lifeDomain"],
      paragraphs: ["description", "alignmentGuidance", "notes"])
  }

  init(_ value: PersonalValue) {
    texts = FormTexts(
      [
        "title": value.title, "incentiveType": value.incentiveType.rawValue,
        "priority": "\(value.priority)", "lifeDomain": value.lifeDomain,
        "description": value.description ?? "",
        "alignmentGuidance": value.alignmentGuidance ?? "", "notes": value.notes ?? "",
      ], version: EntityTag.text(value.updatedAt))
  }

  func apply(to value: inout PersonalValue) throws(FieldError) {
    let shown = ValueForm(value).texts
    if !texts.isUntouched("title", shown) { value.title = texts["title"] }
    let type = IncentiveType(
      rawValue: texts.optional("incentiveType") ?? IncentiveType.general.rawValue)
    let hadDefault = value.priority == value.incentiveType.defaultPriority
    let isUntouched = texts["priority"] == shown["priority"]
    value.incentiveType = type
    if isUntouched {
      // A new type brings its own default priority, unless the priority was changed before.
      if hadDefault { value.priority = type.defaultPriority }
    } else {
      value.priority = try texts.whole("priority") ?? type.defaultPriority
    }
    if !texts.isUntouched("lifeDomain", shown) {
      value.lifeDomain = texts.optional("lifeDomain") ?? PersonalValue.defaultDomain
    }
    value.description = texts.text("description", unless: shown, value.description)
    value.alignmentGuidance = texts.text(
      "alignmentGuidance", unless: shown, value.alignmentGuidance)
    value.notes = texts.text("notes", unless: shown, value.notes)
    try value.validate()
  }

  static let rows: [[FormField]] = [
    [
      FormField(
        "title", "What matters to you?", hint: "For example, Health, Honesty", noun: "The name",
        isRequired: true)
    ],
    [
      FormField(
        "incentiveType", "Kind",
        .choice([
          (IncentiveType.general.rawValue, "Value"),
          (IncentiveType.major.rawValue, "Major value"),
          (IncentiveType.highestOrder.rawValue, "Highest value"),
          (IncentiveType.lifeArea.rawValue, "Life area (a part of life, not a reason)"),
          (IncentiveType.incentive.rawValue, "Incentive"),
        ])),
      FormField(
        "priority", "Priority", .number, hint: "1 is the highest, 100 the lowest",
        isOptional: true),
    ],
    [FormField("lifeDomain", "Life area", hint: "For example, Family, Work", isOptional: true)],
    [FormField("description", "What it means to you", .paragraphs, isOptional: true)],
    [
      FormField(
        "alignmentGuidance", "What does a day look like when you live by it?", .paragraphs,
        noun: "The guidance", isOptional: true)
    ],
    [FormField("notes", "Notes", .paragraphs, isOptional: true)],
  ]

  func context() -> [String: Any] { texts.context(Self.rows) }
}

/// The form of a term.
struct TermForm: EntityForm {
  typealias Entity = Term

  var texts: FormTexts

  init(number: Int, start: DayKey) {
    texts = FormTexts([
      "termNumber": "\(number)", "startDate": start.description,
    ])
  }

  init(_ fields: FormFields) {
    texts = FormTexts(
      fields, lines: ["termNumber", "startDate", "targetDate", "theme"],
      paragraphs: ["description", "reflection", "notes"])
  }

  init(_ term: Term) {
    texts = FormTexts(
      [
        "termNumber": "\(term.termNumber)", "startDate": term.startDate.description,
        "targetDate": term.targetDate.description, "theme": term.theme ?? "",
        "description": term.description ?? "", "reflection": term.reflection ?? "",
        "notes": term.notes ?? "",
      ], version: EntityTag.text(term.updatedAt))
  }

  func apply(to term: inout Term) throws(FieldError) {
    let shown = TermForm(term).texts
    guard let number = try texts.whole("termNumber") else {
      throw FieldError("termNumber", "is missing")
    }
    guard let start = try texts.day("startDate") else {
      throw FieldError("startDate", "is missing")
    }
    term.termNumber = number
    term.startDate = start
    term.targetDate =
      try texts.day("targetDate") ?? start.advanced(by: Term.defaultDays)
    if !texts.isUntouched("theme", shown) { term.theme = texts.optional("theme") }
    term.description = texts.text("description", unless: shown, term.description)
    term.reflection = texts.text("reflection", unless: shown, term.reflection)
    term.notes = texts.text("notes", unless: shown, term.notes)
    try term.validate()
  }

  static let rows: [[FormField]] = [
    [FormField("theme", "Theme", hint: "What these weeks are about", isOptional: true)],
    [
      FormField("startDate", "First day", .day, isRequired: true),
      FormField(
        "targetDate", "Last day", .day, hint: "Ten weeks later if left empty", isOptional: true),
    ],
    [FormField("termNumber", "Number", .number, isRequired: true)],
    [FormField("description", "Description", .paragraphs, isOptional: true)],
    [FormField("reflection", "Reflection", .paragraphs, isOptional: true)],
    [FormField("notes", "Notes", .paragraphs, isOptional: true)],
  ]

  func context() -> [String: Any] { texts.context(Self.rows) }
}
