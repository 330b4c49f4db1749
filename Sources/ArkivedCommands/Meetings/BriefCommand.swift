import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// `brief`: what to know before a meeting.
struct BriefCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "brief",
    abstract: "Read up before a meeting: who comes, what was said, what is open.",
    discussion: """
      arkived brief                  the next meeting
      arkived brief Review
      arkived brief today            every meeting of today

      Every line ends with where it comes from.
      """)

  @Argument(help: "next, today, a title or a part of one, or an identity.")
  var meeting: [String] = []
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let wanted = meeting.isEmpty ? "next" : meeting.joined(separator: " ")
    let engine = BriefEngine(
      archive: archive, zone: context.zone,
      retriever: SearchRetriever(HybridSearch(archive: archive, zone: context.zone)))
    let text = MeetingText(context)
    guard NameFolding.loose(wanted) == "today" else {
      let entry = try archive.meeting(named: wanted, now: archive.clock.now)
      let brief = try engine.brief(of: entry)
      return context.output.result(["brief": brief.json], lines: text.lines(brief))
    }
    var filter = MeetingFilter()
    (filter.from, filter.to) = (context.today, context.today)
    filter.isWithOthers = true
    filter.includesDropped = false
    filter.order = .oldest
    let briefs = try archive.meetings(filter).map { try engine.brief(of: $0) }
    context.output.result(
      ["briefs": .array(briefs.map(\.json))],
      lines: Array(briefs.map(text.lines).joined(separator: ["", "—", ""])))
    if briefs.isEmpty, !context.output.isJSON {
      context.output.say(said("No meeting with others today."))
    }
  }
}
