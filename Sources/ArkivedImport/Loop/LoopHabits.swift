import ArkivedCore
import Foundation

/// Converts the days on which habits were kept to activities.
struct LoopHabits {
  private struct Habit {
    var name: String
    var question: String?
    /// The unit of an amount; nil for a yes-or-no habit.
    var unit: String?
    /// True if the list says whether the habit is measured, which it doesn't do before version 2.2.
    var isTyped: Bool
    /// Its number among habits of the same name, from 1.
    var number = 1
  }

  private let context: ImportContext
  /// The habits, by their position, which begins the name of a habit's folder, or by their ID in a
  /// backup.
  private var habits: [Int: Habit] = [:]

  init(context: ImportContext) { self.context = context }

  /// Reads the list of habits.
  ///
  /// - Throws: `ImportRefusal` if the list can't be read.
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
    keep(found, inOrder: found.keys.sorted())
  }

  /// Stores the habits, and numbers those with the same name, because no two habits may have the
  /// same references.
  private mutating func keep(_ found: [Int: Habit], inOrder keys: [Int]) {
    habits = found
    var counts: [String: Int] = [:]
    for key in keys {
      guard let name = found[key]?.name else { continue }
      counts[name, default: 0] += 1
      habits[key]?.number = counts[name, default: 1]
    }
  }

  /// Reads a habit's marks.
  ///
  /// - Throws: `ImportRefusal` if the file can't be read, and any error that the sink throws.
  func readMarks(_ file: ImportFile, into sink: any ImportSink) throws {
    let folder = file.name.split(separator: "/").dropLast().last ?? ""
    guard let position = Int(folder.prefix { $0.isNumber }), let habit = habits[position] else {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "skipped: Habits.csv has no habit for the folder “\(folder)”"))
      return
    }
    // Before version 2.2, no row named the columns.
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
      try take(
        habit, day, row.value("value") ?? "", row.value("notes"), at: place, field: "Value", sink)
    }
  }

  private func take(
    _ habit: Habit, _ day: DayKey, _ value: String, _ notes: String?, at place: String,
    field: String, _ sink: any ImportSink
  ) throws {
    guard let (amount, unit) = Self.amount(value, of: habit) else {
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “\(field)”",
          message: "skipped: “\(value)” isn’t a valid Loop value"))
      return
    }
    // A note about a day on which nothing was done is kept all the same.
    guard amount > 0 || notes != nil else { return }
    let activity = activity(habit, day, amount, unit, notes: notes)
    try sink.take(ImportedRecord(.activity(activity), place: place, linksPeople: false))
  }

  // MARK: The program's own backup

  /// Reads a backup: the habits, and their marks row by row.
  ///
  /// - Throws: `ImportRefusal` if it doesn't have Loop's tables, and what the sink throws.
  mutating func readBackup(
    _ tables: any TableReading, named name: String, into sink: any ImportSink
  ) throws {
    let layouts = try tables.tables()
    guard let list = LoopBackup.habits(in: layouts), let marks = LoopBackup.marks(in: layouts)
    else {
      throw ImportRefusal(
        place: name,
        message: "not a Loop Habit Tracker backup: the tables Habits and Repetitions are missing"
      )
    }
    try readList(tables, list, named: name, into: sink)
    var strays = 0
    try tables.forEachRow(of: marks) { columns, number in
      let mark = LoopBackup.Mark(columns, number)
      let place = "\(name): Repetitions row \(mark.row)"
      guard let habit = mark.habit.flatMap({ habits[$0] }) else {
        strays += 1
        return
      }
      guard let day = mark.day else {
        sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “timestamp”",
            message: "skipped: \(mark.timestamp) isn’t a time in milliseconds since 1970"))
        return
      }
      try take(
        habit, day, mark.value(isAmount: habit.unit != nil), mark.notes, at: place,
        field: "value", sink)
    }
    guard strays > 0 else { return }
    sink.diagnose(
      Diagnostic(
        .skipped, place: "\(name): Repetitions",
        message: "skipped check marks for habits that aren’t in the backup: \(strays)"))
  }

  private mutating func readList(
    _ tables: any TableReading, _ list: InterchangeTable, named name: String,
    into sink: any ImportSink
  ) throws {
    let columns = Set(list.columns.map { $0.name.lowercased() })
    let isTyped = columns.contains("type")
    let question = columns.contains("question") ? "question" : "description"
    var found: [Int: Habit] = [:]
    var positions: [Int: Int] = [:]
    try tables.forEachRow(of: list) { columns, number in
      let row = InterchangeRow(table: list.name, key: "", columns: columns)
      let id = LoopBackup.integer(row["id"]) ?? number.map(Int.init(truncatingIfNeeded:))
      guard let id, let title = LoopBackup.words(row["name"]) else {
        sink.diagnose(
          Diagnostic(
            .skipped, place: "\(name): Habits row \(id.map(String.init) ?? "?") field “name”",
            message: "skipped: a habit without a name, and its check marks"))
        return
      }
      let isAmount = isTyped && LoopBackup.integer(row["type"]) == 1
      found[id] = Habit(
        name: title, question: LoopBackup.words(row[question]),
        unit: isAmount ? LoopBackup.words(row["unit"]) ?? title : nil, isTyped: isTyped)
      positions[id] = LoopBackup.integer(row["position"]) ?? id
    }
    keep(
      found,
      inOrder: found.keys.sorted { (positions[$0] ?? 0, $0) < (positions[$1] ?? 0, $1) })
  }

  // MARK: Entries

  /// Returns the amount and its unit: 1 for a yes, 0 for nothing; nil for values that Loop doesn't
  /// write.
  private static func amount(
    _ value: String, of habit: Habit
  ) -> (amount: Double, unit: String?)? {
    let words = ["YES_MANUAL": 1.0, "YES_AUTO": 0, "NO": 0, "SKIP": 0, "UNKNOWN": 0]
    if let known = words[value] {
      // The words represent 2 and 1, which are thousandths of an amount.
      guard habit.unit != nil else { return (known, nil) }
      return (["YES_MANUAL": 0.002, "YES_AUTO": 0.001][value] ?? 0, habit.unit)
    }
    guard let number = Double(value), number.isFinite, number >= -1 else { return nil }
    if let unit = habit.unit { return (max(0, number / 1000), unit) }
    // Yes-or-no marks go up to 3, a skipped day; anything larger is an amount.
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
      // The name is also the entry's text.
      if (try? Tag.validate(name: habit.name)) != nil { activity.tags = [habit.name] }
      if let unit { activity.measurements = [unit: amount] }
    }
    activity.externalRefs = [
      ExternalRef(
        provider: "loop",
        externalID: "\(day)/\(TableIdentity.hash(habit.name).prefix(16))"
          + (habit.number > 1 ? "/\(habit.number)" : ""),
        fetchedAt: context.now,
        contentHash: TableIdentity.hash("\(amount)\u{1F}\(unit ?? "")\u{1F}\(notes ?? "")"))
    ]
    return activity
  }
}
