import ArkivedCore
import Foundation

/// Imports any table of separated values whose columns say when something was and what. Each row becomes
/// an activity; moods and energy go to the days.
///
/// What a column becomes is told by the owner, kept from before in a profile, or guessed from its name and
/// its values.
package struct TableImporter: Importer {
  package let format = "csv"
  package let profiles: [TableProfile]
  package let map: String?
  package let profile: String?

  /// - Parameters:
  ///   - profiles: the mappings that are kept; one with the same columns is used.
  ///   - map: what the owner tells of columns: `text=Title,start=Date`.
  ///   - profile: the name of the profile to use, or to keep `map` under.
  package init(profiles: [TableProfile] = [], map: String? = nil, profile: String? = nil) {
    self.profiles = profiles
    self.map = map
    self.profile = profile
  }

  /// Whether the owner says what the columns become, so that no other format is meant.
  package var isTold: Bool { map != nil || profile != nil }

  /// The same with the mappings that an archive keeps.
  package func knowing(_ profiles: [TableProfile]) -> TableImporter {
    TableImporter(profiles: profiles, map: map, profile: profile)
  }

  /// Where a mapping comes from.
  package enum Origin: Hashable, Sendable {
    case told, guessed
    case profile(String)
  }

  /// What the columns of a file become.
  package struct Reading: Sendable {
    package var mapping: TableMapping
    package var origin: Origin
    /// The first values of each column.
    package var examples: [[String]]
  }

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    guard isTable(head, fileName), isTold || !LoopImporter.isPart(fileName) else { return false }
    let (header, rows) = CSVTable.beginning(ofHead: head, isWhole: head.count < 4096)
    // The first row has to name the columns.
    guard header.count > 1, !header.contains(where: { TableMoment.isDay($0) }) else { return false }
    return (try? reading(header, rows, place: fileName).mapping.isUsable) ?? false
  }

  /// Why a file that was handed in by itself cannot be read as a table; nil where it is none.
  package func advice(on file: ImportFile, head: [UInt8]) -> ImportRefusal? {
    guard isTable(head, file.name) else { return nil }
    let (header, rows) = CSVTable.beginning(ofHead: head, isWhole: head.count < 4096)
    guard header.count > 1 else { return nil }
    do throws(ImportRefusal) {
      let mapping = try reading(header, rows, place: file.name).mapping
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
    "nothing tells which columns say when something was and what. Name them, as in "
      + "--map \"date=COLUMN,text=COLUMN\"; the table has "
      + mapping.columns.prefix(40).map { FieldError.shown($0.name) }.joined(separator: ", ")
  }

  // MARK: The mapping

  /// What the columns of a file become.
  ///
  /// - Throws: `ImportRefusal` where the file cannot be read or the owner's mapping does not fit it.
  package func reading(_ file: ImportFile) throws -> Reading {
    var table = try CSVTable(file)
    return try reading(table.header, try table.firstRows(200), place: file.name)
  }

  private func reading(
    _ header: [String], _ rows: [[String]], place: String
  ) throws(ImportRefusal) -> Reading {
    var mapping = TableGuess.mapping(header, rows)
    var origin = Origin.guessed
    let kept = profiles.first { NameFolding.key($0.name) == profile.map(NameFolding.key) }
    if profile != nil, kept == nil, map == nil {
      throw ImportRefusal(
        place: place,
        message: "there is no profile \(FieldError.shown(profile ?? "")). "
          + (profiles.isEmpty
            ? "None is kept yet; --map with --profile keeps one"
            : "There are \(profiles.map(\.name).joined(separator: ", "))"))
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
    return Reading(mapping: mapping, origin: origin, examples: examples)
  }

  /// A kept mapping for the columns of a table; a column that it does not know stays as guessed.
  private static func laid(_ kept: TableMapping, over guess: TableMapping) -> TableMapping {
    TableMapping(
      columns: guess.columns.map { column in
        let own = kept.columns.first { NameFolding.key($0.name) == NameFolding.key(column.name) }
        return TableMapping.Column(
          name: column.name, field: own?.field ?? .detail, unit: own?.unit)
      })
  }

  /// What is to be kept once a file came in by the owner's mapping; nil where nothing is.
  package func profileToKeep(of file: ImportFile) throws -> TableProfile? {
    guard map != nil, let profile else { return nil }
    return TableProfile(name: profile, mapping: try reading(file).mapping)
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  /// What the owner tells and keeps of columns, and the locale where nothing else tells.
  package var settings: String {
    let kept = JSON.array(profiles.map(\.json)).text()
    return "\(map ?? "") \(profile ?? "") \(DateOrder.inProcess) \(kept)"
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let reading = try reading(file)
    guard reading.mapping.isUsable else {
      throw ImportRefusal(place: "\(file.name):1", message: Self.advice(reading.mapping))
    }
    if reading.origin == .guessed { tellGuess(reading.mapping, file, sink) }
    var survey = TableSurvey(reading.mapping)
    var table = try CSVTable(file)
    try table.forEach(into: SilentSink()) { survey.take($0) }
    survey.tell(file, sink)
    var rows = TableRows(
      file: file, context: context, mapping: reading.mapping, survey: survey,
      decimal: table.hasSemicolons ? "," : ".")
    var again = try CSVTable(file)
    try again.forEach(into: sink) { try rows.take($0, into: sink) }
    try rows.finish(into: sink)
  }

  private func tellGuess(_ mapping: TableMapping, _ file: ImportFile, _ sink: any ImportSink) {
    let parts = mapping.columns.filter { $0.field != .ignore }.prefix(40).map {
      "\($0.name) → \($0.words)"
    }
    sink.diagnose(
      Diagnostic(
        .note, place: "\(file.name):1",
        message:
          "the columns were guessed: \(parts.joined(separator: ", ")). If that is wrong, undo "
          + "this import and tell them with --map"))
  }
}

/// What has to be known of all rows before the first can be read.
struct TableSurvey {
  let mapping: TableMapping
  private(set) var order: DateOrder?
  private(set) var numbers = TableNumbers()
  private var isOpen = false
  private let dates: [String]
  private let amounts: [String]

  init(_ mapping: TableMapping) {
    self.mapping = mapping
    dates = mapping.columns.filter { [.date, .start, .end].contains($0.field) }.map(\.name)
    amounts = mapping.columns.filter { [.measure, .duration, .lat, .lon].contains($0.field) }
      .map(\.name)
  }

  mutating func take(_ row: CSVTable.Row) {
    for column in dates {
      guard let value = row.value(column.lowercased()) else { continue }
      let date = TableMoment.date(of: value)
      order = order ?? TableTimes.order(toldBy: date)
      isOpen = isOpen || TableTimes.isOpen(date)
    }
    for column in amounts {
      if let value = row.value(column.lowercased()) { numbers.take(value) }
    }
  }

  /// Says what nothing in the table tells.
  func tell(_ file: ImportFile, _ sink: any ImportSink) {
    if isOpen, order == nil {
      let first = DateOrder.inProcess == .dayFirst ? "day" : "month"
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "nothing in the file tells whether its dates have the day or the month first; "
            + "they were read with the \(first) first. If that is wrong, undo this import and write "
            + "the dates as YYYY-MM-DD"))
    }
    if numbers.isOpen, numbers.decimal == nil {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message:
            "nothing in the file tells whether “1,234” is a fraction or more than a thousand; "
            + "such numbers were read as the table’s separator suggests"))
    }
  }
}
