import ArkivedCore
import CVectorScan
import Synchronization

/// The places a search may return and the texts they contain; nil means all of them.
struct PassingPlaces: Sendable {
  /// The places, one bit each.
  private(set) var places: [UInt64]?

  /// The texts, one bit each, set if at least one of their places passes.
  private(set) var texts: [UInt64]?

  /// The number of passing places.
  let count: Int

  /// The number of participating texts.
  let textCount: Int

  /// Applies a query's filters.
  ///
  /// - Throws: `VectorIndexError.unusable` if a place refers to a text that doesn't exist.
  init(_ query: VectorQuery, of snapshot: VectorSnapshot) throws {
    guard query.days != nil || query.allowed != nil || query.excluded != nil else {
      self = try snapshot.remaining.of(snapshot)
      return
    }
    var places = Self.remaining(snapshot)
    try Self.filter(&places, by: query, snapshot)
    let texts = try Self.texts(of: places, snapshot)
    count = Self.bits(of: places)
    textCount = Self.bits(of: texts)
    self.places = places
    self.texts = texts
  }

  /// Creates the set of places that are not removed.
  fileprivate init(remainingOf snapshot: VectorSnapshot) throws {
    count = snapshot.count
    guard snapshot.commit.removals > 0 else {
      textCount = snapshot.texts
      return
    }
    let places = Self.remaining(snapshot)
    let texts = try Self.texts(of: places, snapshot)
    textCount = Self.bits(of: texts)
    self.places = places
    // Reading all signs sequentially is faster than addressing each one.
    if textCount < snapshot.texts { self.texts = texts }
  }

  private static func bits(of set: [UInt64]) -> Int { set.reduce(0) { $0 + $1.nonzeroBitCount } }

  private static func remaining(_ snapshot: VectorSnapshot) -> [UInt64] {
    var places = snapshot.removed.map { ~$0 }
    let words = (snapshot.places + 63) / 64
    places.append(contentsOf: repeatElement(~0, count: max(0, words - places.count)))
    let rest = snapshot.places % 64
    if rest > 0 { places[words - 1] &= (1 << UInt64(rest)) - 1 }
    return places
  }

  private static func filter(
    _ places: inout [UInt64], by query: VectorQuery, _ snapshot: VectorSnapshot
  ) throws {
    let days = query.days ?? Int32.min...Int32.max
    withWords(of: query.allowed) { allowed in
      withWords(of: query.excluded) { excluded in
        var filter = vector_scan_filter(
          first_day: days.lowerBound, last_day: days.upperBound,
          is_limited: query.allowed != nil,
          allowed: allowed.baseAddress, excluded: excluded.baseAddress,
          allowed_words: allowed.count, excluded_words: excluded.count)
        places.withUnsafeMutableBufferPointer { places in
          guard let bits = places.baseAddress else { return }
          for run in snapshot.runs(of: .places) {
            vector_scan_passing(
              snapshot.values(of: .documents, from: run.lowerBound),
              snapshot.values(of: .days, from: run.lowerBound), run.count, &filter,
              bits + run.lowerBound / 64)
          }
        }
      }
    }
  }

  private static func withWords<Result>(
    of set: DocumentSet?, _ body: (UnsafeBufferPointer<UInt64>) throws -> Result
  ) rethrows -> Result {
    guard let set else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    return try set.words.withUnsafeBufferPointer(body)
  }

  private static func texts(
    of places: [UInt64], _ snapshot: VectorSnapshot
  ) throws -> [UInt64] {
    var texts = [UInt64](repeating: 0, count: (snapshot.texts + 63) / 64)
    try places.withUnsafeBufferPointer { places in
      try texts.withUnsafeMutableBufferPointer { texts in
        guard let bits = places.baseAddress, let marks = texts.baseAddress else { return }
        for run in snapshot.runs(of: .places) {
          guard
            vector_scan_mark(
              snapshot.values(of: .texts, from: run.lowerBound), bits + run.lowerBound / 64,
              run.count, snapshot.texts, marks)
          else { throw snapshot.mapping.damaged("the texts of places \(run)") }
        }
      }
    }
    return texts
  }
}

/// The places that pass without a filter, computed once for a snapshot.
final class RemainingPlaces: Sendable {
  private let known = Mutex<PassingPlaces?>(nil)

  fileprivate func of(_ snapshot: VectorSnapshot) throws -> PassingPlaces {
    try known.withLock { known in
      if let known { return known }
      let found = try PassingPlaces(remainingOf: snapshot)
      known = found
      return found
    }
  }
}

extension VectorSnapshot {
  /// Splits a table's rows into ranges within one block each.
  func runs(of table: VectorTable) -> [Range<Int>] {
    let perBlock = layout.rowsPerBlock(of: table)
    return stride(from: 0, to: commit[table].rows, by: perBlock).map {
      $0..<min($0 + perBlock, commit[table].rows)
    }
  }
}
