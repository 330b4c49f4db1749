package import ArkivedCore
package import ArkivedStore
package import Foundation

/// What to know before a meeting. Every line says where it comes from.
package struct Brief: Sendable {
  /// Where a line comes from.
  package struct Source: Hashable, Sendable {
    package enum Kind: String, Sendable { case meeting, note, activity, day, person }

    package var kind: Kind
    package var id: UUID
    package var day: DayKey?
    package var title: String
    /// The line of a note, from 1.
    package var line: Int?

    package init(
      _ kind: Kind, _ id: UUID, day: DayKey? = nil, title: String, line: Int? = nil
    ) {
      self.kind = kind
      self.id = id
      self.day = day
      self.title = title
      self.line = line
    }

    package var json: JSON {
      [
        "type": .string(kind.rawValue), "id": .string(id.uuidString), "dayKey": JSON(day),
        "title": .string(title), "line": JSON(line),
      ]
    }
  }

  package struct Line: Hashable, Sendable {
    package var text: String
    package var source: Source
    /// Why it is here, where that is not plain.
    package var why: String?

    package init(_ text: String, _ source: Source, why: String? = nil) {
      self.text = text
      self.source = source
      self.why = why
    }

    package var json: JSON {
      ["text": .string(text), "why": JSON(why), "source": source.json]
    }
  }

  /// Somebody who comes.
  package struct Attendee: Hashable, Sendable {
    package var attendance: Attendance
    /// Nil for somebody of whom nothing is known.
    package var summary: PersonSummary?
    package var lines: [Line]

    package var json: JSON {
      [
        "name": .string(attendance.name), "role": .string(attendance.role.rawValue),
        "reply": .string(attendance.reply.rawValue), "person": summary?.json ?? .null,
        "lines": .array(lines.map(\.json)),
      ]
    }
  }

  /// A meeting before this one.
  package struct Past: Hashable, Sendable {
    package var entry: MeetingEntry
    /// "Priya and Mei were there; 2 weeks ago".
    package var why: String
    package var lines: [Line]

    package var json: JSON {
      [
        "meeting": entry.json, "why": .string(why), "lines": .array(lines.map(\.json)),
      ]
    }
  }

  package var meeting: MeetingEntry
  package var attendees: [Attendee] = []
  package var past: [Past] = []
  /// Open promises among those who come.
  package var promises: [StoredPromise] = []
  package var decisions: [Line] = []
  package var notes: [Line] = []
  /// What has changed since the last time they met.
  package var changes: [Line] = []
  package var questions: [Line] = []
  package var milliseconds = 0.0

  package var json: JSON {
    [
      "meeting": meeting.json, "attendees": .array(attendees.map(\.json)),
      "pastMeetings": .array(past.map(\.json)), "promises": .array(promises.map(\.json)),
      "decisions": .array(decisions.map(\.json)), "notes": .array(notes.map(\.json)),
      "changes": .array(changes.map(\.json)), "questions": .array(questions.map(\.json)),
      "tookMs": JSON((milliseconds * 10).rounded() / 10),
    ]
  }
}

/// Finds what was written about something.
package protocol Retriever: Sendable {
  /// The passages nearest to a subject, best first.
  func passages(about subject: String, before day: DayKey, limit: Int) throws -> [SearchHit]
}

/// Says what a text comes to, in its own words. `ModelSummarizer` says in a model's what a whole brief
/// comes to.
package protocol Summarizer: Sendable {
  /// The lines that say most of a note, in their order, each with its place.
  func summary(of note: Note, about subject: String, limit: Int) -> [(line: Int, text: String)]
}
