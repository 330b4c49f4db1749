import ArkivedCore

/// The part of JSON Schema (2020-12) that the tools' schemas use, read from the schema alone.
enum SchemaCheck {
  /// Returns whether a value fits a schema, whose references begin at the schema `whole`.
  static func fits(_ value: JSON, _ schema: JSON, in whole: JSON? = nil) -> Bool {
    let whole = whole ?? schema
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      guard let own = whole["$defs"]?[String(name)] else { return false }
      return fits(value, own, in: whole)
    }
    if let choices = schema["anyOf"]?.array {
      return choices.contains { fits(value, $0, in: whole) }
    }
    let types = schema["type"]?.array?.compactMap(\.string) ?? schema["type"]?.string.map { [$0] }
    if let types, !types.contains(where: { isOf($0, value) }) { return false }
    if let values = schema["enum"]?.array, !values.contains(value) { return false }
    switch value {
    case .string(let text): return fits(text, schema)
    case .integer, .number: return fits(value.double ?? 0, schema)
    case .array(let elements):
      if let most = schema["maxItems"]?.int, elements.count > most { return false }
      if let least = schema["minItems"]?.int, elements.count < least { return false }
      return elements.allSatisfy { element in
        schema["items"].map { fits(element, $0, in: whole) } ?? true
      }
    case .object(let object): return fits(object, schema, whole)
    case .null, .bool: return true
    }
  }

  private static func isOf(_ type: String, _ value: JSON) -> Bool {
    switch type {
    case "null": value == .null
    case "boolean": value.bool != nil
    case "string": value.string != nil
    case "integer": value.double.map { $0 == $0.rounded() } ?? false
    case "number": value.double != nil
    case "array": value.array != nil
    case "object": value.object != nil
    default: false
    }
  }

  private static func fits(_ text: String, _ schema: JSON) -> Bool {
    let count = text.unicodeScalars.count
    return count >= schema["minLength"]?.int ?? 0 && count <= schema["maxLength"]?.int ?? .max
  }

  private static func fits(_ number: Double, _ schema: JSON) -> Bool {
    number >= schema["minimum"]?.double ?? -.infinity
      && number <= schema["maximum"]?.double ?? .infinity
  }

  private static func fits(_ object: JSONObject, _ schema: JSON, _ whole: JSON) -> Bool {
    let required = schema["required"]?.array?.compactMap(\.string) ?? []
    if required.contains(where: { object[$0] == nil }) { return false }
    if let most = schema["maxProperties"]?.int, object.members.count > most { return false }
    if let least = schema["minProperties"]?.int, object.members.count < least { return false }
    return object.members.allSatisfy { key, value in
      if let own = schema["properties"]?[key] { return fits(value, own, in: whole) }
      switch schema["additionalProperties"] {
      case .bool(let isAllowed): return isAllowed
      case let further?: return fits(value, further, in: whole)
      case nil: return true
      }
    }
  }
}
