import ArkivedCore
import ArkivedStore
import Foundation

/// Formats search results for the templates.
struct HitContext: Sendable {
  let archive: Archive
  let zone: Zone

  /// Returns the days of some entries that are shown in parts.
  func largeDays(_ hits: [SearchHit]) throws -> Set<DayKey> {
    try archive.days(hits.map(\.dayKey), withMoreThan: DayContext.pageSize)
  }

  /// Returns the data that a template shows for an entry.
  ///
  /// - Parameters:
  ///   - hit: the result.
  ///   - large: the days that are shown in parts.
  /// - Returns: the data.
  func context(_ hit: SearchHit, _ large: Set<DayKey>) -> [String: Any] {
    var context: [String: Any] = [
      "kind": hit.kind.flatMap { ActivityKind.known.contains($0) ? $0.rawValue : nil } ?? "other",
      "typeLabel": label(hit), "href": TextFragment.href(href(hit, large), to: hit),
      "timeISO": hit.dayKey.description, "snippetHTML": HTMLText.marked(hit.snippet),
    ]
    if let title = hit.titleBesideSnippet {
      context["hitTitle"] = ClippedText.of(title, limit: 200)
    }
    if let time = hit.shownTime(home: zone) { context["timeText"] = time }
    if let start = hit.startAt, !hit.isAllDay {
      let wall = (Zone(hit.timeZone ?? "") ?? zone).wallTime(at: start)
      context["timeISO"] = String(wall.description.prefix(16))
    }
    var why: [String] = []
    if !hit.why.words.isEmpty {
      why.append(said("matched: \(hit.why.words.joined(separator: ", "))"))
    }
    if let similarity = hit.why.similarity {
      why.append(said("similar in meaning: \(Int((similarity * 100).rounded()))%"))
    }
    why += hit.why.filters.map(saidAgain)
    if !why.isEmpty {
      context["whyText"] = ClippedText.of(why.joined(separator: " · "), limit: 300)
    }
    return context
  }

  private func href(_ hit: SearchHit, _ large: Set<DayKey>) -> String {
    Self.href(
      hit.type, hit.id, day: hit.dayKey, note: hit.noteID, isLarge: large.contains(hit.dayKey))
  }

  /// Returns the address of an entry.
  ///
  /// - Parameters:
  ///   - type: its type.
  ///   - id: its ID.
  ///   - day: its day.
  ///   - note: the note of an attachment, if it belongs to one.
  ///   - isLarge: true if its day is shown in parts.
  /// - Returns: the address.
  static func href(
    _ type: HitType, _ id: UUID, day: DayKey, note: UUID? = nil, isLarge: Bool
  ) -> String {
    switch type {
    case .activity: EntryContext.href(day, id, isLarge: isLarge)
    case .goal: "/goals/\(id.uuidString)"
    case .value: "/values#value-\(id.uuidString)"
    case .term: "/terms/\(id.uuidString)"
    case .day: "/day/\(day)#note"
    case .note: "/notes/\(id.uuidString)"
    case .attachment: note.map { "\(MeetingWords.href(note: $0))#files" } ?? "/day/\(day)"
    default: "/day/\(day)"
    }
  }

  private func label(_ hit: SearchHit) -> String {
    switch hit.type {
    case .activity:
      hit.kind.map { $0 == .other ? said("Entry") : label($0) }
        ?? said("Entry")
    case .day: said("Day note")
    case .attachment: said("Attachment")
    // words: Goal | Value | Term | Note | Meeting | Person
    default: saidWhole(EntryContext.capitalised(hit.type.rawValue))
    }
  }

  private func label(_ kind: ActivityKind) -> String {
    // words: Work | Personal | Health | Admin | Learning | Social | Travel | Other
    saidWhole(EntryContext.capitalised(ClippedText.of(kind.rawValue, limit: 40)))
  }
}
