import ArkivedCore

/// A row whose cells are read by the mapping's fields, with the messages about it.
struct TableCells {
  let row: CSVTable.Row
  let mapping: TableMapping
  let place: String
  let sink: any ImportSink
  /// Values that don't belong to any field, for the description.
  var details: [String] = []

  func value(_ field: TableField) -> String? {
    let value = mapping.indices(field).lazy.compactMap { row.value(at: $0) }.first
    let isText = [.text, .description, .notes, .place, .kind, .weather].contains(field)
    return isText ? value.map(SpreadsheetText.restored) : value
  }

  /// Returns the words in a column.
  func words(at index: Int) -> String? { row.value(at: index).map(SpreadsheetText.restored) }

  func tell(_ severity: Diagnostic.Severity, _ field: TableField, _ message: String) {
    let name = mapping.column(field)?.name ?? field.rawValue
    sink.diagnose(
      Diagnostic(severity, place: "\(place) field “\(name)”", message: message))
  }
}
