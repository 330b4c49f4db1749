import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `history`: what was changed, and the versions before.
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List changes, or the old versions of one entry, and bring one back.",
    discussion: """
      arkived history                    the latest changes
      arkived history 3F2A91B0           the old versions of an activity
      arkived history 2026-03-14         the old versions of a day's note
      arkived history restore 77C01E42   makes an old version the present one
      """,
    subcommands: [HistoryList.self, HistoryRestore.self], defaultSubcommand: HistoryList.self)
}

struct HistoryList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List changes or old versions (the default).")

  @Argument(help: "An activity's identity (or its first digits), or a day.")
  var entry: String?

  @Option(help: "How many.") var limit = 20

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let entry else {
      let changes = try archive.changes(limit: max(0, limit))
      let short = try archive.shortIDs(changes.map(\.id), of: .changes)
      context.output.result(
        ["changes": .array(changes.map(\.json))],
        lines: changes.map { change in
          "\(short[change.id] ?? "")  \(change.at)  \(change.author)  \(change.summary)"
            + (change.isUndone ? "  (undone)" : "")
        })
      return
    }
    let versions = try archive.history(of: try entity(entry, archive)).prefix(max(0, limit))
    let short = try archive.shortIDs(versions.map(\.id), of: .oldVersions)
    context.output.result(
      ["versions": .array(versions.map(\.json))],
      lines: versions.map { version in
        let text = version.record["text"]?.string ?? version.record["note"]?.string ?? ""
        return "\(short[version.id] ?? "")  \(version.archivedAt)  \(version.reason)  "
          + "by \(version.archivedBy)  "
          + text.prefix(100).split(whereSeparator: \.isNewline).joined(separator: " ")
      })
  }

  /// An entry that is there, or one that only its history knows.
  private func entity(_ text: String, _ archive: Archive) throws -> UUID {
    if let day = DayKey(text) {
      if let entry = try archive.day(day).entry { return entry.id }
      if let id = try archive.deletedDay(day) { return id }
      throw ArchiveError.notFound("note of \(day), present or past")
    }
    if let id = UUID(uuidString: text) { return id }
    do {
      return try archive.entryReference(matching: text).id
    } catch ArchiveError.notFound {
      return try archive.deletedID(matching: text)
    }
  }
}

struct HistoryRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make an old version the present one.")

  @Argument(help: "The version, as history lists it.")
  var version: String

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let change = try archive.restore(try archive.historyRecord(matching: version))
    context.output.result(["restored": change.json], lines: [change.summary + "."])
  }
}

/// `undo`: takes the latest change back.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take back the latest change, or the one named; undoing an undo brings it back.")

  @Argument(help: "The change, as arkived history lists it; the latest when left out.")
  var change: String?

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let id = try change.map { try archive.changeID(matching: $0) }
    try Undo.report(try archive.undo(id), context)
  }

  static func report(_ undone: Archive.Undone, _ context: Context) throws {
    context.output.result(
      [
        "undone": undone.undid.json, "change": undone.change.json,
        "removed": JSON(undone.removed), "restored": JSON(undone.restored),
        "kept": JSON(undone.kept),
      ],
      lines: [
        "Undone: \(undone.undid.summary)."
          + (undone.kept > 0
            ? " \(undone.kept) entries stay because they were changed since." : "")
      ])
  }
}
