import ArkivedCore
import ArkivedImport
import Foundation

/// A life of eighty busy years: the days of several sample lives laid over each other.
///
/// One sample life holds about six activities a day; the archive of somebody who also imports
/// calendars, places and health holds many times that. Days are therefore drawn from `layers`
/// seeds. Everybody's identity, the day notes and the devices' numbers come from the first.
struct LongLife: Sendable {
  static let firstYear = 1946
  static let lastYear = 2025
  static let layers = 10

  static var lastDay: DayKey {
    DayKey(year: lastYear, month: 12, day: 31) ?? .latest
  }

  /// The moment at which the life was written down: no entry was made later.
  static var now: Instant {
    Instant(milliseconds: Int64(lastDay.daysSinceEpoch + 1) * 86_400_000)
  }

  let seed: UInt64
  let people: [Person]
  /// The first life's identity of everybody, by the identity that a further layer gives them.
  private let identities: [UUID: UUID]

  init(seed: UInt64) {
    self.seed = seed
    let cast = (0..<Self.layers).map { layer in Self.people(of: Self.seed(layer, seed)) }
    people = cast.first ?? []
    var identities: [UUID: UUID] = [:]
    for layer in cast {
      for (person, first) in zip(layer, people) { identities[person.id] = first.id }
    }
    self.identities = identities
  }

  /// A month of the calendar.
  struct Month: Hashable, Sendable {
    var year: Int
    /// 1 to 12.
    var month: Int

    var firstDay: DayKey { DayKey(year: year, month: month, day: 1) ?? .earliest }
  }

  private static func seed(_ layer: Int, _ seed: UInt64) -> UInt64 { seed &+ UInt64(layer) }

  private static func people(of seed: UInt64) -> [Person] {
    var people: [Person] = []
    // A life that ends before it begins has its people and no days.
    let day = lastDay
    SampleLife(seed: seed, from: day, through: day.advanced(by: -1)).write(now: now) { record in
      if case .person(let person) = record.value { people.append(person) }
    }
    return people
  }

  /// One day: its note, its numbers, and what happened by the clock, then what has no time.
  struct LifeDay: Sendable {
    var dayKey: DayKey
    var note: DayEntry?
    var metrics: [DayMetric] = []
    var activities: [Activity] = []
  }

  /// The days of a month, in order.
  func days(of month: Month) -> [LifeDay] {
    let first = month.firstDay
    var days = (0..<DayKey.length(ofMonth: month.month, year: month.year)).map {
      LifeDay(dayKey: first.advanced(by: $0))
    }
    let last = first.advanced(by: days.count - 1)
    func take(_ activity: Activity) {
      var activity = activity
      activity.people = activity.people.map(known)
      days[activity.dayKey.daysSinceEpoch - first.daysSinceEpoch].activities.append(activity)
    }
    for layer in 0..<Self.layers {
      let life = SampleLife(seed: Self.seed(layer, seed), from: first, through: last)
      life.write(now: Self.now) { record in
        switch record.value {
        case .activity(let activity): take(activity)
        case .event(let entry): take(entry.activity)
        case .day(let entry) where layer == 0:
          days[entry.dayKey.daysSinceEpoch - first.daysSinceEpoch].note = entry
        case .metric(let metric) where layer == 0:
          days[metric.dayKey.daysSinceEpoch - first.daysSinceEpoch].metrics.append(metric)
        default: break
        }
      }
    }
    for index in days.indices { days[index].activities = Self.inOrder(days[index].activities) }
    return days
  }

  private func known(_ mention: Mention) -> Mention {
    Mention(name: mention.name, personID: mention.personID.map { identities[$0] ?? $0 })
  }

  /// By the clock; equal times and entries without one keep the order in which they came.
  private static func inOrder(_ activities: [Activity]) -> [Activity] {
    activities.enumerated().sorted { left, right in
      let (a, b) = (left.element.startAt ?? .latest, right.element.startAt ?? .latest)
      return a == b ? left.offset < right.offset : a < b
    }.map(\.element)
  }
}

extension LongLife {
  /// Which months a file of so many activities takes, and what must be known before its first line.
  struct Plan: Sendable {
    var months: [Month] = []
    /// How many activities at the beginning of the first month are left out.
    var skipped = 0
    /// Fewer than asked for when the whole life holds no more.
    var activities = 0
    var tags: [String] = []
  }

  /// Counts the months back from the last until they hold enough activities.
  func plan(activities wanted: Int) async -> Plan {
    var plan = Plan()
    var tags: Set<String> = []
    let months = (Self.firstYear...Self.lastYear).flatMap { year in
      (1...12).map { Month(year: year, month: $0) }
    }
    await Self.inOrder(months.reversed()) { month in
      self.days(of: month).reduce(into: (count: 0, tags: Set<String>())) { sum, day in
        sum.count += day.activities.count
        for activity in day.activities { sum.tags.formUnion(activity.tags) }
      }
    } take: { month, content in
      plan.months.append(month)
      plan.activities += content.count
      tags.formUnion(content.tags)
      return plan.activities < wanted
    }
    plan.months.reverse()
    plan.skipped = max(0, plan.activities - wanted)
    plan.activities -= plan.skipped
    plan.tags = tags.sorted()
    return plan
  }

  /// Makes something of each month on every core, and takes the results one by one in order.
  ///
  /// - Parameters:
  ///   - months: the months.
  ///   - make: runs on any core.
  ///   - take: returns whether to go on.
  static func inOrder<Made: Sendable>(
    _ months: [Month], make: @escaping @Sendable (Month) -> Made,
    take: (Month, Made) throws -> Bool
  ) async rethrows {
    var running: [Task<Made, Never>] = []
    defer { for task in running { task.cancel() } }
    var next = months.makeIterator()
    func start() {
      guard let month = next.next() else { return }
      running.append(Task.detached { make(month) })
    }
    for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) { start() }
    for month in months {
      guard let first = running.first else { return }
      let made = await first.value
      running.removeFirst()
      start()
      guard try take(month, made) else { return }
    }
  }
}
