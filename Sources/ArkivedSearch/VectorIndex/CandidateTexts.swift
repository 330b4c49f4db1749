import CVectorScan

/// Texts near a query by their sign bits, the best of which are compared by their vectors.
struct CandidateTexts {
  /// The texts in ascending order.
  private let texts: [Int]
  /// The number of best texts for which the candidates were chosen.
  let wanted: Int
  /// True if no participating text is missing.
  let isAll: Bool
  /// Values that increase with the inner product of the query and a text's signs.
  private var sums: [Float]
  /// The cosines of the query and the texts, or NaN if not computed.
  private var scores: [Float]

  var count: Int { texts.count }

  /// Creates candidates.
  ///
  /// - Parameters:
  ///   - texts: the texts in ascending order.
  ///   - wanted: the number of best texts for which the candidates were chosen.
  ///   - isAll: true if no participating text is missing.
  ///   - snapshot: the index.
  ///   - vector: the query as a unit vector.
  init(
    _ texts: [Int], wanted: Int, isAll: Bool, of snapshot: VectorSnapshot, vector: [Float]
  ) {
    self.texts = texts
    self.wanted = wanted
    self.isAll = isAll
    sums = [Float](repeating: 0, count: texts.count)
    scores = [Float](repeating: .nan, count: texts.count)
    let signs = texts.map { text -> UnsafePointer<UInt64>? in
      snapshot.values(of: .signs, from: text)
    }
    vector_scan_sign_sums(signs, texts.count, snapshot.layout.words, vector, &sums)
  }

  /// Computes the missing cosines of the best texts by their signs and of those about as good as
  /// the last of them.
  ///
  /// - Parameters:
  ///   - count: the number of best texts.
  ///   - products: returns the inner products of the query with texts' vectors.
  mutating func score(_ count: Int, by products: ([Int]) throws -> [Float]) rethrows {
    let bound = bound(of: count)
    let new = texts.indices.filter { sums[$0] >= bound && scores[$0].isNaN }
    for (index, product) in zip(new, try products(new.map { texts[$0] })) {
      scores[index] = product
    }
  }

  /// Returns the nearest texts with known cosines, nearest first, including all that are as near as
  /// the last of them.
  func best(_ count: Int) -> [(text: Int, score: Float)] {
    let known = texts.indices.filter { !scores[$0].isNaN }.sorted { scores[$0] > scores[$1] }
    guard let last = known.prefix(count).last else { return [] }
    return known.prefix { scores[$0] >= scores[last] }.map { (texts[$0], scores[$0]) }
  }

  /// Returns the smallest sum among the best.
  private func bound(of wanted: Int) -> Float {
    guard count > wanted, let low = sums.min(), let high = sums.max(), low < high else {
      return -.infinity
    }
    let bins = 1024
    let scale = Float(bins - 1) / (high - low)
    guard scale.isFinite else { return -.infinity }
    var histogram = [Int32](repeating: 0, count: bins)
    for sum in sums { histogram[Int((sum - low) * scale)] += 1 }
    var bin = bins - 1
    var reached = Int(histogram[bin])
    while bin > 0, reached < wanted {
      bin -= 1
      reached += Int(histogram[bin])
    }
    // The result is slightly smaller, because converting a bin to its bound rounds.
    return bin == 0 ? -.infinity : low + (Float(bin) - 0.01) / scale
  }
}
