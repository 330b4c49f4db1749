import ArkivedCore
import ArkivedStore
import Foundation

/// One answer by a model, which receives the facts, may call tools, and has its output checked.
struct ModelTalk {
  let assistant: Assistant
  let model: any LanguageModel
  let question: String
  let history: [ConversationMessage]
  let computed: Answer
  let caller: ToolCaller
  let request: RequestKey?
  /// True if the owner's own words ask for writing, and may; questions never write.
  private let mayWrite: Bool
  var sheet: FactSheet

  private var steps: [ToolStep] = []
  private var results: [JSON] = []
  private var asked: Set<String> = []
  private var errors = 0
  private var writes = 0
  private var bytes = 0
  /// The bytes that tool calls and their results may take up in the model's context.
  private var room = Int.max

  /// The least size of a result that is worth sending.
  private static let leastResult = 500

  init(
    assistant: Assistant, model: any LanguageModel, question: String,
    history: [ConversationMessage], computed: Answer, caller: ToolCaller,
    request: RequestKey?, mayWrite: Bool, sheet: FactSheet
  ) {
    self.assistant = assistant
    self.model = model
    self.question = question
    self.history = history
    self.computed = computed
    self.caller = caller
    self.request = request
    self.mayWrite = mayWrite && WritingIntent.isStated(in: question)
    self.sheet = sheet
  }

  private var limits: AssistantLimits { assistant.limits }

  mutating func run(heard: @escaping @Sendable (String) async -> Void) async throws
    -> AssistantReply
  {
    let tools = AssistantPrompt.tools(context: assistant.context, writes: mayWrite)
    var messages = opening(tools)
    let clock = ContinuousClock()
    let end = clock.now + limits.time
    do {
      for turn in 1...limits.turns {
        let isLast =
          turn == limits.turns || steps.count >= limits.calls || bytes >= limits.bytes
          || room - bytes < Self.leastResult
        if isLast { messages.append(ModelMessage(.user, AssistantPrompt.lastTurn)) }
        let request = ModelRequest(
          messages: messages, tools: isLast ? [] : tools, tokenLimit: replyTokens)
        guard let reply = try await Self.reply(of: model, to: request, until: end, heard: heard)
        else { break }
        if reply.calls.isEmpty { return finished(reply.text, problem: ending(reply)) }
        guard !isLast, errors < limits.errors, clock.now < end else {
          return finished(reply.text, problem: "The model kept calling tools and was stopped.")
        }
        // What the model says next is a text of its own.
        if reply.text.contains(where: { !$0.isWhitespace }) { await heard("\n\n") }
        messages.append(ModelMessage(.assistant, reply.text, calls: reply.calls))
        bytes += reply.calls.reduce(reply.text.utf8.count) { $0 + $1.arguments.utf8.count }
        for call in reply.calls {
          let told = try await answer(call)
          messages.append(ModelMessage(.tool, told, callID: call.id))
        }
      }
    } catch let error as ModelError {
      return finished(error.said, problem: error.description)
    }
    return finished("", problem: "The model didn’t finish and was stopped.")
  }

  /// Returns the model's reply, or nil if the time for the whole answer is over before it is
  /// complete.
  private static func reply(
    of model: any LanguageModel, to request: ModelRequest, until end: ContinuousClock.Instant,
    heard: @escaping @Sendable (String) async -> Void
  ) async throws -> ModelReply? {
    try await withThrowingTaskGroup(of: ModelReply?.self) { group in
      group.addTask { try await model.reply(to: request, heard: heard) }
      group.addTask {
        try await Task.sleep(until: end, clock: .continuous)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private func ending(_ reply: ModelReply) -> String? {
    if reply.text.allSatisfy(\.isWhitespace) { return "The model didn’t answer." }
    return reply.finish == "length" ? "The model’s answer was too long and was cut off." : nil
  }

  // MARK: Context for the model

  private var replyTokens: Int { min(1_024, assistant.context / 4) }

  /// Returns the first messages to the model, truncated to its context.
  ///
  /// Entries without room in it are dropped, because the model can't cite what it wasn't given.
  private mutating func opening(_ tools: [ToolDescription]) -> [ModelMessage] {
    let today = assistant.zone.dayKey(at: assistant.archive.clock.now)
    let system = AssistantPrompt.system(today: today, zone: assistant.zone)
    let schemas = tools.reduce(0) { $0 + $1.schema.text().utf8.count + $1.summary.utf8.count + 60 }
    let whole = AssistantPrompt.characters(assistant.context - replyTokens)
    let room = max(1_000, whole - schemas - system.utf8.count - question.utf8.count)
    var messages = [ModelMessage(.system, system)]
    var left = room / 4
    var earlier: [ModelMessage] = []
    for message in history.reversed() {
      left -= message.text.utf8.count
      guard left >= 0 else { break }
      earlier.append(ModelMessage(message.role == .user ? .user : .assistant, message.text))
    }
    messages += earlier.reversed()
    let sentence = computed.kind == "none" ? nil : computed.sentence
    let facts = AssistantPrompt.facts(computed: sentence, sheet, limit: room / 3)
    sheet.keep(facts.count)
    messages.append(ModelMessage(.user, "\(facts.text)\nQuestion: \(question)"))
    let used = messages.reduce(schemas) { $0 + $1.text.utf8.count }
    self.room = max(2_000, whole - used)
    return messages
  }

  // MARK: Tools

  /// Runs a tool call by the model if it is allowed.
  ///
  /// - Returns: the result to send to the model.
  private mutating func answer(_ asked: ModelCall) async throws -> String {
    let call: ToolCall
    do throws(ToolError) {
      call = try checked(asked)
    } catch {
      errors += 1
      let answer = ToolAnswer(
        to: ToolCall(id: asked.id, name: asked.name, arguments: [:]), .error(error))
      steps.append(ToolStep(ToolCall(id: asked.id, name: asked.name), answer))
      return told(error.json)
    }
    let caller = caller
    let tools = assistant.tools
    let once = request.map { ToolRequest(call, partOf: $0) }
    let answer = try await assistant.waiting { tools.call(call, by: caller, once: once) }
    steps.append(ToolStep(call, answer))
    switch answer.outcome {
    case .error(let error):
      errors += 1
      return told(error.json)
    case .result(let result):
      results.append(result)
      return told(sheet.numbered(result))
    }
  }

  /// Returns a validated call.
  private mutating func checked(_ asked: ModelCall) throws(ToolError) -> ToolCall {
    guard steps.count < limits.calls else {
      throw ToolError(.refused, "No more tools can be called. Answer from what is there.")
    }
    let text = asked.arguments.allSatisfy(\.isWhitespace) ? "{}" : asked.arguments
    guard let arguments = (try? JSON(parsing: text))?.object else {
      throw ToolError(
        .invalidArgument, "The arguments of \(asked.name.prefix(60)) aren’t a JSON object.")
    }
    guard self.asked.insert("\(asked.name) \(JSON.object(arguments).text())").inserted else {
      throw ToolError(.refused, "This was already called. See its result above.")
    }
    if let tool = ToolBox.tools.first(where: { $0.name == asked.name }), !tool.isReadOnly {
      guard mayWrite else {
        throw ToolError(.refused, "The owner asked a question, so nothing may be written.")
      }
      writes += 1
      guard writes <= limits.writes else {
        throw ToolError(.refused, "No more can be written for a single message of the owner.")
      }
    }
    return ToolCall(id: asked.id, name: asked.name, arguments: arguments)
  }

  private mutating func told(_ json: JSON) -> String {
    let usual = max(2_000, AssistantPrompt.characters(assistant.context) / 6)
    let shown = Self.cut(json.text(), to: min(usual, room - bytes))
    bytes += shown.utf8.count
    return shown
  }

  /// Returns a text, or its beginning if it is longer than a number of bytes.
  private static func cut(_ text: String, to most: Int) -> String {
    guard text.utf8.count > most else { return text }
    var count = most
    while count >= leastResult / 2 {
      let beginning = String(text.prefix(count))
      let shown = JSON.object(["isCut": true, "beginning": .string(beginning)]).text()
      // Marks and quotation marks take up more than one byte.
      if shown.utf8.count <= most { return shown }
      count = count * 3 / 4
    }
    return JSON.object(["isCut": true]).text()
  }

  // MARK: The final reply

  /// Returns the reply with its evidence; the computed answer if the model returned nothing.
  private func finished(_ said: String, problem: String?) -> AssistantReply {
    let text = said.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else {
      var details = JSONObject()
      for (key, value) in computed.json.object?.members ?? [] { details[key] = value }
      details["tools"] = .array(steps.map(\.json))
      details["model"] = .string(model.name)
      details["problem"] = JSON(problem)
      return AssistantReply(
        text: computed.sentence, details: .object(details), problem: problem, grounding: nil,
        steps: steps)
    }
    let grounding = Grounding(
      text, given: sheet.facts.count, sources: sources,
      times: TimeReader(now: assistant.archive.clock.now, zone: assistant.zone))
    let cited = sheet.facts.filter { grounding.cited.contains($0.number) }
    var details: JSONObject = [
      "kind": .string(computed.kind), "model": .string(model.name),
      "computed": .string(computed.sentence), "grounding": grounding.json,
      "citations": .array(cited.map(\.json)), "citationCount": JSON(cited.count),
      "tools": .array(steps.map(\.json)),
    ]
    if let problem { details["problem"] = .string(problem) }
    return AssistantReply(
      text: text, details: .object(details), problem: problem, grounding: grounding, steps: steps)
  }

  /// The allowed sources of figures and dates.
  private var sources: GroundingSources {
    var sources = GroundingSources(zone: assistant.zone)
    sources.add(question)
    for message in history where message.role == .user { sources.add(message.text) }
    sources.add(computed.sentence)
    sources.add(.array(computed.values))
    sources.add(JSON(computed.citationCount))
    sources.add(.string(assistant.zone.dayKey(at: assistant.archive.clock.now).description))
    for fact in sheet.facts {
      sources.add(.string(fact.dayKey))
      sources.add(fact.text)
    }
    for result in results { sources.add(result) }
    return sources
  }
}
