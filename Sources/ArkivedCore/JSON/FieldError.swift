package import Foundation

/// A value that an entity cannot take, with the field it stands in.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field, such as `mood` or `people[2].name`.
  public var field: String
  /// What is wrong and what would be right, without the field's name: "is 9; it must be 1 to 5".
  public var problem: String

  /// Makes an error of a field.
  public init(_ field: String, _ problem: String) {
    self.field = field
    self.problem = problem
  }

  /// The field and what is wrong with it, without a full stop.
  public var description: String { "\(field) \(problem)" }

  /// A value shortened so that a message stays readable.
  /// A number for a sentence; what is none, or too large for one, in words.
  package static func shown(_ value: Double) -> String {
    value.isFinite ? AmountText.plain(value) : "too large, or no number"
  }

  package static func shown(_ value: String) -> String {
    let plain = value.prefix(60).map { $0.isNewline ? " " : $0 }
    return "“\(String(plain))\(value.count > 60 ? "…" : "")”"
  }
}

/// Reads the members of a JSON object by name and type, and remembers which were asked for.
package struct FieldReader: ~Copyable {
  package let object: JSONObject
  /// Which members were asked for, by their place.
  private var asked: [Bool]

  package init(_ object: JSONObject) {
    self.object = object
    asked = Array(repeating: false, count: object.members.count)
  }

  /// The keys of the object that nobody asked for.
  package var unknownKeys: [String] {
    zip(object.members, asked).filter { !$0.1 }.map(\.0.key)
  }

  /// The value of a key; nil when absent or null.
  package mutating func value(_ key: String) -> JSON? {
    guard let index = object.index(of: key) else { return nil }
    asked[index] = true
    let value = object.members[index].value
    if case .null = value { return nil }
    return value
  }

  /// Whether the key stands in the object, be it with null.
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

  /// Reads each object of a list with `read`; an error names the element: `people[2].name`.
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
