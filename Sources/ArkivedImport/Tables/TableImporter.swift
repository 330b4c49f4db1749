import ArkivedCore
import Foundation

/// An importer that reads tables through a mapping of their columns.
package protocol MappedImporter: Importer {
  var table: TableImporter { get }
}

/// Imports any table of separated values whose columns give a time and a text.
///
/// Each row becomes an activity; moods and energy are stored with the days. The mapping of the
/// columns comes from the owner, from a stored profile, or from a guess based on their names and
/// values.
package struct TableImporter: MappedImporter {
  package let format = "csv"
  package let profiles: [TableProfile]
  package let map: String?
  package let profile: String?

  /// Creates an importer.
  ///
  /// - Parameters:
  ///   - profiles: the stored mappings; one with the same columns is used.
  ///   - map: the owner's assignment of columns: `text=Title,start=Date`.
  ///   - profile: the name of the profile to use, or under which to store `map`.
  package init(profiles: [TableProfile] = [], map: String? = nil, profile: String? = nil) {
    self.profiles = profiles
    self.map = map
    self.profile = profile
  }

  /// True if the owner assigned the columns, which means that no other format is intended.
  package var isTold: Bool { map != nil || profile != nil }

  /// Returns the same importer with the mappings stored in an archive.
  package func knowing(_ profiles: [TableProfile]) -> TableImporter {
    TableImporter(profiles: profiles, map: map, profile: profile)
  }

  /// The source of a mapping.
  package enum Origin: Hashable, Sendable {
    case told, guessed
    case profile(String)
  }

  /// The interpretation of a file's columns.
  package struct Reading: Sendable {
    package var mapping: TableMapping
    package var origin: Origin
    /// The first values of each column.
    package var examples: [[String]]
    /// The first rows, as written in the file.
    package var rows: [[String]]
    /// True if the rows are points of a journey instead of entries.
    package var arePoints: Bool
    /// The reason why the rows can't become entries, if there is one.
    package var problem: String?

    static let rowLimit = 3
  }

  package var table: TableImporter { self }

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    reading(head: head, fileName: fileName).map(Self.isRecognised) ?? false
  }

  package func recognises(_ file: ImportFile, head: [UInt8]) -> Bool {
    if let reading = reading(file, head: head), reading.arePoints || Self.isRecognised(reading) {
      return !reading.arePoints
    }
    guard isTable(head, file.name), isTold || !LoopImporter.isPart(file.name) else { return false }
    return damage(in: file) != nil
  }

  /// Returns true if rows can be read as entries, or there is a reason to give why they can't.
  private static func isRecognised(_ reading: Reading) -> Bool {
    !reading.arePoints && (reading.mapping.isUsable || reading.problem != nil)
  }

  /// Returns the interpretation based on the first bytes, or nil if they don't begin a table.
  func reading(head: [UInt8], fileName: String) -> Reading? {
    guard isTable(head, fileName), isTold || !LoopImporter.isPart(fileName) else { return nil }
    let (first, rows) = CSVTable.beginning(
      ofHead: head, isWhole: head.count < 4096, skipsPreamble: true)
    // The first row has to name the columns.
    guard first.count > 1, !first.contains(where: { TableMoment.isDay($0) }) else { return nil }
    return try? reading(CSVTable.numbered(first), rows, place: fileName)
  }

  /// Returns the interpretation based on many rows of the file.
  func reading(_ file: ImportFile, head: [UInt8]) -> Reading? {
    reading(head: head, fileName: file.name).flatMap { brief in
      head.count < 4096 ? brief : (try? reading(file)) ?? brief
    }
  }

  /// Returns the reason why a file that was selected on its own can't be read as a table, or nil if
  /// it isn't one.
  package func advice(on file: ImportFile, head: [UInt8]) -> ImportRefusal? {
    guard isTable(head, file.name) else { return nil }
    let (header, rows) = CSVTable.beginning(
      ofHead: head, isWhole: head.count < 4096, skipsPreamble: true)
    guard header.count > 1 else { return nil }
    do throws(ImportRefusal) {
      let mapping = try reading(CSVTable.numbered(header), rows, place: file.name).mapping
      return ImportRefusal(place: "\(file.name):1", message: Self.advice(mapping))
    } catch {
      return error
    }
  }

  private func isTable(_ head: [UInt8], _ name: String) -> Bool {
    let lower = name.lowercased()
    let isNamed = [".csv", ".tsv", ".tab"].contains { lower.hasSuffix($0) }
    return (isNamed || (map != nil && lower.hasSuffix(".txt"))) && !ZipFile.isZip(head)
      && (!head.contains(0) || UTF16Order(head) != nil)
  }

  private static func advice(_ mapping: TableMapping) -> String {
    "the table doesn’t show which columns hold the date and the text. Name them, as in --map "
      + "\"date=COLUMN,text=COLUMN\". The table has "
      + mapping.columns.prefix(40).map { FieldError.shown($0.name) }.joined(separator: ", ")
  }

  // MARK: The mapping

  /// Returns the interpretation of a file's columns.
  ///
  /// - Throws: `ImportRefusal` if the file can't be read or the owner's mapping doesn't fit it.
  package func reading(_ file: ImportFile) throws -> Reading {
    var table = try CSVTable(file, skipsPreamble: true, numbersRepeats: true)
    return try reading(table.header, try table.firstRows(Self.sampleSize), place: file.name)
  }

  /// The maximum number of columns.
  static let columnLimit = 2_000

  /// The number of rows that determine the columns' fields.
  private static let sampleSize = 2_000

  private func reading(
    _ header: [String], _ rows: [[String]], place: String
  ) throws(ImportRefusal) -> Reading {
    guard header.count <= Self.columnLimit else {
      return Reading(
        mapping: TableMapping(columns: []), origin: .guessed, examples: [], rows: [],
        arePoints: false,
        problem: "the table has \(header.count) columns, but Arkived reads up to "
          + "\(Self.columnLimit)")
    }
    var mapping = TableGuess.mapping(header, rows)
    var origin = Origin.guessed
    let kept = profiles.first { NameFolding.key($0.name) == profile.map(NameFolding.key) }
    if profile != nil, kept == nil, map == nil {
      throw ImportRefusal(
        place: place,
        message: "no profile named \(FieldError.shown(profile ?? "")). "
          + (profiles.isEmpty
            ? "None is saved yet. To save one, use --map with --profile"
            : "Saved profiles: \(profiles.map(\.name).joined(separator: ", "))"))
    }
    if let used = kept ?? profiles.first(where: { $0.mapping.key == mapping.key }) {
      mapping = Self.laid(used.mapping, over: mapping)
      origin = .profile(used.name)
    }
    if let map {
      do throws(FieldError) {
        mapping = try mapping.changed(by: map)
      } catch {
        throw ImportRefusal(place: place, message: "--map \(error.problem)")
      }
      origin = .told
    }
    let examples = header.indices.map { column in
      Array(
        rows.lazy.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }.prefix(
          3)
      )
    }
    return Reading(
      mapping: mapping, origin: origin, examples: examples,
      rows: Array(rows.prefix(Reading.rowLimit)), arePoints: TablePoints.are(rows, by: mapping),
      problem: origin == .guessed ? Self.problem(rows, mapping) : nil)
  }

  /// Returns a stored mapping applied to a table's columns; columns that it doesn't know keep the
  /// guessed field.
  private static func laid(_ kept: TableMapping, over guess: TableMapping) -> TableMapping {
    let known = Dictionary(kept.columns.map { (NameFolding.key($0.name), $0) }) { first, _ in first
    }
    return TableMapping(
      columns: guess.columns.map { column in
        let own = known[NameFolding.key(column.name)]
        return TableMapping.Column(
          name: column.name, field: own?.field ?? .detail, unit: own?.unit)
      })
  }

  /// Returns the profile to store after a file was imported with the owner's mapping, or nil if
  /// there is none.
  package func profileToKeep(of file: ImportFile) throws -> TableProfile? {
    guard map != nil, let profile else { return nil }
    return TableProfile(name: profile, mapping: try reading(file).mapping)
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  /// The owner's assignments and stored mappings, and the locale, which applies if nothing else
  /// determines the result.
  package var settings: String {
    let kept = JSON.array(profiles.map(\.json)).text()
    return "\(map ?? "") \(profile ?? "") \(DateOrder.inProcess) \(kept)"
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let reading = try reading(file)
    if let problem = reading.problem {
      throw ImportRefusal(place: "\(file.name):1", message: problem)
    }
    guard reading.mapping.isUsable else {
      throw damage(in: file)
        ?? ImportRefusal(place: "\(file.name):1", message: Self.advice(reading.mapping))
    }
    if reading.origin == .guessed { tellGuess(reading.mapping, file, sink) }
    let (survey, decimal) = try survey(file, reading.mapping, sink)
    var rows = TableRows(
      file: file, context: context, mapping: reading.mapping, survey: survey, decimal: decimal)
    let first = FirstProblem(sink)
    var again = try CSVTable(file, skipsPreamble: true, numbersRepeats: true)
    if again.preambleCount > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: "\(file.name):1",
          message: "skipped lines before the column names: \(again.preambleCount)"))
    }
    try again.forEach(into: first) { try rows.take($0, into: first) }
    try rows.finish(into: first)
    guard rows.taken > 0 else { throw Self.nothing(in: file, reading, first.problem) }
  }

  /// Examines all rows for facts that are needed before the first can be read.
  func survey(
    _ file: ImportFile, _ mapping: TableMapping, _ sink: any ImportSink
  ) throws -> (TableSurvey, decimal: Character) {
    var survey = TableSurvey(mapping)
    var table = try CSVTable(file, skipsPreamble: true, numbersRepeats: true)
    try table.forEach(into: SilentSink()) { survey.take($0) }
    survey.tell(file, sink)
    return (survey, table.hasSemicolons ? "," : ".")
  }

  /// Returns the reason why a table yielded nothing at all.
  static func nothing(
    in file: ImportFile, _ reading: Reading, _ problem: Diagnostic?
  ) -> ImportRefusal {
    guard let problem else {
      return ImportRefusal(
        place: "\(file.name):2", message: "the table has no rows below its column names")
    }
    let advice =
      reading.origin == .told
      ? "Check --map" : "If the columns mean something else, set them with --map"
    return ImportRefusal(
      place: problem.place,
      message: "no row could be read. First problem: \(problem.message). \(advice)")
  }

  func tellGuess(_ mapping: TableMapping, _ file: ImportFile, _ sink: any ImportSink) {
    let parts = mapping.columns.filter { $0.field != .ignore }.prefix(40).map {
      "\($0.name) → \($0.words)"
    }
    sink.diagnose(
      Diagnostic(
        .note, place: "\(file.name):1",
        message:
          "the columns were guessed: \(parts.joined(separator: ", ")). If that’s wrong, undo this "
          + "import and set them with --map"))
    guard mapping.column(.duration) == nil,
      mapping.column(.end) != nil || mapping.column(.endTime) != nil,
      let length = mapping.columns.first(where: {
        [.measure, .detail].contains($0.field) && TableGuess.isLength($0.name)
      })
    else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: "\(file.name):1",
        message:
          "\(FieldError.shown(length.name)) isn’t the time from start to end in most rows, so it was stored as "
          + "a separate amount"))
  }
}

/// A sink that passes everything on and remembers the first thing that was skipped.
final class FirstProblem: ImportSink {
  private let sink: any ImportSink
  private(set) var problem: Diagnostic?

  init(_ sink: any ImportSink) { self.sink = sink }

  func take(_ record: ImportedRecord) throws { try sink.take(record) }
  func diagnose(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .skipped { problem = problem ?? diagnostic }
    sink.diagnose(diagnostic)
  }
  func reach(_ offset: Int) { sink.reach(offset) }
  func goOn() { sink.goOn() }
  var isOver: Bool { sink.isOver }
}
