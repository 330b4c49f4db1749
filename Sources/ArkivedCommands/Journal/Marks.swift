import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `pin` command: marks entries to keep in sight.
struct Pin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Pin or unpin an entry.")

  @Argument(
    help: "The entry or meeting: its ID or the first digits of it.",
    completion: .identities)
  var id: String

  @Flag(help: "Unpin it.") var off = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let thing = try Identified(archive: archive).find(id)
    guard let id = thing.entryID, thing.kind != .day else {
      throw CommandFailure(
        .usage,
        said(
          """
          “\(EntryText.oneLine(thing.label))” can’t be pinned (\(thing.kind.word)). Only entries \
          and meetings can.
          """
        ))
    }
    let saved = try archive.updateActivity(id) { $0.isPinned = !off }
    try context.output.result(
      ["updated": saved.value.json], lines: [EntryText(context, archive).line(saved.value)])
  }
}
