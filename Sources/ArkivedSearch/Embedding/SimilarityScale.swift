/// The scale of a model's cosines.
///
/// Models differ: the cosines of unrelated texts are near 0 in one model and near 0.7 in another.
package struct SimilarityScale: Hashable, Sendable {
  /// The mean cosine of unrelated texts.
  package var unrelated: Double
  /// The mean cosine of texts with the same meaning in different words.
  package var related: Double

  package init(unrelated: Double, related: Double) {
    self.unrelated = unrelated
    self.related = related
  }

  /// The scale of all-MiniLM-L6-v2 on `samples`.
  package static let miniLM = SimilarityScale(unrelated: 0.123, related: 0.573)
  /// The scale of multilingual-e5-small on `samples`, with the first of each pair as a query.
  package static let e5 = SimilarityScale(unrelated: 0.132, related: 0.495)

  /// True if the model distinguishes texts with the same meaning from others at all.
  package var tellsApart: Bool { related - unrelated >= 0.05 }

  /// Returns this model's equivalent of a cosine of all-MiniLM-L6-v2, for which the ranking's
  /// limits were tuned.
  ///
  /// If the model distinguishes nothing, the result is the limit of chance.
  package func cosine(like other: Double) -> Double {
    guard tellsApart else { return unrelated }
    let miniLM = SimilarityScale.miniLM
    let place = (other - miniLM.unrelated) / (miniLM.related - miniLM.unrelated)
    return unrelated + place * (related - unrelated)
  }
}

extension SimilarityScale {
  /// Pairs of texts with the same meaning; texts of different pairs are unrelated.
  static let samples: [(String, String)] = [
    ("The dentist pulled one of my teeth.", "had a molar taken out"),
    ("We watched a football match at the stadium.", "saw the soccer game live"),
    ("I paid the electricity bill.", "settled what we owed for power"),
    ("It rained the whole afternoon.", "wet weather until the evening"),
    ("She started her new job on Monday.", "first day at work for her"),
    ("I baked bread with my grandmother.", "made a loaf together with granny"),
    ("The train to the coast was late.", "our rail journey to the sea was delayed"),
    ("He bought a second-hand piano.", "got himself a used grand"),
  ]

  /// The texts of `samples` in sequence: first the first texts of all pairs, then the second ones.
  static var sampleTexts: [String] { samples.map(\.0) + samples.map(\.1) }

  /// Computes the scale from samples.
  ///
  /// - Parameter vectors: the vectors of `sampleTexts`, of length 1.
  init(samples vectors: EmbeddedTexts) {
    let half = vectors.count / 2
    var (related, unrelated) = (0.0, 0.0)
    for left in 0..<half {
      for right in 0..<half {
        let cosine = zip(vectors[left], vectors[half + right]).reduce(0) {
          $0 + Double($1.0) * Double($1.1)
        }
        if left == right { related += cosine } else { unrelated += cosine }
      }
    }
    self.init(
      unrelated: unrelated / Double(max(half * (half - 1), 1)),
      related: related / Double(max(half, 1)))
  }
}
