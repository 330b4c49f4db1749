/// A view for the owner's own queries: a stable name over tables that may change.
///
/// Columns have the same names as in the JSON of every interface. Views are created for one
/// connection and disappear with it, so nothing of them is stored in the archive.
package struct QueryView: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    /// The SQL expression.
    let expression: String

    init(_ name: String, _ expression: String) {
      self.name = name
      self.expression = expression
    }
  }

  package var name: String
  /// A description of one line.
  package var about: String
  package var columns: [Column]
  /// The SQL after FROM.
  let source: String

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - about: a one-line description.
  ///   - source: the SQL after FROM.
  ///   - hasTimes: true if it has columns for the times of creation and last change.
  ///   - columns: its columns.
  init(
    _ name: String, _ about: String, from source: String, hasTimes: Bool = false,
    _ columns: [Column]
  ) {
    self.name = name
    self.about = about
    self.columns = hasTimes ? columns + Column.times : columns
    self.source = source
  }

  /// The statement that creates it.
  var definition: String {
    let names = columns.map(\.name).joined(separator: ", ")
    let expressions = columns.map(\.expression).joined(separator: ", ")
    return "CREATE TEMP VIEW \(name) (\(names)) AS SELECT \(expressions) FROM \(source)"
  }

  /// The statement that creates a view of the same name and columns without rows and without a
  /// source.
  var outline: String {
    let names = columns.map(\.name).joined(separator: ", ")
    let nothing = columns.map { _ in "NULL" }.joined(separator: ", ")
    return "CREATE TEMP VIEW \(name) (\(names)) AS SELECT \(nothing) WHERE 0"
  }

  /// The function that returns an instant in local time.
  static let localTime = "local_time"

  /// All views, in display order.
  package static let all = days + goalSide + meetingSide + bookkeeping
}

extension QueryView.Column {
  /// Returns a column of the underlying view, `it`.
  static func own(_ name: String, _ column: String? = nil) -> Self {
    Self(name, "it.\(column ?? name)")
  }

  /// Returns a column of milliseconds since 1970 as ISO 8601 in UTC, in whole seconds if possible.
  static func instant(_ name: String, _ column: String) -> Self {
    let part = "((\(column) % 1000) + 1000) % 1000"
    return Self(
      name,
      "strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(part)) / 1000, 'unixepoch')"
        + " || CASE \(part) WHEN 0 THEN 'Z' ELSE printf('.%03dZ', \(part)) END")
  }

  /// The times of creation and last change.
  static let times: [Self] = [
    .instant("createdAt", "it.created_at"), .instant("updatedAt", "it.updated_at"),
  ]
}
