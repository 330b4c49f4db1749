package import Foundation

/// An invalid value of an entity's field.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field, such as `mood` or `people[2].name`.
  public var field: String
  /// The problem and the valid values, without the field's name: "is 9; it must be 1 to 5".
  public var problem: String

  /// Creates an error about a field.
  public init(_ field: String, _ problem: String) {
    self.field = field
    self.problem = problem
  }

  /// The field and its problem, without a full stop.
  public var description: String { "\(field) \(problem)" }

  /// Returns a number formatted for a message; a value that is not a number, or too large, is
  /// described in words.
  package static func shown(_ value: Double) -> String {
    value.isFinite ? AmountText.plain(value) : "too large, or no number"
  }

  package static func shown(_ value: String) -> String {
    let plain = value.prefix(60).map { $0.isNewline ? " " : $0 }
    return "“\(String(plain))\(value.count > 60 ? "…" : "")”"
  }
}

/// Reads the members of a JSON object by name and type, and records which were read.
package struct FieldReader: ~Copyable {
  package let object: JSONObject
  /// For each member, true if it was read.
  private var asked: [Bool]

  package init(_ object: JSONObject) {
    self.object = object
    asked = Array(repeating: false, count: object.members.count)
  }

  /// The keys of the object that were never read.
  package var unknownKeys: [String] {
    zip(object.members, asked).filter { !$0.1 }.map(\.0.key)
  }

  /// Returns the value of a key, or nil if it is absent or null.
  package mutating func value(_ key: String) -> JSON? {
    guard let index = object.index(of: key) else { return nil }
    asked[index] = true
    let value = object.members[index].value
    if case .null = value { return nil }
    return value
  }

  /// Returns true if the object has the key, even with a null value.
  package func has(_ key: String) -> Bool { object.index(of: key) != nil }

  package mutating func string(_ key: String) throws(FieldError) -> String? {
    guard let value = value(key) else { return nil }
    guard let string = value.string else {
      throw FieldError(key, "must be a string, not \(value.typeName)")
    }
    return string
  }

  package mutating func required(_ key: String) throws(FieldError) -> String {
    guard let value = try string(key) else { throw FieldError(key, "is missing") }
    return value
  }

  package mutating func strings(_ key: String) throws(FieldError) -> [String]? {
    guard let value = value(key) else { return nil }
    guard let array = value.array else {
      throw FieldError(key, "must be a list of strings, not \(value.typeName)")
    }
    var strings: [String] = []
    for element in array {
      guard let string = element.string else {
        throw FieldError(key, "must be a list of strings; it contains \(element.typeName)")
      }
      strings.append(string)
    }
    return strings
  }

  package mutating func double(_ key: String) throws(FieldError) -> Double? {
    guard let value = value(key) else { return nil }
    guard let number = value.double, number.isFinite else {
      throw FieldError(key, "must be a number, not \(value.typeName)")
    }
    return number
  }

  package mutating func int(_ key: String) throws(FieldError) -> Int? {
    guard let value = value(key) else { return nil }
    guard let number = value.int else {
      throw FieldError(key, "must be a whole number, not \(value.text())")
    }
    return number
  }

  package mutating func bool(_ key: String) throws(FieldError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let flag = value.bool else {
      throw FieldError(key, "must be true or false, not \(value.typeName)")
    }
    return flag
  }

  package mutating func instant(_ key: String) throws(FieldError) -> Instant? {
    guard let text = try string(key) else { return nil }
    guard let instant = Instant(text) else {
      throw FieldError(
        key,
        "is \(FieldError.shown(text)), but must be an ISO 8601 date and time such as "
          + "2026-03-14T09:30:00Z")
    }
    return instant
  }

  package mutating func day(_ key: String) throws(FieldError) -> DayKey? {
    guard let text = try string(key) else { return nil }
    guard let day = DayKey(text) else {
      throw FieldError(
        key, "is \(FieldError.shown(text)), but must be a day such as 2026-03-14")
    }
    return day
  }

  package mutating func uuid(_ key: String) throws(FieldError) -> UUID? {
    guard let text = try string(key) else { return nil }
    guard let id = UUID(identity: text) else {
      throw FieldError(key, "is \(FieldError.shown(text)), but must be a UUID")
    }
    return id
  }

  package mutating func object(_ key: String) throws(FieldError) -> JSONObject? {
    guard let value = value(key) else { return nil }
    guard let object = value.object else {
      throw FieldError(key, "must be an object, not \(value.typeName)")
    }
    return object
  }

  /// Reads each object of a list with `read`; errors name the element, such as `people[2].name`.
  package mutating func objects<Element>(
    _ key: String, _ read: (inout FieldReader) throws(FieldError) -> Element
  ) throws(FieldError) -> [Element]? {
    guard let value = value(key) else { return nil }
    guard let array = value.array else {
      throw FieldError(key, "must be a list of objects, not \(value.typeName)")
    }
    var elements: [Element] = []
    for (index, element) in array.enumerated() {
      guard let object = element.object else {
        throw FieldError("\(key)[\(index)]", "must be an object, not \(element.typeName)")
      }
      var reader = FieldReader(object)
      do throws(FieldError) {
        elements.append(try read(&reader))
      } catch {
        throw FieldError("\(key)[\(index)].\(error.field)", error.problem)
      }
    }
    return elements
  }
}
