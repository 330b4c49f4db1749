package import ArkivedCore
import Foundation

/// The request in a question, as far as it was understood, before anything is looked up.
package struct AskQuestion: Sendable {
  package enum Kind: String, Sendable {
    case list, count, sum, average, first, last, longest, most, when, `where`, who, compare, none
    case yesNo, gap, streak, since, clock
  }

  /// The unknown that the question asks for.
  package enum Hole: Hashable, Sendable {
    case entry, person, place, day, tag
    case period(Period)
    /// A thing of a kind, such as the soup in "which soup".
    case thing(String)
  }

  package enum Period: String, Sendable {
    case day, week, month, quarter, year, weekday, season, calendarMonth
  }

  /// The prefix of a marker for a unit defined by the owner, followed by the key of its word.
  static let ownUnitMark = "unit#"

  package enum Measure: Hashable, Sendable {
    /// An amount from entries, in a unit.
    case unit(String)
    /// The duration of entries, expressed in a unit of time.
    case duration(String)
    case metric(String)
    case mood, energy
    /// A distance or a duration, depending on the entries.
    case extent
    /// Things counted in sentences: "eight postcards".
    case quantity(String)
    case people
  }

  package struct NamedPerson: Hashable, Sendable {
    package var words: String
    package var names: [String]
    /// The preceding preposition, "subject", or empty.
    package var role: String
    package var isExcluded = false
    /// Other people that the words may refer to, in addition to `names` or instead of them.
    package var others: [String] = []
    /// True if any one of the people suffices: “Carla or Hanna”.
    package var isEither = false

    /// True if it is a relation, such as "my sister" or "the children", which may be several
    /// people.
    package var isRelation: Bool {
      ["my ", "our ", "the "].contains { words.lowercased().hasPrefix($0) }
    }
  }

  /// A content word that entries have to match.
  package struct Term: Hashable, Sendable {
    package var text: String
    package var key: String
    package var preposition: String?
    package var isVerb = false
    package var isCapitalised = false
    package var isExcluded = false
    /// True if the term is the kind of thing asked for; entries need not contain the word itself.
    package var isHole = false
    /// True if "or" joins it to the previous term, so either is enough.
    package var isAlternative = false
    /// True if the words belong together, such as a quoted title.
    package var isQuoted = false
    /// The term as the owner wrote it, if the question was translated into English.
    package var told: String?
    /// The keys of other words in the archive that mean the same.
    package var also: [String] = []

    package var shown: String { told ?? text }
  }

  package struct Threshold: Hashable, Sendable {
    package var isAtLeast: Bool
    package var isStrict: Bool
    package var amount: Double
    package var unit: String
    /// The upper bound of a range between two amounts, both inclusive; equal to `amount` for an
    /// exact amount.
    package var upTo: Double?

    /// The limit that every other amount passes; nil for a range.
    var reversed: Threshold? {
      guard upTo == nil else { return nil }
      var result = self
      (result.isAtLeast, result.isStrict) = (!isAtLeast, !isStrict)
      return result
    }

    package func holds(_ value: Double) -> Bool {
      if let upTo {
        // Converted units aren't exact to the last digit.
        let slack = abs(upTo) * 1e-9
        return value >= amount - slack && value <= upTo + slack
      }
      return isAtLeast
        ? (isStrict ? value > amount : value >= amount)
        : (isStrict ? value < amount : value <= amount)
    }
  }

  /// A restriction to the days on which another question holds, shifted by some days.
  package struct DayJoin: Sendable {
    package var question: [AskQuestion]
    package var shift = 0
    package var text: String
    /// The position of the only day to use: 1 for the first, 2 for the second, -1 for the last.
    package var rank: Int?
  }

  /// A period that begins or ends with an event in the entries: "since moving to Kinsale".
  package struct EventBound: Sendable {
    package var word: String
    package var text: String
    package var question: [AskQuestion]
    /// The number of days before or after the event, as in "in the week before"; nil for no limit.
    package var window: Int?
  }

  package var text: String
  /// The original wording of a question that was translated into English; nil for an English
  /// question.
  package var wording: WordedQuestion?
  package var kind: Kind = .list
  package var bound: EventBound?
  package var hole: Hole = .entry
  package var isLeast = false
  package var top: Int?
  /// The position in the ranking: 2 for "the second most".
  package var rank: Int?
  package var measure: Measure?
  /// True if the measure is money in any currency.
  package var isAnyCurrency = false
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
  /// A clause after "when", looked for first in the same entry and then in the whole day.
  package var clause: String?
  package var clauseParts: [AskQuestion] = []
  package var clauseQuestion: AskQuestion? { clauseParts.first }
  package var isComplement = false
  package var hasNobody = false
  /// True to include only entries that mention somebody: "with somebody", "we … together".
  package var hasSomebody = false
  package var excludesClauseEntries = false
  package var alternatives: [(label: String, question: AskQuestion)] = []
  package var isOfDay = false
  /// The period over which amounts are summed before they are compared: "the most km in a week".
  package var sumPeriod: Period?
  /// The period whose occurrences with an entry are counted: weeks, months or years.
  package var countsPeriod: Period?
  /// The people to choose from: "out of Nils and Yusuf".
  package var candidates: [String] = []
  package var candidatePeople: [NamedPerson] = []
  /// True if the time is counted from the first occurrence: "how long have I been married".
  package var isFirstMeant = false
  package var isAverageWanted = false
  /// True if the question asks for a total without a subject: "rent total 2024".
  package var isTotalWanted = false
  /// True if day notes may provide the answer when no activity does.
  package var usesNotes = true
  package var ignored: [String] = []
  /// Readings that may be wrong, as clauses that begin with “whether” or “which”.
  package var uncertain: [String] = []
  /// The months of any year, by number: "in winter" without a year.
  package var months: Set<Int> = []
  /// The time of day, as minutes since midnight: "in the evening".
  package var minutes: Range<Int>?
  /// True if the minutes surround a single moment, at which something may be in progress: "at 10
  /// pm".
  package var isMoment = false
  /// True if the minutes begin at a clock time and have no stated end: "after 11 pm".
  package var isOpenEnded = false
  /// The minutes before and after a moment that belong to it.
  static let aroundMoment = 30
  /// The moment in minutes since midnight; the minutes around it end with the day.
  var moment: Int? {
    guard isMoment, let minutes else { return nil }
    return minutes.lowerBound > 0
      ? min(minutes.lowerBound + Self.aroundMoment, 1_439)
      : minutes.upperBound - Self.aroundMoment
  }
  /// True if its days are described as nights: "last night".
  package var isNight = false
  /// True if nobody else may be present: "with only Priya".
  package var hasOnlyNamed = false
  package var corrections: [(from: String, to: String)] = []
  /// The reason that the question can't be answered.
  package var problem: String?

  /// The reason that a condition in the question can't be answered, such as the event of a join.
  var problemOfCondition: String? {
    let conditions = joins.flatMap(\.question) + clauseParts + (bound?.question ?? [])
    return conditions.lazy.compactMap(\.problem).first
  }

  /// The question with its exclusions turned into conditions.
  var withoutNegation: AskQuestion {
    var result = self
    for index in result.terms.indices { result.terms[index].isExcluded = false }
    for index in result.people.indices { result.people[index].isExcluded = false }
    return result
  }
}
