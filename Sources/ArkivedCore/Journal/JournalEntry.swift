public import Foundation

/// What a list of the journal holds: something done, or a day's own entry.
public enum JournalEntry: Hashable, Sendable, Identifiable {
  /// Something that was done.
  case activity(Activity)
  /// A day's own page.
  case day(DayEntry)

  /// The identity, which never changes.
  public var id: UUID {
    switch self {
    case .activity(let activity): activity.id
    case .day(let entry): entry.id
    }
  }

  /// The sort of entry.
  public var type: HitType {
    switch self {
    case .activity: .activity
    case .day: .day
    }
  }

  /// The day that it belongs to.
  public var dayKey: DayKey {
    switch self {
    case .activity(let activity): activity.dayKey
    case .day(let entry): entry.dayKey
    }
  }

  /// The version: later after every change.
  public var updatedAt: Instant {
    switch self {
    case .activity(let activity): activity.updatedAt
    case .day(let entry): entry.updatedAt
    }
  }

  /// The one line that stands for it: what was done, or the day's headline.
  public var title: String {
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
