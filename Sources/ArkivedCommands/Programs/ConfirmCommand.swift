import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// The `confirm` command: requests by programs and the assistant to delete or change something.
struct ConfirmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Approve or decline what programs and the assistant want to delete or change.",
    discussion: """
      arkived confirm               changes waiting for approval
      arkived confirm yes 3F2A      shows what would change, then asks
      arkived confirm no 3F2A

      Only a person can approve, in a terminal or on the page /pending of the web app.
      """, subcommands: [List.self, Yes.self, No.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List changes waiting for approval.")

    @Flag(help: "Include decided and expired ones.") var all = false
    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let archive = try context.open()
      let acts = try archive.pendingActs(all: all)
      let total = try archive.countPendingActs(all: all)
      let text = ActText(context)
      context.output.result(
        ["pending": .array(acts.map(\.json)), "total": JSON(total)],
        lines: acts.isEmpty
          ? [said("Nothing to review.")] : Array(acts.map(text.lines).joined(separator: [""])))
    }
  }

  struct Yes: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "yes",
      abstract: "Show what would change and ask for your decision.")

    @Argument(help: "The ID or its first digits.") var id: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let tools = ToolBox(archive: try context.open(), zone: context.zone)
      let act = try ConfirmCommand.act(id, tools)
      guard StandardInput.isInteractive else {
        throw CommandFailure(
          .refused,
          said(
            """
            Only a person can approve this, in a terminal or at \(act.confirmPath) in the web app. \
            Nothing was changed.
            """))
      }
      let decided = try ActText(context).decide(act, tools)
      context.output.result(
        ["decided": decided.json],
        lines: [
          decided.status == .done ? said("Done. `arkived undo` reverts this.") : said("Declined.")
        ])
    }
  }

  struct No: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "no", abstract: "Decline. Nothing is changed.")

    @Argument(help: "The ID or its first digits.") var id: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let tools = ToolBox(archive: try context.open(), zone: context.zone)
      let act = try tools.decline(try ConfirmCommand.act(id, tools).id)
      context.output.result(
        ["decided": act.json],
        lines: [said("Declined: \(OneLine.of(saidAgain(act.summary))).")])
    }
  }

  /// Returns the act with an ID or a prefix of one.
  ///
  /// - Throws: `ArchiveError.notFound`, `.ambiguous`.
  static func act(_ text: String, _ tools: ToolBox) throws -> PendingAct {
    if let id = UUID(identity: text) { return try tools.pendingAct(id) }
    let digits = text.uppercased()
    let found = try tools.pendingActs().filter {
      !digits.isEmpty && $0.id.uuidString.hasPrefix(digits)
    }
    guard let act = found.first else {
      throw ArchiveError.notFound(
        "No change with the ID \(FieldError.shown(text)) is waiting for approval.")
    }
    guard found.count == 1 else {
      throw ArchiveError.ambiguous(
        "\(FieldError.shown(text)) matches \(found.count) changes. Enter more of the ID.")
    }
    return act
  }
}

/// Acts, formatted for a person to read and answer at a terminal.
struct ActText {
  let context: Context

  init(_ context: Context) { self.context = context }

  /// The number of characters of a value that are shown.
  private static let valueLimit = 400
  /// The number of characters of a title that are shown; the fields have it whole.
  private static let titleLimit = 120

  // words: waiting | done | declined | expired | stale
  /// Formats the effects of an act, entry by entry and field by field, each on a line of its own: a
  /// line break in a text could imitate further ones, or push the real ones off the screen.
  func lines(_ act: PendingAct) -> [String] {
    let output = context.output
    var lines = [
      "\(output.bold(String(act.id.uuidString.prefix(8))))  \(OneLine.of(saidAgain(act.summary)))",
      output.faint(
        said("  requested by \(act.author.told), \(context.timeText(act.createdAt)); ")
          + (act.status == .waiting
            ? said("expires \(context.timeText(act.expiresAt))")
            : saidWhole(act.status.rawValue))),
    ]
    for effect in act.effects {
      let title = OneLine.of(String(effect.title.prefix(Self.titleLimit)))
      lines.append(
        effect.isDeletion
          ? said("  delete \(effect.dayKey) \(title)")
          : said("  change \(effect.dayKey) \(title)"))
      for difference in effect.differences {
        let values = difference.short(limit: Self.valueLimit)
        let before = values.before ?? said("nothing")
        lines.append(
          effect.isDeletion
            ? "    \(difference.field): \(before)"
            : "    \(difference.field): \(before) → \(values.after ?? said("nothing"))")
      }
    }
    return lines
  }

  /// Returns true if the terminal shows only a part of what an act changes.
  private func isCut(_ act: PendingAct) -> Bool {
    act.effects.contains { effect in
      effect.differences.contains { $0.short(limit: Self.valueLimit).isCut }
    }
  }

  /// Shows an act and asks the person at the terminal.
  ///
  /// - Throws: `CommandFailure` (refused) if the change is too long to be shown whole.
  func decide(_ act: PendingAct, _ tools: ToolBox) throws -> PendingAct {
    for line in lines(act) { context.output.say(line) }
    guard !isCut(act) else {
      throw CommandFailure(
        .refused,
        said(
          """
          This change is too long to show here. Review it at \(act.confirmPath) in the web app. \
          Nothing was changed.
          """))
    }
    do {
      try Confirmation.ask(said("Approve?"), isGiven: false, refusal: "")
    } catch let failure as CommandFailure where failure.message.isEmpty {
      return try tools.decline(act.id)
    }
    return try tools.confirm(act.id)
  }
}
