import ArkivedCore
import CVectorScan

/// One search of a vector index.
///
/// What is compared are texts, each of them once however often it was entered; see `PassingPlaces`
/// for those that take part. Three stages, each for fewer texts and nearer to the truth: The Hamming
/// distance between sign bits goes over all of them. The inner product of the query itself with the
/// signs orders the nearest, and what is left is compared with the vectors. The best texts are then
/// looked up in the places, until there are as many documents as were asked for. When few texts take
/// part, none is left out on the way and the result is exact.
struct VectorScan {
  private let snapshot: VectorSnapshot
  private let query: VectorQuery
  /// The query as a unit vector.
  private let vector: [Float]
  private let signs: [UInt64]

  /// Texts whose distances are worked out before the bound is looked at again.
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
    let passing = try PassingPlaces(query, of: snapshot)
    guard passing.count > 0 else { return [] }
    let limit = min(query.limit, passing.count)
    // A text brings as many documents as it has places: most have fewer than the average.
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
      // A document counts once, however many of the texts it has.
      let perText = Double(max(1, places.found.count)) / Double(wanted)
      let estimate = Double(limit) / perText * 1.25
      wanted = max(wanted + max(1, wanted / 2), Int(min(estimate, Double(wanted * 4))))
      if !candidates.isAll, wanted > candidates.wanted {
        candidates = try self.candidates(for: wanted, among: passing)
      }
    }
  }

  /// The cosines with texts spread evenly over all of them.
  func sample(_ count: Int) throws -> [Float] {
    let step = max(1, snapshot.texts / max(1, count))
    return try products(of: stride(from: 0, to: snapshot.texts, by: step).prefix(count).map { $0 })
  }

  // MARK: How many

  /// The fewest texts that the stages are made for.
  private static let least = 20

  /// Up to this many texts are all compared with their vectors.
  private static let exactLimit = 1000

  /// How many texts are left by their sign bits, for so many that are wanted; this and `exactly` by
  /// what gave a recall over 0.99 of the first 20 and over 0.98 of the first 200 among 100,000 to
  /// 1.5 million sentences. See Benchmarks.
  private static func bySigns(_ wanted: Int, of texts: Int) -> Int {
    atLeast(Double(least * (30 + min(220, texts / 4_000))), wanted)
  }

  /// How many texts are compared with their vectors, for so many that are wanted.
  private static func exactly(_ wanted: Int, of texts: Int) -> Int {
    guard texts > exactLimit else { return texts }
    return atLeast(Double(least * (10 + min(20, texts / 20_000))), wanted)
  }

  /// More texts that are wanted lie closer together, so not as many more need to be looked at.
  private static func atLeast(_ count: Double, _ wanted: Int) -> Int {
    let share = Double(max(least, wanted)) / Double(least)
    // To the power of three quarters.
    let more = (share * share.squareRoot()).squareRoot()
    return max(wanted * 2, Int(count * more))
  }

  // MARK: Sign bits

  /// The nearest texts by their sign bits.
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
          // Going over all of them is quicker than jumping from one to the next.
          vector_scan_distances(signs, count, snapshot.layout.words, self.signs, distances)
          for index in 0..<passing { distances[index] = distances[Int(numbers[index])] }
          nearest.add(distances, count: passing, from: start, numbers: numbers)
        }
      }
    }
    return nearest
  }

  /// Writes which of the texts from a multiple of 64 on are in a bit set.
  /// - Returns: how many there are.
  private static func numbers(
    of texts: [UInt64], from start: Int, _ count: Int, to numbers: UnsafeMutablePointer<UInt16>
  ) -> Int {
    texts.withUnsafeBufferPointer { words in
      guard let bits = words.baseAddress else { return 0 }
      return vector_scan_numbers(bits + start / 64, (count + 63) / 64, numbers)
    }
  }

  // MARK: The vectors

  /// The inner products of the query with texts' vectors.
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
