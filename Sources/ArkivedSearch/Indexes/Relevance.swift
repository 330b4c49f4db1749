import Foundation

/// The relevance of a document to a query, as one number computed from its words, its meaning and
/// its neighbours.
///
/// Meaning is measured in standard deviations of the query's cosines with the archive's texts,
/// which makes it comparable across models and queries. Words are measured by their share of the
/// query's information, which is comparable between queries, unlike sums of BM25. The constants
/// were chosen on two conversations and the `tune` part of the labelled queries; none of them is
/// critical (Benchmarks/Search/README.md).
struct Relevance {
  /// The evidence about a document.
  struct Evidence {
    /// The document's share of the query's information, from 0 to 1.
    var presence = 0.0
    /// The share weighted by the prominence of the words in the document: their BM25 divided by the
    /// largest possible for the query's words, from 0 to 1.
    var prominence = 0.0
    /// The words of the query that it contains.
    var words: [String] = []
    /// The same as `presence`, with words of related meaning for those that are missing.
    var relatedPresence = 0.0
    /// The same as `prominence`, with words of related meaning for those that are missing.
    var relatedProminence = 0.0
    var cosine: Double?
    /// The part of its text with the most similar meaning, in bytes of UTF-8.
    var passage: Range<Int>?
  }

  /// The distribution of a query's cosines with unrelated texts.
  struct Chance {
    var mean: Double
    var spread: Double

    /// The number of texts that the model's own scale counts for.
    private static let prior = 16.0

    /// Estimates the distribution.
    ///
    /// - Parameters:
    ///   - sample: the query's cosines with texts of the archive.
    ///   - scale: the model's scale, which compensates for a small number of texts.
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

  /// The scale of the model's cosines, or nil without a model.
  var scale: SimilarityScale?
  var chance: Chance?
  /// True if some document contains all the words.
  var isHeldWhole = false
  /// The smallest closeness of a document found by its meaning alone.
  var leastCloseness = Self.likely

  /// The weight of all the words of a query at maximum prominence.
  private static let words = 16.0
  /// The share of this weight for the presence of the words; the rest is for their prominence.
  private static let presence = 0.75
  /// The exponent for the share of a query's information, because half of the information is worth
  /// less than half of the whole: in “bike theft”, “bike” is everywhere.
  private static let growth = 1.5
  /// The exponent for distances from chance: large ones count more than proportionally, because
  /// most values near chance are due to chance.
  private static let rise = 1.3
  /// The share of its own relevance that a document adds to its neighbours.
  private static let share = 0.45
  /// The factor by which this share decreases with each step between them.
  private static let decay = 0.6
  /// The number of steps over which documents lend relevance.
  static let reach = 3
  /// A bonus that ranks documents with all the words above anything that meaning and neighbours can
  /// add.
  private static let whole = 100.0
  /// The closeness at or above which a text is more likely to have the same meaning than a
  /// different one.
  private static let likely = 0.5
  /// The closeness below which texts are unrelated.
  static let unlikely = 0.28
  /// The share of the words that an entry needs if other entries contain all of them.
  private static let leastPresence = 0.5

  /// The presence of related words at or above which a document may match without similar meaning.
  private static let leastRelated = 0.1
  /// The closeness in meaning that is credited for related words covering the whole query.
  private static let relatedCloseness = 0.4

  private static func held(_ presence: Double, _ prominence: Double) -> Double {
    Self.presence * presence + (1 - Self.presence) * prominence
  }

  /// Returns the relevance of a document by itself.
  func own(_ evidence: Evidence) -> Double {
    let held = max(
      Self.held(evidence.presence, evidence.prominence),
      Self.held(evidence.relatedPresence, evidence.relatedProminence))
    var relevance = Self.words * pow(min(1, max(0, held)), Self.growth)
    if let cosine = evidence.cosine, let chance {
      relevance += pow(max(0, (cosine - chance.mean) / chance.spread), Self.rise)
    }
    return relevance
  }

  /// Returns the relevance that documents lend to a neighbour: the largest single contribution,
  /// because many weak ones should not outweigh it.
  ///
  /// - Parameter others: their own relevances and distances.
  /// - Returns: the relevance.
  func lent(by others: some Sequence<(own: Double, distance: Int)>) -> Double {
    others.reduce(0) { max($0, Self.share * $1.own * pow(Self.decay, Double($1.distance - 1))) }
  }

  /// Returns the relevance for ranking documents, or nil if the document doesn't match the query.
  func total(_ evidence: Evidence, lent: Double) -> Double? {
    guard fits(evidence, lent: lent) else { return nil }
    return own(evidence) + lent + (evidence.presence > 0.999 ? Self.whole : 0)
  }

  private func fits(_ evidence: Evidence, lent: Double) -> Bool {
    let closeness = closeness(of: evidence)
    if !evidence.words.isEmpty, !isHeldWhole || evidence.presence >= Self.leastPresence {
      return true
    }
    if scale == nil { return !isHeldWhole && evidence.relatedPresence >= Self.leastPresence }
    guard closeness >= Self.unlikely || evidence.relatedPresence >= Self.leastRelated else {
      return false
    }
    return closeness + lent / SimilarityScale.deviations
      + Self.relatedCloseness * evidence.relatedPresence >= leastCloseness
  }

  private func closeness(of evidence: Evidence) -> Double {
    guard let scale, let cosine = evidence.cosine else { return 0 }
    return scale.closeness(of: cosine)
  }

  /// Returns true if the part with the most similar meaning explains the match better than the text
  /// around its words.
  func isBestShownByMeaning(_ evidence: Evidence) -> Bool {
    evidence.words.isEmpty
      || evidence.presence < 0.999 && closeness(of: evidence) >= Self.likely
  }

  /// Returns true if a document's meaning is a reason for the match.
  func isMeant(_ evidence: Evidence) -> Bool { closeness(of: evidence) >= Self.unlikely }
}

extension SimilarityScale {
  /// The standard deviations of chance between unrelated texts and texts with the same meaning.
  static let deviations = 5.0

  /// The standard deviation of unrelated texts' cosines.
  var spread: Double { max(0.01, (related - unrelated) / Self.deviations) }

  /// Returns the position of a cosine between unrelated texts, 0, and texts with the same meaning,
  /// 1.
  func closeness(of cosine: Double) -> Double {
    // If a model distinguishes nothing, anything above chance counts.
    guard tellsApart else { return cosine > unrelated ? 1 : 0 }
    return (cosine - unrelated) / (related - unrelated)
  }
}
