package import ArkivedCore
package import Foundation

/// The outcome of an instruction.
package struct ActOutcome: Sendable {
  package enum State: String, Sendable {
    /// The instruction was carried out, and can be undone.
    case done
    /// The instruction is waiting for the owner's confirmation.
    case pending
    /// Several entries match, or none; nothing was done.
    case unclear
    /// A tool refused with a reason; nothing was done.
    case failed
  }

  package var state: State
  /// The reply to show.
  package var sentence: String
  /// The tool calls, with their answers.
  package var steps: [ToolStep] = []
  /// The matching entries if the instruction is ambiguous.
  package var candidates: [Activity] = []
  /// The entries that were mentioned, to which the next “that” refers.
  package var spokenOf: [UUID] = []

  /// The pending act, as the tool reported it.
  package var pending: JSON? { steps.last?.answer.pending }
  /// The change that undoing reverts.
  package var changeID: UUID? {
    steps.last?.answer.result?["changeId"]?.string.flatMap { UUID(identity: $0) }
  }

  /// The details that a conversation's message stores.
  package var details: JSON {
    var object: JSONObject = [
      "kind": "act", "state": .string(state.rawValue), "tools": .array(steps.map(\.json)),
      "spokenOf": JSON(spokenOf.map(\.uuidString)),
      "citations": .array(
        candidates.map {
          [
            "type": "activity", "id": .string($0.id.uuidString), "dayKey": JSON($0.dayKey),
            "snippet": .string(String($0.text.prefix(200))), "externalRefs": [],
          ]
        }),
      "citationCount": JSON(candidates.count),
    ]
    if let pending { object["pending"] = pending }
    if let changeID { object["changeId"] = .string(changeID.uuidString) }
    return .object(object)
  }
}

/// A tool call with its answer.
package struct ToolStep: Hashable, Sendable {
  package var call: ToolCall
  package var answer: ToolAnswer

  package init(_ call: ToolCall, _ answer: ToolAnswer) {
    self.call = call
    self.answer = answer
  }

  package var json: JSON { ["call": call.json, "answer": answer.json] }
}

/// The entries and changes that a conversation's messages mention.
package enum SpokenOf {
  /// Returns the last change made; nil if nothing was changed, or the change is waiting for
  /// confirmation.
  package static func lastChange(in messages: [ConversationMessage]) -> UUID? {
    let answers = messages.last { $0.role == .assistant && $0.details?["kind"]?.string == "act" }
    return answers?.details?["changeId"]?.string.flatMap { UUID(identity: $0) }
  }

  /// Returns the entries of the latest message that mentions any.
  package static func entries(in messages: [ConversationMessage]) -> [UUID] {
    for message in messages.reversed() where message.role == .assistant {
      let told = message.details?["spokenOf"]?.array?.compactMap(\.string) ?? []
      let cited = (message.details?["citations"]?.array ?? []).filter {
        $0["type"]?.string == HitType.activity.rawValue
      }.compactMap { $0["id"]?.string }
      let ids = (told.isEmpty ? cited : told).compactMap { UUID(identity: $0) }
      if !ids.isEmpty { return ids }
    }
    return []
  }
}
