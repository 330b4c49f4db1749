import Foundation

/// A value of another program's table, as that program stored it.
package enum InterchangeValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Stored as text, but no UTF-8.
  case brokenText([UInt8])
  case blob([UInt8])

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var isNull: Bool { self == .null }

  /// Two values are the same when they were stored the same: 5 and 5.0 are not.
  package static func == (left: InterchangeValue, right: InterchangeValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    // Swift takes texts for the same whose bytes differ.
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.brokenText(let left), .brokenText(let right)): left == right
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
    case .brokenText(let value), .blob(let value): hasher.combine(value)
    }
  }
}

extension InterchangeValue {
  /// The value as JSON from which it comes back exactly.
  package var json: JSON {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): ["real": .string("\(value)")]
    case .text(let value): .string(value)
    case .brokenText(let bytes): ["text": .string(Data(bytes).base64EncodedString())]
    case .blob(let bytes): ["blob": .string(Data(bytes).base64EncodedString())]
    }
  }

  package init?(_ json: JSON) {
    func bytes(_ key: String) -> [UInt8]? {
      json[key]?.string.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
    }
    switch json {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .string(let value): self = .text(value)
    case .object:
      if let real = json["real"]?.string.flatMap(Double.init) {
        self = .real(real)
      } else if let broken = bytes("text") {
        self = .brokenText(broken)
      } else if let blob = bytes("blob") {
        self = .blob(blob)
      } else {
        return nil
      }
    default: return nil
    }
  }
}

/// A row of another program's table, kept so that it can be written back as it was.
package struct InterchangeRow: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var value: InterchangeValue

    package init(name: String, value: InterchangeValue) {
      self.name = name
      self.value = value
    }
  }

  package var table: String
  /// What tells the row from the others of its table.
  package var key: String
  package var columns: [Column]

  package init(table: String, key: String, columns: [Column]) {
    self.table = table
    self.key = key
    self.columns = columns
  }

  /// A column's value; SQLite does not tell names apart by case.
  package subscript(name: String) -> InterchangeValue? {
    columns.first { $0.name == name }?.value
      ?? columns.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package var json: JSON {
    var object = JSONObject()
    for column in columns { object[column.name] = column.value.json }
    return .object(object)
  }

  /// - Parameter json: the columns, as `json` gives them.
  package init?(table: String, key: String, json: JSON) {
    guard let members = json.object?.members else { return nil }
    var columns: [Column] = []
    for (name, value) in members {
      guard let value = InterchangeValue(value) else { return nil }
      columns.append(Column(name: name, value: value))
    }
    self.init(table: table, key: key, columns: columns)
  }

  /// The whole row on a line of an export, or while it waits to be decided about.
  package var line: JSON {
    ["sourceTable": .string(table), "sourceKey": .string(key), "record": json]
  }

  package init?(line: JSON) {
    guard let table = line["sourceTable"]?.string, let key = line["sourceKey"]?.string,
      let record = line["record"]
    else { return nil }
    self.init(table: table, key: key, json: record)
  }
}

/// A table of another program: its columns, as they were declared.
package struct InterchangeTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: String
    /// Its place in the primary key, from 1; 0 when it is no part of it.
    package var keyPlace: Int
    package var isRequired: Bool

    package init(name: String, type: String, keyPlace: Int = 0, isRequired: Bool = false) {
      self.name = name
      self.type = type
      self.keyPlace = keyPlace
      self.isRequired = isRequired
    }

    /// Whether SQLite turns what is stored in it into whole numbers.
    package var isInteger: Bool { type.uppercased().contains("INT") }
  }

  package var name: String
  package var columns: [Column]

  package init(name: String, columns: [Column]) {
    self.name = name
    self.columns = columns
  }

  /// The table under which the layouts of tables are kept.
  package static let layouts = "sqlite_schema"

  /// The layout as a row that can be kept.
  package var row: InterchangeRow {
    InterchangeRow(
      table: InterchangeTable.layouts, key: name,
      columns: columns.map {
        .init(
          name: $0.name,
          value: .text("\($0.keyPlace)\($0.isRequired ? "!" : " ")\($0.type)"))
      })
  }

  package init(_ row: InterchangeRow) {
    name = row.key
    columns = row.columns.map { column in
      let text = column.value.text ?? ""
      let digits = text.prefix { $0.isNumber }
      let rest = text.dropFirst(digits.count)
      return Column(
        name: column.name, type: String(rest.dropFirst()), keyPlace: Int(digits) ?? 0,
        isRequired: rest.first == "!")
    }
  }
}
