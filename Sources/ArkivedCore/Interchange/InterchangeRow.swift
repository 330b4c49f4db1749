import Foundation

/// A value in another program's table, as that program stored it.
package enum InterchangeValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Stored as text but not valid UTF-8.
  case brokenText([UInt8])
  case blob([UInt8])

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var isNull: Bool { self == .null }

  /// Returns true if two values were stored identically: 5 and 5.0 are different.
  package static func == (left: InterchangeValue, right: InterchangeValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    // Swift considers canonically equivalent texts equal even if their bytes differ.
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
  /// The value as JSON, without loss.
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

/// A row of another program's table, stored unchanged so that it can be written back.
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
  /// The key that identifies the row in its table.
  package var key: String
  package var columns: [Column]

  package init(table: String, key: String, columns: [Column]) {
    self.table = table
    self.key = key
    self.columns = columns
  }

  /// The value of a column; names ignore case, as in SQLite.
  package subscript(name: String) -> InterchangeValue? {
    columns.first { $0.name == name }?.value
      ?? columns.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package var json: JSON {
    var object = JSONObject()
    for column in columns { object[column.name] = column.value.json }
    return .object(object)
  }

  /// Creates a row from JSON.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - key: the key that identifies the row in its table.
  ///   - json: the columns, in the form of `json`.
  package init?(table: String, key: String, json: JSON) {
    guard let members = json.object?.members else { return nil }
    var columns: [Column] = []
    for (name, value) in members {
      guard let value = InterchangeValue(value) else { return nil }
      columns.append(Column(name: name, value: value))
    }
    self.init(table: table, key: key, columns: columns)
  }

  /// The whole row as a line of an export, also used while it is waiting for a decision.
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

/// A table of another program, with its columns as declared.
package struct InterchangeTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: String
    /// The position in the primary key, from 1, or 0 if it is not part of it.
    package var keyPlace: Int
    package var isRequired: Bool

    package init(name: String, type: String, keyPlace: Int = 0, isRequired: Bool = false) {
      self.name = name
      self.type = type
      self.keyPlace = keyPlace
      self.isRequired = isRequired
    }

    /// True if SQLite converts values stored in the column to integers.
    package var isInteger: Bool { type.uppercased().contains("INT") }
  }

  package var name: String
  package var columns: [Column]

  package init(name: String, columns: [Column]) {
    self.name = name
    self.columns = columns
  }

  /// The name of the table in which table layouts are stored.
  package static let layouts = "sqlite_schema"

  /// The layout as a row that can be stored.
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
