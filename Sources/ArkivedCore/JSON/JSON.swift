import Foundation

/// A JSON value (RFC 8259).
///
/// Objects keep the order of their keys, so a line of an export can begin with its type and the
/// same value is always written as the same bytes.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

/// The members of a JSON object in order; each key occurs once.
package struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  package private(set) var members: [(key: String, value: JSON)]

  package init() { members = [] }

  package init(dictionaryLiteral elements: (String, JSON)...) {
    members = []
    for (key, value) in elements { self[key] = value }
  }

  package var keys: [String] { members.map(\.key) }
  package var isEmpty: Bool { members.isEmpty }

  /// The value of a key.
  ///
  /// Setting a value replaces it in place or appends it; setting nil removes it.
  package subscript(key: String) -> JSON? {
    get { index(of: key).map { members[$0].value } }
    set {
      let index = index(of: key)
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Returns the index of a key among the members.
  ///
  /// Objects are small, and a linear scan is faster than hashing.
  func index(of key: String) -> Int? {
    for index in members.indices where members[index].key == key { return index }
    return nil
  }

  /// Appends a member without checking for an existing one; for writers whose keys are known to be
  /// unique.
  package mutating func append(uncheckedKey key: String, _ value: JSON) {
    members.append((key, value))
  }

  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.members.count == right.members.count else { return false }
    return left.members.allSatisfy { right[$0.key] == $0.value }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(members.count)
    for key in keys.sorted() { hasher.combine(key) }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(nilLiteral: ()) { self = .null }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    var object = JSONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}

extension JSON {
  /// Creates a string, or null.
  package init(_ value: String?) { self = value.map(JSON.string) ?? .null }
  /// Creates a whole number, or null.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  /// Creates a number, or null if it is absent or not finite; whole numbers are written without a
  /// fraction.
  package init(_ value: Double?) {
    guard let value, value.isFinite else {
      self = .null
      return
    }
    if value == value.rounded(), abs(value) < 9e15 {
      self = .integer(Int64(value))
    } else {
      self = .number(value)
    }
  }
  /// Creates an instant in ISO 8601, or null.
  package init(_ value: Instant?) { self = value.map { .string($0.description) } ?? .null }
  /// Creates a day as `YYYY-MM-DD`, or null.
  package init(_ value: DayKey?) { self = value.map { .string($0.description) } ?? .null }
  /// Creates an array of strings.
  package init(_ values: [String]) { self = .array(values.map(JSON.string)) }

  /// The member of an object, or nil.
  package subscript(key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The value as a number, whether it was written as an integer or not.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The value as a whole number: 3.0 is valid, 3.5 gives nil.
  package var int: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The name of the type, such as "a string" or "a number", for messages about values of the wrong
  /// type.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
