import ArkivedAssistant
import ArkivedCore
import Foundation

/// The parts of an answer on a page besides its text and citations: the tool calls, the acts that
/// wait for the owner, the changes that can be undone, and unproved statements.
enum MessageContext {
  /// The length of a call or a result that is shown.
  private static let shownLimit = 4_000

  static func parts(_ message: ConversationMessage) -> [String: Any] {
    let details = message.details ?? .null
    let steps = (details["tools"]?.array ?? []).map(step)
    var context: [String: Any] = [
      "hasSteps": !steps.isEmpty, "steps": steps,
      "stepsLabel": said(
        steps.count, one: "\(steps.count) step", other: "\(steps.count) steps"),
      "pending": (details["tools"]?.array ?? []).compactMap(pending),
      "warning": orFalse(details["grounding"].flatMap(AssistantReply.warning)),
      "problem": orFalse((details["problem"]?.string).map(saidAgain)),
      "modelLine": orFalse(details["model"]?.string.map { said("Wording by \($0)") }),
      "undoAction": false,
    ]
    let rows = BarChart(stored: details)?.rows ?? []
    (context["hasRows"], context["rows"]) = (!rows.isEmpty, rows)
    if let change = details["changeId"]?.string.flatMap({ UUID(identity: $0) }) {
      context["undoAction"] = "/changes/\(change.uuidString)/undo"
      context["undoBack"] = "/threads/\(message.threadID.uuidString)"
    }
    return context
  }

  /// Returns the text, or false if it is missing, because a missing value would be looked up in the
  /// surrounding context.
  private static func orFalse(_ text: String?) -> Any {
    if let text { return text }
    return false
  }

  /// Returns a call with its result as text.
  private static func step(_ json: JSON) -> [String: Any] {
    let answer = json["answer"] ?? .null
    let error = answer["error"]?["message"]?.string
    return [
      "name": json["call"]?["name"]?.string.map { ClippedText.of($0, limit: 60) } ?? "",
      "arguments": shown(json["call"]?["arguments"] ?? .null),
      "result": error.map { ClippedText.of($0, limit: shownLimit) }
        ?? shown(answer["result"] ?? .null),
    ]
  }

  private static func shown(_ json: JSON) -> String {
    ClippedText.of(json.text(indented: true), limit: shownLimit)
  }

  private static func pending(_ step: JSON) -> [String: Any]? {
    guard let act = step["answer"]?["result"]?["pending"],
      let id = act["id"]?.string.flatMap({ UUID(identity: $0) })
    else { return nil }
    return [
      "actHref": "/pending/\(id.uuidString)",
      "actLabel": ClippedText.of(
        (act["summary"]?.string).map(saidAgain) ?? said("A change"), limit: 200),
    ]
  }
}
