import ArkivedCore
import Foundation

/// The reasons why the rows of a table can't become entries.
extension TableImporter {
  /// Returns the reason why no row of a table can be read, or nil if the first can.
  func damage(in file: ImportFile) -> ImportRefusal? {
    guard var table = try? CSVTable(file, skipsPreamble: true) else { return nil }
    return (try? table.damage()) ?? nil
  }

  /// Returns the reason why rows with a guessed mapping shouldn't become entries.
  static func problem(_ rows: [[String]], _ mapping: TableMapping) -> String? {
    if let problem = unreadPositions(rows, mapping) { return problem }
    if arePeople(mapping) {
      return
        "the rows are people: their only date is a birthday. Export your contacts as vCards (.vcf) and import "
        + "those, or set the columns with --map"
    }
    guard TableReadings.are(rows, by: mapping) else { return nil }
    return
      "the rows are readings less than an hour apart: only numbers with a time. Importing them would create an "
      + "entry for each one. To do that anyway, set the columns with --map"
  }

  /// Returns true if the only day of each row is somebody's birthday, as in Google's and Outlook's
  /// tables of contacts.
  private static func arePeople(_ mapping: TableMapping) -> Bool {
    let days = mapping.columns.filter { [.date, .start].contains($0.field) }
    let births: Set<String> = [
      "birthday", "birthdate", "dateofbirth", "geburtstag", "geburtsdatum",
    ]
    return !days.isEmpty && days.allSatisfy { births.contains(TableGuess.key($0.name)) }
  }

  /// Returns the reason why rows of positions can't be read, if that is what they are.
  private static func unreadPositions(_ rows: [[String]], _ mapping: TableMapping) -> String? {
    func column(_ axis: TablePosition.Axis) -> Int? {
      mapping.columns.indices.first { TablePosition.axis(of: mapping.columns[$0].name) == axis }
    }
    guard mapping.column(.lat) == nil || mapping.column(.lon) == nil,
      let lat = column(.latitude), let lon = column(.longitude),
      let row = rows.first(where: { row in
        [lat, lon].allSatisfy {
          $0 < row.count && !row[$0].trimmingCharacters(in: .whitespaces).isEmpty
        }
      })
    else { return nil }
    let told: [TableField] = [
      .text, .description, .notes, .mood, .energy, .people, .kind, .place,
    ]
    guard !mapping.columns.contains(where: { told.contains($0.field) }) else { return nil }
    return "\(FieldError.shown(row[lat])), \(FieldError.shown(row[lon])) can’t be read as a "
      + "position. Write latitudes and longitudes in degrees, such as 52.52 and 13.405"
  }
}
