import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// The `brief` command: the things to know before a meeting.
struct BriefCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "brief",
    abstract: "Prepare for a meeting: who’s coming, what was said, what’s open.",
    discussion: """
      arkived brief                  the next meeting
      arkived brief Review
      arkived brief today            all of today’s meetings
      arkived brief --sum-up         with a summary by your language model

      Every line ends with its source.
      """)

  @Argument(help: "next, today, an ID, or a title or part of it.")
  var meeting: [String] = []
  @Flag(help: "Let your language model sum it up. Each sentence is checked against the brief.")
  var sumUp = false
  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    let summarizer = try summarizer(context, archive)
    let wanted = meeting.isEmpty ? "next" : meeting.joined(separator: " ")
    let engine = BriefEngine(
      archive: archive, zone: context.zone,
      retriever: SearchRetriever(HybridSearch(archive: archive, zone: context.zone)))
    let text = MeetingText(context)
    guard NameFolding.loose(wanted) == "today" else {
      let entry = try archive.meeting(named: wanted, now: archive.clock.now)
      let brief = try engine.brief(of: entry)
      let summary = try await summarizer?.summary(of: brief, now: archive.clock.now)
      return context.output.result(
        ["brief": Self.json(brief, summary)], lines: text.lines(brief) + text.lines(summary))
    }
    let meetings = try archive.meetings(.briefed(on: context.today))
    let briefs = try meetings.map { try engine.brief(of: $0) }
    var documents: [JSON] = []
    var lines: [[String]] = []
    for brief in briefs {
      let summary = try await summarizer?.summary(of: brief, now: archive.clock.now)
      documents.append(Self.json(brief, summary))
      lines.append(text.lines(brief) + text.lines(summary))
    }
    context.output.result(
      ["briefs": .array(documents)], lines: Array(lines.joined(separator: ["", "—", ""])))
    if briefs.isEmpty, !context.output.isJSON {
      context.output.say(said("No meetings with others today."))
    }
  }

  /// A model may have to be loaded first; a person at a terminal can cancel.
  private static let patience = Duration.seconds(240)

  private func summarizer(_ context: Context, _ archive: Archive) throws -> ModelSummarizer? {
    guard sumUp else { return nil }
    guard
      let summarizer = try ModelSummarizer(
        configured: archive, zone: context.zone, patience: Self.patience)
    else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          No language model is set up. A brief works without one. To add one: `arkived assistant use \
          ADDRESS --model NAME`
          """))
    }
    return summarizer
  }

  private static func json(_ brief: Brief, _ summary: BriefSummary?) -> JSON {
    guard let summary, var object = brief.json.object else { return brief.json }
    object["summary"] = summary.json
    return .object(object)
  }
}
