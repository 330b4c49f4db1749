import ArkivedCore
import Foundation

/// Imports the backups of Tickmate and Rewire, SQLite databases with a table of habits and a table
/// of the days on which they were kept.
///
/// Source of the formats: the tables of the backups, and the importers for them in Loop Habit
/// Tracker. Tickmate counts months from 0, and gives a clock time if `has_time_info` is 1. Rewire
/// writes days as `20240105`, and the status 2 for a habit that was kept.
package struct HabitBackupImporter: Importer {
  package enum Program: String, Sendable {
    case tickmate, rewire

    /// The names of the tables with the habits and with their days, and the columns they need.
    fileprivate var tables: (habits: TableShape, days: TableShape) {
      switch self {
      case .tickmate:
        (
          TableShape(names: ["tracks"], columns: ["_id", "name"]),
          TableShape(names: ["ticks"], columns: ["_track_id", "year", "month", "day"])
        )
      case .rewire:
        (
          TableShape(names: ["habits", "habit"], columns: ["_id", "name"]),
          TableShape(names: ["checkins"], columns: ["habit_id", "date", "status"])
        )
      }
    }
  }

  fileprivate struct TableShape {
    var names: Set<String>
    var columns: Set<String>

    func find(in tables: [InterchangeTable]) -> InterchangeTable? {
      tables.first { table in
        names.contains(table.name.lowercased())
          && columns.isSubset(of: table.columns.map { $0.name.lowercased() })
      }
    }
  }

  private static let magic = Array("SQLite format 3\0".utf8)
  /// The size limit in bytes, far larger than these small lists.
  private static let sizeLimit: Int64 = 256 << 20

  package var format: String { program.rawValue }
  private let program: Program
  private let source: any TableSource

  package init(_ program: Program, source: any TableSource) {
    (self.program, self.source) = (program, source)
  }

  package func recognises(head: [UInt8], fileName: String) -> Bool { false }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    guard head.starts(with: Self.magic) else { return false }
    let size = try FileManager.default.attributesOfItem(atPath: file.url.path)[.size]
    guard let size = (size as? NSNumber)?.int64Value, size <= Self.sizeLimit else { return false }
    let folder = try ScratchFolders.make()
    defer { ScratchFolders.remove(folder) }
    let tables = try source.open(file.url, copyIn: folder).tables()
    return program.tables.habits.find(in: tables) != nil
      && program.tables.days.find(in: tables) != nil
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  // MARK: Reading

  private struct Habit {
    var name: String
    var description: String?
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let tables = try source.open(file.url, copyIn: try context.scratchFolder())
    let layouts = try tables.tables()
    guard let list = program.tables.habits.find(in: layouts),
      let days = program.tables.days.find(in: layouts)
    else {
      throw ImportRefusal(
        place: file.name, message: "the tables with habits and their days are missing")
    }
    var habits: [Int: Habit] = [:]
    try tables.forEachRow(of: list) { columns, number in
      let row = InterchangeRow(table: list.name, key: "", columns: columns)
      let id = LoopBackup.integer(row["_id"]) ?? number.map(Int.init(truncatingIfNeeded:))
      guard let id, let name = LoopBackup.words(row["name"]) else { return }
      habits[id] = Habit(name: name, description: LoopBackup.words(row["description"]))
    }
    var strays = 0
    try tables.forEachRow(of: days) { columns, number in
      let row = InterchangeRow(table: days.name, key: "", columns: columns)
      let id = LoopBackup.integer(row["_id"]) ?? number.map(Int.init(truncatingIfNeeded:)) ?? 0
      let place = "\(file.name): \(days.name) row \(id)"
      let key = LoopBackup.integer(row[program == .tickmate ? "_track_id" : "habit_id"])
      guard let key, let habit = habits[key] else {
        strays += 1
        return
      }
      guard let (day, second) = moment(row) else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “\(program == .tickmate ? "day" : "date")”",
            message: "skipped: it isn’t a valid date"))
      }
      // A day on which the habit wasn't kept has no entry, as from other habit trackers.
      guard program == .tickmate || LoopBackup.integer(row["status"]) == 2 else { return }
      let name = EntryName.check(id, of: key, on: day)
      try take(habit, day, second, name, place, context, sink)
    }
    guard strays > 0 else { return }
    sink.diagnose(
      Diagnostic(
        .skipped, place: "\(file.name): \(days.name)",
        message: "skipped check marks for habits that aren’t in the backup: \(strays)"))
  }

  /// Returns the day and, if the backup gives it, the second of the day.
  private func moment(_ row: InterchangeRow) -> (DayKey, Int?)? {
    func number(_ name: String) -> Int? { LoopBackup.integer(row[name]) }
    guard program == .tickmate else {
      let digits = LoopBackup.words(row["date"]) ?? number("date").map(String.init) ?? ""
      return TableTimes.day(digits, order: .dayFirst).map { ($0, nil) }
    }
    guard let year = number("year"), let month = number("month"), let date = number("day"),
      (1...9_999).contains(year), (0...11).contains(month),
      let day = DayKey(year: year, month: month + 1, day: date)
    else { return nil }
    guard number("has_time_info") == 1, let hour = number("hour"), let minute = number("minute"),
      (0...23).contains(hour), (0...59).contains(minute)
    else { return (day, nil) }
    let second = number("second").flatMap { (0...59).contains($0) ? $0 : nil } ?? 0
    return (day, hour * 3_600 + minute * 60 + second)
  }

  private func take(
    _ habit: Habit, _ day: DayKey, _ second: Int?, _ name: String, _ place: String,
    _ context: ImportContext, _ sink: any ImportSink
  ) throws {
    let zone = context.homeZone
    var activity = Activity(
      id: context.identities.next(), dayKey: day,
      startAt: second.map { zone.instant(of: WallTime(day: day, secondOfDay: $0)) },
      timeZone: zone.identifier, kind: .personal, text: habit.name,
      description: habit.description, source: .csvImport,
      tags: (try? Tag.validate(name: habit.name)) != nil ? [habit.name] : [],
      createdAt: context.now, updatedAt: context.now)
    activity.externalRefs = [
      ExternalRef(
        provider: program.rawValue, externalID: name, fetchedAt: context.now,
        contentHash: TableIdentity.hash("\(habit.name)\u{1F}\(day)\u{1F}\(second ?? -1)"))
    ]
    do throws(FieldError) {
      try activity.validate()
    } catch {
      return sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “\(error.field)”",
          message: "skipped: \(error.description)"))
    }
    try sink.take(ImportedRecord(.activity(activity), place: place, linksPeople: false))
  }
}
