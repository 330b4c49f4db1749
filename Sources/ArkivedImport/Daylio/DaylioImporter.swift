import ArkivedCore
import Foundation

/// Imports the CSV that Daylio exports. Each entry becomes an activity, and each day gets the mood
/// that its entries have on average, where it has none.
///
/// The columns are `full_date, date, weekday, time, mood, activities, note_title, note`; before 2020
/// there was no title, and the oldest have `year` in the place of `full_date` (facts: the parsers that
/// read such files). Times have no zone: they are those of the home zone.
package struct DaylioImporter: Importer {
  package let format = "daylio"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let columns = CSVTable.columns(ofHead: head)
    return columns.isSuperset(of: ["date", "time", "mood", "activities"])
      && !columns.isDisjoint(with: ["full_date", "year"])
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var entries = DaylioEntries(file: file, context: context)
    var table = try CSVTable(file)
    try table.refuseEmpty()
    try table.forEach(into: sink) { try entries.take($0, into: sink) }
    try entries.finish(into: sink)
  }
}

/// Turns rows into activities, and keeps what the days felt like.
private struct DaylioEntries {
  /// The moods that Daylio comes with, from 5 to 1. Others are the owner's, and their level is not in
  /// the file.
  private static let levels = ["rad": 5, "good": 4, "meh": 3, "bad": 2, "awful": 1]

  private struct Feeling {
    var sum = 0
    var count = 0
    var place: String
  }

  let file: ImportFile
  let context: ImportContext
  private var identity = TableIdentity()
  private var feelings: [DayKey: Feeling] = [:]
  private var strangeMoods: [String: Int] = [:]

  init(file: ImportFile, context: ImportContext) {
    self.file = file
    self.context = context
  }

  mutating func take(_ row: CSVTable.Row, into sink: any ImportSink) throws {
    let place = "\(file.name):\(row.line)"
    guard let day = Self.day(row) else {
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “full_date”",
          message: "left out: “\(row.value("full_date") ?? row.value("date") ?? "")” is no date "
            + "such as 2023-05-21"))
      return
    }
    let clock = row.value("time")
    let second = clock.flatMap(TableTimes.secondOfDay)
    if let clock, second == nil {
      sink.diagnose(
        Diagnostic(
          .note, place: "\(place) field “time”",
          message: "“\(clock)” is no time of day; the entry stands on its day without one"))
    }
    feel(row, day, place)
    let activity = activity(row, day, second)
    try sink.take(ImportedRecord(.activity(activity), place: place, linksPeople: false))
  }

  private mutating func activity(_ row: CSVTable.Row, _ day: DayKey, _ second: Int?) -> Activity {
    let did = (row.value("activities") ?? "").split(separator: "|").map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
    let mood = row.value("mood")
    let note = row.value("note").map(DaylioNote.markdown)
    let (title, rest) = Self.words(row.value("note_title"), note)
    let zone = context.homeZone
    let wall = second.map { WallTime(day: day, secondOfDay: $0) }
    var activity = Activity(
      id: context.identities.next(), dayKey: day, startAt: wall.map(zone.instant(of:)),
      timeZone: zone.identifier, kind: .personal,
      text: title ?? (did.isEmpty ? mood.map { "Felt \($0)" } : did.joined(separator: ", "))
        ?? "Entry without words",
      description: mood.map { "Mood: \($0)" }, notes: rest, source: .daylioImport,
      tags: Self.distinct(did), createdAt: context.now, updatedAt: context.now)
    let moment = wall.map { "\(day)T\($0.clockText)" } ?? "\(day)"
    let content = [activity.text, rest ?? "", mood ?? "", did.joined(separator: "|")]
    activity.externalRefs = [
      ExternalRef(
        provider: "daylio", externalID: identity.name(moment, ""), fetchedAt: context.now,
        contentHash: TableIdentity.hash(content.joined(separator: "\u{1F}")))
    ]
    return activity
  }

  private mutating func feel(_ row: CSVTable.Row, _ day: DayKey, _ place: String) {
    guard let mood = row.value("mood") else { return }
    guard let level = Self.levels[mood.lowercased()] else {
      strangeMoods[mood, default: 0] += 1
      return
    }
    var feeling = feelings[day] ?? Feeling(place: place)
    feeling.sum += level
    feeling.count += 1
    feelings[day] = feeling
  }

  /// Hands on the days' moods, and tells which have no level.
  func finish(into sink: any ImportSink) throws {
    for (mood, count) in strangeMoods.sorted(by: { $0.key < $1.key }) {
      sink.diagnose(
        Diagnostic(
          .note, place: "\(file.name) field “mood”",
          message: "Daylio’s file does not say how good “\(mood)” is (\(count) "
            + "\(count == 1 ? "entry" : "entries")); it is kept in words, and counts toward no "
            + "day’s mood"))
    }
    for (day, feeling) in feelings.sorted(by: { $0.key < $1.key }) {
      let mean = Double(feeling.sum) / Double(feeling.count)
      let entry = DayEntry(
        id: context.identities.next(), dayKey: day, mood: Int(mean.rounded()),
        createdAt: context.now, updatedAt: context.now)
      try sink.take(ImportedRecord(.day(entry), place: feeling.place, linksPeople: false))
    }
  }

  // MARK: Reading

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// `full_date`, or `year` with a `date` such as “18 May” or “May 18”, in English.
  private static func day(_ row: CSVTable.Row) -> DayKey? {
    if let date = row.value("full_date") {
      return TableTimes.order(toldBy: date) == nil && TableTimes.isOpen(date)
        ? nil : TableTimes.day(date, order: .dayFirst) ?? TableTimes.day(date, order: .monthFirst)
    }
    guard let year = row.value("year").flatMap(Int.init), let date = row.value("date") else {
      return nil
    }
    let words = date.lowercased().split { !$0.isLetter && !$0.isNumber }
    guard let number = words.lazy.compactMap({ Int($0) }).first,
      let name = words.first(where: { $0.count > 2 && $0.allSatisfy(\.isLetter) }),
      let month = months.firstIndex(where: { $0.hasPrefix(name) })
    else { return nil }
    return DayKey(year: year, month: month + 1, day: number)
  }

  /// The title, else the note's first line where it is short; and what is left of the note.
  private static func words(_ title: String?, _ note: String?) -> (title: String?, rest: String?) {
    guard let note, !note.isEmpty else { return (title, nil) }
    if let title { return (title, note) }
    let lines = note.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let first = lines[0].trimmingCharacters(in: .whitespaces)
    guard first.count > 200 else {
      let rest = lines.count > 1 ? lines[1].trimmingCharacters(in: .whitespacesAndNewlines) : ""
      return (first, rest.isEmpty ? nil : rest)
    }
    let cut = first.prefix(200)
    let end = cut.lastIndex(of: " ") ?? cut.endIndex
    return ("\(cut[..<end])…", note)
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert(NameFolding.key($0)).inserted }
  }
}
