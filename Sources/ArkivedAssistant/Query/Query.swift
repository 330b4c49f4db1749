import ArkivedCore

/// A question as a value: what to look at, what to compute of it, and what to tell.
///
/// It is made from JSON (`QueryDecoder`) or by code, written as JSON (`json`), and answered by
/// `QueryExecutor`. See Documentation/Query.md.
struct Query: Hashable, Sendable {
  var source: Source
  var fold = Fold.list
  /// What the values are; that of the source's items where nil.
  var target: Target?
  /// The unit of the amounts that are summed, averaged or compared; nil for how many there are.
  var unit: String?
  /// 1 for the first, the most, the least; 2 for the one after it.
  var rank = 1
  /// What is compared or shared of both sides.
  var by = Fold.count
  /// The other side of a comparison; the whole of a share.
  var against: Source?
  var group: Group?
  var order: Order?
  var limit = Query.usualLimit
  /// How many entries to cite at most.
  var citations = Query.usualCitations

  static let usualLimit = 50
  static let usualCitations = 20
  static let largestLimit = 1_000

  init(_ source: Source, _ fold: Fold = .list) {
    self.source = source
    self.fold = fold
  }

  /// How values become an answer.
  enum Fold: String, CaseIterable, Sendable {
    case list, count, distinct, sum, mean, median, highest, lowest, first, last, nth
    /// From the first item to the last.
    case span
    /// The longest time between two items that follow each other.
    case gap
    /// The most days in a row.
    case run
    case trend, compare, share

    /// Whether it needs a number of each item.
    var needsMeasure: Bool {
      switch self {
      case .sum, .mean, .median, .highest, .lowest: true
      default: false
      }
    }

    /// Whether it can be computed group by group.
    var groups: Bool { needsMeasure || [.count, .distinct, .run, .trend].contains(self) }
  }

  enum Target: String, CaseIterable, Sendable {
    case entry, day
    /// Days in a row.
    case timeSpan
    case person, place, tag, kind
    /// What the entries tell of, in their words.
    case thing
    case amount
    /// The whole text of an entry with its notes, for why something was.
    case reason
    case name, yesNo

    /// The group that has one value for each of this target; nil where values are not names.
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

    /// Whether groups follow each other in time.
    var isTime: Bool { [.day, .week, .month, .year].contains(self) }
    /// Whether its values have an order of their own.
    var isOrdered: Bool { isTime || [.weekday, .hour, .season].contains(self) }
  }

  enum Order: String, CaseIterable, Sendable { case oldest, newest, most, least }

  enum Season: String, CaseIterable, Sendable {
    case spring, summer, autumn, winter

    /// By the months of the northern half of the earth.
    init(month: Int) { self = Self.allCases[((month + 9) % 12) / 3] }
  }

  /// Where items come from.
  indirect enum Source: Hashable, Sendable {
    case items(ItemKind, Predicate)
    /// Days with a value of a metric, of mood or of energy.
    case metric(String, Predicate)
    /// On days that lie so many days after those of another source.
    case onDays(Source, of: Source, offsets: ClosedRange<Int>)
    /// From the first day of one source to the last day of another.
    case between(Source, start: Source, end: Source)
    case minus(Source, Source)
    /// Never empty.
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
  }

  /// What a source consists of.
  enum ItemKind: String, CaseIterable, Sendable {
    case entries, days, meetings, notes, promises, decisions, goals, terms, people

    /// The targets that its items have.
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

    /// The members of a predicate that its items can fulfil.
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
    /// All of them hold; everything where there are none.
    case all([Predicate])
    case any([Predicate])
    case not(Predicate)
    case days(ClosedRange<DayKey>)
    case weekday(Set<Weekday>)
    /// Minutes since midnight, the end excluded; it lies before the start where midnight is between.
    case hours(from: Int, to: Int)
    case season(Set<Season>)
    case month(Set<Int>)
    case person(String, role: Role)
    /// Nobody is named.
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
    /// These words, as they stand here.
    case text(String)
    case done(Bool)

    /// The days outside which it never holds.
    var span: ClosedRange<DayKey> {
      switch self {
      case .days(let days): days
      case .all(let parts):
        parts.map(\.span).reduce(DayKey.earliest...DayKey.latest) { $0.clamped(to: $1) }
      default: DayKey.earliest...DayKey.latest
      }
    }
  }

  /// As what a person takes part.
  enum Role: String, CaseIterable, Sendable {
    case any, organizer, attendee
    /// Of a promise: who made it, and to whom.
    case owner, recipient
  }

  /// A phrase that entries must tell.
  struct Concept: Hashable, Sendable {
    enum Role: String, CaseIterable, Sendable {
      case any, done, thing
      /// Something that was once: the one entry that tells it best.
      case event
    }

    var phrase: String
    var role = Role.any
  }

  /// Both included; at least one is told.
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
