import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `pin`: marks what should stay in sight.
struct Pin: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Pin an activity, or unpin it.")

  @Argument(help: "The activity: its identity or the first digits of it.", completion: .identities)
  var id: String

  @Flag(help: "Take the pin away.") var off = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let id = try archive.activityID(matching: id)
    let saved = try archive.updateActivity(id) { $0.isPinned = !off }
    try context.output.result(
      ["updated": saved.value.json], lines: [EntryText(context, archive).line(saved.value)])
  }
}

/// `tag`: lists tags, or changes those of an activity.
struct TagActivities: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "List all tags, or add and remove tags of an activity.",
    discussion: "arkived tag 3F2A91B0 --add food --remove lunch")

  @Argument(
    help: "The activity; without one, all tags are listed with their counts.",
    completion: .identities)
  var id: String?

  @Option(help: "A tag to add; may be repeated.", completion: .tags) var add: [String] = []
  @Option(help: "A tag to remove; may be repeated.", completion: .tags) var remove: [String] = []
  @Option(help: "List only tags that begin so.") var prefix = ""

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let id else {
      guard add.isEmpty, remove.isEmpty else {
        throw CommandFailure(.usage, "Say which activity the tags are for: arkived tag ID --add …")
      }
      let tags = try archive.tags(prefix: prefix)
      context.output.result(
        [
          "tags": .array(
            tags.map { ["name": .string($0.tag.name), "count": JSON($0.count)] })
        ], lines: tags.map { "\($0.count)\t#\($0.tag.name)" })
      return
    }
    let key = try archive.activityID(matching: id)
    let marks = SearchActions.Marks(
      added: add.map { TagArgument.bare($0) },
      removed: Set(remove.map { NameFolding.key(TagArgument.bare($0)) }))
    let advice = try TagAdvice(adding: marks.added, to: archive)
    let saved = try archive.updateActivity(key) { marks.apply(to: &$0) }
    try context.output.result(
      ["updated": saved.value.json], lines: [EntryText(context, archive).line(saved.value)])
    advice.say(context.output)
  }
}
