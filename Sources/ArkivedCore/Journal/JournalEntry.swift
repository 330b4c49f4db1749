package import Foundation

/// What a list of the journal holds: something done, or a day's own entry.
package enum JournalEntry: Hashable, Sendable, Identifiable {
  case activity(Activity)
  case day(DayEntry)

  package var id: UUID {
    switch self {
    case .activity(let activity): activity.id
    case .day(let entry): entry.id
    }
  }

  package var type: HitType {
    switch self {
    case .activity: .activity
    case .day: .day
    }
  }

  package var dayKey: DayKey {
    switch self {
    case .activity(let activity): activity.dayKey
    case .day(let entry): entry.dayKey
    }
  }

  package var updatedAt: Instant {
    switch self {
    case .activity(let activity): activity.updatedAt
    case .day(let entry): entry.updatedAt
    }
  }

  /// The one line that stands for it: what was done, or the day's headline.
  package var title: String {
    switch self {
    case .activity(let activity): activity.text
    case .day(let entry): entry.headline
    }
  }

  /// The whole entity, as the contract writes it.
  package var json: JSON {
    switch self {
    case .activity(let activity): activity.json
    case .day(let entry): entry.json
    }
  }

  /// The whole entity as exports keep it.
  package var record: JSON {
    switch self {
    case .activity(let activity): activity.record
    case .day(let entry): entry.json
    }
  }

  /// The entry as a search shows it where no words were asked for.
  package func hit(because why: SearchHit.Reason) -> SearchHit {
    switch self {
    case .activity(let activity):
      SearchHit(
        type: .activity, id: activity.id, dayKey: activity.dayKey, startAt: activity.startAt,
        timeZone: activity.timeZone, kind: activity.kind, title: activity.text,
        snippet: Snippet(text: String(activity.text.prefix(JournalEntry.snippetLength))), score: 0,
        why: why, externalRefs: activity.externalRefs)
    case .day(let entry):
      SearchHit(
        type: .day, id: entry.id, dayKey: entry.dayKey, title: entry.headline,
        snippet: Snippet(
          text: String((entry.title ?? entry.note).prefix(JournalEntry.snippetLength))),
        score: 0, why: why, externalRefs: entry.externalRefs)
    }
  }

  private static let snippetLength = 400
}
