import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// Meetings, people, notes and promises as lines.
struct MeetingText {
  let context: Context

  init(_ context: Context) { self.context = context }

  private var output: Output { context.output }

  /// Formats a meeting: "2026-03-16 10:00–11:00  Review  with Priya Nair, Mei Lin  [3F2A91B0]".
  func line(_ entry: MeetingEntry) -> String {
    let time = clock(entry).map { " \($0)" } ?? ""
    var line = "\(entry.activity.dayKey)\(time)  \(output.bold(oneLine(entry.title)))"
    let names = entry.present.filter { !$0.isOrganizer || entry.present.count > 1 }.map(\.name)
    if !names.isEmpty {
      let first = names.prefix(4).map(oneLine).joined(separator: ", ")
      let more = names.count - 4
      line +=
        more > 0
        ? said(more, one: "  with \(first) and 1 more", other: "  with \(first) and \(more) more")
        : said("  with \(first)")
    }
    if let state = state(entry) { line += "  (\(state))" }
    return line + output.faint("  [\(entry.id.uuidString.prefix(8))]")
  }

  private func state(_ entry: MeetingEntry) -> String? {
    if entry.meeting.isEventDeleted { return said("no longer in its calendar") }
    // words: confirmed | tentative | cancelled
    return entry.meeting.status == .confirmed ? nil : saidWhole(entry.meeting.status.rawValue)
  }

  /// Formats the time; nil if only the day of the meeting is known.
  private func clock(_ entry: MeetingEntry) -> String? {
    if entry.meeting.isAllDay { return said("all day") }
    let activity = entry.activity
    guard activity.startAt != nil, activity.timeZone != context.zone.identifier else {
      return activity.shownTimeText
    }
    return activity.shownTimeText.map { "\($0) \(activity.timeZone)" }
  }

  func lines(_ entry: MeetingEntry, notes: [ArkivedCore.Note]) -> [String] {
    var lines = [line(entry)]
    func add(_ name: String, _ text: String?) {
      guard let text, !text.isEmpty else { return }
      lines +=
        ["", output.bold(name)]
        + text.split(
          omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map { "  \($0)" }
    }
    if let place = entry.activity.locationLabel {
      lines.append(said("  Location: \(oneLine(place))"))
    }
    if let organizer = entry.meeting.organizer {
      lines.append(said("  Organiser: \(oneLine(organizer))"))
    }
    for attendance in entry.invited {
      // words: required | optional | for information | chair
      let name =
        attendance.role == .informed ? "for information" : attendance.role.rawValue
      let role = attendance.role == .required ? "" : ", \(saidWhole(name))"
      // words: accepted | declined | tentative | delegated
      let reply =
        attendance.reply == .waiting ? said("no answer") : saidWhole(attendance.reply.rawValue)
      lines.append("  \(oneLine(attendance.name)): \(reply)\(role)")
    }
    // words: title | time | location | description | tags | organizer | status
    for field in entry.ownFields {
      if field.name == "attendees" {
        lines.append(
          output.faint(
            said("  your participant list is kept; the calendar lists \(field.eventValue)")))
        continue
      }
      lines.append(
        output.faint(
          said(
            """
              your \(saidWhole(field.name)) is kept; the calendar says \
            “\(oneLine(field.eventValue))”
            """))
      )
    }
    let files = entry.activity.attachments.count
    if files > 0 { lines.append("  " + said("[\(files) attached]")) }
    add(said("Description"), entry.activity.description)
    add(said("Purpose"), entry.meeting.purpose)
    add(said("Outcomes"), entry.meeting.outcomes)
    add(said("Summary"), entry.meeting.summary)
    for note in notes { lines += [""] + self.lines(note) }
    return lines
  }

  // MARK: Notes and promises

  func line(_ note: ArkivedCore.Note) -> String {
    let day = note.dayKey.map { "\($0)  " } ?? ""
    let tags = note.tags.isEmpty ? "" : "  " + note.tags.map { "#\($0)" }.joined(separator: " ")
    let files = note.attachments.isEmpty ? "" : "  " + said("[\(note.attachments.count) attached]")
    return "\(day)\(output.bold(oneLine(note.headline)))\(tags)\(files)"
      + output.faint("  [\(note.id.uuidString.prefix(8))]")
  }

  func lines(_ note: ArkivedCore.Note) -> [String] {
    [line(note)]
      + note.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { "  \($0)" }
  }

  func line(_ promise: StoredPromise) -> String {
    let box = promise.promise.isDone ? "[x]" : "[ ]"
    let owner = promise.owner.map { "\(oneLine($0)): " } ?? ""
    let due =
      promise.promise.due.map { day in
        day < context.today && !promise.promise.isDone
          ? said("  overdue since \(day)") : said("  due \(day)")
      } ?? ""
    let place = promise.meetingTitle ?? promise.noteTitle
    return "\(box) \(owner)\(oneLine(promise.promise.text))\(due)"
      + output.faint(
        "  \(oneLine(place)), \(promise.noteDay)  "
          + "[\(promise.noteID.uuidString.prefix(8)):\(promise.promise.line)]")
  }

  // MARK: People

  func line(_ person: PersonSummary) -> String {
    var parts: [String] = []
    if person.meetingCount > 0 {
      let count = person.meetingCount
      parts.append(said(count, one: "\(count) meeting", other: "\(count) meetings"))
    }
    if person.entryCount > 0 {
      let count = person.entryCount
      parts.append(said(count, one: "\(count) entry", other: "\(count) entries"))
    }
    if let last = person.lastSeen { parts.append(said("last seen \(last)")) }
    let facts = parts.isEmpty ? "" : "  " + parts.joined(separator: ", ")
    return output.bold(oneLine(person.person.displayName)) + facts
      + output.faint("  [\(person.id.uuidString.prefix(8))]")
  }

  func lines(_ summary: PersonSummary) -> [String] {
    let person = summary.person
    var lines = [line(summary)]
    let addresses = [person.email].compactMap { $0 } + person.furtherAddresses
    if !person.aliases.isEmpty {
      lines.append(said("  also \(person.aliases.map(oneLine).joined(separator: ", "))"))
    }
    if !addresses.isEmpty { lines.append("  \(addresses.map(oneLine).joined(separator: ", "))") }
    if let about = person.relationshipSummary { lines.append("  \(oneLine(about))") }
    if let first = summary.firstMet, let last = summary.lastMet {
      let count = AmountText.grouped(summary.meetingCount)
      lines.append(
        summary.meetingCount == 1
          ? said("  met once, \(last)")
          : said("  met \(count) times, first \(first), last \(last)"))
    }
    return lines
  }

  // MARK: Briefs

  func lines(_ brief: Brief) -> [String] {
    var lines = [line(brief.meeting)]
    func section(_ title: String, _ body: [String]) {
      if !body.isEmpty { lines += ["", output.bold(title)] + body }
    }
    if let purpose = brief.meeting.meeting.purpose { lines.append("  \(oneLine(purpose))") }
    section(
      said("Who’s coming"),
      brief.attendees.flatMap { attendee in
        let reply =
          switch attendee.attendance.reply {
          case .accepted: ""
          case .waiting: " (\(said("no answer")))"
          default: " (\(saidWhole(attendee.attendance.reply.rawValue)))"
          }
        return ["  \(oneLine(attendee.attendance.name))\(reply)"]
          + attendee.lines.map { "    \(text($0))" }
      })
    section(said("Open promises"), brief.promises.map { "  \(line($0))" })
    section(
      said("Previous meetings"),
      brief.past.flatMap { past in
        ["  \(line(past.entry))", output.faint("    \(oneLine(past.why))")]
          + past.lines.map { "    \(text($0))" }
      })
    section(said("Decided"), brief.decisions.map { "  \(text($0))" })
    section(said("Since then"), brief.changes.map { "  \(text($0))" })
    section(said("On the same subject"), brief.notes.map { "  \(text($0))" })
    section(said("Questions to ask"), brief.questions.map { "  \(text($0))" })
    return lines
  }

  /// Formats a brief's summary, each sentence with its sources.
  func lines(_ summary: BriefSummary?) -> [String] {
    guard let summary else { return [] }
    var lines = [
      "", output.bold(said("In short")) + output.faint("  " + said("Wording by \(summary.model)")),
    ]
    lines += summary.sentences.map { sentence in
      let sources = sentence.sources.map { source in
        "\(source.kind.rawValue) \(source.id.uuidString.prefix(8))"
          + (source.line.map { ":\($0)" } ?? "")
      }
      return "  \(oneLine(sentence.text))"
        + output.faint("  [\(sources.joined(separator: ", "))]")
    }
    if summary.leftOut > 0 {
      let leftOut = said(
        summary.leftOut,
        one: "Removed \(summary.leftOut) sentence that the brief doesn’t support.",
        other: "Removed \(summary.leftOut) sentences that the brief doesn’t support.")
      lines.append(output.faint("  \(leftOut)"))
    }
    if let problem = summary.problem { lines.append("  \(problem)") }
    return lines
  }

  // words: meeting | note | activity | day | person
  private func text(_ line: Brief.Line) -> String {
    let place = line.source.line.map { ":\($0)" } ?? ""
    return oneLine(line.text)
      + output.faint(
        (line.why.map { "  (\(oneLine($0)))" } ?? "")
          + "  [\(saidWhole(line.source.kind.rawValue)) \(line.source.id.uuidString.prefix(8))\(place)]"
      )
  }

  private func oneLine(_ text: String) -> String { EntryText.oneLine(text) }
}
