public import Foundation

/// An entry in a list of the journal: an activity or a day's own entry.
public enum JournalEntry: Hashable, Sendable, Identifiable {
  /// Something that was done.
  case activity(Activity)
  /// The page of a day.
  case day(DayEntry)

  /// The ID, which never changes.
  public var id: UUID {
    switch self {
    case .activity(let activity): activity.id
    case .day(let entry): entry.id
    }
  }

  /// The type of entry.
  public var type: HitType {
    switch self {
    case .activity: .activity
    case .day: .day
    }
  }

  /// The day it belongs to.
  public var dayKey: DayKey {
    switch self {
    case .activity(let activity): activity.dayKey
    case .day(let entry): entry.dayKey
    }
  }

  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant {
    switch self {
    case .activity(let activity): activity.updatedAt
    case .day(let entry): entry.updatedAt
    }
  }

  /// The text that represents it in one line: the activity's text or the day's headline.
  public var title: String {
    switch self {
    case .activity(let activity): activity.text
    case .day(let entry): entry.headline
    }
  }

  /// The whole entity in the form of the contract.
  package var json: JSON {
    switch self {
    case .activity(let activity): activity.json
    case .day(let entry): entry.json
    }
  }

  /// The whole entity in the form of exports.
  package var record: JSON {
    switch self {
    case .activity(let activity): activity.record
    case .day(let entry): entry.json
    }
  }

  /// Returns the entry as a search result for a query without words.
  package func hit(because why: SearchHit.Reason) -> SearchHit {
    switch self {
    case .activity(let activity):
      SearchHit(
        type: .activity, id: activity.id, dayKey: activity.dayKey, startAt: activity.startAt,
        dayPeriod: activity.dayPeriod, isAllDay: activity.isAllDay, timeZone: activity.timeZone,
        kind: activity.kind, title: activity.text,
        snippet: JournalEntry.snippet(of: activity.text), score: 0, why: why,
        externalRefs: activity.externalRefs)
    case .day(let entry):
      SearchHit(
        type: .day, id: entry.id, dayKey: entry.dayKey, title: entry.headline,
        snippet: JournalEntry.snippet(of: entry.title ?? entry.note), score: 0, why: why,
        externalRefs: entry.externalRefs)
    }
  }

  private static let snippetLength = 400

  /// Returns the beginning of a text as it is read, as in a search by words.
  private static func snippet(of text: String) -> Snippet {
    Snippet(text: String(TextLink.words(of: text).prefix(snippetLength)))
  }
}
