package import Foundation

/// The subjects Arkived may notify about on its own, the most urgent first.
package enum NudgeKind: String, CaseIterable, Sendable {
  /// The brief of a meeting that begins soon.
  case meeting
  /// Somebody's birthday is today.
  case birthday
  /// The day has no note yet.
  case evening
  /// A goal is behind its pace.
  case goal
  /// The last backup failed or was too long ago.
  case backup
  /// Earlier years have entries on this day.
  case onThisDay
  /// Somebody who used to appear regularly hasn't for long.
  case notSeen

  /// The name at the command line.
  package var name: String {
    switch self {
    case .onThisDay: "on-this-day"
    case .notSeen: "not-seen"
    default: rawValue
    }
  }
}

/// The channel through which a reminder is delivered.
package enum NudgeChannel: String, CaseIterable, Sendable {
  /// A desktop notification.
  case desktop
  /// A notification in a browser that has the app open.
  case web
  /// A line in `today`, in the terminal and on the page.
  case today
}

/// A single notification, delivered once.
package struct Nudge: Hashable, Sendable, Identifiable {
  package let kind: NudgeKind
  /// The meeting, goal or person it is about.
  package let subject: UUID?
  /// The day on which it was due, in the home time zone.
  package let day: DayKey
  /// The start of its meeting.
  package let startAt: Instant?

  package init(_ kind: NudgeKind, _ subject: UUID? = nil, day: DayKey, startAt: Instant? = nil) {
    self.kind = kind
    self.subject = subject
    self.day = day
    self.startAt = startAt
  }

  /// The identifier, such as `evening.2026-03-14`; a rescheduled meeting gets a separate reminder.
  package var id: String {
    let about = subject.map { ".\($0.uuidString)" } ?? ""
    return "\(kind.rawValue)\(about)." + (startAt.map { "\($0.milliseconds)" } ?? "\(day)")
  }

  /// Returns a text that reveals nothing about the owner, such as “A meeting in ten minutes”.
  package func plainWords(now: Instant) -> String {
    switch kind {
    case .meeting: Self.coming(said("A meeting"), startAt, now) + "."
    case .evening: said("The day has no note yet.")
    case .goal: said("A goal is behind pace.")
    case .backup: said("A backup is overdue.")
    case .onThisDay: said("On this day: something from past years.")
    case .birthday: said("Somebody you know has a birthday today.")
    case .notSeen: said("Somebody hasn’t been in your entries for a long time.")
    }
  }

  /// Returns “in ten minutes” or “in one minute”, and “now” for something that has begun.
  package static func soon(_ start: Instant?, _ now: Instant) -> String {
    let seconds = start.map { now.seconds(to: $0) } ?? 0
    guard seconds > 0 else { return said("now") }
    let minutes = (seconds + 59) / 60
    // words: two | three | four | five | six | seven | eight | nine | ten | eleven | twelve
    let words = [
      "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
      "twelve",
    ]
    let number = minutes <= words.count ? saidWhole(words[minutes - 1]) : "\(minutes)"
    return said(minutes, one: "in \(number) minute", other: "in \(number) minutes")
  }

  /// Returns an upcoming event and its time: “A meeting in ten minutes”.
  package static func coming(_ what: String, _ start: Instant?, _ now: Instant) -> String {
    let seconds = start.map { now.seconds(to: $0) } ?? 0
    return seconds > 0 ? "\(what) \(soon(start, now))" : said("\(what) now")
  }
}

/// The reminders delivered in the last eight days, and in the last year about people who weren't
/// seen, kept to prevent delivering them again.
///
/// It contains no text from the archive.
package struct NudgeMemory: Hashable, Sendable {
  package struct Given: Hashable, Sendable {
    package var nudge: Nudge
    package var at: Instant
    /// The time until which its line in `today` is hidden.
    package var snoozedUntil: Instant?
    package var isDismissed = false

    package init(
      _ nudge: Nudge, at: Instant, snoozedUntil: Instant? = nil, isDismissed: Bool = false
    ) {
      self.nudge = nudge
      self.at = at
      self.snoozedUntil = snoozedUntil
      self.isDismissed = isDismissed
    }
  }

  /// The delivered reminders, in order.
  package var given: [Given] = []

  private static let mostKept = 500

  private static func keptSeconds(_ kind: NudgeKind) -> Int {
    (kind == .notSeen ? Absence.longest + 30 : 8) * 86_400
  }

  package init() {}

  /// Records reminders delivered now, and forgets old ones.
  ///
  /// Reminders that a wrong clock dated in the future are also forgotten, because they would
  /// prevent new ones.
  package mutating func note(_ nudges: [Nudge], at now: Instant) {
    given += nudges.map { Given($0, at: now) }
    given.removeAll { one in
      !(-86_400...Self.keptSeconds(one.nudge.kind)).contains(one.at.seconds(to: now))
    }
    given = Array(given.suffix(Self.mostKept))
  }

  /// Returns the number of reminders delivered on a day.
  package func count(on day: DayKey, zone: Zone) -> Int {
    given.count(where: { zone.dayKey(at: $0.at) == day })
  }

  /// Returns true if a reminder was delivered already, or, for a goal, a backup or somebody who
  /// wasn't seen, if one was delivered within the six days before: about the same goal, or about
  /// anybody.
  package func holds(_ nudge: Nudge) -> Bool {
    given.contains { one in
      if one.nudge.id == nudge.id { return true }
      guard [.goal, .backup, .notSeen].contains(nudge.kind), one.nudge.kind == nudge.kind,
        one.nudge.subject == nudge.subject || nudge.kind == .notSeen
      else { return false }
      return (0..<7).contains(one.nudge.day.distance(to: nudge.day))
    }
  }

  /// Returns true if a reminder about somebody's absence was delivered after they were last seen;
  /// each absence is mentioned once.
  func holds(absenceOf person: UUID, since lastSeen: DayKey) -> Bool {
    given.contains { one in
      one.nudge.kind == .notSeen && one.nudge.subject == person && one.nudge.day > lastSeen
    }
  }
}

extension NudgeMemory {
  /// Reads the form that `json` writes, skipping entries that cannot be read.
  package init(_ json: JSON) {
    given = (json.array ?? []).compactMap { one in
      guard let kind = one["kind"]?.string.flatMap(NudgeKind.init(rawValue:)),
        let day = one["day"]?.string.flatMap({ DayKey($0) }),
        let at = one["at"]?.string.flatMap({ Instant($0) })
      else { return nil }
      return Given(
        Nudge(
          kind, one["subject"]?.string.flatMap { UUID(identity: $0) }, day: day,
          startAt: one["startAt"]?.string.flatMap { Instant($0) }),
        at: at, snoozedUntil: one["snoozedUntil"]?.string.flatMap { Instant($0) },
        isDismissed: one["isDismissed"]?.bool ?? false)
    }
  }

  package var json: JSON { .array(given.map(\.json)) }
}

extension NudgeMemory.Given {
  package var json: JSON {
    [
      "id": .string(nudge.id), "kind": .string(nudge.kind.rawValue),
      "subject": JSON(nudge.subject?.uuidString), "day": JSON(nudge.day),
      "startAt": JSON(nudge.startAt), "at": JSON(at), "snoozedUntil": JSON(snoozedUntil),
      "isDismissed": .bool(isDismissed),
    ]
  }
}
