import ArkivedCore
import Foundation
import Testing

@testable import ArkivedImport

/// Ten years of the sample life, made once for all the tests that only read them.
private struct TenYears: Sendable {
  static let now = Instant(milliseconds: 1_800_000_000_000)  // January 2027
  static let shared = TenYears()

  var activities: [Activity] = []
  var days: [DayEntry] = []
  var metrics: [DayMetric] = []
  var people: [Person] = []
  var meetings: [MeetingEntry] = []
  var minutes: [Note] = []
  var templates: [[Int]] = []
  var places: Set<String> = []
  var allOwnIdentities = true

  private init() {
    guard let from = DayKey("2016-01-01"), let through = DayKey("2025-12-31") else { return }
    var (activities, days, metrics, people): ([Activity], [DayEntry], [DayMetric], [Person]) =
      ([], [], [], [])
    var (meetings, minutes): ([MeetingEntry], [Note]) = ([], [])
    var templates: [[Int]] = []
    var own = true
    SampleLife(from: from, through: through).write(
      now: TenYears.now,
      into: { record in
        if !record.hasOwnIdentity { own = false }
        switch record.value {
        case .activity(let activity): activities.append(activity)
        case .event(let entry):
          activities.append(entry.activity)
          meetings.append(entry)
        case .goalSide(let note as Note): minutes.append(note)
        case .day(let day): days.append(day)
        case .metric(let metric): metrics.append(metric)
        case .person(let person): people.append(person)
        default: own = false
        }
      }, noted: { templates.append($0) })
    (self.activities, self.days, self.metrics, self.people) = (activities, days, metrics, people)
    (self.meetings, self.minutes) = (meetings, minutes)
    self.templates = templates
    allOwnIdentities = own
  }
}

private func sentences(_ note: String) -> [String] {
  var result: [String] = []
  var current = ""
  for character in note {
    if character == "\n" {
      if !current.isEmpty { result.append(current) }
      current = ""
    } else if character == " ", let last = current.last, ".?!".contains(last) {
      result.append(current)
      current = ""
    } else {
      current.append(character)
    }
  }
  if !current.isEmpty { result.append(current) }
  return result
}

private func written(
  seed: UInt64 = 2016, salt: UInt64 = 0, _ from: String, _ through: String
) -> [String] {
  guard let from = DayKey(from), let through = DayKey(through) else { return [] }
  var lines: [String] = []
  SampleLife(seed: seed, from: from, through: through, identitySalt: salt)
    .write(now: TenYears.now) { record in
      switch record.value {
      case .activity(let activity): lines.append("\(record.place) \(activity.json)")
      case .event(let entry): lines.append("\(record.place) \(entry.activity.json) \(entry.json)")
      case .goalSide(let note as Note): lines.append("\(record.place) \(note.json)")
      case .day(let day): lines.append("\(record.place) \(day.json)")
      case .metric(let metric): lines.append("\(record.place) \(metric.json)")
      case .person(let person): lines.append("\(record.place) \(person.json)")
      default: lines.append("unexpected")
      }
    }
  return lines
}

@Suite struct SampleLifeTests {
  @Test func everyPatternIsUnderstood() {
    #expect(SampleMaterial.shared.faults == [])
    #expect(SampleMaterial.shared.templateCount > 2000)
  }

  @Test func tenYearsHoldEnoughEntries() {
    let life = TenYears.shared
    #expect(life.activities.count >= 20_000)
    #expect(life.days.count >= 2000)
    #expect(life.days.filter { $0.title != nil }.count >= 200)
    let felt = life.days.filter { $0.mood != nil && $0.energy != nil }.count
    #expect((0.7...0.9).contains(Double(felt) / Double(life.days.count)))
    #expect(life.metrics.count > 7000)
    #expect(life.allOwnIdentities)
  }

  @Test func notesRarelySayTheSame() {
    let life = TenYears.shared
    let all = life.days.flatMap { sentences($0.note) }
    #expect(Set(all).count >= 5000)
    var uses: [Int: Int] = [:]
    var total = 0
    for used in life.templates {
      for template in used { uses[template, default: 0] += 1 }
      total += used.count
    }
    #expect(total >= 10_000)
    let most = uses.values.max() ?? 0
    #expect(Double(most) / Double(total) <= 0.01)
    let several = life.days.filter { sentences($0.note).count >= 3 }.count
    #expect(several * 2 > life.days.count)
  }

  @Test func activitiesAreVaried() {
    #expect(Set(TenYears.shared.activities.map(\.text)).count > 6000)
    #expect(Set(TenYears.shared.activities.map(\.kind)).isSuperset(of: ActivityKind.known))
    let sources = Set(TenYears.shared.activities.map(\.source))
    #expect(sources == [.manual, .calendarImport, .healthImport])
  }

  @Test func everyRecordIsValid() throws {
    let life = TenYears.shared
    var zones: [String: Zone] = [:]
    for activity in life.activities {
      try activity.validate()
      let zone = try #require(zones[activity.timeZone] ?? Zone(activity.timeZone))
      zones[activity.timeZone] = zone
      if let start = activity.startAt { #expect(zone.dayKey(at: start) == activity.dayKey) }
      if let start = activity.startAt, let end = activity.endAt { #expect(end >= start) }
      #expect(activity.createdAt <= TenYears.now)
      #expect(activity.externalRefs.isEmpty == (activity.source == .manual))
      for reference in activity.externalRefs { #expect(reference.fetchedAt <= TenYears.now) }
    }
    for day in life.days {
      try day.validate()
      #expect(!day.note.isEmpty)
    }
    for metric in life.metrics {
      try metric.validate()
      #expect(metric.value >= 0)
    }
    for person in life.people { try person.validate() }
    #expect(zones.count >= 5)
  }

  @Test func identitiesAndReferencesAreUnique() {
    let life = TenYears.shared
    let ids =
      life.activities.map(\.id) + life.days.map(\.id) + life.metrics.map(\.id)
      + life.people.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(life.days.map(\.dayKey)).count == life.days.count)
    let references = life.activities.flatMap(\.externalRefs).map {
      "\($0.provider) \($0.externalID)"
    }
    #expect(Set(references).count == references.count)
    #expect(references.count > 3500)
    let addresses = life.people.flatMap { [$0.email].compactMap { $0 } + $0.furtherAddresses }
    #expect(Set(addresses).count == addresses.count)
  }

  @Test func peopleAreManyAndShareFirstNames() {
    let people = TenYears.shared.people
    #expect(people.count >= 200)
    #expect(Set(people.map(\.name)).count == people.count)
    let byFirst = Dictionary(grouping: people) { person in
      (person.name ?? "").split(separator: " ").first { $0 != "Dr." }.map(String.init) ?? ""
    }
    #expect(byFirst.values.filter { $0.count > 1 }.reduce(0) { $0 + $1.count } >= 20)
    #expect((byFirst["Alex"]?.count ?? 0) == 3)
    #expect(people.filter { $0.relationshipSummary != nil }.count > 120)
    #expect(people.filter { $0.email != nil }.count > 120)
  }

  @Test func everyMentionNamesSomebodyKnown() {
    let life = TenYears.shared
    let names = Dictionary(uniqueKeysWithValues: life.people.map { ($0.id, $0.name) })
    for mention in life.activities.flatMap(\.people) + life.days.flatMap(\.people) {
      #expect(mention.personID.flatMap { names[$0] } == mention.name)
    }
    let seen = Set(
      life.activities.flatMap(\.people).compactMap(\.personID)
        + life.days.flatMap(\.people).compactMap(\.personID))
    #expect(seen.count > 180)
  }

  @Test func alexIsMetInEveryMonth() {
    var months: Set<Int> = []
    for activity in TenYears.shared.activities
    where activity.people.contains(where: { $0.name == "Alex Moreau" }) {
      months.insert(activity.dayKey.year * 12 + activity.dayKey.month)
    }
    #expect(months.count == 120)
  }

  @Test func theSameSeedWritesTheSameLife() {
    let first = written("2018-03-01", "2018-04-15")
    #expect(first == written("2018-03-01", "2018-04-15"))
    #expect(first != written(seed: 7, "2018-03-01", "2018-04-15"))
  }

  @Test func aLongerLifeKeepsItsEarlierDays() {
    let short = written("2019-04-01", "2019-06-30")
    let long = written("2019-04-01", "2019-08-31")
    #expect(long.count > short.count)
    #expect(Array(long.prefix(short.count)) == short)
    // Beginning later changes no day either.
    let later = written("2019-06-15", "2019-06-30").filter { !$0.hasPrefix("sample:people") }
    #expect(Array(short.suffix(later.count)) == later)
  }

  @Test func aSaltChangesIdentitiesAlone() {
    let plain = written("2020-09-01", "2020-09-05")
    let salted = written(salt: 1, "2020-09-01", "2020-09-05")
    #expect(plain.count == salted.count)
    #expect(zip(plain, salted).allSatisfy { $0.0 != $0.1 })
  }

  @Test func sentencesDoNotComeBackWithinTheWeek() throws {
    var last: [String: DayKey] = [:]
    var repeats = 0
    var total = 0
    for day in TenYears.shared.days {
      for sentence in sentences(day.note) where sentence.count > 25 {
        total += 1
        if let before = last[sentence], before.distance(to: day.dayKey) < 7 { repeats += 1 }
        last[sentence] = day.dayKey
      }
    }
    #expect(repeats * 300 < total)
  }

  @Test func journeysTakeTheDayAlongToItsZone() {
    let inJapan = TenYears.shared.activities.filter { $0.timeZone == "Asia/Tokyo" }
    #expect(inJapan.count > 100)
    #expect(inJapan.allSatisfy { !$0.tags.contains("commute") && $0.kind != .work })
    for day in Set(inJapan.map(\.dayKey)) {
      let there = TenYears.shared.activities.filter { $0.dayKey == day }
      #expect(there.allSatisfy { $0.timeZone == "Asia/Tokyo" || $0.tags.contains("home") })
    }
  }

  @Test func appointmentsAreMeetingsWithThoseWhoTookPart() throws {
    let life = TenYears.shared
    #expect(life.meetings.count > 3_000)
    #expect(Set(life.meetings.map(\.meeting.eventIdentifier)).count == life.meetings.count)
    #expect(life.meetings.allSatisfy { $0.activity.source == .calendarImport })
    let known = Set(life.people.map(\.id))
    for entry in life.meetings {
      try entry.meeting.validate()
      #expect(entry.meeting.attendances.allSatisfy { $0.personID.map(known.contains) ?? false })
      #expect(entry.ownFields.isEmpty)
    }
    let series = Dictionary(grouping: life.meetings) { $0.meeting.seriesIdentifier }
    #expect(series.count > 40)
    #expect(series.values.contains { $0.count > 50 })
  }

  @Test func minutesHoldDecisionsAndPromisesOfThoseWhoTookPart() throws {
    let life = TenYears.shared
    #expect(life.minutes.count > 600)
    let meetings = Dictionary(uniqueKeysWithValues: life.meetings.map { ($0.id, $0) })
    var (open, kept, theirs, decided) = (0, 0, 0, 0)
    for note in life.minutes {
      try note.validate()
      let entry = try #require(note.meetingID.flatMap { meetings[$0] })
      #expect(note.dayKey == entry.activity.dayKey)
      decided += DecisionReader.decisions(in: note.text).count
      for promise in PromiseReader().promises(in: note.text, writtenOn: note.dayKey) {
        if promise.isDone { kept += 1 } else { open += 1 }
        guard let owner = promise.owner else { continue }
        theirs += 1
        #expect(entry.meeting.attendances.map(\.name).contains(owner), "\(note.text)")
      }
    }
    #expect((10...200).contains(open))
    #expect(kept > 500)
    #expect(theirs > 200)
    #expect(decided > 200)
  }

  @Test func aLifetimeIsWrittenWithoutAGap() throws {
    let from = try #require(DayKey("1946-01-01"))
    let through = try #require(DayKey("1947-12-31"))
    var days: Set<DayKey> = []
    SampleLife(from: from, through: through).write(now: TenYears.now) { record in
      if case .activity(let activity) = record.value { days.insert(activity.dayKey) }
      if case .event(let entry) = record.value { days.insert(entry.activity.dayKey) }
    }
    #expect(days.count > 700)
  }
}
