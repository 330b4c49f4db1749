import ArkivedCore
import CVectorScan

/// One search of a vector index.
///
/// Three stages, each for fewer rows and nearer to the truth. The Hamming distance between sign
/// bits goes over all rows that pass the filter. The inner product of the query itself with the
/// signs orders the nearest of them, and what is left is compared with the vectors. When few rows
/// pass the filter, none is left out on the way and the result is exact.
struct VectorScan {
  private let snapshot: VectorSnapshot
  private let query: VectorQuery
  /// The query as a unit vector.
  private let vector: [Float]
  private let signs: [UInt64]

  /// Rows whose distances are worked out before the bound is looked at again.
  private static let step = 1024

  /// Up to this many bytes of vectors are read through the mapping. Above it they are read one by
  /// one into a buffer, since each touch of a mapping keeps the pages around it in memory.
  private static let mappedVectorLimit = 64 << 20

  /// - Throws: `VectorIndexError.wrongDimensions`, `.noDirection`.
  init(_ query: VectorQuery, of snapshot: VectorSnapshot) throws {
    self.snapshot = snapshot
    self.query = query
    vector = try UnitVector.of(query.vector, dimensions: snapshot.layout.dimensions)
    signs = UnitVector.signs(of: vector)
  }

  func matches() throws -> [VectorMatch] {
    guard query.limit > 0, snapshot.count > 0, query.allowed?.isEmpty != true else { return [] }
    let limit = min(query.limit, snapshot.count)
    var widening = 1
    while true {
      let wanted = Self.wanted(limit: limit, rows: snapshot.rows, widening: widening)
      let found = try scan(wanted.bySigns)
      var groups = RowGroups(found.rows, of: snapshot, vector: vector)
      // Where many rows of the same text or of few documents crowd the front, more are needed.
      if !found.isCut || groups.count >= wanted.exactly {
        let isCut = groups.keepBest(wanted.exactly) || found.isCut
        let best = bestOfEachDocument(try score(groups), limit: limit)
        if !isCut || best.documents >= limit * 2 {
          return try best.matches.map { scored in
            VectorMatch(
              document: scored.document, score: max(-1, min(1, scored.score)),
              chunk: try snapshot.entry(of: scored.row).chunk)
          }
        }
      }
      widening *= 4
    }
  }

  /// How many rows each stage leaves for the next, by what gave a recall over 0.99 of the first 20
  /// among 10,000 to 1.5 million sentences; see Benchmarks.
  private static func wanted(
    limit: Int, rows: Int, widening: Int
  ) -> (bySigns: Int, exactly: Int) {
    let base = max(limit, 20) * widening
    return (base * (30 + min(220, rows / 4_000)), base * (10 + min(30, rows / 20_000)))
  }

  // MARK: Sign bits

  private func scan(_ wanted: Int) throws -> (rows: [Int], isCut: Bool) {
    let step = Self.step
    var nearest = NearestRows(wanted: wanted, dimensions: vector.count, step: step)
    try withUnsafeTemporaryAllocation(of: UInt16.self, capacity: step * 2) { scratch in
      guard let distances = scratch.baseAddress else { return }
      let numbers = distances + step
      let words = snapshot.layout.words
      try withFilter { filter in
        var row = 0
        while row < snapshot.rows {
          if row % VectorLayout.rowsPerBlock == 0, try isOutsideDays(blockAt: row) {
            row += VectorLayout.rowsPerBlock
            continue
          }
          let count = min(step, snapshot.rows - row)
          let rows = snapshot.mapping.values(of: .signs, from: row, as: UInt64.self)
          if isFiltered(row, count) {
            let passing = passing(row, count, filter, numbers)
            vector_scan_distances_of(rows, numbers, passing, words, signs, distances)
            nearest.add(distances, count: passing, from: row, numbers: numbers)
          } else {
            vector_scan_distances(rows, count, words, signs, distances)
            nearest.add(distances, count: count, from: row, numbers: nil)
          }
          row += count
        }
      }
    }
    return (nearest.rows, nearest.isCut)
  }

  /// Whether a full block has no row of the days asked for.
  private func isOutsideDays(blockAt row: Int) throws -> Bool {
    guard let days = query.days, row + VectorLayout.rowsPerBlock <= snapshot.rows else {
      return false
    }
    let seal = try snapshot.mapping.seal(of: row / VectorLayout.rowsPerBlock)
    return seal.lastDay < days.lowerBound || seal.firstDay > days.upperBound
  }

  /// Whether the rows have to be looked at one by one.
  private func isFiltered(_ row: Int, _ count: Int) -> Bool {
    if query.days != nil || query.allowed != nil || query.excluded != nil { return true }
    let removed = snapshot.removed
    let end = min(removed.count, (row + count + 63) / 64)
    return row / 64 < end && removed[row / 64..<end].contains { $0 != 0 }
  }

  private func passing(
    _ row: Int, _ count: Int, _ filter: vector_scan_filter,
    _ numbers: UnsafeMutablePointer<UInt16>
  ) -> Int {
    var filter = filter
    let documents = snapshot.mapping.values(of: .documents, from: row, as: Int64.self)
    let days = snapshot.mapping.values(of: .days, from: row, as: Int32.self)
    return snapshot.removed.withUnsafeBufferPointer { removed in
      // The bits end with the last word that has ever been needed.
      let known = max(0, min(count, removed.count * 64 - row))
      guard let start = removed.baseAddress, known > 0 else {
        return vector_scan_passing(documents, days, nil, count, &filter, numbers)
      }
      let first = vector_scan_passing(documents, days, start + row / 64, known, &filter, numbers)
      guard known < count else { return first }
      let more = vector_scan_passing(
        documents + known, days + known, nil, count - known, &filter, numbers + first)
      for index in first..<first + more { numbers[index] += UInt16(known) }
      return first + more
    }
  }

  private func withFilter<Result>(
    _ body: (vector_scan_filter) throws -> Result
  ) rethrows -> Result {
    let days = query.days ?? Int32.min...Int32.max
    return try withWords(query.allowed) { allowed, allowedCount in
      try withWords(query.excluded) { excluded, excludedCount in
        try body(
          vector_scan_filter(
            first_day: days.lowerBound, last_day: days.upperBound, allowed: allowed,
            excluded: excluded, allowed_words: allowedCount, excluded_words: excludedCount))
      }
    }
  }

  private func withWords<Result>(
    _ set: DocumentSet?, _ body: (UnsafePointer<UInt64>?, Int) throws -> Result
  ) rethrows -> Result {
    guard let set, !set.isEmpty else { return try body(nil, 0) }
    return try set.words.withUnsafeBufferPointer { try body($0.baseAddress, $0.count) }
  }

  // MARK: The vectors

  private struct Scored {
    let score: Float
    let document: Int64
    let row: Int
  }

  /// The cosines of the rows. Rows with the same signs and the same content have the same vector,
  /// which is read once.
  private func score(_ groups: RowGroups) throws -> [Scored] {
    let kept = (0..<groups.count).filter { groups.isKept($0) }
    var known = [Float](repeating: 0, count: groups.count)
    for (group, product) in zip(kept, try products(of: kept.map { groups.firstRow[$0] })) {
      known[group] = product
    }
    var result: [Scored] = []
    result.reserveCapacity(kept.count)
    for (row, group) in zip(groups.rows, groups.groupOfRow) where groups.isKept(group) {
      let first = groups.firstRow[group]
      let isSame = row == first || hash(of: row) == hash(of: first)
      let score = isSame ? known[group] : try products(of: [row])[0]
      guard abs(score) < 1.01 else { throw snapshot.mapping.damaged("the vector of row \(row)") }
      let document = snapshot.mapping.values(of: .documents, from: row, as: Int64.self).pointee
      result.append(Scored(score: score, document: document, row: row))
    }
    return result
  }

  /// The inner products of the query with rows' vectors.
  private func products(of rows: [Int]) throws -> [Float] {
    let mapping = snapshot.mapping
    var products = [Float](repeating: 0, count: rows.count)
    if snapshot.rows * snapshot.layout.size(of: .vectors) <= Self.mappedVectorLimit {
      let vectors = rows.map { row -> UnsafePointer<UInt16>? in
        mapping.values(of: .vectors, from: row)
      }
      vector_scan_half_products(vectors, rows.count, vector, vector.count, &products)
      return products
    }
    try withUnsafeTemporaryAllocation(of: UInt16.self, capacity: vector.count) { buffer in
      guard let halves = buffer.baseAddress else { return }
      for (index, row) in rows.enumerated() {
        try mapping.readVector(of: row, into: halves)
        products[index] = vector_scan_half_product(halves, vector, vector.count)
      }
    }
    return products
  }

  private func hash(of row: Int) -> UInt64 {
    snapshot.mapping.values(of: .hashes, from: row, as: UInt64.self).pointee
  }

  /// The best row of each of the best documents, best first; of equals, the document with the
  /// higher number and the chunk that was added first. `documents` counts those of all rows.
  private func bestOfEachDocument(
    _ scored: [Scored], limit: Int
  ) -> (matches: [Scored], documents: Int) {
    let ordered = scored.sorted {
      $0.score != $1.score
        ? $0.score > $1.score
        : $0.document != $1.document ? $0.document > $1.document : $0.row < $1.row
    }
    var seen: Set<Int64> = []
    var matches: [Scored] = []
    for row in ordered where seen.insert(row.document).inserted && matches.count < limit {
      matches.append(row)
    }
    return (matches, seen.count)
  }
}
