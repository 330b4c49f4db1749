import ArkivedCore
import ArkivedStore
import Foundation

/// Earlier meetings, and events since the last one.
extension BriefEngine {
  func why(
    _ past: Archive.PastMeeting, _ names: [UUID: String], _ entry: MeetingEntry, _ today: DayKey
  ) -> String {
    var parts: [String] = []
    if past.isOfSeries { parts.append(said("same series")) }
    let shared = past.shared.compactMap { names[$0] }
    if !shared.isEmpty {
      let list = shared.prefix(4).joined(separator: ", ")
      let more = shared.count - 4
      parts.append(
        more > 0
          ? said(more, one: "with \(list) and 1 more", other: "with \(list) and \(more) more")
          : said("with \(list)"))
    }
    parts.append(ago(past.entry.activity.dayKey, today))
    return parts.joined(separator: ", ")
  }

  /// Returns the results of a meeting: its outcomes and summary, and the most informative sentences
  /// of its notes.
  func lines(
    of entry: MeetingEntry, _ notes: [Note], about subject: String
  ) -> [Brief.Line] {
    let source = Brief.Source(
      .meeting, entry.id, day: entry.activity.dayKey, title: entry.title)
    var lines: [Brief.Line] = []
    for text in [entry.meeting.outcomes, entry.meeting.summary].compactMap({ $0 })
    where !text.isEmpty {
      lines.append(Brief.Line(String(MarkdownText.plain(text).prefix(400)), source))
    }
    for note in notes {
      for (line, text) in summarizer.summary(of: note, about: subject, limit: 3) {
        lines.append(Brief.Line(text, self.source(note, line)))
      }
    }
    return Array(lines.prefix(6))
  }

  func decisions(of entry: MeetingEntry, _ notes: [Note]) -> [Brief.Line] {
    let outcomes = entry.meeting.outcomes.map { DecisionReader.decisions(in: $0) } ?? []
    return outcomes.map { decision in
      Brief.Line(
        decision.text,
        Brief.Source(.meeting, entry.id, day: entry.activity.dayKey, title: entry.title),
        why: said("decided on \(entry.activity.dayKey.shownName)"))
    }
      + notes.flatMap { note in
        DecisionReader.decisions(in: note.text).map { decision in
          Brief.Line(
            decision.text, source(note, decision.line),
            why: said("decided on \(entry.activity.dayKey.shownName) in “\(entry.title)”"))
        }
      }
  }

  private func source(_ note: Note, _ line: Int? = nil) -> Brief.Source {
    Brief.Source(
      .note, note.id, day: note.dayKey, title: note.headline, line: line)
  }

  // MARK: Changes since the last meeting

  func changes(
    since last: MeetingEntry, to entry: MeetingEntry, _ people: [UUID], _ names: [UUID: String],
    _ entries: [UUID: [Activity]], _ owner: Owner
  ) throws -> [Brief.Line] {
    let source = Brief.Source(
      .meeting, last.id, day: last.activity.dayKey, title: last.title)
    var lines: [Brief.Line] = []
    let before = Set(last.present.compactMap(\.personID))
    let now = Set(entry.present.compactMap(\.personID))
    let invited = Dictionary(
      entry.invited.compactMap { one in one.personID.map { ($0, one.reply) } },
      uniquingKeysWith: { first, _ in first })
    // The owner may be missing from earlier meetings, and isn't worth mentioning.
    for attendance in entry.present {
      if let id = attendance.personID, id != owner.id, !before.contains(id) {
        lines.append(Brief.Line(said("\(attendance.name) wasn’t there last time."), source))
      }
    }
    for attendance in last.present {
      guard let id = attendance.personID, id != owner.id, !now.contains(id) else { continue }
      let sentence: String
      if let reply = invited[id] {
        guard reply == .declined else { continue }
        sentence = said("\(attendance.name) was there last time but has declined.")
      } else {
        sentence = said("\(attendance.name) was there last time but isn’t invited now.")
      }
      lines.append(Brief.Line(sentence, source))
    }
    if last.activity.locationLabel != entry.activity.locationLabel,
      let place = entry.activity.locationLabel
    {
      let sentence =
        last.activity.locationLabel.map { said("Place: \(place) (last time: \($0)).") }
        ?? said("Place: \(place).")
      lines.append(Brief.Line(sentence, source))
    }
    var filter = PromiseFilter()
    filter.people = people
    filter.includesDone = true
    filter.meeting = last.id
    for promise in try archive.promises(filter, owner: owner) where promise.promise.isDone {
      lines.append(
        Brief.Line(
          said("Done since then: \(promise.promise.text)"),
          Brief.Source(
            .note, promise.noteID, day: promise.noteDay, title: promise.noteTitle,
            line: promise.promise.line)))
    }
    for id in people {
      for activity in entries[id] ?? [] where isAfter(activity, last) {
        lines.append(
          Brief.Line(
            "\(activity.dayKey.shownName): \(activity.text.prefix(160))",
            Brief.Source(
              .activity, activity.id, day: activity.dayKey,
              title: String(activity.text.prefix(80))),
            why: names[id].map { said("mentions \($0)") }))
      }
    }
    return Array(lines.prefix(10))
  }

  /// Returns true if an entry is later than a meeting; an entry without a time must be on a later
  /// day.
  private func isAfter(_ activity: Activity, _ last: MeetingEntry) -> Bool {
    guard let start = activity.startAt, let end = last.activity.endAt ?? last.activity.startAt
    else { return activity.dayKey > last.activity.dayKey }
    return start >= end
  }
}
