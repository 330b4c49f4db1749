import ArkivedCore
import Foundation

/// An argument of a tool: a single declaration defines its schema, validation and description.
struct ToolParameter: Hashable, Sendable {
  /// The type of a value.
  enum Kind: Hashable, Sendable {
    /// A text with a limited number of characters (Unicode scalars).
    case text(most: Int = 10_000, least: Int = 0)
    case choice([String])
    /// A day, or an instant on it.
    case day
    case instant
    case identity
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case flag
    /// A list with a limited number of texts.
    case texts(most: Int)
    /// A list with a limited number of IDs.
    case identities(most: Int)
    /// Amounts by unit.
    case amounts
  }

  var name: String
  var kind: Kind
  var summary: String
  var isRequired = false
  /// True if null is allowed, which for an optional argument is equivalent to omitting it.
  var isNullable = true

  init(
    _ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false,
    isNullable: Bool? = nil
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.isRequired = isRequired
    self.isNullable = isNullable ?? !isRequired
  }

  static func required(_ name: String, _ kind: Kind, _ summary: String) -> ToolParameter {
    ToolParameter(name, kind, summary, isRequired: true)
  }

  private static let longestWord = 200
  private static let mostUnits = 50
}

// MARK: Schema

extension ToolParameter {
  /// The JSON Schema of the value.
  var schema: JSON {
    var object = kindSchema
    if isNullable, let type = object["type"] {
      object["type"] = [type, "null"]
      if let values = object["enum"]?.array { object["enum"] = .array(values + [.null]) }
    }
    object["description"] = .string(summary)
    return .object(object)
  }

  private var kindSchema: JSONObject {
    switch kind {
    case .text(let most, let least):
      var object: JSONObject = ["type": "string", "maxLength": JSON(most)]
      if least > 0 { object["minLength"] = JSON(least) }
      return object
    case .choice(let values): return ["type": "string", "enum": JSON(values)]
    case .day, .instant: return ["type": "string", "maxLength": JSON(Self.longestWord)]
    case .identity: return ["type": "string", "format": "uuid", "maxLength": 36, "minLength": 36]
    case .integer(let range):
      return [
        "type": "integer", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound),
      ]
    case .number(let range):
      return [
        "type": "number", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound),
      ]
    case .flag: return ["type": "boolean"]
    case .texts(let most):
      return [
        "type": "array", "maxItems": JSON(most),
        "items": ["type": "string", "minLength": 1, "maxLength": JSON(Self.longestWord)],
      ]
    case .identities(let most):
      return [
        "type": "array", "maxItems": JSON(most),
        "items": ["type": "string", "format": "uuid", "minLength": 36, "maxLength": 36],
      ]
    case .amounts:
      return [
        "type": "object", "maxProperties": JSON(Self.mostUnits),
        "additionalProperties": ["type": "number", "minimum": 0],
      ]
    }
  }

  /// Returns the JSON Schema (2020-12) of an object with these arguments and no others.
  static func schema(of parameters: [ToolParameter]) -> JSON {
    var properties = JSONObject()
    for parameter in parameters { properties[parameter.name] = parameter.schema }
    return [
      "type": "object", "properties": .object(properties),
      "required": JSON(parameters.filter(\.isRequired).map(\.name)),
      "additionalProperties": false,
    ]
  }
}

// MARK: Checking

extension ToolParameter {
  /// Returns the problem with a value; nil if it is valid.
  func problem(with value: JSON) -> String? {
    if case .null = value { return isNullable ? nil : "is null, but must be \(wanted)" }
    switch kind {
    case .text(let most, let least):
      return Self.text(value) { Self.length($0, least: least, most: most) }
    case .choice(let values):
      return Self.text(value) { text in
        values.contains(text) ? nil : "is \(FieldError.shown(text)), but must be \(wanted)"
      }
    case .day:
      return Self.text(value) { text in
        TimeBound(text) == nil ? "is \(FieldError.shown(text)), but must be \(wanted)" : nil
      }
    case .instant:
      return Self.text(value) { text in
        Instant(text) == nil ? "is \(FieldError.shown(text)), but must be \(wanted)" : nil
      }
    case .identity:
      return Self.text(value) { text in
        UUID(identity: text) == nil ? "is \(FieldError.shown(text)), but must be \(wanted)" : nil
      }
    case .integer(let range):
      guard let number = value.int else { return wrongType(value) }
      return range.contains(number) ? nil : "is \(number), but must be \(wanted)"
    case .number(let range):
      guard let number = value.double else { return wrongType(value) }
      return range.contains(number)
        ? nil : "is \(FieldError.shown(number)), but must be \(wanted)"
    case .flag: return value.bool == nil ? wrongType(value) : nil
    case .texts(let most): return problem(withTexts: value, most: most)
    case .identities(let most): return problem(withIdentities: value, most: most)
    case .amounts: return problem(withAmounts: value)
    }
  }

  private func problem(withTexts value: JSON, most: Int) -> String? {
    guard let elements = value.array else { return wrongType(value) }
    guard elements.count <= most else {
      return "has \(elements.count) elements, but at most \(most) are allowed"
    }
    for element in elements {
      let problem = Self.text(element) { Self.length($0, least: 1, most: Self.longestWord) }
      if let problem { return "contains an element that \(problem)" }
    }
    return nil
  }

  private func problem(withIdentities value: JSON, most: Int) -> String? {
    guard let elements = value.array else { return wrongType(value) }
    guard elements.count <= most else {
      return "has \(elements.count) elements, but at most \(most) are allowed"
    }
    for element in elements {
      let problem = Self.text(element) { text in
        UUID(identity: text) == nil ? "is \(FieldError.shown(text)), but must be a UUID" : nil
      }
      if let problem { return "contains an element that \(problem)" }
    }
    return nil
  }

  private func problem(withAmounts value: JSON) -> String? {
    guard let object = value.object else { return wrongType(value) }
    guard object.members.count <= Self.mostUnits else {
      return "has \(object.members.count) units, but at most \(Self.mostUnits) are allowed"
    }
    for (unit, amount) in object.members {
      guard let number = amount.double else {
        return "has \(amount.typeName) for \(FieldError.shown(unit)), but must have a number"
      }
      guard number >= 0, number.isFinite else {
        return "has \(FieldError.shown(number)) for \(FieldError.shown(unit)), not 0 or more"
      }
    }
    return nil
  }

  private func wrongType(_ value: JSON) -> String { "is \(value.typeName), but must be \(wanted)" }

  private static func text(_ value: JSON, _ check: (String) -> String?) -> String? {
    guard let text = value.string else { return "must be a string, not \(value.typeName)" }
    return check(text)
  }

  private static func length(_ text: String, least: Int, most: Int) -> String? {
    // There are at most as many scalars as bytes, so only a text that may be too long is counted.
    if text.utf8.count > most, text.unicodeScalars.count > most {
      return "is longer than \(most) characters"
    }
    return text.unicodeScalars.count < least ? "is empty" : nil
  }

  /// The description of valid values for messages and help: "a day such as 2026-03-14".
  var wanted: String {
    switch kind {
    case .text: "a string"
    case .choice(let values): "one of " + values.joined(separator: ", ")
    case .day: "a day such as 2026-03-14, or an instant such as 2026-03-14T09:30:00Z"
    case .instant: "an instant such as 2026-03-14T09:30:00Z"
    case .identity: "a UUID"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "a number from \(AmountText.plain(range.lowerBound)) to "
        + AmountText.plain(range.upperBound)
    case .flag: "true or false"
    case .texts(let most): "a list of at most \(most) strings"
    case .identities(let most): "a list of at most \(most) UUIDs"
    case .amounts: "an object with an amount for each unit, such as {\"km\": 5}"
    }
  }
}
