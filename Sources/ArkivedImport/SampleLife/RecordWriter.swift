import ArkivedCore
import Foundation

/// Converts scenes and notes to entries with IDs and times.
struct RecordWriter {
  let material: SampleMaterial
  let random: SampleRandom
  let now: Instant
  private let home: Zone
  private var zones: [String: ZoneDay] = [:]
  private let personIDs: [UUID]

  init(material: SampleMaterial, random: SampleRandom, now: Instant) {
    self.material = material
    self.random = random
    self.now = now
    home = Zone(SampleLife.homeZoneIdentifier) ?? .utc
    personIDs = material.cast.members.indices.map { random.identity(1, $0) }
  }

  /// Returns all the people of the life, dated to when they entered it.
  func people() -> [ImportedRecord] {
    material.cast.members.enumerated().map { number, member in
      let year = member.years.lowerBound
      let day = DayKey(year: max(year, 1946), month: 1 + number % 12, day: 1 + number % 28)
      let created = min(
        Instant(milliseconds: Int64(day?.daysSinceEpoch ?? 0) * 86_400_000 + 64_800_000), now)
      let further =
        number % 19 == 5
        ? member.email.map { [$0.replacingOccurrences(of: "@example", with: ".work@example")] }
        : nil
      return ImportedRecord(
        .person(
          Person(
            id: personIDs[number], name: member.name, email: member.email,
            furtherAddresses: further ?? [], aliases: member.aliases,
            relationshipSummary: member.summary, createdAt: created, updatedAt: created)),
        hasOwnIdentity: true, place: "sample:people")
    }
  }

  /// Creates the records of a day.
  ///
  /// - Parameters:
  ///   - frame: what kind of day it is.
  ///   - scenes: what happens on it.
  ///   - note: the day's note, if it has one.
  ///   - random: chooses the details.
  ///   - writer: writes the minutes of the day's meetings, after everything else of the day.
  /// - Returns: the records.
  mutating func day(
    _ frame: DayFrame, _ scenes: [Scene], _ note: DayNote?, metrics random: SampleRandom,
    minutes writer: SceneWriter
  ) -> [ImportedRecord] {
    let meetings = MeetingWriter(
      writer, identities: self.random, personIDs: personIDs, now: now)
    let place = "sample:\(frame.day)"
    var result: [ImportedRecord] = []
    result.reserveCapacity(scenes.count + 4)
    for (ordinal, scene) in scenes.enumerated() where !scene.text.isEmpty {
      let entry = activity(scene, frame, ordinal)
      guard let meeting = meetings.meeting(of: scene, entry, ordinal) else {
        result.append(ImportedRecord(.activity(entry), hasOwnIdentity: true, place: place))
        continue
      }
      let event = MeetingEntry(meeting: meeting, activity: entry)
      result.append(ImportedRecord(.event(event), hasOwnIdentity: true, place: place))
      if let note = meetings.minutes(of: scene, event, ordinal) {
        result.append(
          ImportedRecord(.goalSide(note), hasOwnIdentity: true, hasOwnVersion: true, place: place))
      }
    }
    if let note {
      let entry = self.entry(note, frame)
      result.append(ImportedRecord(.day(entry), hasOwnIdentity: true, place: place))
    }
    if frame.flags.contains(.watch) {
      for metric in numbers(frame, scenes) {
        result.append(ImportedRecord(.metric(metric), hasOwnIdentity: true, place: place))
      }
    }
    return result
  }

  /// A zone with its offset on the day requested last, which saves most lookups of its rules.
  private struct ZoneDay {
    var zone: Zone
    var day: Int
    /// Milliseconds east of UTC; nil if the clocks change around the day.
    var offset: Int64?
  }

  private mutating func instant(_ day: DayKey, minute: Int, zone identifier: String) -> Instant {
    var known =
      zones[identifier] ?? ZoneDay(zone: Zone(identifier) ?? home, day: Int.min, offset: nil)
    if known.day != day.daysSinceEpoch {
      let noon = Instant(milliseconds: Int64(day.daysSinceEpoch) * 86_400_000 + 43_200_000)
      let before = known.zone.offset(at: noon.adding(seconds: -40 * 3600))
      let after = known.zone.offset(at: noon.adding(seconds: 40 * 3600))
      known.day = day.daysSinceEpoch
      known.offset = before == after ? Int64(before) * 1000 : nil
      zones[identifier] = known
    }
    let wall = Int64(day.daysSinceEpoch) * 86_400_000 + Int64(minute) * 60_000
    if let offset = known.offset { return Instant(milliseconds: wall - offset) }
    return known.zone.instant(of: WallTime(day: day, secondOfDay: minute * 60))
  }

  private mutating func activity(_ scene: Scene, _ frame: DayFrame, _ ordinal: Int) -> Activity {
    let isAway = frame.trip.map { !$0.isFirst && !$0.isLast } ?? false
    var zone = isAway ? frame.trip?.destination.zone ?? "" : SampleLife.homeZoneIdentifier
    if !scene.zone.isEmpty { zone = scene.zone }
    let evening = instant(
      frame.day, minute: 1255 + random.index(110, 0x1A1, frame.number), zone: zone
    ).adding(seconds: ordinal * 47)
    var start: Instant?
    var end: Instant?
    if scene.isAllDay {
      start = instant(frame.day, minute: 0, zone: zone)
      end = instant(frame.day.advanced(by: 1), minute: 0, zone: zone)
    } else if let minute = scene.start {
      // For some typed lines, only the day is known.
      let isTimed =
        scene.source != .manual || scene.kind == .travel
        || random.unit(0x1A2, frame.number, ordinal) < 0.86
      if isTimed {
        let begin = instant(frame.day, minute: minute, zone: zone)
        start = begin
        if scene.minutes > 0,
          scene.source != .manual || scene.kind == .travel
            || random.unit(0x1A3, frame.number, ordinal) < 0.9
        {
          end = begin.adding(seconds: scene.minutes * 60)
        }
      }
    }
    var created = max(evening, end ?? evening)
    var references: [ExternalRef] = []
    switch scene.source {
    case .calendarImport:
      created = evening.adding(seconds: -(5 + ordinal % 4) * 86_400)
      let number = String(random.bits(0x1A4, frame.number, ordinal), radix: 36)
      references = [
        ExternalRef(
          provider: "calendar", externalID: "\(number)@calendar.example.org",
          fetchedAt: min(created, now))
      ]
    case .healthImport:
      created = (end ?? evening).adding(seconds: 600)
      let number = String(random.bits(0x1A5, frame.number, ordinal), radix: 16, uppercase: true)
      references = [
        ExternalRef(
          provider: "health", externalID: "workout-\(number)", fetchedAt: min(created, now))
      ]
    default: break
    }
    created = min(created, now)
    let given =
      scene.givenMinutes
      ?? (start == nil && scene.minutes > 0 && random.unit(0x1A6, frame.number, ordinal) < 0.5
        ? Double(scene.minutes) : nil)
    return Activity(
      id: random.identity(2, frame.number, ordinal), dayKey: frame.day, startAt: start,
      endAt: end, timeZone: zone, kind: scene.kind, text: scene.text, source: scene.source,
      isPinned: scene.isPinned, locationLabel: scene.venue?.name, lat: scene.venue?.lat,
      lon: scene.venue?.lon,
      measurements: Dictionary(scene.measurements.map { ($0.unit, $0.amount) }) { first, _ in first
      },
      durationMinutes: given, tags: scene.tags, people: mentions(scene.named, scene.others),
      externalRefs: references, createdAt: created, updatedAt: created)
  }

  private func mentions(_ named: [Int], _ others: [Int]) -> [Mention] {
    var result: [Mention] = []
    for number in named + others.filter({ !named.contains($0) }) {
      result.append(
        Mention(name: material.cast.members[number].name, personID: personIDs[number]))
    }
    return result
  }

  private mutating func entry(_ note: DayNote, _ frame: DayFrame) -> DayEntry {
    let zone =
      frame.trip.map { $0.isLast ? SampleLife.homeZoneIdentifier : $0.destination.zone }
      ?? SampleLife.homeZoneIdentifier
    let created = min(
      instant(frame.day, minute: 1290 + random.index(120, 0x1A7, frame.number), zone: zone), now)
    let isMeasured = random.unit(0x1A8, frame.number) < 0.7
    return DayEntry(
      id: random.identity(3, frame.number), dayKey: frame.day, title: note.title, note: note.text,
      mood: note.mood, energy: note.energy,
      weather: isMeasured
        ? Weather(
          conditions: frame.sky.conditions, temperatureCelsius: Double(frame.sky.degrees)) : nil,
      people: mentions(note.named, []), createdAt: created, updatedAt: created)
  }

  /// Returns the steps, sleep and resting heart rate of a day.
  private mutating func numbers(_ frame: DayFrame, _ scenes: [Scene]) -> [DayMetric] {
    var steps = 5200 + random.unit(0x1B1, frame.number) * 4800
    if frame.trip != nil { steps += 5200 }
    if frame.isWeekend { steps += 1400 }
    if frame.flags.contains(.lockdown) { steps -= 1500 }
    for scene in scenes where scene.km > 0 && scene.km < 17 { steps += scene.km * 620 }
    var sleep = 418 + (random.unit(0x1B2, frame.number) - 0.5) * 110
    if frame.isWeekend { sleep += 28 }
    var pulse = 57 + random.drift(0x1B3, frame.number, every: 60) * 3
    pulse += (random.unit(0x1B4, frame.number) - 0.5) * 4
    if frame.illness != nil {
      steps = 900 + steps / 6
      sleep += 70
      pulse += 7
    }
    let created = min(
      instant(frame.day, minute: 1435, zone: SampleLife.homeZoneIdentifier), now)
    let rows: [(String, String, Double)] = [
      ("steps", "count", steps.rounded()), ("sleepMinutes", "min", sleep.rounded()),
      ("restingHeartRate", "bpm", pulse.rounded()),
    ]
    return rows.enumerated().map { ordinal, row in
      DayMetric(
        id: random.identity(4, frame.number, ordinal), dayKey: frame.day, metric: row.0,
        unit: row.1, value: row.2, source: "watch", createdAt: created, updatedAt: created)
    }
  }
}
