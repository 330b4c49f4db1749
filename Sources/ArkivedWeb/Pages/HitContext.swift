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
    switch hit.type {
    case .activity: EntryContext.href(hit.dayKey, hit.id, isLarge: large.contains(hit.dayKey))
    case .goal: "/goals/\(hit.id.uuidString)"
    case .value: "/values#value-\(hit.id.uuidString)"
    case .term: "/terms/\(hit.id.uuidString)"
    case .day: "/day/\(hit.dayKey)#note"
    case .note: "/notes/\(hit.id.uuidString)"
    case .attachment:
      hit.noteID.map { "\(MeetingWords.href(note: $0))#files" } ?? "/day/\(hit.dayKey)"
    default: "/day/\(hit.dayKey)"
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
