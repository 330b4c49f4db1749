import ArkivedCore
import Foundation

/// A filter for the lines of JSON Lines that belong to an export of some days.
///
/// It includes the span's days, activities, metrics, attachments, meetings, notes and matches;
/// people, tags and goals are included completely because entries depend on them. History, marks of
/// deletions, conversations and stored rows of other programs don't belong to any day and are
/// excluded.
struct SpanLines {
  private let span: DayFilter
  private var activities: Set<String> = []
  private var meetings: Set<String> = []
  private var notes: Set<String> = []
  /// The paths of the attachments' files that the lines refer to, also those in old versions.
  private(set) var paths: Set<String> = []

  init(_ span: DayFilter) { self.span = span }

  /// Returns true if a line is to be written; lines come in the order of `Archive.forEachEntity`.
  mutating func take(_ type: String, _ json: JSON) -> Bool {
    let isTaken = span.isOpen || belongs(type, json)
    guard isTaken else { return false }
    if type == "attachment", let path = json["relativePath"]?.string { paths.insert(path) }
    if type == "history" {
      for one in json["record"]?["attachments"]?.array ?? [] {
        if let path = one["relativePath"]?.string { paths.insert(path) }
      }
    }
    guard !span.isOpen, let id = json["id"]?.string else { return true }
    if type == "activity" { activities.insert(id) }
    if type == "meeting" { meetings.insert(id) }
    if type == "note" { notes.insert(id) }
    return true
  }

  private func belongs(_ type: String, _ json: JSON) -> Bool {
    switch type {
    case "day", "activity", "metric": return holds(json["dayKey"])
    case "attachment":
      if let owner = json["activityId"]?.string { return activities.contains(owner) }
      if let owner = json["noteId"]?.string { return notes.contains(owner) }
      return holds(json["dayKey"])
    case "meeting": return json["activityId"]?.string.map { activities.contains($0) } ?? false
    case "contribution": return json["actionId"]?.string.map { activities.contains($0) } ?? false
    case "note":
      if let meeting = json["meetingId"]?.string { return meetings.contains(meeting) }
      if json["dayKey"]?.string != nil { return holds(json["dayKey"]) }
      let made = json["createdAt"]?.string.flatMap { Instant($0) }
      return made.map { span.holds(Zone.utc.dayKey(at: $0)) } ?? false
    case "person", "tag", "goal", "value", "term", "lifetime", "alignment", "assignment":
      return true
    default: return false
    }
  }

  private func holds(_ day: JSON?) -> Bool {
    day?.string.flatMap { DayKey($0) }.map { span.holds($0) } ?? false
  }
}
