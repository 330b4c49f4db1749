import ArkivedCore
import Foundation

/// The form that logs an action, with rows for measurements.
struct ActionForm: Sendable {
  var texts: FormTexts

  /// The number of rows for measurements; empty rows are not saved.
  static let rowCount = 4
  static let lines =
    ["day", "start", "end", "durationMinutes", "tags"]
    + (1...rowCount).flatMap { ["amount\($0)", "unit\($0)"] }

  init(day: DayKey) { texts = FormTexts(["day": day.description]) }

  init(_ fields: FormFields) {
    texts = FormTexts(fields, lines: Self.lines, paragraphs: ["text", "notes"])
  }

  /// Returns the typed amounts, under the names used in the archive.
  ///
  /// - Parameter units: the known units, including those of goals.
  /// - Returns: the amounts by unit.
  /// - Throws: `FieldError` with the name of the form's field.
  func measurements(_ units: UnitTable) throws(FieldError) -> [String: Double] {
    var amounts: [String: Double] = [:]
    for row in 1...Self.rowCount {
      let amount = try texts.number("amount\(row)")
      let unit = texts.optional("unit\(row)")
      switch (amount, unit) {
      case (nil, nil): continue
      case (nil, .some): throw FieldError("amount\(row)", "is missing. Enter how much it was")
      case (.some, nil): throw FieldError("unit\(row)", "is missing. Enter one, such as km")
      case (let amount?, let unit?):
        guard amount >= 0 else { throw FieldError("amount\(row)", "is below 0") }
        let name = units.typedName(unit)
        amounts[units.canonicalName(name), default: 0] += amount
      }
    }
    return amounts
  }

  /// Creates the activity.
  ///
  /// - Throws: `FieldError` with the name of the form's field.
  func activity(
    zone: Zone, units: UnitTable, id: UUID, now: Instant
  ) throws(FieldError) -> Activity {
    guard texts.optional("text") != nil else {
      throw FieldError("text", "is empty. Enter what you did")
    }
    guard let day = try texts.day("day") else { throw FieldError("day", "is missing") }
    var activity = Activity(
      id: id, dayKey: day, timeZone: zone.identifier, text: texts["text"],
      measurements: try measurements(units), createdAt: now, updatedAt: now)
    do throws(FieldError) {
      try ActivityTimes.change(
        &activity, day: day, start: texts.optional("start"), end: texts.optional("end"))
      activity.durationMinutes = try texts.number("durationMinutes")
      activity.tags = Tag.names(texts.list("tags"))
      activity.notes = texts.optional("notes")
      try activity.validate()
    } catch {
      switch error.field {
      case "startAt": throw FieldError("start", error.problem)
      case "endAt": throw FieldError("end", error.problem)
      default:
        throw error.field.hasPrefix("measurements")
          ? FieldError("amount1", error.problem) : error
      }
    }
    return activity
  }

  static let first: [[FormField]] = [
    [FormField("text", "What did you do?", .paragraphs, noun: "The text", isRequired: true)],
    [FormField("day", "Day", .day, isRequired: true)],
  ]

  static let rest: [[FormField]] = [
    [
      FormField("start", "From", hint: "For example, 07:30", isOptional: true),
      FormField("end", "To", isOptional: true),
      FormField("durationMinutes", "Minutes", .number, isOptional: true),
    ],
    [FormField("tags", "Tags", hint: "Separated by commas", isOptional: true)],
    [FormField("notes", "Notes", .paragraphs, isOptional: true)],
  ]

  private static let measures: [[FormField]] = (1...rowCount).map {
    [FormField("amount\($0)", "Amount \($0)", .number), FormField("unit\($0)", "Unit \($0)")]
  }

  func context() -> [String: Any] {
    var context = texts.context(Self.first + Self.measures + Self.rest)
    context["rows"] = texts.context(Self.first)["rows"]
    context["laterFields"] = ["rows": texts.context(Self.rest)["rows"] ?? []]
    context["measures"] = (1...Self.rowCount).map { row -> [String: Any] in
      let amount = texts.problem(of: "amount\(row)", label: said("Amount \(row)"))
      let unit = texts.problem(of: "unit\(row)", label: said("Unit \(row)"))
      return [
        "row": "\(row)", "isFirstRow": row == 1, "amount": FormValue(texts["amount\(row)"]),
        "unit": FormValue(texts["unit\(row)"]), "isAmountWrong": amount != nil,
        "isUnitWrong": unit != nil, "hasRowError": amount != nil || unit != nil,
        "rowError": amount ?? unit ?? "",
      ]
    }
    return context
  }
}
