package import ArkivedCore
package import ArkivedImport

/// What an import would do, found out without doing it.
package struct ImportForecast: Sendable {
  /// How an entry stands to the archive.
  package enum Standing: String, Sendable {
    case new, changed, known
    /// It differs from what is here, which would stay.
    case kept
    case leftOut
  }

  package struct Example: Sendable {
    package var standing: Standing
    package var dayKey: DayKey?
    package var text: String
    /// Where it stands in its source.
    package var place: String
    /// The entry, where it is one.
    package var activity: Activity?

    /// What an entry holds besides its words: its time, amounts, tags and place, for showing.
    package var parts: [String] {
      guard let activity else { return [] }
      let zone = Zone(activity.timeZone) ?? .utc
      let clocks = [activity.startAt, activity.endAt].compactMap { $0 }
        .map { zone.wallTime(at: $0).clockText }
      var parts = clocks.isEmpty ? [] : [clocks.joined(separator: "–")]
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
  /// The files of the run, as diagnostics call them.
  package var files: [String]
  /// How many entries of each type would come in new.
  package var created: [String: Int] = [:]
  package var updated = 0
  package var unchanged = 0
  /// How many of the known ones differ from what is here, which stays.
  package var kept = 0
  package var skipped = 0
  /// How many entries have coordinates in their source.
  package var placed = 0
  /// What would be kept of places.
  package var places = PlaceChoice.keep
  package var firstDay: DayKey?
  package var lastDay: DayKey?
  /// The first entries of each standing but those that are known.
  package var examples: [Example] = []
  package var warnings: [ImportRun.Warning] = []
  /// What the columns of a table would become.
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
