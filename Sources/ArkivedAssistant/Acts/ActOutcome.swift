package import ArkivedCore
package import Foundation

/// What came of a sentence that told to do something.
package struct ActOutcome: Sendable {
  package enum State: String, Sendable {
    /// It was carried out, and can be taken back.
    case done
    /// It waits for the owner's yes.
    case pending
    /// Several entries fit, or none; nothing was done.
    case unclear
    /// A tool said why not; nothing was done.
    case failed
  }

  package var state: State
  /// What to tell.
  package var sentence: String
  /// What the tools were asked, with their answers.
  package var steps: [ToolStep] = []
  /// Entries that fit, where that is unclear.
  package var candidates: [Activity] = []
  /// The entries that were spoken of, for the next “that”.
  package var spokenOf: [UUID] = []

  /// The act that waits, as the tool told it.
  package var pending: JSON? { steps.last?.answer.pending }
  /// The change by which it is undone.
  package var changeID: UUID? {
    steps.last?.answer.result?["changeId"]?.string.flatMap { UUID(identity: $0) }
  }

  /// What a message of a conversation keeps of it.
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

/// One call of a tool with what it answered.
package struct ToolStep: Hashable, Sendable {
  package var call: ToolCall
  package var answer: ToolAnswer

  package init(_ call: ToolCall, _ answer: ToolAnswer) {
    self.call = call
    self.answer = answer
  }

  package var json: JSON { ["call": call.json, "answer": answer.json] }
}

/// What messages of a conversation spoke of.
package enum SpokenOf {
  /// The change that was made last; nil where nothing was done, or it waited for a yes.
  package static func lastChange(in messages: [ConversationMessage]) -> UUID? {
    let answers = messages.last { $0.role == .assistant && $0.details?["kind"]?.string == "act" }
    return answers?.details?["changeId"]?.string.flatMap { UUID(identity: $0) }
  }

  /// The entries of the latest message that spoke of any.
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
