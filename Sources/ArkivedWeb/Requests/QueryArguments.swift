import ArkivedCore
import HTTPTypes
import Hummingbird

extension Request {
  /// Reads a query as the arguments of a tool, so that both are read by the same rules.
  ///
  /// - Throws: `WebFailure` 400 that names the argument, for unknown ones too.
  func arguments<Value>(
    _ read: (inout FieldReader) throws(FieldError) -> Value
  ) throws -> Value {
    do throws(FieldError) {
      var reader = FieldReader(fields.arguments)
      let value = try read(&reader)
      try reader.refuseUnknown()
      return value
    } catch {
      throw WebFailure(
        .badRequest, "A value does not fit", error.description + ".", field: error.field)
    }
  }

  /// Refuses any argument in the query.
  func refuseArguments() throws { try arguments { _ in } }
}

extension FormFields {
  private static let numbers: Set = [
    "limit", "offset", "termNumber", "minPriority", "maxPriority",
  ]
  private static let flags: Set = ["hasMeasurements", "linked", "progress", "all"]

  /// The first value of each name, those of numbers and flags as such where they can be read; blank
  /// ones are left out.
  var arguments: JSONObject {
    var object = JSONObject()
    for name in names where object[name] == nil {
      guard let text = text(name) else { continue }
      object[name] = .string(text)
      if Self.numbers.contains(name), let number = Int64(text) { object[name] = .integer(number) }
      if Self.flags.contains(name), ["true", "false"].contains(text) {
        object[name] = .bool(text == "true")
      }
    }
    return object
  }
}
