import ArkivedCore

/// The interpretations of a question.
struct TaughtReading {
  /// The candidates, most likely first; the next ones are tried if nothing matches.
  var candidates: [ReadQuery]
  /// The network's calibrated probability that its whole interpretation is correct.
  var confidence = 1.0
  /// The days that the question refers to.
  var days: ClosedRange<DayKey>?
  var people: [String]
  /// Its phrases, in the asker's words.
  var words: [String]
  /// The value requested from the entry that answers it.
  var target: Query.Target?
  var unit: String?
  /// True if it asks about the world or gives an order, instead of asking about this archive.
  var isForeign = false
  /// The words that have no role for either the network or the lexicon.
  var unread: [String] = []
}
