import Foundation

/// The hints in `howGoalIsActionable` about which actions count.
public struct GoalHints: Hashable, Sendable {
  /// Names of units, as written.
  public var units: [String]
  /// Words or phrases, as written.
  public var keywords: [String]

  /// Makes hints.
  public init(units: [String] = [], keywords: [String] = []) {
    self.units = units
    self.keywords = keywords
  }

  /// The result of reading a text.
  public enum Reading: Hashable, Sendable {
    /// The goal has no hints.
    case absent
    /// The hints.
    case hints(GoalHints)
    /// The reason the text contains no valid hints; matching continues without them.
    case broken(String)
  }

  /// Reads `{"units":["minutes"],"keywords":["yoga"]}`.
  ///
  /// Either list may be missing; other members are ignored.
  public static func read(_ text: String?) -> Reading {
    guard let text, !isBlank(text) else { return .absent }
    let json: JSON
    do { json = try JSON(parsing: text) } catch {
      return .broken("it isn’t valid JSON, so every measurement in the goal’s unit counts")
    }
    guard let object = json.object else {
      return .broken("it is \(json.typeName), not an object with units and keywords")
    }
    var fields = FieldReader(object)
    do {
      let hints = GoalHints(
        units: try fields.strings("units") ?? [], keywords: try fields.strings("keywords") ?? [])
      let isEmpty = (hints.units + hints.keywords).allSatisfy(isBlank)
      guard !isEmpty else { return .broken("it contains neither units nor keywords") }
      return .hints(
        GoalHints(
          units: hints.units.filter { !isBlank($0) },
          keywords: hints.keywords.filter { !isBlank($0) }))
    } catch {
      return .broken("\(error.field) \(error.problem)")
    }
  }

  /// Returns the free text, in the form an older sibling app stores it ("three runs a week"), or
  /// nil for hints and for an empty field.
  ///
  /// Free text doesn't affect matching and is shown as it is.
  package static func words(_ text: String?) -> String? {
    guard case .broken = read(text) else { return nil }
    return text?.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The text form that `read` parses.
  public var text: String {
    JSON.object(["units": JSON(units), "keywords": JSON(keywords)]).text()
  }

  /// Returns the text form that replaces an old one and keeps its other members, or nil if there is
  /// nothing to keep.
  package func text(over old: String?) -> String? {
    var object = JSONObject()
    if case .hints = GoalHints.read(old), let old, let known = (try? JSON(parsing: old))?.object {
      object = known
    }
    object["units"] = JSON(units)
    object["keywords"] = JSON(keywords)
    let isBare = object.members.allSatisfy { ["units", "keywords"].contains($0.key) }
    return isBare && units.isEmpty && keywords.isEmpty ? nil : JSON.object(object).text()
  }
}
