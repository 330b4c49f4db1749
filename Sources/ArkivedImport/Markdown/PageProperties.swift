import ArkivedCore
import Foundation

/// The information that the properties of a page give about its day.
struct PageProperties {
  /// The identifier of a note in Arkived's own export, and its day.
  var id: UUID?
  var day: DayKey?
  var title: String?
  var mood: Int?
  var energy: Int?
  var weather: String?
  var createdAt: Instant?
  var tags: [String] = []
  var people: [String] = []
  /// Numbers with a unit: `steps: 8000`, `weight (kg): 72.5`, `sleepMinutes: 430`.
  var metrics: [(name: String, unit: String, value: Double)] = []
  /// Everything else, as lines of text.
  var lines: [String] = []

  /// Properties for display and storage, which say nothing about the day.
  private static let passedOver: Set<String> = [
    "day", "cssclass", "cssclasses", "publish", "permalink", "template", "uid",
    "filters", "icon", "updated", "modified", "last_modified", "updated_at", "mtime",
    "kanban-plugin", "obsidianuimode", "obsidianeditingmode", "linter-yaml-title-alias",
  ]

  /// Reads properties.
  ///
  /// - Parameters:
  ///   - properties: the properties.
  ///   - homeZone: the home time zone.
  ///   - hasOwnScale: returns true if `mood` or `energy` has another scale than 1 to 5 in the pages
  ///     around.
  init(
    _ properties: [(name: String, values: [String])], homeZone: Zone,
    hasOwnScale: (String) -> Bool = { _ in false }
  ) {
    for (name, values) in properties where !values.isEmpty {
      let key = name.lowercased()
      if ["mood", "energy"].contains(key), let value = values.first, values.count == 1,
        Int(value) != nil, Self.level(value) != nil, hasOwnScale(key)
      {
        lines.append("\(name): \(value)")
      } else {
        take(name, values, homeZone)
      }
    }
  }

  private mutating func take(_ name: String, _ values: [String], _ zone: Zone) {
    let key = name.lowercased()
    let value = values.joined(separator: ", ")
    switch key {
    case "id": id = UUID(uuidString: value)
    case "date": day = DayKey(value)
    case "title": title = value.split(whereSeparator: \.isNewline).joined(separator: " ")
    case "tags", "tag": take(tags: values)
    case "people", "person", "with": people += values.map(Self.unlinked)
    case "weather": weather = value
    case "created", "created_at", "ctime":
      createdAt = Instant(value) ?? ISODateTime(value).map { zone.instant(of: $0.wall) }
      if createdAt == nil, DayKey(value) == nil { lines.append("\(name): \(value)") }
    case "mood" where Self.level(value) != nil: mood = Self.level(value)
    case "energy" where Self.level(value) != nil: energy = Self.level(value)
    case _ where Self.passedOver.contains(key): break
    default:
      if let (name, unit) = MeasureName.read(name), values.count == 1,
        let number = Double(value), number.isFinite
      {
        metrics.append((name, unit, number))
      } else {
        lines.append("\(name): \(value)")
      }
    }
  }

  private mutating func take(tags values: [String]) {
    for value in values {
      let names =
        value.contains("#") || values.count == 1 ? value.split { ", ".contains($0) } : [value[...]]
      for name in names {
        for tag in Tag.names([Self.unlinked(String(name))]) where !tag.isEmpty {
          if (try? Tag.validate(name: tag)) != nil {
            tags.append(tag)
          } else {
            lines.append("tag: \(tag)")
          }
        }
      }
    }
  }

  /// Returns `[[Sam]]` and `[[Samuel|Sam]]` as Sam.
  static func unlinked(_ text: String) -> String {
    let plain = text.replacing("[[", with: "").replacing("]]", with: "")
    return plain.split(separator: "|").last.map(String.init) ?? plain
  }

  /// Parses `4` or `4/5`; levels on other scales return nil.
  private static func level(_ text: String) -> Int? {
    let parts = text.split(separator: "/").map { $0.trimmingCharacters(in: .whitespaces) }
    guard let number = parts.first.flatMap({ Int($0) }), (1...5).contains(number),
      parts.count == 1 || (parts.count == 2 && parts[1] == "5")
    else { return nil }
    return number
  }
}

/// Parses the name of a measure that includes its unit: `Distance (km)`, `weight_kg`,
/// `sleepMinutes`, `steps`.
package enum MeasureName {
  /// Parses a name.
  ///
  /// - Returns: The measure, and the unit of its amounts; nil without a unit.
  package static func read(_ name: String) -> (name: String, unit: String)? {
    let trimmed = name.trimmingCharacters(in: .whitespaces)
    if let open = trimmed.lastIndex(where: { "([".contains($0) }),
      let close = trimmed.last, ")]".contains(close)
    {
      let unit = trimmed[trimmed.index(after: open)...].dropLast()
        .trimmingCharacters(in: .whitespaces)
      let rest = trimmed[..<open].trimmingCharacters(in: .whitespaces)
      guard !unit.isEmpty, unit.count <= 20 else { return nil }
      return (rest.isEmpty ? unit : rest, UnitTable.standard.canonicalName(unit))
    }
    var words = [""]
    for character in trimmed {
      if character == "_" || character == "-" || character.isWhitespace {
        words.append("")
      } else if character.isUppercase, words[words.count - 1].last?.isLowercase == true {
        words.append(String(character))
      } else {
        words[words.count - 1].append(character)
      }
    }
    guard let last = words.last, !isRate(trimmed),
      let unit = UnitTable.standard.unit(named: last)
    else { return nil }
    return (trimmed, unit.name)
  }

  /// Returns true if a name is that of a rate, whose last unit isn't that of its numbers:
  /// `Movements per hour`, `steps/min`.
  static func isRate(_ name: String) -> Bool {
    let words = NameFolding.loose(name).split { !$0.isLetter && !$0.isNumber && $0 != "/" }
    guard let last = words.last else { return false }
    if words.count > 1, ["per", "pro", "je", "par", "por"].contains(words[words.count - 2]) {
      return true
    }
    return last.contains("/") && UnitTable.standard.unit(named: String(last)) == nil
  }
}
