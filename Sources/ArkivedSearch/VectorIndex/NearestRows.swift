import CVectorScan

/// The rows nearest to a query by their sign bits, gathered while the rows go by.
///
/// A histogram of the distances met so far gives the bound within which the wanted number lies;
/// rows beyond it are passed over.
struct NearestRows {
  /// A row in the lower half of the bits, its distance in the upper. There is room for a step more.
  private var entries: [UInt64]
  private var count = 0
  /// How many rows are at each distance.
  private var histogram: [UInt32]
  /// How many rows are within the bound.
  private var within = 0
  private let wanted: Int
  private let step: Int

  /// Rows farther than this are of no interest.
  private(set) var bound: UInt16

  /// The rows within the bound, in ascending order.
  var rows: [Int] {
    entries[..<count].compactMap { $0 >> 32 <= bound ? Int($0 & 0xffff_ffff) : nil }
  }

  /// - Parameters:
  ///   - wanted: how many rows to find, and those as near as the last of them.
  ///   - dimensions: the greatest distance.
  ///   - step: how many rows are added at once at most.
  init(wanted: Int, dimensions: Int, step: Int) {
    self.wanted = wanted
    self.step = step
    bound = UInt16(dimensions)
    histogram = [UInt32](repeating: 0, count: dimensions + 1)
    entries = [UInt64](repeating: 0, count: min(wanted, 8 * step) + 4 * step)
  }

  /// Adds rows.
  /// - Parameter numbers: which rows after the first the distances are of; nil for all.
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

  /// Drops the rows that were added before the bound came down; if they are few, grows.
  private mutating func makeRoom() {
    let kept = entries[..<count].filter { $0 >> 32 <= bound }
    count = kept.count
    let size = max(entries.count, 2 * (count + step))
    entries = kept
    entries.reserveCapacity(size)
    entries.append(contentsOf: repeatElement(0, count: size - count))
  }
}
