package import ArkivedCore
import Foundation

/// What the assistant says to one sentence.
package struct AssistantReply: Sendable {
  package var text: String
  /// What a message of a conversation keeps beside the text: kind, citations, tools, how far it is
  /// proved.
  package var details: JSON
  /// Why a model's answer is missing or not whole; nil where nothing went wrong.
  package var problem: String?
  /// What is made up by all that is known; nil for what was computed.
  package var grounding: Grounding?
  /// Calls of tools, in their order.
  package var steps: [ToolStep]

  /// Acts that wait for the owner's yes.
  package var pending: [JSON] { steps.compactMap(\.answer.pending) }

  /// A sentence for an answer that is not proved; nil for one that is.
  package var warning: String? { details["grounding"].flatMap(Self.warning) }

  /// The same of what a message kept.
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
