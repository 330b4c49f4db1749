package import ArkivedCore
import Foundation

/// The allowed sources of an answer's figures and dates.
package struct GroundingSources: Sendable {
  private(set) var texts: [String] = []
  private(set) var days: Set<DayKey> = []
  /// Times of day, in minutes.
  private(set) var clocks: Set<Int> = []
  private let zone: Zone

  package init(zone: Zone) { self.zone = zone }

  /// Adds text that a person wrote.
  package mutating func add(_ text: String) { texts.append(text) }

  /// Keys whose values are identifiers, so their digits aren't figures.
  private static let names: Set<String> = [
    "id", "changeId", "threadId", "toolCallId", "externalId", "cite", "number", "colorHex",
  ]

  /// Adds a tool's answer: its texts, numbers, days and times.
  package mutating func add(_ json: JSON) {
    switch json {
    case .object(let object):
      for (key, value) in object.members where !Self.names.contains(key) {
        // A unit may be a key: {"km": 5}.
        texts.append(key)
        add(value)
      }
    case .array(let elements):
      texts.append(String(elements.count))
      for element in elements { add(element) }
    case .string(let text):
      if let day = DayKey(text) {
        days.insert(day)
      } else if let instant = Instant(text) {
        let time = zone.wallTime(at: instant)
        days.insert(time.day)
        clocks.insert(time.secondOfDay / 60)
      } else if UUID(uuidString: text) == nil {
        texts.append(text)
      }
    case .integer(let value): texts.append(String(value))
    case .number(let value): texts.append("\(value)")
    case .bool, .null: break
    }
  }
}
