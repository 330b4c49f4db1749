import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `drafts` command: texts that were in an editor when it, the program or the machine stopped.
struct Drafts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drafts",
    abstract: "List, recover or discard unsaved text from an editor.",
    discussion: """
      arkived drafts                     lists them
      arkived drafts show NAME
      arkived drafts recover [NAME]      reopens it in your editor and saves it
      arkived drafts recover --as-is     saves it unchanged
      arkived drafts discard [NAME]
      """,
    subcommands: [DraftsList.self, DraftsShow.self, DraftsRecover.self, DraftsDiscard.self],
    defaultSubcommand: DraftsList.self)
}

struct DraftsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List unsaved drafts (the default).")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let drafts = DraftFolder(context.location).unfinished()
    context.output.result(
      [
        "drafts": .array(
          drafts.map {
            [
              "name": .string($0.name), "purpose": .string($0.purpose.rawValue),
              "dayKey": JSON($0.dayKey), "startedAt": JSON($0.startedAt),
            ]
          })
      ], lines: drafts.map { "\($0.name)  \($0.title)" })
    if drafts.isEmpty { context.output.say(said("No unsaved drafts.")) }
  }
}

/// The choice of one draft.
struct DraftChoice: ParsableArguments {
  @Argument(
    help: "The draft’s name from the list, or just its beginning. Not needed if there is only one.",
    completion: .custom { words, _, prefix in Completions.drafts(words, prefix) })
  var name: String?

  func open(_ folder: DraftFolder) throws -> OpenDraft {
    let drafts = folder.unfinished()
    // Every name begins with nothing, so a script's unset variable would choose the only draft.
    let fitting = drafts.filter { draft in
      name.map { !$0.isEmpty && draft.name.hasPrefix($0) } ?? true
    }
    guard let draft = fitting.first else {
      throw CommandFailure(
        .noInput,
        name.map { said("No unsaved draft named “\($0)”.") } ?? said("No unsaved drafts."))
    }
    guard fitting.count == 1 else {
      throw CommandFailure(
        .usage,
        said(
          """
          Several drafts match. Choose one: \
          \(fitting.map { "\($0.name) (\($0.title))" }.joined(separator: ", "))
          """
        ))
    }
    guard let open = folder.take(draft.name) else {
      throw CommandFailure(.busy, said("Another program is using \(draft.name)."))
    }
    return open
  }
}

struct DraftsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the text of a draft.")

  @OptionGroup var choice: DraftChoice
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let folder = DraftFolder(context.location)
    let open = try choice.open(folder)
    defer { folder.release(open) }
    let text = try open.text() ?? ""
    context.output.result(
      ["name": .string(open.draft.name), "text": .string(text)], lines: [text])
  }
}

struct DraftsRecover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Continue a draft in your editor, and save it.")

  @OptionGroup var choice: DraftChoice

  @Flag(name: .customLong("as-is"), help: "Save it unchanged, without the editor.")
  var asIs = false

  @Flag(help: "Overwrite what was changed elsewhere in the meantime.") var overwrite = false

  @Flag(help: "Don’t ask before deleting.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let open = try choice.open(DraftFolder(context.location))
    try EditingSession(
      context: context, archive: archive, isConfirmed: yes, overwrites: overwrite
    ).recover(open, inEditor: !asIs)
  }
}

struct DraftsDiscard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "Discard a draft permanently.")

  @OptionGroup var choice: DraftChoice

  @Flag(help: "Don’t ask.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let folder = DraftFolder(context.location)
    let open = try choice.open(folder)
    do {
      try Confirmation.ask(
        said("Discard \(open.draft.title)? This can’t be undone."), isGiven: yes,
        refusal: said("Nothing was discarded."))
    } catch {
      folder.release(open)
      throw error
    }
    folder.finish(open)
    context.output.result(
      ["discarded": .string(open.draft.name)], lines: [said("Discarded \(open.draft.name).")])
  }
}
