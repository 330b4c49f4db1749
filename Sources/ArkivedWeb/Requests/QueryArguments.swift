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
      var reader = FieldReader(try fields.arguments())
      let value = try read(&reader)
      try reader.refuseUnknown()
      return value
    } catch {
      throw WebFailure(
        .badRequest, "Invalid value", error.description + ".", field: error.field)
    }
  }

  /// Refuses any argument in the query.
  func refuseArguments() throws { try arguments { _ in } }
}

extension FormFields {
  private static let numbers: Set = [
    "limit", "offset", "termNumber", "minPriority", "maxPriority",
  ]
  private static let flags: Set = [
    "hasMeasurements", "hasDuration", "hasDates", "hasTarget", "linked", "progress", "all",
    "withOthers", "free", "done",
  ]

  /// What a query names, numbers and flags as such where they can be read; a blank text is null.
  func arguments() throws(FieldError) -> JSONObject {
    var object = JSONObject()
    for name in names {
      guard object[name] == nil else { throw FieldError(name, "is given twice") }
      object[name] = value(name, text(name))
    }
    return object
  }

  private func value(_ name: String, _ text: String?) -> JSON {
    guard let text else { return .null }
    if Self.numbers.contains(name), let number = Int64(text) { return .integer(number) }
    if Self.flags.contains(name), ["true", "false"].contains(text) { return .bool(text == "true") }
    return .string(text)
  }
}
