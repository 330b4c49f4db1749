/// What an owner's own query reads: a name that stays, over tables that may change.
///
/// Columns are called as in the JSON of every face. Views are made for one connection and are gone
/// with it, so nothing of them is kept in the archive.
package struct QueryView: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    /// The SQL that makes it.
    let expression: String

    init(_ name: String, _ expression: String) {
      self.name = name
      self.expression = expression
    }
  }

  package var name: String
  /// One line for a person.
  package var about: String
  package var columns: [Column]
  /// What follows FROM.
  let source: String

  /// - Parameter hasTimes: whether it tells when a row was made and last changed.
  init(
    _ name: String, _ about: String, from source: String, hasTimes: Bool = false,
    _ columns: [Column]
  ) {
    self.name = name
    self.about = about
    self.columns = hasTimes ? columns + Column.times : columns
    self.source = source
  }

  /// The statement that makes it.
  var definition: String {
    let names = columns.map(\.name).joined(separator: ", ")
    let expressions = columns.map(\.expression).joined(separator: ", ")
    return "CREATE TEMP VIEW \(name) (\(names)) AS SELECT \(expressions) FROM \(source)"
  }

  /// The statement that makes one of the same name and columns without a row and without a source.
  var outline: String {
    let names = columns.map(\.name).joined(separator: ", ")
    let nothing = columns.map { _ in "NULL" }.joined(separator: ", ")
    return "CREATE TEMP VIEW \(name) (\(names)) AS SELECT \(nothing) WHERE 0"
  }

  /// The function that tells an instant as clocks showed it where it was.
  static let localTime = "local_time"

  /// All of them, in the order in which they are told.
  package static let all = days + goalSide + meetingSide + bookkeeping
}

extension QueryView.Column {
  /// A column of the view beneath, `it`.
  static func own(_ name: String, _ column: String? = nil) -> Self {
    Self(name, "it.\(column ?? name)")
  }

  /// Milliseconds since 1970 as ISO 8601 in UTC: whole seconds where there is no more.
  static func instant(_ name: String, _ column: String) -> Self {
    let part = "((\(column) % 1000) + 1000) % 1000"
    return Self(
      name,
      "strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(part)) / 1000, 'unixepoch')"
        + " || CASE \(part) WHEN 0 THEN 'Z' ELSE printf('.%03dZ', \(part)) END")
  }

  /// When it was made and last changed.
  static let times: [Self] = [
    .instant("createdAt", "it.created_at"), .instant("updatedAt", "it.updated_at"),
  ]
}
