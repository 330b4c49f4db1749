import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `pin`: marks what should stay in sight.
struct Pin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Pin an activity, or unpin it.")

  @Argument(
    help: "The activity or meeting: its identity or the first digits of it.",
    completion: .identities)
  var id: String

  @Flag(help: "Take the pin away.") var off = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let thing = try Identified(archive: archive).find(id)
    guard let id = thing.entryID, thing.kind != .day else {
      throw CommandFailure(
        .usage,
        said(
          "“\(EntryText.oneLine(thing.label))” is a \(thing.kind.word); only entries and meetings can be pinned."
        ))
    }
    let saved = try archive.updateActivity(id) { $0.isPinned = !off }
    try context.output.result(
      ["updated": saved.value.json], lines: [EntryText(context, archive).line(saved.value)])
  }
}
