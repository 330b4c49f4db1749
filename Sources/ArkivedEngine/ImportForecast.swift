package import ArkivedCore
package import ArkivedImport

/// The effects of an import, determined without importing.
package struct ImportForecast: Sendable {
  /// The relation of an entry to the archive.
  package enum Standing: String, Sendable {
    case new, changed, known
    /// The entry differs from the one here, which would be kept.
    case kept
    case leftOut
  }

  package struct Example: Sendable {
    package var standing: Standing
    package var dayKey: DayKey?
    package var text: String
    /// The location of the entry in its source.
    package var place: String
    /// The entry, if it is an activity.
    package var activity: Activity?

    /// The entry's details apart from its text, for display: its time, amounts, tags and place.
    package var parts: [String] {
      guard let activity else { return [] }
      var parts = [activity.shownTimeText].compactMap { $0 }
      let minutes = activity.durationMinutes.map { ["minutes": $0] } ?? [:]
      for amounts in [minutes, activity.measurements] {
        parts += amounts.sorted { $0.key < $1.key }.map { name, amount in
          UnitTable.standard.unit(named: name)?.shownText(amount)
            ?? "\(AmountText.shown(amount)) \(name)"
        }
      }
      if let place = activity.locationLabel { parts.append(place) }
      parts += activity.tags.map { "#\($0)" } + activity.people.map(\.name)
      for words in [activity.description, activity.notes].compactMap({ $0 }) {
        parts.append(String(words.prefix(120)).replacing("\n", with: "; "))
      }
      return parts
    }
  }

  package var format: String
  /// The files of the run, as named in diagnostics.
  package var files: [String]
  /// The number of new entries by type.
  package var created: [String: Int] = [:]
  package var updated = 0
  package var unchanged = 0
  /// The number of known entries that differ from those here, which are kept.
  package var kept = 0
  package var skipped = 0
  /// The number of entries with coordinates in their source.
  package var placed = 0
  /// The location data that would be kept.
  package var places = PlaceChoice.keep
  package var firstDay: DayKey?
  package var lastDay: DayKey?
  /// The first entries of each status except the known ones.
  package var examples: [Example] = []
  package var warnings: [ImportRun.Warning] = []
  /// The interpretation of the columns, if it is a table.
  package var table: TableImporter.Reading?

  static let exampleLimit = 3

  package var json: JSON {
    var counts = JSONObject()
    for (type, count) in created.sorted(by: { $0.key < $1.key }) { counts[type] = JSON(count) }
    var object: JSONObject = [
      "format": .string(format), "files": JSON(files), "created": .object(counts),
      "updated": JSON(updated), "unchanged": JSON(unchanged), "kept": JSON(kept),
      "skipped": JSON(skipped), "withCoordinates": JSON(placed),
      "places": .string(places.rawValue), "firstDay": JSON(firstDay), "lastDay": JSON(lastDay),
      "examples": .array(
        examples.map {
          [
            "standing": .string($0.standing.rawValue), "dayKey": JSON($0.dayKey),
            "text": .string($0.text), "place": .string($0.place), "holds": JSON($0.parts),
          ]
        }), "warnings": .array(warnings.map(\.json)),
    ]
    if let table {
      object["columns"] = .array(
        zip(table.mapping.columns, table.examples).map { column, examples in
          [
            "name": .string(column.name), "field": .string(column.field.rawValue),
            "unit": JSON(column.unit), "examples": JSON(examples),
          ]
        })
      object["rows"] = .array(table.rows.map { JSON($0) })
    }
    return .object(object)
  }
}
