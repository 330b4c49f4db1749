package import ArkivedCore
import ArkivedStore
import Foundation

/// The text of a reminder.
package struct NudgeWords: Hashable, Sendable {
  package var id: String
  package var text: String
  /// The page it links to.
  package var href: String
  /// The command that does the same.
  package var command: String

  /// The title of all notifications.
  package static let title = "Arkived"

  package var json: JSON {
    [
      "id": .string(id), "title": .string(Self.title), "text": .string(text),
      "href": .string(href),
    ]
  }
}

extension NudgeDesk {
  private static let titleLimit = 80

  /// Returns the text of a reminder in the language of the current task.
  ///
  /// - Parameters:
  ///   - nudge: the reminder.
  ///   - showsText: true if the text may contain titles, names and amounts; without them, it is the
  ///     same for everybody.
  /// - Returns: the text.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func words(of nudge: Nudge, showsText: Bool) throws -> NudgeWords {
    let now = archive.clock.now
    var text: String?
    if showsText {
      var preferences = try archive.preferences()
      preferences.language = Preferences.Speech(.current)
      text = try ShownDates.$preferences.withValue(preferences) {
        try tellingText(of: nudge, now)
      }
    }
    let (href, command) = Self.place(of: nudge)
    return NudgeWords(
      id: nudge.id, text: text ?? nudge.plainWords(now: now), href: href, command: command)
  }

  /// Returns the reminders that were given and not yet announced, for open pages.
  ///
  /// - Returns: each with a flag for browser notifications, and its text by language code.
  package func announcements(
    besides known: Set<String>
  ) throws -> [(words: NudgeWords, notifies: Bool, texts: [String: String])] {
    let fresh = try archive.nudgeMemory().given.filter { !known.contains($0.nudge.id) }
    guard !fresh.isEmpty else { return [] }
    let settings = try archive.nudgeSettings()
    return try fresh.map { one in
      var texts: [String: String] = [:]
      for language in Language.all {
        texts[language.code] = try ShownDates.speaking(language) {
          try words(of: one.nudge, showsText: settings.showsText).text
        }
      }
      return (
        words: try words(of: one.nudge, showsText: settings.showsText),
        notifies: settings.channels.contains(.web), texts: texts
      )
    }
  }

  private static func place(of nudge: Nudge) -> (href: String, command: String) {
    let subject = nudge.subject?.uuidString ?? ""
    return switch nudge.kind {
    case .meeting: ("/meetings/\(subject)/brief", "arkived brief")
    case .evening: ("/day/\(nudge.day)/note/edit", "arkived note")
    case .goal: ("/goals/\(subject)", "arkived progress")
    case .backup: ("/settings/backup", "arkived backup FILE")
    case .onThisDay: ("/day/\(nudge.day)#on-this-day", "arkived on-this-day")
    case .birthday, .notSeen: ("/people/\(subject)", "arkived person")
    }
  }

  /// Returns the text with details.
  ///
  /// - Returns: nil if its subject no longer exists.
  private func tellingText(of nudge: Nudge, _ now: Instant) throws -> String? {
    switch nudge.kind {
    case .meeting: try nudge.subject.flatMap { try meetingText($0, nudge, now) }
    case .evening: nil
    case .goal: try nudge.subject.flatMap { try goalText($0, nudge.day) }
    case .backup:
      backupFinding(at: now).map {
        said("A backup is overdue: \(Self.line(saidAgain($0.detail))).")
      }
    case .onThisDay: try pastText(nudge.day)
    case .birthday: try nudge.subject.flatMap { try birthdayText($0, nudge.day) }
    case .notSeen: try nudge.subject.flatMap { try absenceText($0, nudge.day) }
    }
  }

  private func birthdayText(_ id: UUID, _ day: DayKey) throws -> String? {
    guard let person = try archive.people([id], today: day)[id]?.person else { return nil }
    let name = Self.line(person.displayName)
    guard let age = try archive.birthdays(on: day, of: [id]).first?.birthday.age(on: day) else {
      return said("It’s \(name)’s birthday today.")
    }
    return said("\(name) turns \(age) today.")
  }

  private func absenceText(_ id: UUID, _ day: DayKey) throws -> String? {
    guard let summary = try archive.people([id], today: day)[id], let last = summary.lastSeen else {
      return nil
    }
    let name = Self.line(summary.person.displayName)
    return said("\(name) hasn’t been in your entries since \(last.shownName).")
  }

  /// Returns a text such as “Planning in ten minutes, at 14:00, with Ana and Sam. Last time: 2
  /// March 2026.”
  private func meetingText(_ id: UUID, _ nudge: Nudge, _ now: Instant) throws -> String? {
    guard let entry = try archive.meeting(id), let start = entry.activity.startAt else {
      return nil
    }
    let coming = Nudge.coming(Self.line(entry.title), start, now)
    let clock = zone.wallTime(at: start).shownClock
    let own = try archive.ownPerson()
    let others = entry.present.filter { $0.personID == nil || $0.personID != own }
    var text: String
    if others.isEmpty {
      text = said("\(coming), at \(clock).")
    } else {
      let names = others.prefix(3).map { Self.line($0.name) }
      let more = others.count - names.count
      let list = Self.list(names + (more > 0 ? [said("\(more) more")] : []))
      text = said("\(coming), at \(clock), with \(list).")
    }
    let people = others.compactMap(\.personID)
    let past = try archive.pastMeetings(with: people, before: entry, by: now, limit: 1)
    if let last = past.map(\.entry.activity.dayKey).max() {
      text += " " + said("Last time: \(last.shownName).")
    }
    return text
  }

  private func goalText(_ id: UUID, _ day: DayKey) throws -> String? {
    guard let goal = try archive.entity(Goal.self, id) else { return nil }
    let days = try archive.dayTotals(ofGoals: [id])[id] ?? []
    let progress = GoalProgress(of: goal, days: days, today: day)
    let title = Self.line(goal.title)
    let amount = PaceText(goal: goal, progress: progress, today: day).amountText
    guard let expected = progress.pace.expected.map({ AmountText.told($0) }) else {
      return said("\(title) is behind pace: \(amount).")
    }
    return said("\(title) is behind pace: \(amount); \(expected) would be on pace.")
  }

  private func pastText(_ day: DayKey) throws -> String? {
    let days = try archive.dayKeys(of: Anniversary(of: day, before: day), years: 200)
    guard let last = days.first else { return nil }
    let part = try archive.dayPart(last, limit: 1)
    let written = [part.entry?.title, part.entry?.note, part.activities.first?.text]
      .compactMap { $0.map { Self.line($0) } }.first { !$0.isEmpty }
    let earlier = days.count - 4
    let years = Self.list(
      days.prefix(4).map { "\($0.year)" } + (earlier > 0 ? [said("\(earlier) earlier")] : []))
    guard let written else { return said("On this day in \(years).") }
    return said("On this day in \(years): \(written)")
  }

  /// Returns a list such as “Ana, Sam and 2 more”.
  private static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return said("\(items.dropLast().joined(separator: ", ")) and \(last)")
  }

  /// Returns the beginning of a text on one line.
  static func line(_ text: String) -> String {
    let words = text.prefix(4 * titleLimit).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    return words.count > titleLimit ? String(words.prefix(titleLimit - 1)) + "…" : words
  }
}
