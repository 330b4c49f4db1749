import ArkivedCore
import Foundation

/// Creates meetings with participants from the diary's appointments, and minutes for some of them:
/// what was said, what was decided, and who promised what.
struct MeetingWriter {
  let writer: SceneWriter
  /// Generates IDs; everything else is drawn with the writer's numbers.
  let identities: SampleRandom
  private let personIDs: [UUID]
  private let now: Instant
  private let today: DayKey

  init(_ writer: SceneWriter, identities: SampleRandom, personIDs: [UUID], now: Instant) {
    self.writer = writer
    self.identities = identities
    self.personIDs = personIDs
    self.now = now
    today = (Zone(SampleLife.homeZoneIdentifier) ?? .utc).dayKey(at: now)
  }

  private var material: SampleMaterial { writer.material }
  private var random: SampleRandom { writer.random }
  private var frame: DayFrame { writer.frame }

  /// The keys of recurring appointments, with the probability that somebody takes minutes.
  private static let series: [String: Double] = [
    "meet.standup": 0.01, "meet.planning": 0.5, "meet.boss": 0.7, "meet.review": 0.5,
    "meet.client": 0.8, "meet.team": 0.5, "meet.retro": 0.9,
  ]
  private static let single: [String: Double] = [
    "meet.mentee": 0.5, "meet.other": 0.35, "meet.launch": 1,
  ]

  private func key(_ scene: Scene) -> String? {
    scene.spec.map { material.specs[$0].key }.flatMap {
      Self.series[$0] != nil || Self.single[$0] != nil ? $0 : nil
    }
  }

  /// Returns the meeting of an appointment, or nil for any other event.
  func meeting(of scene: Scene, _ activity: Activity, _ ordinal: Int) -> Meeting? {
    guard let key = key(scene), let event = activity.externalRefs.first?.externalID else {
      return nil
    }
    var people = scene.who.map { [$0] } ?? []
    for number in scene.named + scene.others where !people.contains(number) {
      people.append(number)
    }
    var meeting = Meeting(
      id: identities.identity(5, frame.number, ordinal), activityID: activity.id,
      eventIdentifier: event, seriesIdentifier: series(key, scene),
      organizer: scene.who.map { material.cast.members[$0].name },
      attendances: people.enumerated().map { attendance($0.element, scene, $0.offset) },
      createdAt: activity.createdAt, updatedAt: activity.createdAt)
    meeting.event = CalendarEvent(MeetingEntry(meeting: meeting, activity: activity))
    return meeting
  }

  /// Returns the series of a meeting: those with the same person, or on the same piece of work,
  /// belong together.
  private func series(_ key: String, _ scene: Scene) -> String? {
    guard Self.series[key] != nil else { return nil }
    let about =
      scene.who.map { material.cast.members[$0].name } ?? frame.project?.name ?? "team"
    let name = (key.dropFirst(5) + " " + about).lowercased().map { $0.isLetter ? $0 : "-" }
    return "\(String(name))@calendar.example.org"
  }

  private func attendance(_ number: Int, _ scene: Scene, _ place: Int) -> Attendance {
    let member = material.cast.members[number]
    let answer = random.unit(0x3A1, frame.number, place * 16 + scene.place & 15)
    return Attendance(
      name: member.name, address: member.email, personID: personIDs[number],
      role: number == scene.who ? .chair : answer > 0.97 ? .optional : .required,
      reply: answer < 0.05 ? .tentative : answer < 0.1 ? .waiting : .accepted,
      isOrganizer: number == scene.who)
  }

  // MARK: Minutes

  /// Returns the minutes of a meeting, or nil if none were taken.
  func minutes(of scene: Scene, _ entry: MeetingEntry, _ ordinal: Int) -> Note? {
    guard let key = key(scene), let chance = Self.series[key] ?? Self.single[key],
      entry.activity.dayKey <= today, random.unit(0x3A2, frame.number, ordinal) < chance
    else { return nil }
    let people = entry.meeting.attendances.compactMap { one in
      personIDs.firstIndex { $0 == one.personID }
    }
    var scene = scene
    scene.who = scene.who ?? people.first
    var parts: [String] = []
    let points = (0..<2).compactMap { turn in
      line(turn == 0 ? key.replacingOccurrences(of: "meet.", with: "minutes.") : "minutes", &scene)
    }
    if !points.isEmpty { parts.append(points.map { "- " + $0 }.joined(separator: "\n")) }
    if random.unit(0x3A3, frame.number, ordinal) < 0.55,
      let decision = line("minutes.decision", &scene)
    {
      parts.append("## Decisions\n\n- " + decision)
    }
    let promises = promises(scene, people, ordinal)
    if !promises.isEmpty {
      parts.append("## To do\n\n" + promises.joined(separator: "\n"))
    }
    guard !parts.isEmpty else { return nil }
    let ended = entry.activity.endAt ?? entry.activity.startAt ?? entry.activity.createdAt
    let written = min(now, ended.adding(seconds: 300))
    return Note(
      id: identities.identity(6, frame.number, ordinal), title: entry.title,
      text: parts.joined(separator: "\n\n") + "\n", meetingID: entry.meeting.id,
      dayKey: entry.activity.dayKey, tags: ["minutes"], people: entry.activity.people,
      createdAt: written, updatedAt: written)
  }

  private func line(_ pool: String, _ scene: inout Scene) -> String? {
    writer.draw(pool, place: frame.number + scene.place).map { writer.sentence($0, &scene) }
  }

  private func promises(_ scene: Scene, _ people: [Int], _ ordinal: Int) -> [String] {
    let count = random.index(3, 0x3A4, frame.number, ordinal)
    return (0..<count).compactMap { turn in
      var scene = scene
      scene.words = []
      let place = ordinal * 8 + turn
      let isOwn = people.isEmpty || random.unit(0x3A5, frame.number, place) < 0.5
      if !people.isEmpty {
        scene.who = people[random.index(people.count, 0x3A6, frame.number, place)]
      }
      let name = isOwn ? "promise.me" : "promise.them"
      guard let template = writer.draw(name, place: frame.number * 3 + place) else { return nil }
      let text = writer.render(template, &scene)
      let box = isKept(place) ? "- [x] " : "- [ ] "
      guard !isOwn, let who = scene.who else { return box + text }
      return box + "@\(handle(material.cast.members[who].name)) " + text
    }
  }

  /// Returns a name as one word, as notes name somebody after an @.
  private func handle(_ name: String) -> String {
    name.replacingOccurrences(of: " ", with: name.contains(".") ? "_" : ".")
  }

  /// Returns true if a promise is kept: most are within a few weeks, a few never.
  private func isKept(_ place: Int) -> Bool {
    let luck = random.unit(0x3A7, frame.number, place)
    guard luck > 0.015 else { return false }
    return frame.day.advanced(by: 1 + Int(luck * luck * 45)) <= today
  }
}
