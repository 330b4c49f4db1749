import ArkivedCore
import HTTPTypes
import Hummingbird

extension Request {
  /// Reads a query as the arguments of a tool, so the same rules apply to both.
  ///
  /// - Throws: `WebFailure` 400 with the name of the argument, also for unknown ones.
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

  /// Rejects any argument in the query.
  func refuseArguments() throws { try arguments { _ in } }

  /// Rejects arguments in the query that a route doesn't know, and those that are given twice.
  ///
  /// The answer to a misspelt filter would look like an answer to the right one.
  ///
  /// - Parameters:
  ///   - known: the names of the route's arguments.
  ///   - lists: those that can be given several times.
  /// - Throws: `WebFailure` 400 with the name of the argument.
  func refuseArguments(besides known: Set<String>, lists: Set<String> = []) throws {
    var given: Set<String> = []
    for name in fields.names {
      guard known.contains(name) else {
        throw WebFailure(
          .badRequest, "Invalid value", "\(FieldError.shown(name)) isn’t a known parameter.",
          field: String(name.prefix(60)))
      }
      guard given.insert(name).inserted || lists.contains(name) else {
        throw WebFailure(.badRequest, "Invalid value", "\(name) is given twice.", field: name)
      }
    }
  }
}

extension FormFields {
  private static let numbers: Set = [
    "limit", "offset", "termNumber", "minPriority", "maxPriority",
  ]
  private static let flags: Set = [
    "hasMeasurements", "hasDuration", "hasDates", "hasTarget", "linked", "progress", "all",
    "withOthers", "free", "done", "actions", "asNew",
  ]

  /// Returns the arguments of a query, with numbers and flags converted if possible and blank texts
  /// as null.
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
