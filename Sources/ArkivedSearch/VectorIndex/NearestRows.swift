import CVectorScan

/// The rows nearest to a query by their sign bits, collected during a scan.
///
/// A histogram of the distances so far gives the bound that contains the wanted number of rows;
/// rows beyond it are skipped.
struct NearestRows {
  /// A row in the lower half of the bits and its distance in the upper half, with capacity for one
  /// more step.
  private var entries: [UInt64]
  private var count = 0
  /// The number of rows at each distance.
  private var histogram: [UInt32]
  /// The number of rows within the bound.
  private var within = 0
  private let wanted: Int
  private let step: Int

  /// The largest distance of interest.
  private(set) var bound: UInt16

  /// The rows within the bound, in ascending order.
  var rows: [Int] {
    entries[..<count].compactMap { $0 >> 32 <= bound ? Int($0 & 0xffff_ffff) : nil }
  }

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - wanted: the number of rows to find, plus those as near as the last of them.
  ///   - dimensions: the largest distance.
  ///   - step: the largest number of rows added at once.
  init(wanted: Int, dimensions: Int, step: Int) {
    self.wanted = wanted
    self.step = step
    bound = UInt16(dimensions)
    histogram = [UInt32](repeating: 0, count: dimensions + 1)
    entries = [UInt64](repeating: 0, count: min(wanted, 8 * step) + 4 * step)
  }

  /// Adds rows.
  ///
  /// - Parameters:
  ///   - distances: their distances.
  ///   - added: how many rows there are.
  ///   - row: the number of the first.
  ///   - numbers: the rows that the distances belong to, relative to the first; nil for all.
  mutating func add(
    _ distances: UnsafePointer<UInt16>, count added: Int, from row: Int,
    numbers: UnsafePointer<UInt16>?
  ) {
    if entries.count < count + step { makeRoom() }
    let found = entries.withUnsafeMutableBufferPointer { entries in
      histogram.withUnsafeMutableBufferPointer { histogram -> Int in
        var step = vector_scan_step(
          distances: distances, count: added, numbers: numbers, first_row: UInt32(row),
          bound: bound, histogram: histogram.baseAddress,
          nearest: entries.baseAddress.map { $0 + count })
        return vector_scan_nearest(&step)
      }
    }
    count += found
    within += found
    while bound > 0, within - Int(histogram[Int(bound)]) >= wanted {
      within -= Int(histogram[Int(bound)])
      bound -= 1
    }
  }

  /// Removes rows that are now beyond the bound; if there are few, grows the storage.
  private mutating func makeRoom() {
    let kept = entries[..<count].filter { $0 >> 32 <= bound }
    count = kept.count
    let size = max(entries.count, 2 * (count + step))
    entries = kept
    entries.reserveCapacity(size)
    entries.append(contentsOf: repeatElement(0, count: size - count))
  }
}
