import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// The `ask` command: a question, answered with supporting entries, or an order.
struct Ask: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Ask a question or give an instruction.",
    discussion: """
      arkived ask "what did I do with Alex last month?"
      arkived ask "how many times did I run in March?"
      arkived ask "move the dentist entry to friday"
      arkived ask "tag that as work"              that: the entry last added or changed

      Answers are computed from your entries and cite them. Instructions are carried out: additions \
      right away, and you can undo them. Changes and deletions are shown first and need your \
      approval. With --json, only questions are answered and nothing is changed. Programs call tools \
      instead.

      If a language model is set up (arkived assistant), it phrases the answers. What it says is \
      checked against your entries. With --plain, it isn’t used.

      Questions aren’t kept. --keep keeps the question and its answer as a conversation, like the \
      Assistant page. --continue continues the last conversation, and “that” then means what was \
      said there.
      """)

  @Argument(help: "The question or instruction.") var question: [String]
  @Option(help: "The number of citations to show.") var limit = 200
  @Flag(help: "Don’t use the language model.") var plain = false
  @Flag(help: "Approve changes and deletions without asking.") var yes = false
  @Flag(help: "Keep the question and answer as a conversation.") var keep = false
  @Flag(name: .customLong("continue"), help: "Continue the last conversation and keep it.")
  var goesOn = false

  @OptionGroup var options: GlobalOptions

  /// The maximum number of entries shown to a person.
  private static let shown = 30

  func run() async throws {
    let context = try Context(options)
    let text = question.joined(separator: " ")
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure(.badInput, said("The question is empty."))
    }
    let archive = try context.open()
    let tools = ToolBox(archive: archive, zone: context.zone)
    if keep || goesOn {
      return try await KeptTalk(context: context, archive: archive, tools: tools).say(
        text, goesOn: goesOn, isPlain: plain, isYes: yes)
    }
    let acts = ActEngine(archive: archive, zone: context.zone, tools: tools)
    if !context.output.isJSON, acts.isAct(text) {
      // Recorded conversations aren't edits.
      let last = try archive.changes(limit: 50).first { $0.action != "ask" }
      let spoken = try last.map { try Self.entries(of: $0, archive) } ?? []
      guard
        let outcome = try acts.act(text, spokenOf: spoken, lastChange: last?.id, by: .owner)
      else { return }
      return try ActReport(context: context, archive: archive, tools: tools).tell(
        outcome, isYes: yes)
    }
    let engine = AskEngine(
      archive: archive, zone: context.zone, typed: TerminalLanguage.typed)
    if !plain, let model = try Self.model(archive, context, tools) {
      return try await talk(text, model, engine, context)
    }
    try answer(text, engine, context)
  }

  // MARK: Without a model

  private func answer(_ text: String, _ engine: AskEngine, _ context: Context) throws {
    let output = context.output
    let answer = try computed(text, engine, output)
    let ids = try engine.archive.shortIDs(answer.citations.prefix(Self.shown).map(\.id))
    output.result(
      answer.json,
      lines: [answer.sentence]
        + (answer.citations.isEmpty ? [] : [""])
        + answer.citations.prefix(Self.shown).map { hit in
          "  \(hit.dayKey) \(output.excerpt(hit).prefix(160)) "
            + output.faint(ids[hit.id] ?? "")
        })
    guard !output.isJSON else { return }
    if answer.citationCount > Self.shown {
      output.say(
        said(
          """
          … \(answer.citationCount - Self.shown) more. Use --json --limit \(answer.citationCount) \
          to get all of them.
          """))
    }
  }

  private func computed(_ text: String, _ engine: AskEngine, _ output: Output) throws -> Answer {
    var shown = ContinuousClock.now
    return try engine.answer(text, citationLimit: max(1, limit)) { done, total in
      guard shown.duration(to: .now) > .seconds(1) else { return }
      shown = .now
      let (read, most) = (AmountText.grouped(done), AmountText.grouped(total))
      output.say(said("Reading entries: \(read) of at most \(most)."))
    }
  }

  // MARK: With a model

  private static func model(
    _ archive: Archive, _ context: Context, _ tools: ToolBox
  ) throws -> Assistant? {
    let assistant = try Assistant(configured: archive, zone: context.zone, tools: tools)
    return assistant.hasModel ? assistant : nil
  }

  /// Answers in JSON: the computed answer, together with the model's reply.
  private func talk(
    _ text: String, _ assistant: Assistant, _ engine: AskEngine, _ context: Context
  ) async throws {
    let output = context.output
    let streams = output.isTerminal && !output.isJSON
    let reply = try await Interrupt.cancelling {
      // What programs ask changes nothing.
      try await assistant.reply(
        to: text, history: [], by: .assistant(thread: nil), mayWrite: !output.isJSON
      ) { piece in
        if streams { output.part(piece) }
      }
    }
    if output.isJSON {
      var document = try computed(text, engine, output).json.object ?? [:]
      document["phrased"] = [
        "text": .string(reply.text), "details": reply.details, "problem": JSON(reply.problem),
      ]
      return output.result(.object(document), lines: [])
    }
    let cited = reply.details["citations"]?.array ?? []
    var lines = streams && reply.grounding != nil ? [""] : [reply.text]
    for entry in cited.prefix(Self.shown) {
      let number = entry["number"]?.int.map { "[\($0)] " } ?? ""
      let line = (entry["snippet"]?.string ?? "").split(whereSeparator: \.isNewline)
        .joined(separator: " ")
      lines.append("  \(number)\(entry["dayKey"]?.string ?? "") \(line.prefix(160))")
    }
    output.result(.null, lines: lines)
    if let warning = reply.warning { output.say(said("Warning: \(saidAgain(warning)).")) }
    if let problem = reply.problem { output.say(saidAgain(problem)) }
    for act in reply.pending { output.say(ActReport.waits(act)) }
  }

  // MARK: Meaning of “that”

  /// Returns the entries of a change that still exist.
  private static func entries(of change: Change, _ archive: Archive) throws -> [UUID] {
    let entities = try archive.entities(ofChange: change.id, limit: 20) ?? []
    return entities.filter { $0.type == .activity && $0.verb != .removed }.map(\.id)
  }
}
