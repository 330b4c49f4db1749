package import Foundation

/// The facts needed to decide which reminders are due.
package struct NudgeFacts: Hashable, Sendable {
  /// An upcoming meeting with others that the owner attends.
  package struct Meeting: Hashable, Sendable {
    package var id: UUID
    package var startAt: Instant

    package init(id: UUID, startAt: Instant) {
      self.id = id
      self.startAt = startAt
    }
  }

  /// A person who hasn't been seen for unusually long.
  package struct Unseen: Hashable, Sendable {
    package var id: UUID
    package var lastSeen: DayKey

    package init(id: UUID, lastSeen: DayKey) {
      self.id = id
      self.lastSeen = lastSeen
    }
  }

  /// True if the day has a note.
  package var hasNote = false
  /// The meetings that begin within a day, the next first.
  package var meetings: [Meeting] = []
  /// The goals behind their pace, those furthest behind first.
  package var behind: [UUID] = []
  package var isBackupOverdue = false
  /// The days of earlier years that have entries.
  package var pastDays: [DayKey] = []
  /// The people whose birthday is today.
  package var birthdays: [UUID] = []
  /// The people who haven't been seen for unusually long, the most familiar first.
  package var unseen: [Unseen] = []

  package init() {}
}

/// The rules for when reminders are delivered.
///
/// The rules are pure: the due reminders follow from the settings, the facts and the reminders
/// delivered before. A reminder missed because the computer was asleep or during quiet hours is
/// delivered late as long as it makes sense: a meeting's until the meeting begins, the one about
/// earlier years within four hours, the others until their day ends.
package struct NudgeRules: Sendable {
  package let settings: NudgeSettings
  package let zone: Zone

  package init(_ settings: NudgeSettings, zone: Zone) {
    self.settings = settings
    self.zone = zone
  }

  private static let morningSeconds = NudgeSettings.morningMinutes * 60
  /// The number of seconds ahead for which meetings are considered; more meetings may still be
  /// created after that.
  package static let horizonSeconds = 86_400

  /// Returns the end of the quiet hours that contain `now`, or nil outside quiet hours.
  package func quietEnd(at now: Instant) -> Instant? {
    settings.quiet?.end(around: now, zone: zone)
  }

  /// Returns the time range in which a reminder of a day is delivered, or nil for meetings and for
  /// reminders that are off.
  package func opening(of kind: NudgeKind, on day: DayKey) -> Range<Instant>? {
    guard let time = settings.time(of: kind) else { return nil }
    let start = zone.instant(of: time.wallTime(on: day))
    let midnight = zone.start(of: day.advanced(by: 1))
    let end = kind == .onThisDay ? start.adding(seconds: Self.morningSeconds) : midnight
    return start < end ? start..<min(max(start, midnight), end) : nil
  }

  /// Returns the kinds to check now: those that are due and have not been delivered yet.
  package func open(at now: Instant, _ memory: NudgeMemory) -> Set<NudgeKind> {
    let day = zone.dayKey(at: now)
    guard quietEnd(at: now) == nil, memory.count(on: day, zone: zone) < settings.mostADay else {
      return []
    }
    return Set(
      NudgeKind.allCases.filter { kind in
        switch kind {
        case .meeting: settings.meeting != nil
        case .goal, .birthday: opening(of: kind, on: day)?.contains(now) == true
        case .notSeen:
          // Without a subject, the same as for everybody.
          opening(of: kind, on: day)?.contains(now) == true && !memory.holds(Nudge(kind, day: day))
        case .evening, .backup, .onThisDay:
          opening(of: kind, on: day)?.contains(now) == true && !memory.holds(Nudge(kind, day: day))
        }
      })
  }

  /// Returns the reminders to deliver now, the most urgent first, within the daily limit.
  package func due(at now: Instant, _ facts: NudgeFacts, _ memory: NudgeMemory) -> [Nudge] {
    let day = zone.dayKey(at: now)
    let open = open(at: now, memory)
    var nudges: [Nudge] = []
    if open.contains(.meeting), let minutes = settings.meeting {
      nudges += facts.meetings.filter { meeting in
        now < meeting.startAt && meeting.startAt <= now.adding(seconds: minutes * 60)
      }.map { Nudge(.meeting, $0.id, day: day, startAt: $0.startAt) }
    }
    if open.contains(.birthday) {
      nudges += facts.birthdays.map { Nudge(.birthday, $0, day: day) }
    }
    if open.contains(.evening), !facts.hasNote { nudges.append(Nudge(.evening, day: day)) }
    if open.contains(.goal) { nudges += facts.behind.map { Nudge(.goal, $0, day: day) } }
    if open.contains(.backup), facts.isBackupOverdue { nudges.append(Nudge(.backup, day: day)) }
    if open.contains(.onThisDay), !facts.pastDays.isEmpty {
      nudges.append(Nudge(.onThisDay, day: day))
    }
    if open.contains(.notSeen),
      let one = facts.unseen.first(where: { !memory.holds(absenceOf: $0.id, since: $0.lastSeen) })
    {
      nudges.append(Nudge(.notSeen, one.id, day: day))
    }
    let left = max(0, settings.mostADay - memory.count(on: day, zone: zone))
    return Array(nudges.filter { !memory.holds($0) }.prefix(left))
  }

  /// Returns the time at which to check again if nothing changes until then, or nil if all
  /// reminders are off.
  package func next(after now: Instant, meetings: [NudgeFacts.Meeting]) -> Instant? {
    guard settings.isOn else { return nil }
    let day = zone.dayKey(at: now)
    var moments = NudgeKind.allCases.flatMap { kind in
      [day, day.advanced(by: 1)].compactMap { opening(of: kind, on: $0)?.lowerBound }
    }
    if let minutes = settings.meeting {
      moments += meetings.map { $0.startAt.adding(seconds: -minutes * 60) }
      moments.append(now.adding(seconds: Self.horizonSeconds / 2))
      // Reminders held back by the daily limit are delivered in the first minute of the next day.
      moments.append(zone.start(of: day.advanced(by: 1)))
    }
    if let end = quietEnd(at: now) { moments.append(end) }
    return moments.filter { $0 > now }.min()
  }

  /// Returns the next time of a reminder, moved to the end of quiet hours if it falls within them;
  /// nil if it is off or always falls within quiet hours.
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

  /// Returns true if a delivered reminder should be listed in `today` now.
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
    case .birthday: facts.birthdays.contains { $0 == nudge.subject }
    case .notSeen: facts.unseen.contains { $0.id == nudge.subject }
    }
  }
}
