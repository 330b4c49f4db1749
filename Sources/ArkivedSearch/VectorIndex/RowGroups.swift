import CVectorScan

/// Rows with their sign bits compared with the query itself, and put together where the signs are
/// the same: a text that was entered a thousand times counts once and does not crowd out others.
struct RowGroups {
  /// The rows, in ascending order.
  let rows: [Int]
  /// Which group each row is in.
  private(set) var groupOfRow: [Int] = []
  /// The first row of each group.
  private(set) var firstRow: [Int] = []
  /// Grows with the inner product of the query with a group's signs.
  private var sums: [Float] = []
  /// Groups with a lower sum are left out.
  private var bound = -Float.infinity

  /// How many groups there are.
  var count: Int { firstRow.count }

  /// - Parameter vector: the query as a unit vector.
  init(_ rows: [Int], of snapshot: VectorSnapshot, vector: [Float]) {
    self.rows = rows
    var keys = [UInt64](repeating: 0, count: rows.count)
    var rowSums = [Float](repeating: 0, count: rows.count)
    let signs = rows.map { row -> UnsafePointer<UInt64>? in
      snapshot.mapping.values(of: .signs, from: row)
    }
    vector_scan_sign_sums(signs, rows.count, snapshot.layout.words, vector, &rowSums, &keys)
    var size = 64
    while size < rows.count * 2 { size *= 2 }
    // Open addressing: one more than a group, or 0.
    var slots = [Int32](repeating: 0, count: size)
    groupOfRow.reserveCapacity(rows.count)
    firstRow.reserveCapacity(rows.count)
    sums.reserveCapacity(rows.count)
    var groupKeys: [UInt64] = []
    groupKeys.reserveCapacity(rows.count)
    for index in rows.indices {
      let key = keys[index]
      var slot = Int(truncatingIfNeeded: key) & (size - 1)
      // Equal sums too, so that two signs whose hashes are equal by chance stay apart.
      while slots[slot] != 0 {
        let group = Int(slots[slot]) - 1
        if groupKeys[group] == key, sums[group] == rowSums[index] { break }
        slot = (slot + 1) & (size - 1)
      }
      if slots[slot] == 0 {
        slots[slot] = Int32(firstRow.count) + 1
        firstRow.append(rows[index])
        sums.append(rowSums[index])
        groupKeys.append(key)
      }
      groupOfRow.append(Int(slots[slot]) - 1)
    }
  }

  func isKept(_ group: Int) -> Bool { sums[group] >= bound }

  /// Leaves out all but the best groups, and those about as good as the last of them.
  /// - Returns: whether any was left out.
  mutating func keepBest(_ wanted: Int) -> Bool {
    guard count > wanted, let low = sums.min(), let high = sums.max(), low < high else {
      return false
    }
    let bins = 1024
    let scale = Float(bins - 1) / (high - low)
    guard scale.isFinite else { return false }
    var histogram = [Int32](repeating: 0, count: bins)
    for sum in sums { histogram[Int((sum - low) * scale)] += 1 }
    var bin = bins - 1
    var reached = Int(histogram[bin])
    while bin > 0, reached < wanted {
      bin -= 1
      reached += Int(histogram[bin])
    }
    // A little less, since the way back from a bin to its bound is rounded.
    bound = low + (Float(bin) - 0.01) / scale
    return bin > 0
  }
}
