import ArkivedCore

/// A question to what an archive keeps beside its entries: which source it asks, and for what.
struct LibraryQuery: Hashable, Sendable {
  enum Source: String, Hashable, Sendable {
    case goals, values, terms, notes, decisions, meetings, agenda, recap
  }

  enum Fold: String, Hashable, Sendable {
    /// All that fit.
    case list
    /// If a target was reached, on which day, how far it is.
    case reached, reachedOn, progress, due
    case start, end
    /// The first upcoming one.
    case next
    case outcome, purpose
    case summary
  }

  var source: Source
  var fold: Fold
  /// The words that name what is asked about, as typed and in order.
  var concept: [String] = []
  /// Whose meetings, as typed.
  var person: String?
  var days: ClosedRange<DayKey>?
  /// If the question names the source by a noun of its own (“my goal …”), so that what isn't found
  /// in it is said instead of being looked for in the entries.
  var isNamed = false
  /// If yes or no is asked for.
  var isYesNo = false
  var isCount = false
  var asksHow = false
  /// If “my” or “our” stands before that noun.
  var isOwn = false
  /// If the asker speaks of themselves alone.
  var isOfSpeaker = false
  /// Roles that narrow it: open goals, the next term, being free.
  var marks: Set<QuestionRole> = []
  /// The number of sentences asked for.
  var sentences: Int?
  /// The number that follows the source's noun: that of a term.
  var number: Int?

  var conceptText: String { concept.joined(separator: " ") }
}
