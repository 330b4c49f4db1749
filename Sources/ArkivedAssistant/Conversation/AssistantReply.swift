package import ArkivedCore
import Foundation

/// The assistant's reply to one sentence.
package struct AssistantReply: Sendable {
  package var text: String
  /// The details that a conversation's message stores besides the text: kind, citations, tools, how
  /// well it is supported.
  package var details: JSON
  /// The reason that a model's answer is missing or incomplete; nil if nothing went wrong.
  package var problem: String?
  /// The check of a model's answer against its sources; nil for a computed answer.
  package var grounding: Grounding?
  /// The tool calls, in order.
  package var steps: [ToolStep]

  /// The acts that are waiting for the owner's confirmation.
  package var pending: [JSON] { steps.compactMap(\.answer.pending) }

  /// A warning for an unsupported answer; nil for a supported one.
  package var warning: String? { details["grounding"].flatMap(Self.warning) }

  /// Returns the warning for a message's stored grounding.
  package static func warning(_ grounding: JSON) -> String? {
    let made = grounding["unsupported"]?.array?.compactMap(\.string) ?? []
    if !made.isEmpty {
      return said("Not found in your entries: \(made.prefix(8).joined(separator: ", "))")
    }
    return grounding["supported"]?.bool == false ? said("No entry supports this answer") : nil
  }

  init(_ outcome: ActOutcome) {
    text = outcome.sentence
    details = outcome.details
    steps = outcome.steps
  }

  init(computed answer: Answer) {
    text = answer.sentence
    details = answer.json
    steps = []
  }

  init(
    text: String, details: JSON, problem: String?, grounding: Grounding?, steps: [ToolStep]
  ) {
    self.text = text
    self.details = details
    self.problem = problem
    self.grounding = grounding
    self.steps = steps
  }
}
