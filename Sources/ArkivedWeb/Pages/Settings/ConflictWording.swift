package import ArkivedCore
package import ArkivedStore
import Foundation

/// A conflict in the words of the pages.
package struct ConflictWording {
  /// The name of the field, or of what was deleted.
  package let label: String
  package let kept: String
  package let replaced: String

  /// Describes a conflict.
  ///
  /// - Parameters:
  ///   - conflict: the conflict.
  ///   - zone: the time zone of times that have none of their own.
  package init(_ conflict: ReplicaConflict, in zone: Zone) {
    guard conflict.field != "deleted" else {
      label = Self.kind(of: conflict.type)
      (kept, replaced) = (Self.state(conflict.kept), Self.state(conflict.gaveWay))
      return
    }
    label = FieldLabel.ofMerged(conflict.field)
    let values = Values(field: conflict.field, member: conflict.member, zone: zone)
    (kept, replaced) = (values.text(conflict.kept), values.text(conflict.gaveWay))
  }

  private static func state(_ isDeleted: JSON) -> String {
    isDeleted.bool == true ? said("Deleted") : said("Kept")
  }

  /// Returns the name of a type at the beginning of a line.
  static func kind(of type: EntityType) -> String {
    let name = saidAgain(type.singular)
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The values of one field.
  private struct Values {
    let field: String
    let member: String?
    let zone: Zone

    private static let nothing = "–"

    func text(_ value: JSON) -> String {
      guard value != .null else { return Self.nothing }
      guard let slash = field.firstIndex(of: "/") else { return shown(value, of: field) }
      let name = String(field[field.index(after: slash)...])
      switch field[..<slash] {
      case "measurements":
        return shown(value, of: name) + " " + name
      case "attachments":
        return ["caption", "originalName"].lazy.compactMap { value[$0]?.string }
          .first { !$0.isEmpty } ?? Self.nothing
      case "tags", "mentions": return member ?? Self.nothing
      case "aliases", "addresses", "externalRefs": return name
      default: return shown(value, of: name)
      }
    }

    private func shown(_ value: JSON, of name: String) -> String {
      switch value {
      case .null: return Self.nothing
      case .bool(let isSo): return isSo ? said("yes") : said("no")
      case .string(let text): return shown(text, of: name)
      case .integer, .number: return value.double.map(AmountText.shown) ?? value.text()
      case .array(let values):
        return list(values.map { $0["name"]?.string ?? shown($0, of: "") })
      case .object(let object):
        switch name {
        case "when": return time(value)
        case "where":
          if let label = value["locationLabel"]?.string, !label.isEmpty { return label }
          return list(["lat", "lon"].compactMap { value[$0]?.double.map(AmountText.shown) })
        case "number":
          let unit = value["unit"]?.string ?? ""
          return shown(value["value"] ?? .null, of: "value") + (unit.isEmpty ? "" : " \(unit)")
        default:
          return list(
            object.members.filter { $0.value != .null }.map { key, value in
              "\(FieldLabel.of(key)): \(shown(value, of: key))"
            })
        }
      }
    }

    private func shown(_ text: String, of name: String) -> String {
      if let words = RecordWords.value(.string(text), of: name) { return words }
      if name.hasSuffix("At"), let instant = Instant(text) {
        let wall = zone.wallTime(at: instant)
        return said("\(wall.day.shownName) at \(wall.shownClock)")
      }
      return DayKey(text)?.shownName ?? text
    }

    /// Returns the day and the time of an entry.
    private func time(_ value: JSON) -> String {
      guard let day = value["dayKey"]?.string.flatMap({ DayKey($0) }) else { return Self.nothing }
      func instant(_ key: String) -> Instant? { value[key]?.string.flatMap { Instant($0) } }
      var activity = Activity(
        id: UUID(), dayKey: day, timeZone: value["timeZone"]?.string ?? zone.identifier, text: "",
        createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
      (activity.startAt, activity.endAt) = (instant("startAt"), instant("endAt"))
      activity.durationMinutes = value["durationMinutes"]?.double
      activity.dayPeriod = value["dayPeriod"]?.string.flatMap { DayPeriod(rawValue: $0) }
      return list([day.shownName, activity.shownTimeText].compactMap(\.self))
    }

    private func list(_ texts: [String]) -> String {
      texts.isEmpty ? Self.nothing : texts.joined(separator: ", ")
    }
  }
}

extension ReplicaRefusal {
  /// The entity with the reason, in one line.
  package var line: String {
    let (kind, reason) = (ConflictWording.kind(of: type), saidAgain(reason))
    return [kind, title, reason].compactMap(\.self).joined(separator: " · ")
  }
}
