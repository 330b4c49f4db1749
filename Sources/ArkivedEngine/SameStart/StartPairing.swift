/// Finds the entries of which rows with the same start are edited versions.
///
/// A wrong pair loses an entry, and a missing one only doubles it, so rows are paired only if enough
/// is alike.
struct StartPairing {
  /// A row, or an entry with all its known versions.
  struct Item {
    var name: String
    /// Empty for a deleted entry that isn't in the history any more.
    var versions: [RowTraits]
    /// False if the entry was deleted, or the import that brought it was undone.
    var isPresent = true
    var isDeleted = false
  }

  let kind: StartName.Kind
  /// True if most rows of the file are known as they are, so a row that isn't is probably edited.
  let isNewerExport: Bool

  /// The number of comparisons beyond which only equal texts are considered.
  private static let limit = 250_000

  /// Returns the index of the entry for each row that has one, by the row's index.
  ///
  /// - Parameters:
  ///   - rows: the rows of one file that aren't known as they are.
  ///   - entries: the entries with the same start that aren't in any file as they are.
  /// - Returns: the pairs.
  func pairs(_ rows: [Item], _ entries: [Item]) -> [Int: Int] {
    var pairs: [Int: Int] = [:]
    var free = Set(entries.indices)
    func pair(_ row: Int, _ entry: Int) {
      pairs[row] = entry
      free.remove(entry)
    }
    // The number of a row may still be its own.
    let names = Dictionary(entries.indices.map { (entries[$0].name, $0) }) { first, _ in first }
    for (index, row) in rows.enumerated() {
      if let entry = names[row.name], isSame(row, entries[entry]) { pair(index, entry) }
    }
    let texts = Dictionary(
      grouping: entries.indices.flatMap { index in
        Set(entries[index].versions.map(\.look.text)).map { (text: $0, entry: index) }
      }, by: \.text)
    for (index, row) in rows.enumerated() where pairs[index] == nil {
      let equal = row.versions.flatMap { texts[$0.look.text] ?? [] }.map(\.entry)
      if let entry = equal.first(where: { free.contains($0) && isSame(row, entries[$0]) }) {
        pair(index, entry)
      }
    }
    if rows.count * entries.count <= Self.limit {
      for (index, row) in rows.enumerated() where pairs[index] == nil {
        if let entry = free.sorted().first(where: { isSame(row, entries[$0]) }) {
          pair(index, entry)
        }
      }
      for (row, entry) in alike(rows, entries, pairs, free) { pair(row, entry) }
    }
    // Only the text was edited.
    if rows.count == 1, entries.count == 1, pairs.isEmpty, isNewerExport, mayBeEdited(entries[0]),
      rows[0].versions.contains(where: \.look.isTimed),
      matches(rows[0], entries[0], { $0.hasFields(of: $1) })
    {
      pair(0, 0)
    }
    // A deleted entry without a version may be any of the rows, and it shouldn't come back.
    let forgotten = entries.indices.filter {
      free.contains($0) && entries[$0].isDeleted && entries[$0].versions.isEmpty
    }
    for entry in forgotten {
      let open = rows.indices.filter { pairs[$0] == nil }
      let own = open.first { rows[$0].name == entries[entry].name }
      if let row = own ?? (kind == .dayRow ? nil : open.first) { pair(row, entry) }
    }
    return pairs
  }

  /// Returns the rows whose text is similar to that of one entry only, which is similar to no other
  /// row.
  private func alike(
    _ rows: [Item], _ entries: [Item], _ pairs: [Int: Int], _ free: Set<Int>
  ) -> [(Int, Int)] {
    let open = rows.indices.filter { pairs[$0] == nil }
    var ofRows: [Int: [Int]] = [:]
    var ofEntries: [Int: [Int]] = [:]
    for row in open {
      for entry in free where mayBeEdited(entries[entry]) && isEdited(rows[row], entries[entry]) {
        ofRows[row, default: []].append(entry)
        ofEntries[entry, default: []].append(row)
      }
    }
    return open.compactMap { row in
      guard let found = ofRows[row], found.count == 1, ofEntries[found[0]]?.count == 1 else {
        return nil
      }
      return (row, found[0])
    }
  }

  /// Returns true if a row with other words may be a version of an entry.
  private func mayBeEdited(_ entry: Item) -> Bool {
    switch kind {
    case .place: false
    // On a day, a row that is similar to a deleted one may well be another.
    case .dayRow: entry.isPresent
    case .row, .line: entry.isPresent || entry.isDeleted
    }
  }

  private func isSame(_ row: Item, _ entry: Item) -> Bool {
    matches(row, entry) { $0.isSame(as: $1, kind) }
  }

  private func isEdited(_ row: Item, _ entry: Item) -> Bool {
    matches(row, entry) { one, other in
      guard !isNewerExport else { return one.isAlike(other) }
      // A vault usually has one page for a day.
      return one.extends(other)
        && (kind == .line || (kind == .row && one.sharesField(with: other)))
    }
  }

  private func matches(
    _ row: Item, _ entry: Item, _ isMatch: (RowTraits, RowTraits) -> Bool
  ) -> Bool {
    row.versions.contains { one in entry.versions.contains { isMatch(one, $0) } }
  }
}
