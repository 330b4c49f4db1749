import Foundation

/// How well a document fits a query, as one number of its words, its meaning and what stands beside
/// it.
///
/// Meaning is counted in standard deviations of the query's cosines with the archive's texts, so that
/// it means the same whatever the model and the query. Words count by the share that they hold
/// of what the query tells, which is comparable between queries, where sums of BM25 are not. The
/// figures were chosen on two conversations and the `tune` part of the labelled queries; none of
/// them is sharp (Benchmarks/Search/README.md).
struct Relevance {
  /// What is known of a document.
  struct Evidence {
    /// The share that the document's words hold of what the query tells: 0…1.
    var presence = 0.0
    /// The same weighed by how prominent the words are in the document: their BM25 over the most that
    /// the query's words can have, 0…1.
    var prominence = 0.0
    /// The words of the query that it holds.
    var words: [String] = []
    var cosine: Double?
    /// Where the part of its text is whose meaning is nearest, in bytes of UTF-8.
    var passage: Range<Int>?
  }

  /// A query's cosines with texts that have nothing to do with it.
  struct Chance {
    var mean: Double
    var spread: Double

    /// How many texts the model's own scale counts for.
    private static let prior = 16.0

    /// - Parameters:
    ///   - sample: the query's cosines with texts of the archive.
    ///   - scale: the model's, which stands in for texts where there are few.
    init(_ sample: [Float], scale: SimilarityScale) {
      let count = Double(sample.count)
      let usual = scale.spread
      let mean =
        (sample.reduce(0) { $0 + Double($1) } + Self.prior * scale.unrelated)
        / (count + Self.prior)
      let squares = sample.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
      self.mean = mean
      spread = ((squares + Self.prior * usual * usual) / (count + Self.prior)).squareRoot()
    }
  }

  /// How the model's cosines are read; nil where there is no model.
  var scale: SimilarityScale?
  var chance: Chance?
  /// Whether some document holds all the words.
  var isHeldWhole = false
  /// The least closeness of a document that has nothing but its meaning.
  var leastCloseness = Self.likely

  /// What all the words of a query are worth, each as prominent as can be.
  private static let words = 16.0
  /// How much of that the presence of the words is worth; the rest is how prominent they are.
  private static let presence = 0.75
  /// Half of what a query tells is worth less than half of all of it: of “bike theft”, “bike” is
  /// everywhere.
  private static let growth = 1.5
  /// What is far from chance counts for more than its distance: most of what is near it is chance.
  private static let rise = 1.3
  /// The part of its own relevance that a document lends to those beside it…
  private static let share = 0.45
  /// …and how much less for each step between them.
  private static let decay = 0.6
  /// How many steps away documents lend.
  static let reach = 3
  /// Lifts documents with all the words above whatever meaning and neighbours can add.
  private static let whole = 100.0
  /// From this closeness on, a text more likely says the same than something else.
  private static let likely = 0.5
  /// Below this closeness texts have nothing to do with each other.
  static let unlikely = 0.28
  /// Where entries hold all the words, those with less of them are left out.
  private static let leastPresence = 0.5

  /// The relevance of a document by itself.
  func own(_ evidence: Evidence) -> Double {
    let held = Self.presence * evidence.presence + (1 - Self.presence) * evidence.prominence
    var relevance = Self.words * pow(min(1, max(0, held)), Self.growth)
    if let cosine = evidence.cosine, let chance {
      relevance += pow(max(0, (cosine - chance.mean) / chance.spread), Self.rise)
    }
    return relevance
  }

  /// What documents lend to one beside them: the most that one of them does, so that many weak ones
  /// don't outweigh it.
  ///
  /// - Parameter others: their own relevances and distances.
  func lent(by others: some Sequence<(own: Double, distance: Int)>) -> Double {
    others.reduce(0) { max($0, Self.share * $1.own * pow(Self.decay, Double($1.distance - 1))) }
  }

  /// The relevance by which documents are ordered; nil where one doesn't fit the query.
  func total(_ evidence: Evidence, lent: Double) -> Double? {
    guard fits(evidence, lent: lent) else { return nil }
    return own(evidence) + lent + (evidence.presence > 0.999 ? Self.whole : 0)
  }

  private func fits(_ evidence: Evidence, lent: Double) -> Bool {
    let closeness = closeness(of: evidence)
    if !evidence.words.isEmpty, !isHeldWhole || evidence.presence >= Self.leastPresence {
      return true
    }
    guard closeness >= Self.unlikely else { return false }
    return closeness + lent / SimilarityScale.deviations >= leastCloseness
  }

  private func closeness(of evidence: Evidence) -> Double {
    guard let scale, let cosine = evidence.cosine else { return 0 }
    return scale.closeness(of: cosine)
  }

  /// Whether the nearest part of a document shows better why it fits than the surroundings of its
  /// words.
  func isBestShownByMeaning(_ evidence: Evidence) -> Bool {
    evidence.words.isEmpty
      || evidence.presence < 0.999 && closeness(of: evidence) >= Self.likely
  }

  /// Whether a document's meaning is a reason why it is found.
  func isMeant(_ evidence: Evidence) -> Bool { closeness(of: evidence) >= Self.unlikely }
}

extension SimilarityScale {
  /// How many standard deviations of chance lie between unrelated texts and such as say the same.
  static let deviations = 5.0

  /// The standard deviation of unrelated texts' cosines.
  var spread: Double { max(0.01, (related - unrelated) / Self.deviations) }

  /// Where a cosine lies between those of unrelated texts, 0, and of such as say the same, 1.
  func closeness(of cosine: Double) -> Double {
    // A model that tells nothing apart has only what is more than chance.
    guard tellsApart else { return cosine > unrelated ? 1 : 0 }
    return (cosine - unrelated) / (related - unrelated)
  }
}
