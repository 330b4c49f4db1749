import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// A brief for its template; every line links to its source.
struct BriefPage {
  let brief: Brief
  let today: DayKey
  let zone: Zone
  /// The summary by a language model, if one was requested.
  let summary: BriefSummary?
  /// True if a model is available for a summary.
  let canSumUp: Bool

  var context: [String: Any] {
    let entry = brief.meeting
    let href = MeetingWords.href(meeting: entry.id)
    let when = [
      GoalWords.day(entry.activity.dayKey, today: today), MeetingWords.time(entry, home: zone),
      entry.activity.locationLabel.map { ClippedText.of($0, limit: 80) } ?? "",
    ].filter { !$0.isEmpty }
    let purpose = entry.meeting.purpose ?? ""
    let isEmpty =
      brief.past.isEmpty && brief.promises.isEmpty && brief.notes.isEmpty
      && brief.attendees.allSatisfy(\.lines.isEmpty)
    return [
      "meetingTitle": MeetingWords.title(entry, limit: 300), "meetingHref": href,
      "when": when.joined(separator: " · "), "hasPurpose": !purpose.isEmpty,
      "purpose": ClippedText.of(purpose, limit: 1_000), "isEmpty": isEmpty,
      "hasAttendees": !brief.attendees.isEmpty, "attendees": brief.attendees.map(attendee),
      "hasPromises": !brief.promises.isEmpty,
      "promises": brief.promises.prefix(60).map {
        MeetingWords.promise($0, today: today, back: "\(href)/brief")
      }, "hasPast": !brief.past.isEmpty, "past": brief.past.map(past),
      "sections": [
        section("changes", said("Since last time"), brief.changes),
        section("decisions", said("Decisions"), brief.decisions),
        section("notes", said("On the same subject"), brief.notes),
        section("questions", said("Questions to ask"), brief.questions),
      ].compactMap { $0 },
      "canSumUp": canSumUp && !isEmpty && summary == nil,
    ].merging(summed) { $1 }
  }

  private var summed: [String: Any] {
    guard let summary else { return ["hasSummary": false] }
    let sentences = summary.sentences.map { sentence -> [String: Any] in
      [
        "sentence": ClippedText.of(sentence.text, limit: 500),
        "sentenceSources": sentence.sources.map {
          [
            "sourceHref": Self.href($0),
            "sourceTitle": ClippedText.of($0.title, limit: 60),
          ]
        },
      ]
    }
    return [
      "hasSummary": true, "sentences": sentences,
      "saidBy": said("Wording by \(ClippedText.of(summary.model, limit: 120))"),
      "hasLeftOut": summary.leftOut > 0,
      "leftOutLine": said(
        summary.leftOut,
        one: "Removed \(summary.leftOut) sentence that the brief doesn’t support.",
        other: "Removed \(summary.leftOut) sentences that the brief doesn’t support."),
      "hasProblem": summary.problem != nil,
      "problem": ClippedText.of(saidAgain(summary.problem ?? ""), limit: 400),
    ]
  }

  private func section(
    _ key: String, _ title: String, _ lines: [Brief.Line]
  ) -> [String: Any]? {
    lines.isEmpty
      ? nil : ["sectionKey": key, "sectionTitle": title, "lines": lines.map(line)]
  }

  private func attendee(_ attendee: Brief.Attendee) -> [String: Any] {
    let reply = MeetingWords.reply(attendee.attendance)
    let id = attendee.summary?.id
    return [
      "personName": ClippedText.of(attendee.attendance.name, limit: 80), "isKnown": id != nil,
      "personHref": id.map { MeetingWords.href(person: $0) } ?? "", "hasPart": reply != nil,
      "part": reply ?? "", "lines": attendee.lines.map(line),
    ]
  }

  private func past(_ past: Brief.Past) -> [String: Any] {
    [
      "pastHref": MeetingWords.href(meeting: past.entry.id),
      "pastTitle": MeetingWords.title(past.entry), "pastWhy": ClippedText.of(past.why, limit: 200),
      "pastDay": GoalWords.day(past.entry.activity.dayKey, today: today),
      "lines": past.lines.map(line),
    ]
  }

  private func line(_ line: Brief.Line) -> [String: Any] {
    [
      "lineText": ClippedText.of(line.text, limit: 500), "lineHref": Self.href(line.source),
      "hasWhy": line.why != nil, "lineWhy": ClippedText.of(line.why ?? "", limit: 200),
    ]
  }

  /// Returns the link to a source.
  static func href(_ source: Brief.Source) -> String {
    switch source.kind {
    case .meeting: return MeetingWords.href(meeting: source.id)
    case .note:
      return MeetingWords.href(note: source.id) + (source.line.map { "#line-\($0)" } ?? "")
    case .person: return MeetingWords.href(person: source.id)
    case .day: return source.day.map { "/day/\($0)#note" } ?? "/"
    case .activity:
      return source.day.map { EntryContext.href($0, source.id, isLarge: true) }
        ?? "/activities/\(source.id.uuidString)"
    }
  }
}
