package import ArkivedCore
package import ArkivedStore
import Foundation

/// A service that gathers the facts for reminders, gives each reminder once when it is due, and
/// lists those shown in `today`.
package struct NudgeDesk: Sendable {
  let archive: Archive
  let zone: Zone
  private let birthdays = BirthdayMemory()

  /// The result of a check.
  package struct Round: Sendable {
    package var settings: NudgeSettings
    /// The reminders given by this check only.
    package var given: [Nudge] = []
    /// The time of the next check if nothing changes until then.
    package var next: Instant?
  }

  /// A reminder that was given and still applies.
  package struct Line: Sendable {
    package var given: NudgeMemory.Given
    package var words: NudgeWords

    package var json: JSON {
      var object = given.json.object ?? JSONObject()
      object["text"] = .string(words.text)
      object["href"] = .string(words.href)
      return .object(object)
    }
  }

  /// The time in seconds for which a line is snoozed.
  package static let snoozeSeconds = 3_600

  package init(archive: Archive, zone: Zone) {
    self.archive = archive
    self.zone = zone
  }

  /// Gives the reminders that are due and records them before anybody is notified: a power failure
  /// in between may lose a reminder, but none is given twice.
  package func giveDue() throws -> Round {
    let settings = try archive.nudgeSettings()
    var round = Round(settings: settings)
    guard settings.isOn, !settings.channels.isEmpty else { return round }
    let now = archive.clock.now
    let rules = NudgeRules(settings, zone: zone)
    let memory = try archive.nudgeMemory()
    var kinds = rules.open(at: now, memory)
    // Also during quiet hours, because the start of the next meeting determines the next check.
    if settings.meeting != nil { kinds.insert(.meeting) }
    let facts = try facts(of: kinds, at: now)
    round.next = rules.next(after: now, meetings: facts.meetings)
    guard !rules.due(at: now, facts, memory).isEmpty else { return round }
    round.given = try archive.updateNudgeMemory { memory in
      let due = rules.due(at: now, facts, memory)
      if !due.isEmpty { memory.note(due, at: now) }
      return due
    }
    return round
  }

  /// Returns the lines of `today`, in the order they were given.
  package func standing() throws -> [Line] {
    let settings = try archive.nudgeSettings()
    guard settings.isOn, settings.channels.contains(.today) else { return [] }
    let given = try archive.nudgeMemory().given
    guard !given.isEmpty else { return [] }
    let now = archive.clock.now
    let today = zone.dayKey(at: now)
    let candidates = given.filter { one in
      !one.isDismissed && (one.nudge.startAt.map { now < $0 } ?? (one.nudge.day == today))
    }
    let facts = try facts(
      of: Set(candidates.map(\.nudge.kind)), at: now, about: candidates.map(\.nudge))
    let rules = NudgeRules(settings, zone: zone)
    return try candidates.filter { rules.isStanding($0, at: now, facts) }.map {
      Line(given: $0, words: try words(of: $0.nudge, showsText: true))
    }
  }

  /// Removes the line of a reminder, or snoozes it for an hour.
  ///
  /// - Throws: `ArchiveError.notFound` if the reminder isn't shown.
  package func close(_ id: String, snoozes: Bool) throws {
    let now = archive.clock.now
    try archive.updateNudgeMemory { memory in
      guard let index = memory.given.firstIndex(where: { $0.nudge.id == id }) else {
        throw ArchiveError.notFound("No reminder with the ID \(FieldError.shown(id)).")
      }
      if snoozes {
        memory.given[index].snoozedUntil = now.adding(seconds: Self.snoozeSeconds)
      } else {
        memory.given[index].isDismissed = true
      }
    }
  }

  /// Returns the next time of each chosen reminder, the nearest first; only at that time is it
  /// known if there is anything to report.
  package func upcoming() throws -> [(kind: NudgeKind, at: Instant)] {
    let settings = try archive.nudgeSettings()
    let now = archive.clock.now
    let rules = NudgeRules(settings, zone: zone)
    let meetings = settings.meeting == nil ? [] : try facts(of: [.meeting], at: now).meetings
    return NudgeKind.allCases.compactMap { kind in
      rules.next(of: kind, after: now, meetings: meetings).map { (kind: kind, at: $0) }
    }.sorted { $0.at < $1.at }
  }

  /// Returns everything as JSON, for programs.
  package static func json(
    _ settings: NudgeSettings, _ standing: [Line], _ upcoming: [(kind: NudgeKind, at: Instant)]
  ) -> JSON {
    [
      "settings": settings.json, "standing": .array(standing.map(\.json)),
      "upcoming": .array(
        upcoming.map { ["kind": .string($0.kind.rawValue), "at": JSON($0.at)] }),
    ]
  }

  // MARK: Facts

  /// Returns the facts that these kinds depend on; each takes only a few queries, however large the
  /// archive is.
  ///
  /// - Parameters:
  ///   - kinds: the kinds.
  ///   - now: the current time.
  ///   - given: the reminders about people that the facts are needed for; nil to look for new ones.
  /// - Returns: the facts.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func facts(
    of kinds: Set<NudgeKind>, at now: Instant, about given: [Nudge]? = nil
  ) throws -> NudgeFacts {
    let today = zone.dayKey(at: now)
    var facts = NudgeFacts()
    if kinds.contains(.meeting) {
      facts.meetings = try archive.meetings(
        beginningAfter: now, upTo: now.adding(seconds: NudgeRules.horizonSeconds)
      ).compactMap { entry in
        entry.activity.startAt.map { NudgeFacts.Meeting(id: entry.id, startAt: $0) }
      }
    }
    if kinds.contains(.evening) {
      facts.hasNote = try archive.dayEntry(today)?.note.contains { !$0.isWhitespace } ?? false
    }
    if kinds.contains(.goal) { facts.behind = try goalsBehind(on: today) }
    if kinds.contains(.backup) { facts.isBackupOverdue = backupFinding(at: now) != nil }
    if kinds.contains(.onThisDay) {
      facts.pastDays = try archive.dayKeys(of: Anniversary(of: today, before: today), years: 200)
    }
    func people(_ kind: NudgeKind) -> [UUID]? {
      given.map { $0.filter { $0.kind == kind }.compactMap(\.subject) }
    }
    if kinds.contains(.birthday) {
      facts.birthdays =
        try people(.birthday).map { try archive.birthdays(on: today, of: $0).map(\.person) }
        ?? birthdays.people(on: today, in: archive)
    }
    if kinds.contains(.notSeen) {
      facts.unseen =
        try people(.notSeen).map { try stillUnseen($0, on: today) }
        ?? archive.unseenPeople(on: today)
    }
    return facts
  }

  /// Returns those of some people who still haven't been seen for long.
  private func stillUnseen(_ people: [UUID], on today: DayKey) throws -> [NudgeFacts.Unseen] {
    try archive.people(people, today: today).values.compactMap { summary in
      summary.lastSeen.flatMap { last in
        last.distance(to: today) < Absence.shortest
          ? nil : NudgeFacts.Unseen(id: summary.id, lastSeen: last)
      }
    }
  }

  /// Returns the goals behind their expected progress, furthest behind first.
  private func goalsBehind(on today: DayKey) throws -> [UUID] {
    let goals = try archive.goals().filter { $0.measurementTarget != nil && $0.accepts(today) }
    guard !goals.isEmpty else { return [] }
    let totals = try archive.dayTotals(ofGoals: goals.map(\.id))
    let behind = goals.compactMap { goal -> (id: UUID, share: Double)? in
      let pace = GoalProgress(of: goal, days: totals[goal.id] ?? [], today: today).pace
      guard pace.standing == .behind, let expected = pace.expected, expected > 0 else {
        return nil
      }
      return (goal.id, (pace.difference ?? 0) / expected)
    }
    return behind.sorted { $0.share < $1.share }.map { $0.id }
  }

  /// Returns the problem with the backups that `doctor` reports; nil if there is none.
  func backupFinding(at now: Instant) -> Archive.Finding? {
    guard archive.databaseFile != nil else { return nil }
    let finding = BackupBook(of: archive).finding(now: now, zone: zone)
    return finding.verdict == .good ? nil : finding
  }
}
