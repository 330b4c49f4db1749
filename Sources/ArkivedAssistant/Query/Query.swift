import ArkivedCore

/// A question as a value: the data to examine, the computation, and the output.
///
/// It is created from JSON (`QueryDecoder`) or in code, written as JSON (`json`), and answered by
/// `QueryExecutor`. See Documentation/Query.md.
struct Query: Hashable, Sendable {
  var source: Source
  var fold = Fold.list
  /// The type of the values; that of the source's items if nil.
  var target: Target?
  /// The unit of the amounts that are summed, averaged or compared; nil to count items.
  var unit: String?
  /// The rank: 1 for the first, the most, the least; 2 for the next.
  var rank = 1
  /// The quantity compared or shared on both sides.
  var by = Fold.count
  /// The other side of a comparison; the whole for a share.
  var against: Source?
  var group: Group?
  var order: Order?
  var limit = Query.usualLimit
  /// The maximum number of entries to cite.
  var citations = Query.usualCitations

  static let usualLimit = 50
  static let usualCitations = 20
  static let largestLimit = 1_000

  init(_ source: Source, _ fold: Fold = .list) {
    self.source = source
    self.fold = fold
  }

  /// The ways to combine values into an answer.
  enum Fold: String, CaseIterable, Sendable {
    case list, count, distinct, sum, mean, median, highest, lowest, first, last, nth
    /// The time from the first item to the last.
    case span
    /// The longest time between two consecutive items.
    case gap
    /// The longest run of consecutive days.
    case run
    case trend, compare, share

    /// True if it needs a number for each item.
    var needsMeasure: Bool {
      switch self {
      case .sum, .mean, .median, .highest, .lowest: true
      default: false
      }
    }

    /// True if it can be computed for each group.
    var groups: Bool { needsMeasure || [.count, .distinct, .run, .trend].contains(self) }
  }

  enum Target: String, CaseIterable, Sendable {
    case entry, day
    /// Consecutive days.
    case timeSpan
    case person, place, tag, kind
    /// The things that entries mention, in their own words.
    case thing
    case amount
    /// The whole text of an entry with its notes, for questions about reasons.
    case reason
    case name, yesNo

    /// The grouping by this target's values; nil if they are not names.
    var naming: Group? {
      switch self {
      case .day: .day
      case .person: .person
      case .place: .place
      case .tag: .tag
      case .kind: .kind
      case .thing, .name: .thing
      case .entry, .timeSpan, .amount, .reason, .yesNo: nil
      }
    }
  }

  enum Group: String, CaseIterable, Sendable {
    case day, week, month, year, weekday, hour, season, person, place, tag, kind, thing

    /// True if groups are consecutive in time.
    var isTime: Bool { [.day, .week, .month, .year].contains(self) }
    /// True if its values have a natural order.
    var isOrdered: Bool { isTime || [.weekday, .hour, .season].contains(self) }
  }

  enum Order: String, CaseIterable, Sendable { case oldest, newest, most, least }

  enum Season: String, CaseIterable, Sendable {
    case spring, summer, autumn, winter

    /// Creates the season of a month in the northern hemisphere.
    init(month: Int) { self = Self.allCases[((month + 9) % 12) / 3] }
  }

  /// The origin of items.
  indirect enum Source: Hashable, Sendable {
    case items(ItemKind, Predicate)
    /// Days with a value for a metric, for mood or for energy.
    case metric(String, Predicate)
    /// Items on days at an offset, in days, from those of another source.
    case onDays(Source, of: Source, offsets: ClosedRange<Int>)
    /// Items from the first day of one source to the last day of another.
    case between(Source, start: Source, end: Source)
    case minus(Source, Source)
    /// The union of sources; never empty.
    case union([Source])

    var kind: ItemKind {
      switch self {
      case .items(let kind, _): kind
      case .metric: .days
      case .onDays(let source, _, _), .between(let source, _, _), .minus(let source, _): source.kind
      case .union(let sources): sources.first?.kind ?? .entries
      }
    }

    /// The metric whose value each item has.
    var metric: String? {
      switch self {
      case .items: nil
      case .metric(let name, _): name
      case .onDays(let source, _, _), .between(let source, _, _), .minus(let source, _):
        source.metric
      case .union(let sources): sources.first?.metric
      }
    }

    /// The only days on which items can be.
    var span: ClosedRange<DayKey> {
      switch self {
      case .items(_, let predicate), .metric(_, let predicate): predicate.span
      case .onDays(let source, _, _), .between(let source, _, _), .minus(let source, _):
        source.span
      case .union: DayKey.earliest...DayKey.latest
      }
    }
  }

  /// The kind of items in a source.
  enum ItemKind: String, CaseIterable, Sendable {
    case entries, days, meetings, notes, promises, decisions, goals, terms, people

    /// The targets that its items support.
    var targets: Set<Target> {
      switch self {
      case .entries, .meetings: Set(Target.allCases)
      case .days: [.entry, .day, .timeSpan, .amount, .yesNo]
      case .notes: [.entry, .day, .timeSpan, .person, .tag, .thing, .reason, .name, .yesNo]
      case .promises: [.entry, .day, .timeSpan, .person, .thing, .reason, .name, .yesNo]
      case .decisions, .goals, .terms:
        [.entry, .day, .timeSpan, .thing, .reason, .name, .yesNo]
      case .people: [.entry, .name, .thing, .yesNo]
      }
    }

    /// The predicate members that its items support.
    var conditions: Set<String> {
      let times: Set = ["time", "days", "weekday", "season", "month", "mood", "energy", "metric"]
      let always: Set = ["all", "any", "not", "concept", "text"]
      return switch self {
      case .entries:
        always.union(times).union([
          "hours", "person", "alone", "place", "tag", "kind", "source", "amount",
        ])
      case .days:
        always.union(times).union(["hours", "person", "place", "tag", "kind", "source", "amount"])
      case .meetings:
        always.union(times).union(["hours", "person", "alone", "place", "tag", "kind", "amount"])
      case .notes: always.union(times).union(["person", "alone", "tag"])
      case .promises: always.union(times).union(["person", "done"])
      case .decisions, .goals, .terms: always.union(times)
      case .people: always.union(["person"])
      }
    }
  }

  indirect enum Predicate: Hashable, Sendable {
    /// All predicates match; everything matches if there are none.
    case all([Predicate])
    case any([Predicate])
    case not(Predicate)
    case days(ClosedRange<DayKey>)
    case weekday(Set<Weekday>)
    /// Minutes since midnight, excluding the end, which is less than the start if the range
    /// includes midnight.
    case hours(from: Int, to: Int)
    case season(Set<Season>)
    case month(Set<Int>)
    case person(String, role: Role)
    /// No person is named.
    case alone
    case place(String)
    case tag(String)
    case kind(String)
    case source(String)
    case concept(Concept)
    case amount(unit: String, Bounds)
    case mood(Bounds)
    case energy(Bounds)
    case metric(String, Bounds)
    /// These words, verbatim.
    case text(String)
    case done(Bool)

    /// The only days on which the predicate can match.
    var span: ClosedRange<DayKey> {
      switch self {
      case .days(let days): days
      case .all(let parts):
        parts.map(\.span).reduce(DayKey.earliest...DayKey.latest) { $0.clamped(to: $1) }
      default: DayKey.earliest...DayKey.latest
      }
    }

    /// True if the calendar alone decides if a day matches, so it is known of days to come as well.
    var isOfCalendar: Bool {
      switch self {
      case .days, .weekday, .month, .season: true
      case .all(let parts), .any(let parts): parts.allSatisfy(\.isOfCalendar)
      case .not(let part): part.isOfCalendar
      default: false
      }
    }
  }

  /// The role of a person in an entry.
  enum Role: String, CaseIterable, Sendable {
    case any, organizer, attendee
    /// For a promise: the person who made it, and its recipient.
    case owner, recipient
  }

  /// A phrase that entries must express.
  struct Concept: Hashable, Sendable {
    enum Role: String, CaseIterable, Sendable {
      case any, done, thing
      /// A single event, matched by the one entry that describes it best.
      case event
    }

    var phrase: String
    var role = Role.any
  }

  /// An inclusive range; at least one bound is given.
  struct Bounds: Hashable, Sendable {
    var least: Double?
    var most: Double?

    func contains(_ value: Double) -> Bool {
      value >= least ?? -.infinity && value <= most ?? .infinity
    }
  }
}

extension Query.Source {
  static func entries(_ predicate: Query.Predicate = .all([])) -> Self {
    .items(.entries, predicate)
  }
  static func days(_ predicate: Query.Predicate = .all([])) -> Self { .items(.days, predicate) }
}
