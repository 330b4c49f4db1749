package import ArkivedCore
import ArkivedSearch
package import ArkivedStore
import Foundation

/// Talks with the owner: does what plain sentences tell, answers questions from the archive, and has a
/// language model phrase the answer where one is set.
package struct Assistant: Sendable {
  let archive: Archive
  let zone: Zone
  let tools: ToolBox
  let model: (any LanguageModel)?
  let context: Int
  let limits: AssistantLimits

  /// So many of the entries that prove an answer are kept with it.
  package static let keptCitations = 50

  /// - Parameters:
  ///   - model: nil for none, which is complete in itself.
  ///   - context: how many tokens the model can look at.
  package init(
    archive: Archive, zone: Zone, tools: ToolBox, model: (any LanguageModel)? = nil,
    context: Int = ModelSettings.usualContext, limits: AssistantLimits = AssistantLimits()
  ) {
    self.archive = archive
    self.zone = zone
    self.tools = tools
    self.model = model
    self.context = context
    self.limits = limits
  }

  /// The assistant as the archive's owner set it.
  ///
  /// - Throws: `FieldError` where the settings cannot be read.
  package init(configured archive: Archive, zone: Zone, tools: ToolBox) throws {
    let settings = try archive.home.flatMap { try ModelSettings.read(in: $0) }
    self.init(
      archive: archive, zone: zone, tools: tools, model: settings.map { ChatClient($0) },
      context: settings?.context ?? ModelSettings.usualContext)
  }

  /// Whether a language model phrases answers.
  package var hasModel: Bool { model != nil }

  /// For people.
  package var modelName: String { model?.name ?? "none; answers are computed" }

  /// What the assistant says to a sentence.
  ///
  /// - Parameters:
  ///   - history: what was said before in the conversation.
  ///   - caller: as whom the tools are called.
  ///   - heard: is told a model's text as it comes.
  package func reply(
    to sentence: String, history: [ConversationMessage], by caller: ToolCaller,
    heard: @escaping @Sendable (String) async -> Void = { _ in }
  ) async throws -> AssistantReply {
    let engine = ActEngine(archive: archive, zone: zone, tools: tools)
    let done = try await waiting(speaking: .current) {
      try engine.act(
        sentence, spokenOf: SpokenOf.entries(in: history),
        lastChange: SpokenOf.lastChange(in: history), by: caller)
    }
    if let done { return AssistantReply(done) }
    let asking = AskEngine(archive: archive, zone: zone, timelines: tools.timelines)
    let asked: @Sendable () throws -> Answer = {
      try asking.answer(sentence, citationLimit: Self.keptCitations)
    }
    guard let model else {
      return AssistantReply(computed: try await waiting(speaking: .current, asked))
    }
    // A model is told in English, and what it says is checked against that.
    let computed = try await waiting(asked)
    let sheet = try await waiting { try factSheet(for: sentence, computed) }
    var talk = ModelTalk(
      assistant: self, model: model, question: sentence, history: history, computed: computed,
      caller: caller, sheet: sheet)
    var reply = try await talk.run(heard: heard)
    if reply.grounding == nil, Language.current != .english {
      // The model said nothing: what was computed is told instead.
      reply.text = try await waiting(speaking: .current, asked).sentence
    }
    return reply
  }

  /// The entries that a model is given before it asks for any.
  private func factSheet(for question: String, _ computed: Answer) throws -> FactSheet {
    var sheet = FactSheet()
    var hits = Array(computed.citations.prefix(20))
    if hits.isEmpty {
      var request = SearchRequest(query: question, limit: 10)
      request.homeZone = zone
      let search = HybridSearch(archive: archive, zone: zone, indexes: tools.indexes)
      hits = try search.search(request).hits
    }
    for hit in hits {
      _ = sheet.number(
        type: hit.type.rawValue, id: hit.id, dayKey: hit.dayKey.description, text: hit.excerpt)
    }
    return sheet
  }

  /// Runs what waits for files on a thread of its own.
  ///
  /// - Parameter language: in which it tells what it found; models are told in English.
  func waiting<Value: Sendable>(
    speaking language: Language = .english, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try ShownDates.speaking(language, body) })
      }
    }
  }
}

/// How long and how far a model may go for one answer.
package struct AssistantLimits: Hashable, Sendable {
  /// How often the model is asked.
  package var turns = 6
  /// Calls of tools.
  package var calls = 12
  /// Calls that write or propose to.
  package var writes = 3
  /// Calls that were wrong.
  package var errors = 4
  /// Bytes of tools' results that are told to the model.
  package var bytes = 120_000
  package var time = Duration.seconds(300)

  package init() {}
}
