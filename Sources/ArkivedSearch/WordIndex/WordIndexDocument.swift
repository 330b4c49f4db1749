/// A document for building a word index.
package struct WordIndexDocument: Sendable, Hashable {
  /// The row number in the full-text table.
  package var rowNumber: Int64
  /// The day, counted from any fixed day.
  package var day: Int32
  /// The position within the day: larger is newer; equal ones are ordered by row number.
  package var order: Int64
  /// The number of its group, which lets filters by group work without the archive.
  package var group: UInt16

  package init(
    rowNumber: Int64, day: Int32, order: Int64, group: UInt16 = WordIndexFormat.noGroup
  ) {
    self.rowNumber = rowNumber
    self.day = day
    self.order = order
    self.group = group
  }
}

/// The documents of an index in two orders: by ordinal (newest first), and by row number.
struct DocumentOrder {
  /// The row number of each ordinal.
  private(set) var rows: [Int64] = []
  /// The ordinals, in ascending order of their rows.
  private(set) var byRow: [UInt32] = []
  /// Each day with its first ordinal, latest day first.
  private(set) var days: [(day: Int32, first: UInt32)] = []
  /// The number of each ordinal's group.
  private(set) var groups: [UInt16] = []

  /// The row numbers in ascending order, and the position at which each range of `1 << shift`
  /// numbers begins.
  private var sortedRows: [Int64] = []
  private var starts: [UInt32] = []
  private var shift: Int64 = 0

  /// Orders documents.
  ///
  /// - Throws: `WordIndexError.disordered` if two documents have the same row number, and
  ///   `.tooLarge` beyond two thousand million documents.
  init(_ documents: some Sequence<WordIndexDocument>) throws {
    var documents = Array(documents)
    guard documents.count < Int32.max else {
      throw WordIndexError.tooLarge("\(documents.count) documents")
    }
    documents.sort {
      ($0.day, $0.order, $0.rowNumber) > ($1.day, $1.order, $1.rowNumber)
    }
    rows = documents.map(\.rowNumber)
    for (ordinal, document) in documents.enumerated() where days.last?.day != document.day {
      days.append((document.day, UInt32(ordinal)))
    }
    groups = documents.map(\.group)
    documents = []
    byRow = rows.indices.map { UInt32($0) }
    byRow.sort { rows[Int($0)] < rows[Int($1)] }
    sortedRows = byRow.map { rows[Int($0)] }
    for (row, next) in zip(sortedRows, sortedRows.dropFirst()) where row == next {
      throw WordIndexError.disordered("two documents have the row number \(row)")
    }
    guard let first = sortedRows.first, let last = sortedRows.last else { return }
    let (range, isTooWide) = last.subtractingReportingOverflow(first)
    guard !isTooWide else { throw WordIndexError.tooLarge("row numbers from \(first) to \(last)") }
    while range >> shift > Int64(rows.count) * 2 { shift += 1 }
    starts = [UInt32](repeating: 0, count: Int(range >> shift) + 2)
    for row in sortedRows { starts[Int((row - first) >> shift) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
  }

  var count: Int { rows.count }

  /// Returns the ordinal of a document, or nil if it is not among these.
  func ordinal(of row: Int64) -> UInt32? {
    guard let first = sortedRows.first, let last = sortedRows.last, row >= first, row <= last
    else { return nil }
    let bucket = Int((row - first) >> shift)
    var index = Int(starts[bucket])
    let end = Int(starts[bucket + 1])
    while index < end {
      let found = sortedRows[index]
      if found >= row { return found == row ? byRow[index] : nil }
      index += 1
    }
    return nil
  }
}
