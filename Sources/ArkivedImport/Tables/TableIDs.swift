import ArkivedCore

/// The IDs of a table's rows that several different rows have, so an ID alone doesn't identify them:
/// the number of a list, or of the person.
struct TableIDs {
  private let mapping: TableMapping
  private let column: Int?
  /// The columns that distinguish activities whose rows differ in the others.
  private let moments: [Int]
  private let ends: [Int]
  /// The hashes of the first rows by their IDs.
  private var rows: [String: Int] = [:]
  private var repeated: Set<String> = []

  init(_ mapping: TableMapping) {
    self.mapping = mapping
    column = mapping.indices(.id).first
    ends = [.end, .endTime, .duration].flatMap { mapping.indices($0) }
    moments = [.date, .time, .start, .text].flatMap { mapping.indices($0) } + ends
  }

  /// True if any ID occurs in different rows.
  var hasRepeated: Bool { !repeated.isEmpty }

  /// Returns true if different rows have an ID.
  func isRepeated(_ id: String) -> Bool { repeated.contains(id) }

  mutating func take(_ row: CSVTable.Row) {
    guard let column, let id = row.value(at: column), !repeated.contains(id) else { return }
    // Rows with both ends, such as the sets of a workout, become one activity.
    let isSpan = ends.contains { row.value(at: $0) != nil }
    let columns = isSpan ? moments : Array(mapping.columns.indices)
    var hasher = Hasher()
    for index in columns { hasher.combine(row.value(at: index)) }
    let hash = hasher.finalize()
    guard let first = rows.updateValue(hash, forKey: id) else { return }
    if first != hash { repeated.insert(id) }
  }
}
