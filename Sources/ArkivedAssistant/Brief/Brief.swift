package import ArkivedCore
package import ArkivedStore
package import Foundation

/// The things to know before a meeting.
///
/// Every line states its source.
package struct Brief: Sendable {
  /// The source of a line.
  package struct Source: Hashable, Sendable {
    package enum Kind: String, Sendable { case meeting, note, activity, day, person }

    package var kind: Kind
    package var id: UUID
    package var day: DayKey?
    package var title: String
    /// The line within a note, starting at 1.
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
    /// The reason that the line is included, if it isn't obvious.
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

  /// A person who attends.
  package struct Attendee: Hashable, Sendable {
    package var attendance: Attendance
    /// The person's summary; nil if nothing is known.
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

  /// An earlier meeting.
  package struct Past: Hashable, Sendable {
    package var entry: MeetingEntry
    /// The reason that the meeting is included: "Priya and Mei were there; 2 weeks ago".
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
  /// Open promises among the attendees.
  package var promises: [StoredPromise] = []
  package var decisions: [Line] = []
  package var notes: [Line] = []
  /// Changes since their last meeting.
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

/// A source of passages about a subject.
package protocol Retriever: Sendable {
  /// Returns the passages most relevant to a subject, best first.
  func passages(about subject: String, before day: DayKey, limit: Int) throws -> [SearchHit]
}

/// A summarizer that quotes the text.
///
/// `ModelSummarizer` summarises a whole brief in a model's words.
package protocol Summarizer: Sendable {
  /// Returns the most informative lines of a note in their original order, each with its position.
  func summary(of note: Note, about subject: String, limit: Int) -> [(line: Int, text: String)]
}
