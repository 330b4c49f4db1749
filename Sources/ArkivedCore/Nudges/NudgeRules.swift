package import Foundation

/// What has to be known to say which nudges are due.
package struct NudgeFacts: Hashable, Sendable {
  /// A meeting to come, with others, that its owner attends.
  package struct Meeting: Hashable, Sendable {
    package var id: UUID
    package var startAt: Instant

    package init(id: UUID, startAt: Instant) {
      self.id = id
      self.startAt = startAt
    }
  }

  /// Whether the day has a note.
  package var hasNote = false
  /// Those that begin within a day, the next first.
  package var meetings: [Meeting] = []
  /// Goals behind their pace, those that lag most first.
  package var behind: [UUID] = []
  package var isBackupOverdue = false
  /// The days of earlier years on which something is written.
  package var pastDays: [DayKey] = []

  package init() {}
}

/// When which nudge is given. Pure: what is due follows from the settings, the facts and what was given
/// before.
///
/// What could not be given at its time, because the computer was asleep or hours were quiet, is given
/// late as long as it makes sense: a meeting's until the meeting begins, what past years hold within
/// four hours, the others until their day ends.
package struct NudgeRules: Sendable {
  package let settings: NudgeSettings
  package let zone: Zone

  package init(_ settings: NudgeSettings, zone: Zone) {
    self.settings = settings
    self.zone = zone
  }

  private static let morningSeconds = NudgeSettings.morningMinutes * 60
  /// Nobody knows today which meetings will be made for later.
  package static let horizonSeconds = 86_400

  /// The quiet hours that `now` lies in end then; nil where nothing is quiet.
  package func quietEnd(at now: Instant) -> Instant? {
    settings.quiet?.end(around: now, zone: zone)
  }

  /// From when until when a nudge of a day is given; nil for meetings, and where it is off.
  package func opening(of kind: NudgeKind, on day: DayKey) -> Range<Instant>? {
    guard let time = settings.time(of: kind) else { return nil }
    let start = zone.instant(of: time.wallTime(on: day))
    let midnight = zone.start(of: day.advanced(by: 1))
    let end = kind == .onThisDay ? start.adding(seconds: Self.morningSeconds) : midnight
    return start < end ? start..<min(max(start, midnight), end) : nil
  }

  /// What has to be looked at now: the kinds whose time it is, and that were not given yet.
  package func open(at now: Instant, _ memory: NudgeMemory) -> Set<NudgeKind> {
    let day = zone.dayKey(at: now)
    guard quietEnd(at: now) == nil, memory.count(on: day, zone: zone) < settings.mostADay else {
      return []
    }
    return Set(
      NudgeKind.allCases.filter { kind in
        switch kind {
        case .meeting: settings.meeting != nil
        case .goal: opening(of: kind, on: day)?.contains(now) == true
        case .evening, .backup, .onThisDay:
          opening(of: kind, on: day)?.contains(now) == true && !memory.holds(Nudge(kind, day: day))
        }
      })
  }

  /// What is to be given now, the most pressing first and no more than the day may have.
  package func due(at now: Instant, _ facts: NudgeFacts, _ memory: NudgeMemory) -> [Nudge] {
    let day = zone.dayKey(at: now)
    let open = open(at: now, memory)
    var nudges: [Nudge] = []
    if open.contains(.meeting), let minutes = settings.meeting {
      nudges += facts.meetings.filter { meeting in
        now < meeting.startAt && meeting.startAt <= now.adding(seconds: minutes * 60)
      }.map { Nudge(.meeting, $0.id, day: day, startAt: $0.startAt) }
    }
    if open.contains(.evening), !facts.hasNote { nudges.append(Nudge(.evening, day: day)) }
    if open.contains(.goal) { nudges += facts.behind.map { Nudge(.goal, $0, day: day) } }
    if open.contains(.backup), facts.isBackupOverdue { nudges.append(Nudge(.backup, day: day)) }
    if open.contains(.onThisDay), !facts.pastDays.isEmpty {
      nudges.append(Nudge(.onThisDay, day: day))
    }
    let left = max(0, settings.mostADay - memory.count(on: day, zone: zone))
    return Array(nudges.filter { !memory.holds($0) }.prefix(left))
  }

  /// When to look again, where nothing changes until then; nil where all are off.
  package func next(after now: Instant, meetings: [NudgeFacts.Meeting]) -> Instant? {
    guard settings.isOn else { return nil }
    let day = zone.dayKey(at: now)
    var moments = NudgeKind.allCases.flatMap { kind in
      [day, day.advanced(by: 1)].compactMap { opening(of: kind, on: $0)?.lowerBound }
    }
    if let minutes = settings.meeting {
      moments += meetings.map { $0.startAt.adding(seconds: -minutes * 60) }
      moments.append(now.adding(seconds: Self.horizonSeconds / 2))
      // What a day that had all it may have held back is given in the first minute of the next.
      moments.append(zone.start(of: day.advanced(by: 1)))
    }
    if let end = quietEnd(at: now) { moments.append(end) }
    return moments.filter { $0 > now }.min()
  }

  /// When one has its next time, after quiet hours where it lies in them; nil where it is off, and
  /// where it never comes out of them.
  package func next(
    of kind: NudgeKind, after now: Instant, meetings: [NudgeFacts.Meeting]
  ) -> Instant? {
    let openings: [Range<Instant>]
    if kind == .meeting {
      guard let minutes = settings.meeting else { return nil }
      openings = meetings.map { meeting in
        min(meeting.startAt.adding(seconds: -minutes * 60), meeting.startAt)..<meeting.startAt
      }
    } else {
      let day = zone.dayKey(at: now)
      openings = (0...7).compactMap { opening(of: kind, on: day.advanced(by: $0)) }
    }
    return openings.compactMap { opening -> Instant? in
      let first = max(opening.lowerBound, kind == .meeting ? now : opening.lowerBound)
      let moment = quietEnd(at: first) ?? first
      return moment >= now && opening.contains(moment) ? moment : nil
    }.min()
  }

  /// Whether the line of a nudge that was given belongs in `today` now.
  package func isStanding(
    _ given: NudgeMemory.Given, at now: Instant, _ facts: NudgeFacts
  ) -> Bool {
    let nudge = given.nudge
    guard settings.channels.contains(.today), settings.isOn(nudge.kind), !given.isDismissed,
      given.snoozedUntil.map({ $0 <= now }) ?? true
    else { return false }
    if nudge.kind == .meeting {
      return facts.meetings.contains { $0.id == nudge.subject && $0.startAt == nudge.startAt }
        && nudge.startAt.map { now < $0 } == true
    }
    guard nudge.day == zone.dayKey(at: now) else { return false }
    return switch nudge.kind {
    case .meeting: false
    case .evening: !facts.hasNote
    case .goal: facts.behind.contains { $0 == nudge.subject }
    case .backup: facts.isBackupOverdue
    case .onThisDay: !facts.pastDays.isEmpty
    }
  }
}
