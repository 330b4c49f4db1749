package import ArkivedCore
package import Foundation

/// An entry here and one of the other archive that are likely the same.
package struct MergeLikeness: Hashable, Sendable {
  package var here: UUID
  package var dayKey: DayKey
  package var text: String
  package var there: UUID
  /// The beginning of its text.
  package var textThere: String

  package var json: JSON {
    [
      "dayKey": JSON(dayKey), "here": ["id": .string(here.uuidString), "text": .string(text)],
      "there": ["id": .string(there.uuidString), "text": .string(textThere)],
    ]
  }
}

extension EntrySketch {
  /// Creates the likeness from an activity's line; nil if it has no beginning and end, or is a
  /// meeting.
  init?(line: JSON, id: UUID) {
    func instant(_ key: String) -> Instant? { line[key]?.string.flatMap { Instant($0) } }
    guard let start = instant("startAt"), let end = instant("endAt"), start < end,
      end.milliseconds - start.milliseconds <= NearDuplicate.longest,
      line["source"]?.string != ActivitySource.calendarImport.rawValue
    else { return nil }
    var measurements: [String: Double] = [:]
    for (unit, amount) in line["measurements"]?.object?.members ?? [] {
      measurements[unit] = amount.double
    }
    self.init(
      id: id, start: start, end: end,
      kind: line["kind"]?.string.map { ActivityKind(rawValue: $0) } ?? .other,
      text: String((line["text"]?.string ?? "").prefix(200)), lat: line["lat"]?.double,
      lon: line["lon"]?.double, origin: "the other archive", measurements: measurements)
  }
}
