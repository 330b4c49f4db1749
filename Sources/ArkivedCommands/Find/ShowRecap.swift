import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// The `recap` command: a review of a day, week, month or year.
struct ShowRecap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recap",
    abstract: "Look back on a day, week, month or year. Every statement is based on entries.",
    discussion: """
      arkived recap                     this week so far
      arkived recap yesterday
      arkived recap last month
      arkived recap week 2026-03-09     the week around that day
      arkived recap 2025
      """)

  @Argument(
    help: "A day, a week, a month or a year. You can put day, week, month or year before it.")
  var time: [String] = []

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let span = try Self.span(time, context)
    let recaps = ArchiveRecap(archive: try context.open(), zone: context.zone)
    let output = context.output
    var shown = ContinuousClock.now
    let cited = try recaps.recap(of: span) { done, total in
      guard shown.duration(to: .now) > .seconds(1) else { return }
      shown = .now
      let (read, most) = (AmountText.grouped(done), AmountText.grouped(total))
      output.say(said("Reading entries: \(read) of at most \(most)."))
    }
    output.result(cited.json, lines: [cited.recap.title, "", cited.recap.text])
  }

  /// Returns the span that words refer to; this week without words.
  static func span(_ words: [String], _ context: Context) throws -> RecapSpan {
    guard let first = words.first?.lowercased() else { return .week(context.today) }
    if RecapSpan.units.contains(first) {
      let rest = words.dropFirst().joined(separator: " ")
      if rest.isEmpty, let span = RecapSpan(unit: first, around: context.today) { return span }
      let found = TimeReader(
        now: context.clock.now, zone: context.zone, language: TerminalLanguage.typed
      ).matches(in: rest)
      if found.count == 1, found[0].text.count == rest.count,
        let span = RecapSpan(unit: first, around: found[0].days.lowerBound)
      {
        return span
      }
    }
    let phrase = words.joined(separator: " ")
    if let day = DayKey(phrase) { return .day(day) }
    let matches = TimeReader(
      now: context.clock.now, zone: context.zone, language: TerminalLanguage.typed
    ).matches(in: phrase)
    guard let match = matches.first, matches.count == 1, match.text.count == phrase.count,
      let span = RecapSpan(holding: match.days)
    else {
      throw CommandFailure(
        .usage,
        said(
          """
          “\(phrase)” isn’t a day, week, month or year. Use yesterday, last week, march 2026 or \
          2025. To save it as an entry: `arkived add recap …`
          """))
    }
    return span
  }
}
