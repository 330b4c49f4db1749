package import ArkivedCore
import ArkivedSearch
package import ArkivedStore
import Foundation

/// A conversation partner for the owner: it carries out instructions, answers questions from the
/// archive, and phrases the answer with a language model if one is configured.
package struct Assistant: Sendable {
  let archive: Archive
  let zone: Zone
  let tools: ToolBox
  let model: (any LanguageModel)?
  let context: Int
  let limits: AssistantLimits

  /// The maximum number of supporting entries stored with an answer.
  package static let keptCitations = 50

  /// Creates an assistant.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - tools: the tools.
  ///   - model: nil for none; the assistant works without one.
  ///   - context: the size of the model's context in tokens.
  ///   - limits: how much a model may do.
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

  /// Creates the assistant that the archive's owner configured.
  ///
  /// - Throws: `FieldError` if the settings can't be read.
  package init(configured archive: Archive, zone: Zone, tools: ToolBox) throws {
    let settings = try archive.home.flatMap { try ModelSettings.read(in: $0) }
    self.init(
      archive: archive, zone: zone, tools: tools, model: settings.map { ChatClient($0) },
      context: settings?.context ?? ModelSettings.usualContext)
  }

  /// True if a language model phrases answers.
  package var hasModel: Bool { model != nil }

  /// The model's display name.
  package var modelName: String { model?.name ?? "none; answers are computed" }

  /// Returns the assistant's reply to a sentence.
  ///
  /// - Parameters:
  ///   - sentence: the sentence.
  ///   - history: the earlier messages of the conversation.
  ///   - caller: the ID under which the tools are called.
  ///   - request: the key of the request that contains the sentence, so that a repetition adds
  ///     nothing again; nil if it may not be repeated.
  ///   - mayWrite: false to only answer: instructions aren't carried out, and a model can't write.
  ///   - heard: receives the model's text as it arrives.
  /// - Returns: the reply.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or changed.
  package func reply(
    to sentence: String, history: [ConversationMessage], by caller: ToolCaller,
    once request: RequestKey? = nil, mayWrite: Bool = true,
    heard: @escaping @Sendable (String) async -> Void = { _ in }
  ) async throws -> AssistantReply {
    let engine = ActEngine(archive: archive, zone: zone, tools: tools, once: request)
    let done = try await waiting(speaking: .current) { () throws -> ActOutcome? in
      guard mayWrite else { return nil }
      return try engine.act(
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
    // The model receives English, and its output is checked against that.
    let computed = try await waiting(asked)
    let sheet = try await waiting { try factSheet(for: sentence, computed) }
    var talk = ModelTalk(
      assistant: self, model: model, question: sentence, history: history, computed: computed,
      caller: caller, request: request, mayWrite: mayWrite, sheet: sheet)
    var reply = try await talk.run(heard: heard)
    if reply.grounding == nil, Language.current != .english {
      // The model returned nothing, so the computed answer is shown.
      reply.text = try await waiting(speaking: .current, asked).sentence
    }
    return reply
  }

  /// Returns the entries that the model receives before it asks for any.
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

  /// Runs blocking file work on a separate thread.
  ///
  /// - Parameters:
  ///   - language: the language of the results; models receive English.
  ///   - body: the work.
  /// - Returns: its result.
  /// - Throws: what `body` throws.
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

/// The limits for a model within one answer.
package struct AssistantLimits: Hashable, Sendable {
  /// The maximum number of requests to the model.
  package var turns = 6
  /// The maximum number of tool calls.
  package var calls = 12
  /// The maximum number of tool calls that write or propose changes.
  package var writes = 3
  /// The maximum number of invalid calls.
  package var errors = 4
  /// The maximum size of tool results sent to the model, in bytes.
  package var bytes = 120_000
  package var time = Duration.seconds(300)

  package init() {}
}
