package import ArkivedCore
import Foundation

/// What a question asks, as far as it was understood, before anything is looked up.
package struct AskQuestion: Sendable {
  package enum Kind: String, Sendable {
    case list, count, sum, average, first, last, longest, most, when, `where`, who, compare, none
    case yesNo, gap, streak, since, clock
  }

  /// What is asked for: the hole in the sentence.
  package enum Hole: Hashable, Sendable {
    case entry, person, place, day, tag
    case period(Period)
    /// A thing of a kind: the soup in "which soup".
    case thing(String)
  }

  package enum Period: String, Sendable {
    case day, week, month, quarter, year, weekday, season, calendarMonth
  }

  /// Begins a mark with the key of the word by which a unit of the owner's own was asked for.
  static let ownUnitMark = "unit#"

  package enum Measure: Hashable, Sendable {
    /// An amount of entries, in a unit.
    case unit(String)
    /// How long entries took, told in a unit of time.
    case duration(String)
    case metric(String)
    case mood, energy
    /// A length or a time, whichever the entries have.
    case extent
    /// Things that sentences count: "eight postcards".
    case quantity(String)
    case people
  }

  package struct NamedPerson: Hashable, Sendable {
    package var words: String
    package var names: [String]
    /// The preposition before it, "subject", or nothing.
    package var role: String
    package var isExcluded = false
    /// Whom the words may mean beside or instead of `names`.
    package var others: [String] = []
    /// Whether these are several people of whom any is meant: “Carla or Hanna”.
    package var isEither = false

    /// Whether it is "my sister" or "the children", which may be several.
    package var isRelation: Bool {
      ["my ", "our ", "the "].contains { words.lowercased().hasPrefix($0) }
    }
  }

  /// A content word that entries have to fulfil.
  package struct Term: Hashable, Sendable {
    package var text: String
    package var key: String
    package var preposition: String?
    package var isVerb = false
    package var isCapitalised = false
    package var isExcluded = false
    /// The kind of thing asked for; entries need not hold the word itself.
    package var isHole = false
    /// Whether "or" joins it to the term before: either will do.
    package var isAlternative = false
    /// Words that belong together, such as a quoted title.
    package var isQuoted = false
    /// As its owner wrote it, where the question was put into English.
    package var told: String?
    /// The keys of other words that the archive has for it.
    package var also: [String] = []

    package var shown: String { told ?? text }
  }

  package struct Threshold: Hashable, Sendable {
    package var isAtLeast: Bool
    package var isStrict: Bool
    package var amount: Double
    package var unit: String
    /// Where it lies between two amounts, both included: the upper one. The same as `amount` where
    /// exactly so much is meant.
    package var upTo: Double?

    package func holds(_ value: Double) -> Bool {
      if let upTo {
        // Units that are converted are not met to the last digit.
        let slack = abs(upTo) * 1e-9
        return value >= amount - slack && value <= upTo + slack
      }
      return isAtLeast
        ? (isStrict ? value > amount : value >= amount)
        : (isStrict ? value < amount : value <= amount)
    }
  }

  /// Only the days on which another question holds, moved by some days.
  package struct DayJoin: Sendable {
    package var question: [AskQuestion]
    package var shift = 0
    package var text: String
    /// Only the first, second or last of its days: 1, 2 or -1.
    package var rank: Int?
  }

  /// A time that begins or ends with something that entries tell: "since moving to Kinsale".
  package struct EventBound: Sendable {
    package var word: String
    package var text: String
    package var question: [AskQuestion]
    /// Only so many days before or after it: "in the week before".
    package var window: Int?
  }

  package var text: String
  /// What was put into English before it was read; nil of an English question.
  package var wording: WordedQuestion?
  package var kind: Kind = .list
  package var bound: EventBound?
  package var hole: Hole = .entry
  package var isLeast = false
  package var top: Int?
  /// "the second most": the place in the order.
  package var rank: Int?
  package var measure: Measure?
  package var countsDays = false
  package var group: Period?
  package var per: Period?
  package var days: ClosedRange<DayKey>?
  package var weekdays: Set<Weekday> = []
  package var people: [NamedPerson] = []
  package var terms: [Term] = []
  package var lightVerbs: Set<String> = []
  package var threshold: Threshold?
  package var dayValue: (isMood: Bool, amount: Double)?
  package var joins: [DayJoin] = []
  /// A clause after "when", tried in the same entry first and then over the day.
  package var clause: String?
  package var clauseParts: [AskQuestion] = []
  package var clauseQuestion: AskQuestion? { clauseParts.first }
  package var isComplement = false
  package var hasNobody = false
  /// Whether only entries that name somebody are meant: "with somebody", "we … together".
  package var hasSomebody = false
  package var excludesClauseEntries = false
  package var alternatives: [(label: String, question: AskQuestion)] = []
  package var isOfDay = false
  /// Over which periods amounts are summed before they are compared: "the most km in a week".
  package var sumPeriod: Period?
  /// Counted are the weeks, months or years with an entry.
  package var countsPeriod: Period?
  /// Those among whom to choose: "out of Nils and Yusuf".
  package var candidates: [String] = []
  package var candidatePeople: [NamedPerson] = []
  /// Whether it is counted from the first time on: "how long have I been married".
  package var isFirstMeant = false
  package var isAverageWanted = false
  /// Whether day notes may tell it where no activity does.
  package var usesNotes = true
  package var ignored: [String] = []
  /// Readings that may be wrong, as clauses that begin with “whether” or “which”.
  package var uncertain: [String] = []
  /// Whole months of any year, by number: "in winter" without a year.
  package var months: Set<Int> = []
  /// The hours of the day, as minutes since midnight: "in the evening".
  package var minutes: Range<Int>?
  /// Whether these lie about one moment, at which something may as well go on: "at 10 pm".
  package var isMoment = false
  /// Whether its days are told as nights: "last night".
  package var isNight = false
  /// Whether nobody but those named may be there: "with only Priya".
  package var hasOnlyNamed = false
  package var corrections: [(from: String, to: String)] = []
  /// Why it can't be answered at all.
  package var problem: String?

  /// The same with what it leaves out as what it asks for.
  var withoutNegation: AskQuestion {
    var result = self
    for index in result.terms.indices { result.terms[index].isExcluded = false }
    for index in result.people.indices { result.people[index].isExcluded = false }
    return result
  }
}
