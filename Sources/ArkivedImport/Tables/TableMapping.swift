package import ArkivedCore
import Foundation

/// The field to which a column of a table is mapped.
package enum TableField: String, Sendable, CaseIterable {
  case text, description, notes
  /// A day, perhaps with the time; `time` is the clock time alone.
  case date, time
  case start, end
  case endTime
  case duration
  /// Yes or no; an event that lasts all day has no clock times.
  case allDay
  case tags, people, place, kind
  case lat, lon
  case mood, energy
  /// The weather in words, as in `rain, 12 °C`; `temperature` is in °C alone.
  case weather, temperature
  /// The row's identifier in the source.
  case id
  /// A number with a unit.
  case measure
  /// A text that is stored in the description under its column's name.
  case detail
  case ignore
}

/// The mapping of a table's columns: guessed, set by the owner, or stored earlier.
package struct TableMapping: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    /// The name in the first row of the table.
    package var name: String
    package var field: TableField
    /// The unit of amounts, for measures and durations.
    package var unit: String?

    package init(name: String, field: TableField, unit: String? = nil) {
      self.name = name
      self.field = field
      self.unit = unit
    }

    /// True if its numbers have no unit other than the column itself.
    var isUnitless: Bool {
      unit == nil
        || unit == name.trimmingCharacters(in: .whitespaces).lowercased()
          && !TableUnits.hasUnit(name)
    }

    /// The field for display, as in "measure in km".
    package var words: String { unit.map { "\(field.rawValue) in \($0)" } ?? field.rawValue }
  }

  package var columns: [Column] {
    didSet { positions = Self.positions(columns) }
  }

  /// The positions of each field's columns.
  private var positions: [TableField: [Int]]

  package init(columns: [Column]) {
    self.columns = columns
    positions = Self.positions(columns)
  }

  private static func positions(_ columns: [Column]) -> [TableField: [Int]] {
    Dictionary(grouping: columns.indices) { columns[$0].field }
  }

  /// The names of the columns, used to recognise the same table.
  package var key: Set<String> { Self.key(columns.map(\.name)) }

  package static func key(_ names: [String]) -> Set<String> {
    Set(names.map { NameFolding.key($0) }.filter { !$0.isEmpty })
  }

  /// The prefix of identifiers for rows of tables with these columns, which ignores the distinct
  /// names of repeated columns because earlier versions had none.
  var identity: String {
    let names = columns.map(\.name)
    let known = Set(names)
    let own = names.filter { name in
      guard let gap = name.lastIndex(of: " "), Int(name[name.index(after: gap)...]) != nil else {
        return true
      }
      return !known.contains(String(name[..<gap]))
    }
    return String(
      TableIdentity.hash(Self.key(own).sorted().joined(separator: "\n")).prefix(12))
  }

  /// True if rows can be read with it, which requires a day and some content.
  package var isUsable: Bool {
    let fields = Set(columns.map(\.field))
    return !fields.isDisjoint(with: [.date, .start])
      && !fields.isDisjoint(with: [
        .text, .description, .notes, .measure, .mood, .energy, .weather, .temperature, .kind, .lat,
      ])
  }

  func column(_ field: TableField) -> Column? { indices(field).first.map { columns[$0] } }

  /// Returns the positions of a field's columns, which are those of their cells.
  func indices(_ field: TableField) -> [Int] {
    positions[field] ?? []
  }

  // MARK: Changes by the owner

  /// Applies `text=Title,start=Date,measure=Distance (km)` to the mapping.
  ///
  /// - Throws: `FieldError` that reports anything that isn't a field, or isn't a column of the
  ///   table.
  package func changed(by text: String) throws(FieldError) -> TableMapping {
    var mapping = self
    for (field, name) in try Self.assignments(text) {
      guard let index = columns.firstIndex(where: { Self.isSame($0.name, name) }) else {
        throw FieldError(
          "map",
          "names the column \(FieldError.shown(name)), which doesn’t exist; the table has "
            + columns.map(\.name).joined(separator: ", "))
      }
      if ![.tags, .measure, .detail, .ignore, .people].contains(field) {
        // The guess for another column gives way.
        for other in mapping.columns.indices where mapping.columns[other].field == field {
          mapping.columns[other].field = .detail
          mapping.columns[other].unit = nil
        }
      }
      mapping.columns[index].field = field
      let name = columns[index].name
      // A column that was already a measure keeps the unit found in its values.
      let guessed = columns[index].field == field ? columns[index].unit : nil
      switch field {
      case .measure: mapping.columns[index].unit = guessed ?? TableUnits.unit(of: name)
      case .duration:
        mapping.columns[index].unit = guessed ?? TableUnits.lengthUnit(of: name) ?? "minutes"
      default: mapping.columns[index].unit = nil
      }
    }
    return mapping
  }

  /// Parses the assignments.
  ///
  /// - Throws: `FieldError` if a part isn't `FIELD=COLUMN`.
  package static func assignments(
    _ text: String
  ) throws(FieldError) -> [(field: TableField, column: String)] {
    var result: [(field: TableField, column: String)] = []
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // A comma in a column's name belongs to it.
      guard pair.count == 2 else {
        guard !result.isEmpty else {
          throw FieldError(
            "map", "is \(FieldError.shown(text)), but must look like text=Title,start=Date")
        }
        result[result.count - 1].column += ",\(part)"
        continue
      }
      let name = pair[0].filter { !$0.isWhitespace }
      guard let field = TableField.allCases.first(where: { isSame($0.rawValue, name) }) else {
        throw FieldError(
          "map",
          "contains \(FieldError.shown(name)), but only these are allowed: "
            + TableField.allCases.map(\.rawValue).joined(separator: ", "))
      }
      result.append((field, String(pair[1])))
    }
    return result
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    NameFolding.key(one) == NameFolding.key(other)
  }
}

/// A mapping that is stored under a name and used for tables with the same columns.
package struct TableProfile: Hashable, Sendable {
  package var name: String
  package var mapping: TableMapping

  package init(name: String, mapping: TableMapping) {
    self.name = name
    self.mapping = mapping
  }

  package var json: JSON {
    [
      "name": .string(name),
      "columns": .array(
        mapping.columns.map {
          ["name": .string($0.name), "field": .string($0.field.rawValue), "unit": JSON($0.unit)]
        }),
    ]
  }

  /// Parses a stored profile; returns nil if it isn't one, and ignores a newer version's fields.
  package init?(_ json: JSON) {
    guard let name = json["name"]?.string, let columns = json["columns"]?.array else { return nil }
    self.name = name
    mapping = TableMapping(
      columns: columns.compactMap { column in
        guard let name = column["name"]?.string else { return nil }
        let field = column["field"]?.string.flatMap(TableField.init(rawValue:)) ?? .ignore
        return TableMapping.Column(name: name, field: field, unit: column["unit"]?.string)
      })
  }
}
