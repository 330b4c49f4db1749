import CVectorScan

/// Texts near a query by their sign bits, of which the best are compared with their vectors.
struct CandidateTexts {
  /// In ascending order.
  private let texts: [Int]
  /// For how many of the best texts the candidates were chosen.
  let wanted: Int
  /// Whether no text that takes part is missing.
  let isAll: Bool
  /// Grows with the inner product of the query with a text's signs.
  private var sums: [Float]
  /// The cosine of the query and a text, where it was worked out; else NaN.
  private var scores: [Float]

  var count: Int { texts.count }

  /// - Parameters:
  ///   - texts: in ascending order.
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

  /// Works out the cosines of the best by their signs, and of those about as good as the last of
  /// them, as far as they are not known.
  /// - Parameter products: gives the inner products of the query with texts' vectors.
  mutating func score(_ count: Int, by products: ([Int]) throws -> [Float]) rethrows {
    let bound = bound(of: count)
    let new = texts.indices.filter { sums[$0] >= bound && scores[$0].isNaN }
    for (index, product) in zip(new, try products(new.map { texts[$0] })) {
      scores[index] = product
    }
  }

  /// The nearest texts among those whose cosines are known, nearest first, with all that are as
  /// near as the last of them.
  func best(_ count: Int) -> [(text: Int, score: Float)] {
    let known = texts.indices.filter { !scores[$0].isNaN }.sorted { scores[$0] > scores[$1] }
    guard let last = known.prefix(count).last else { return [] }
    return known.prefix { scores[$0] >= scores[last] }.map { (texts[$0], scores[$0]) }
  }

  /// The least sum of the best.
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
    // A little less, since the way back from a bin to its bound is rounded.
    return bin == 0 ? -.infinity : low + (Float(bin) - 0.01) / scale
  }
}
