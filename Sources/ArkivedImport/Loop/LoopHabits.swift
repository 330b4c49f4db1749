import ArkivedCore
import Foundation

/// Turns the days on which habits were kept into activities.
struct LoopHabits {
  private struct Habit {
    var name: String
    var question: String?
    /// What an amount is of; nil for a habit of yes and no.
    var unit: String?
    /// Whether the list says if it counts; before version 2.2 it did not.
    var isTyped: Bool
  }

  private let context: ImportContext
  /// By their position, which begins the name of a habit's folder.
  private var habits: [Int: Habit] = [:]

  init(context: ImportContext) { self.context = context }

  /// - Throws: `ImportRefusal` where the list cannot be read.
  mutating func readHabits(_ file: ImportFile) throws {
    var table = try CSVTable(file)
    let columns = Set(table.header.map { $0.lowercased() })
    // The oldest versions called the question the description.
    let question = columns.contains("question") ? "question" : "description"
    var found: [Int: Habit] = [:]
    try table.forEach(into: SilentSink()) { row in
      guard let position = row.value("position").flatMap(Int.init), let name = row.value("name")
      else { return }
      let isAmount = row.value("type")?.uppercased() == "NUMERICAL"
      found[position] = Habit(
        name: name, question: row.value(question),
        unit: isAmount ? row.value("unit") ?? name : nil, isTyped: columns.contains("type"))
    }
    habits = found
  }

  /// - Throws: `ImportRefusal` where the file cannot be read, and what the sink throws.
  func readMarks(_ file: ImportFile, into sink: any ImportSink) throws {
    let folder = file.name.split(separator: "/").dropLast().last ?? ""
    guard let position = Int(folder.prefix { $0.isNumber }), let habit = habits[position] else {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "skipped: Habits.csv has no habit for the folder “\(folder)”"))
      return
    }
    // Before version 2.2 no row named the columns.
    var table = try CSVTable(file, orNamed: ["Date", "Value", "Notes"]) { first in
      first.first.flatMap { DayKey($0) } == nil
    }
    try table.forEach(into: sink) { row in
      let place = "\(file.name):\(row.line)"
      guard let day = row.value("date").flatMap({ DayKey($0) }) else {
        sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “Date”",
            message: "skipped: “\(row.value("date") ?? "")” isn’t a valid date (such as 2023-05-21)"
          ))
        return
      }
      let value = row.value("value") ?? ""
      guard let (amount, unit) = Self.amount(value, of: habit) else {
        sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “Value”",
            message: "skipped: “\(value)” isn’t a value that Loop writes"))
        return
      }
      let notes = row.value("notes")
      // What somebody wrote about a day on which nothing was done is theirs all the same.
      guard amount > 0 || notes != nil else { return }
      let activity = activity(habit, day, amount, unit, notes: notes)
      try sink.take(ImportedRecord(.activity(activity), place: place, linksPeople: false))
    }
  }

  /// How much was done and of what: 1 for a yes, 0 for nothing; nil for what Loop does not write.
  private static func amount(
    _ value: String, of habit: Habit
  ) -> (amount: Double, unit: String?)? {
    let words = ["YES_MANUAL": 1.0, "YES_AUTO": 0, "NO": 0, "SKIP": 0, "UNKNOWN": 0]
    if let known = words[value] { return (known, habit.unit) }
    guard let number = Double(value), number.isFinite, number >= -1 else { return nil }
    if let unit = habit.unit { return (max(0, number / 1000), unit) }
    // The marks of yes and no end with 3, a skipped day: more is an amount.
    if !habit.isTyped, number > 3 { return (number / 1000, habit.name) }
    return (number == 2 ? 1 : 0, nil)
  }

  private func activity(
    _ habit: Habit, _ day: DayKey, _ amount: Double, _ unit: String?, notes: String?
  ) -> Activity {
    var activity = Activity(
      id: context.identities.next(), dayKey: day, timeZone: context.homeZone.identifier,
      kind: .personal, text: amount > 0 ? habit.name : "\(habit.name): not done",
      description: habit.question, notes: notes, source: .loopImport, createdAt: context.now,
      updatedAt: context.now)
    if amount > 0 {
      activity.tags = [habit.name]
      if let unit { activity.measurements = [unit: amount] }
    }
    activity.externalRefs = [
      ExternalRef(
        provider: "loop", externalID: "\(day)/\(TableIdentity.hash(habit.name).prefix(16))",
        fetchedAt: context.now,
        contentHash: TableIdentity.hash("\(amount)\u{1F}\(unit ?? "")\u{1F}\(notes ?? "")"))
    ]
    return activity
  }
}
