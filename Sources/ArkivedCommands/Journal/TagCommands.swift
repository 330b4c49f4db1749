import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `tag` command: tags, and those of an activity.
struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "List tags, change an entry’s tags, or change a tag itself.",
    discussion: """
      arkived tag                              all tags with their counts
      arkived tag 3F2A91B0 --add food --remove lunch
      arkived tag rename rnning running        everywhere it’s used
      arkived tag merge jogging running        merges the first into the second
      arkived tag duplicates                   tags that may mean the same
      arkived tag colour running green
      arkived tag delete errand                from everything; undo with arkived undo
      """,
    subcommands: [
      TagActivities.self, TagRename.self, TagMerge.self, TagDuplicates.self, TagColouring.self,
      TagDelete.self,
    ], defaultSubcommand: TagActivities.self)
}

/// The `tag [ID]` command: lists tags, or changes those of an activity.
struct TagActivities: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List all tags, or change the tags of an entry or note (default).")

  @Argument(
    help: "The entry, meeting or note. Without one, all tags are listed with their counts.",
    completion: .identities)
  var id: String?

  @Option(help: "A tag to add. Can be repeated.", completion: .tags) var add: [String] = []
  @Option(help: "A tag to remove. Can be repeated.", completion: .tags) var remove: [String] = []
  @Option(help: "Only list tags that start with this.") var prefix = ""

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let id else {
      guard add.isEmpty, remove.isEmpty else {
        throw CommandFailure(
          .usage, said("Specify the entry to tag: `arkived tag ID --add …`"))
      }
      let tags = try archive.tags(prefix: prefix)
      context.output.result(
        [
          "tags": .array(
            tags.map { ["name": .string($0.tag.name), "count": JSON($0.count)] })
        ], lines: tags.map { "\($0.count)\t#\($0.tag.name)" })
      return
    }
    let thing = try Identified(archive: archive).find(id)
    let marks = SearchActions.Marks(
      added: add.map { TagArgument.bare($0) },
      removed: Set(remove.map { NameFolding.key(TagArgument.bare($0)) }))
    let advice = try TagAdvice(adding: marks.added, to: archive)
    if thing.kind == .note {
      let saved = try archive.updateNote(thing.id) { marks.apply(to: &$0.tags) }
      context.output.result(
        ["updated": saved.value.json], lines: [MeetingText(context).line(saved.value)])
    } else if let key = thing.entryID, thing.kind != .day {
      let saved = try archive.updateActivity(key) { marks.apply(to: &$0) }
      try context.output.result(
        ["updated": saved.value.json], lines: [EntryText(context, archive).line(saved.value)])
    } else {
      throw CommandFailure(
        .usage,
        said(
          """
          “\(EntryText.oneLine(thing.label))” can’t have tags (\(thing.kind.word)). Only entries, \
          meetings and notes can.
          """
        ))
    }
    advice.say(context.output)
  }
}

struct TagRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a tag everywhere it’s used.")

  @Argument(help: "The tag.", completion: .tags) var tag: String
  @Argument(help: "The new name. You can also change just the capitalisation.") var name: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let old = try archive.tag(named: tag)
    let saved = try archive.renameTag(old.id, to: TagArgument.bare(name))
    try TagReport(context, archive).tell(saved, as: "updated")
  }
}

struct TagMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge two tags. arkived undo separates them again.")

  @Argument(help: "The tag to merge into the other.", completion: .tags) var tag: String
  @Argument(help: "The tag to keep.", completion: .tags) var into: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let gone = try archive.tag(named: tag)
    let saved = try archive.mergeTag(gone.id, into: try archive.tag(named: into).id)
    try TagReport(context, archive).tell(saved, as: "merged")
  }
}

struct TagDuplicates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List tags that may mean the same thing.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let proposals = try context.open().tagProposals(limit: 100)
    context.output.result(
      [
        "duplicates": .array(
          proposals.map { ["kept": $0.kept.json, "merged": $0.merged.json] })
      ],
      lines: proposals.map {
        said(
          "#\($0.merged.tag.name) (\($0.merged.count)) and #\($0.kept.tag.name) (\($0.kept.count))")
      })
    if proposals.isEmpty, !context.output.isJSON {
      context.output.say(said("No similar tags found."))
    }
  }
}

struct TagColouring: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "colour", abstract: "Give a tag a colour. Use none to remove it.",
    aliases: ["color"])

  @Argument(help: "The tag.", completion: .tags) var tag: String
  @Argument(
    help: "red, orange, amber, green, teal, blue, purple, pink, or none.",
    completion: .list(TagColour.allCases.map(\.rawValue) + ["none"]))
  var colour: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let wanted = colour.lowercased() == "none" ? nil : try TagColour(named: colour)
    let saved = try archive.colourTag(try archive.tag(named: tag).id, wanted)
    try TagReport(context, archive).tell(saved, as: "updated")
  }
}

struct TagDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Remove a tag from everything. The entries are kept.")

  @Argument(help: "The tag.", completion: .tags) var tag: String
  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let old = try archive.tag(named: tag)
    let name = EntryText.oneLine(old.tag.name)
    try Confirmation.ask(
      said(
        old.count, one: "Remove #\(name) from one entry?",
        other: "Remove #\(name) from \(old.count) entries?"), isGiven: yes,
      refusal: said("Nothing was deleted."))
    let saved = try archive.deleteTag(old.id)
    context.output.result(
      ["deleted": old.json], lines: (saved.change?.summary).map { [saidAgain("\($0).")] } ?? [])
    context.output.say(said("`arkived undo` reverts this."))
  }
}

/// A report on a changed tag.
private struct TagReport {
  let context: Context
  let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  func tell(_ saved: Saved<TagEdit>, as key: String) throws {
    let tag = try archive.tag(saved.value.tag.id)
    context.output.result(
      [key: tag?.json ?? saved.value.tag.json, "entries": JSON(saved.value.entries)],
      lines: [saved.change.map { saidAgain("\($0.summary).") } ?? said("Nothing changed.")])
  }
}
