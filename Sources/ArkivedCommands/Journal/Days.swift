import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `today` command: the day so far.
struct Today: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "today", abstract: "Show today.")

  @OptionGroup var format: FormatOption
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options, format)
    let archive = try context.open()
    let day = try archive.day(context.today)
    try DayPrinter(context, archive).show([day], document: day.json)
    let waiting = try archive.countPendingActs()
    if waiting > 0 {
      context.output.say(
        said(
          waiting, one: "One change is waiting for approval: `arkived confirm`",
          other: "\(waiting) changes are waiting for approval: `arkived confirm`"))
    }
    try NudgeText.sayStanding(context, archive)
  }
}

/// The `day` command: any day.
struct ShowDay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day", abstract: "Show a day: 2026-03-14, yesterday, last sunday, 14 march.")

  @Argument(help: "The day. Default: today.", completion: .days)
  var date: [String] = []

  @OptionGroup var format: FormatOption
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options, format)
    let key = try context.day(date)
    let archive = try context.open()
    let day = try archive.day(key)
    let links = try BacklinkText(context, archive, .day(key))
    var document = day.json.object ?? JSONObject()
    document["backlinks"] = links.json
    try DayPrinter(context, archive).show([day], document: .object(document))
    if context.output.format == .text, !links.section.isEmpty {
      context.output.result(links.json, lines: links.section)
    }
  }
}
