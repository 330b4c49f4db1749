import ArkivedCore
import CVectorScan

/// One search of a vector index.
///
/// The search compares distinct texts, regardless of how often each was added; `PassingPlaces`
/// determines which of them participate. There are three stages, each for fewer texts and more
/// exact. The Hamming distance between sign bits is computed for all texts. The inner product of
/// the query with the signs orders the nearest, and the remaining ones are compared by their
/// vectors. The best texts are then looked up in the places until there are enough documents. If
/// few texts participate, none is dropped and the result is exact.
struct VectorScan {
  private let snapshot: VectorSnapshot
  private let query: VectorQuery
  /// The query as a unit vector.
  private let vector: [Float]
  private let signs: [UInt64]

  /// The number of texts whose distances are computed before the bound is updated.
  private static let step = 1024

  /// The largest amount of vectors, in bytes, that is read through the mapping.
  ///
  /// Beyond it, vectors are read one by one into a buffer, because each access to a mapping keeps
  /// the surrounding pages in memory.
  private static let mappedVectorLimit = 64 << 20

  /// Prepares a search.
  ///
  /// - Throws: `VectorIndexError.wrongDimensions`, `.noDirection`.
  init(_ query: VectorQuery, of snapshot: VectorSnapshot) throws {
    self.snapshot = snapshot
    self.query = query
    vector = try UnitVector.of(query.vector, dimensions: snapshot.layout.dimensions)
    signs = UnitVector.signs(of: vector)
  }

  func matches() throws -> [VectorMatch] {
    guard query.limit > 0, snapshot.count > 0, query.allowed?.isEmpty != true else { return [] }
    let passing = try PassingPlaces(query, of: snapshot)
    guard passing.count > 0 else { return [] }
    let limit = min(query.limit, passing.count)
    // A text contributes as many documents as it has places, and most have fewer than the average.
    let share = Double(passing.textCount) / Double(passing.count)
    var wanted = min(limit, max(Self.least, Int(Double(limit) * share.squareRoot())))
    var candidates = try candidates(for: max(wanted, min(limit, 1000)), among: passing)
    while true {
      try candidates.score(
        Self.exactly(wanted, of: passing.textCount), by: { try products(of: $0) })
      let places = try FoundPlaces(
        of: candidates.best(wanted), limit: limit, among: passing, in: snapshot)
      let isAll = candidates.isAll && wanted >= candidates.count
      if places.found.count >= limit || isAll {
        return try places.found.map { found in
          VectorMatch(
            document: found.document, score: max(-1, min(1, found.score)),
            chunk: try snapshot.chunk(of: found.place))
        }
      }
      // A document counts once, however many of the texts it contains.
      let perText = Double(max(1, places.found.count)) / Double(wanted)
      let estimate = Double(limit) / perText * 1.25
      wanted = max(wanted + max(1, wanted / 2), Int(min(estimate, Double(wanted * 4))))
      if !candidates.isAll, wanted > candidates.wanted {
        candidates = try self.candidates(for: wanted, among: passing)
      }
    }
  }

  /// Returns the cosines with texts spread evenly over all of them.
  func sample(_ count: Int) throws -> [Float] {
    let step = max(1, snapshot.texts / max(1, count))
    return try products(of: stride(from: 0, to: snapshot.texts, by: step).prefix(count).map { $0 })
  }

  // MARK: Number of candidates

  /// The smallest number of texts for which the stages are designed.
  private static let least = 20

  /// The number of texts up to which all are compared by their vectors.
  private static let exactLimit = 1000

  /// Returns the number of texts to keep after comparing sign bits, for a wanted number of texts.
  ///
  /// The constants here and in `exactly` gave a recall above 0.99 of the first 20 and above 0.98 of
  /// the first 200 among 100,000 to 1.5 million sentences. See Benchmarks.
  private static func bySigns(_ wanted: Int, of texts: Int) -> Int {
    atLeast(Double(least * (30 + min(220, texts / 4_000))), wanted)
  }

  /// Returns the number of texts to compare by their vectors, for a wanted number of texts.
  private static func exactly(_ wanted: Int, of texts: Int) -> Int {
    guard texts > exactLimit else { return texts }
    return atLeast(Double(least * (10 + min(20, texts / 20_000))), wanted)
  }

  /// Returns a number of texts that grows less than proportionally, because the more texts are
  /// wanted, the denser they are.
  private static func atLeast(_ count: Double, _ wanted: Int) -> Int {
    let share = Double(max(least, wanted)) / Double(least)
    // This is the power of three quarters.
    let more = (share * share.squareRoot()).squareRoot()
    return max(wanted * 2, Int(count * more))
  }

  // MARK: Sign bits

  /// Returns the nearest texts by their sign bits.
  private func candidates(for wanted: Int, among passing: PassingPlaces) throws -> CandidateTexts {
    let isExact = passing.textCount <= Self.exactLimit
    let count = isExact ? passing.textCount : Self.bySigns(wanted, of: passing.textCount)
    let texts = scan(count, of: passing.texts).rows
    return CandidateTexts(
      texts, wanted: wanted, isAll: texts.count == passing.textCount, of: snapshot,
      vector: vector)
  }

  private func scan(_ wanted: Int, of texts: [UInt64]?) -> NearestRows {
    let step = Self.step
    var nearest = NearestRows(wanted: wanted, dimensions: vector.count, step: step)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: step * 2) { scratch in
      guard let distances = scratch.baseAddress else { return }
      let numbers = distances + step
      for start in stride(from: 0, to: snapshot.texts, by: step) {
        let count = min(step, snapshot.texts - start)
        let signs = snapshot.values(of: .signs, from: start, as: UInt64.self)
        let passing = texts.map { Self.numbers(of: $0, from: start, count, to: numbers) } ?? count
        guard passing > 0 else { continue }
        if passing == count {
          vector_scan_distances(signs, count, snapshot.layout.words, self.signs, distances)
          nearest.add(distances, count: count, from: start, numbers: nil)
        } else if passing < count / 4 {
          vector_scan_distances_of(
            signs, numbers, passing, snapshot.layout.words, self.signs, distances)
          nearest.add(distances, count: passing, from: start, numbers: numbers)
        } else {
          // Scanning all texts is faster than jumping from one to the next.
          vector_scan_distances(signs, count, snapshot.layout.words, self.signs, distances)
          for index in 0..<passing { distances[index] = distances[Int(numbers[index])] }
          nearest.add(distances, count: passing, from: start, numbers: numbers)
        }
      }
    }
    return nearest
  }

  /// Writes the numbers of the texts in a bit set, from a multiple of 64 on.
  ///
  /// - Returns: the number of texts written.
  private static func numbers(
    of texts: [UInt64], from start: Int, _ count: Int, to numbers: UnsafeMutablePointer<UInt16>
  ) -> Int {
    texts.withUnsafeBufferPointer { words in
      guard let bits = words.baseAddress else { return 0 }
      return vector_scan_numbers(bits + start / 64, (count + 63) / 64, numbers)
    }
  }

  // MARK: The vectors

  /// Returns the inner products of the query with texts' vectors.
  private func products(of texts: [Int]) throws -> [Float] {
    var products = [Float](repeating: 0, count: texts.count)
    if snapshot.texts * snapshot.layout.size(of: .vectors) <= Self.mappedVectorLimit {
      let vectors = texts.map { text -> UnsafePointer<UInt16>? in
        snapshot.values(of: .vectors, from: text)
      }
      vector_scan_half_products(vectors, texts.count, vector, vector.count, &products)
    } else {
      try withUnsafeTemporaryAllocation(of: UInt16.self, capacity: vector.count) { buffer in
        guard let halves = buffer.baseAddress else { return }
        for (index, text) in texts.enumerated() {
          try snapshot.readVector(of: text, into: halves)
          products[index] = vector_scan_half_product(halves, vector, vector.count)
        }
      }
    }
    for (text, product) in zip(texts, products) where !(abs(product) < 1.01) {
      throw snapshot.mapping.damaged("the vector of text \(text)")
    }
    return products
  }
}
