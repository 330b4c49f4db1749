import ArkivedCore

/// A question about what an archive stores besides entries: the source and the request.
struct LibraryQuery: Hashable, Sendable {
  enum Source: String, Hashable, Sendable {
    case goals, values, terms, notes, decisions, meetings, agenda, recap
  }

  enum Fold: String, Hashable, Sendable {
    /// All matches.
    case list
    /// A goal's state: whether its target was reached, on which day, its progress, its due date.
    case reached, reachedOn, progress, due
    case start, end
    /// The next upcoming match.
    case next
    case outcome, purpose
    case summary
  }

  var source: Source
  var fold: Fold
  /// The words that name the subject, as typed and in order.
  var concept: [String] = []
  /// The person whose meetings are asked for, as typed.
  var person: String?
  var days: ClosedRange<DayKey>?
  /// True if the question mentions the source explicitly (“my goal …”), so a failed search is
  /// reported instead of continuing with the entries.
  var isNamed = false
  /// True if the question expects yes or no.
  var isYesNo = false
  var isCount = false
  var asksHow = false
  /// True if “my” or “our” precedes that noun.
  var isOwn = false
  /// True if the speaker refers to themselves alone.
  var isOfSpeaker = false
  /// Roles that narrow the request: open goals, the next term, free time.
  var marks: Set<QuestionRole> = []
  /// The requested number of sentences.
  var sentences: Int?
  /// The number after the source's noun, as for a term.
  var number: Int?

  var conceptText: String { concept.joined(separator: " ") }
}
