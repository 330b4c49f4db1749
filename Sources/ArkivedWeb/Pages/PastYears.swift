import ArkivedCore
import ArkivedStore
import Foundation

/// The same day in earlier years, for the end of a day's page.
struct PastYears: Sendable {
  /// The latest years, each with the beginning of its contents.
  var shown: [DayPart] = []
  /// The earlier years.
  var others: [DayKey] = []

  /// The number of years shown; the others are links.
  static let limit = 3
  private static let entryLimit = 3
  private static let linkLimit = 40

  init(_ archive: Archive, of day: DayKey) throws {
    let keys = try archive.dayKeys(of: Anniversary(of: day, before: day), years: 200)
    shown = try keys.prefix(PastYears.limit).map {
      try archive.dayPart($0, limit: PastYears.entryLimit)
    }
    others = Array(keys.dropFirst(PastYears.limit).prefix(PastYears.linkLimit))
  }

  func add(to context: inout [String: Any]) {
    context["hasPastYears"] = !shown.isEmpty
    context["pastYears"] = shown.map { part in
      [
        "pastHref": "/day/\(part.dayKey)", "pastYear": "\(part.dayKey.year)",
        "pastText": PastYears.text(part),
      ]
    }
    context["hasOtherYears"] = !others.isEmpty
    context["otherYears"] = others.map { ["pastHref": "/day/\($0)", "pastYear": "\($0.year)"] }
  }

  /// Returns a line or two about a day.
  static func text(_ part: DayPart) -> String {
    if let title = part.entry?.title, !title.isEmpty { return ClippedText.of(title, limit: 160) }
    if let note = part.entry?.note, !note.isEmpty {
      let words = note.split(whereSeparator: \.isWhitespace).prefix(60).joined(separator: " ")
      return ClippedText.of(words, limit: 160)
    }
    guard !part.activities.isEmpty else {
      let entry = part.entry
      let isFelt = entry?.mood != nil || entry?.energy != nil
      let other = entry?.attachments.first?.shownName ?? entry?.weather?.shownText
      guard !isFelt, let other else { return said("Mood and energy") }
      return ClippedText.of(other, limit: 160)
    }
    let texts = part.activities.map { ClippedText.of($0.text, limit: 60) }
    let rest = part.total - texts.count
    return texts.joined(separator: " · ") + (rest > 0 ? said(" · and \(rest) more") : "")
  }
}
