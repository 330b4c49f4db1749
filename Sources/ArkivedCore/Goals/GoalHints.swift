import Foundation

/// What `howGoalIsActionable` says about which actions count.
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

  /// What a text was read as.
  public enum Reading: Hashable, Sendable {
    /// The goal says nothing of it.
    case absent
    /// The hints.
    case hints(GoalHints)
    /// Why the text is no hints; matching goes on without them.
    case broken(String)
  }

  /// Reads `{"units":["minutes"],"keywords":["yoga"]}`. Either list may be missing; other members
  /// are left alone.
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

  /// What stands there in free words, as the older relative keeps it: "three runs a week". It counts
  /// nothing and is shown as it is; nil for hints, and where nothing is said.
  package static func words(_ text: String?) -> String? {
    guard case .broken = read(text) else { return nil }
    return text?.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The text that `read` reads.
  public var text: String {
    JSON.object(["units": JSON(units), "keywords": JSON(keywords)]).text()
  }
}
