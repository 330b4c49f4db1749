import ArkivedCore
import Foundation

/// Arguments validated against their declaration.
struct ToolArguments: Sendable {
  /// The given arguments, including nulls.
  let object: JSONObject

  /// Creates the arguments of a tool that validates them itself.
  init(unchecked object: JSONObject) { self.object = object }

  /// Validates arguments.
  ///
  /// - Throws: `ToolError` that names the first argument that is unknown, missing or invalid.
  init(_ object: JSONObject, of parameters: [ToolParameter], tool: String) throws(ToolError) {
    for (name, value) in object.members {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        let known = parameters.map(\.name).joined(separator: ", ")
        throw ToolError(
          .invalidArgument,
          "\(FieldError.shown(name)) isn’t an argument of \(tool). Valid: \(known).",
          argument: String(name.prefix(60)))
      }
      if let problem = parameter.problem(with: value) {
        throw ToolError(.invalidArgument, "\(name) \(problem).", argument: name)
      }
    }
    for parameter in parameters where parameter.isRequired && object[parameter.name] == nil {
      throw ToolError(
        .invalidArgument, "\(parameter.name) is missing and must be \(parameter.wanted).",
        argument: parameter.name)
    }
    self.object = object
  }

  /// Returns true if an argument was given, even as null.
  func has(_ name: String) -> Bool { object[name] != nil }

  func text(_ name: String) -> String? { object[name]?.string }
  func texts(_ name: String) -> [String] { object[name]?.array?.compactMap(\.string) ?? [] }
  func int(_ name: String) -> Int? { object[name]?.int }
  func instant(_ name: String) -> Instant? { text(name).flatMap { Instant($0) } }

  /// Returns a day, or the local day of an instant.
  func day(_ name: String, in zone: Zone) -> DayKey? {
    guard let text = text(name) else { return nil }
    switch TimeBound(text) {
    case .day(let day): return day
    case .instant(let instant): return zone.dayKey(at: instant)
    case nil: return nil
    }
  }

  /// Returns a required ID.
  func identity(_ name: String) throws -> UUID {
    guard let id = text(name).flatMap(UUID.init(identity:)) else {
      throw FieldError(name, "is missing")
    }
    return id
  }

  /// Returns a required text.
  func required(_ name: String) throws -> String {
    guard let text = text(name) else { throw FieldError(name, "is missing") }
    return text
  }

  /// Returns the span between two days, including both.
  func span(_ first: String, _ last: String, in zone: Zone) throws -> DayFilter {
    let (from, to) = (day(first, in: zone), day(last, in: zone))
    if let from, let to, from > to {
      throw FieldError(last, "is \(to), but must not be before \(first) (\(from))")
    }
    return DayFilter(from: from, to: to)
  }

  /// Returns the arguments without some of them.
  func leavingOut(_ names: String...) -> JSONObject {
    var rest = object
    for name in names { rest[name] = nil }
    return rest
  }
}
