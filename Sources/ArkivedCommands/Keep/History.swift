import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `history` command: changes, and previous versions.
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List changes, or the earlier versions of an entry or goal, and restore one.",
    discussion: """
      arkived history                    the latest changes
      arkived history 3F2A91B0           the earlier versions of an entry
      arkived history 2026-03-14         the earlier versions of a day note
      arkived history "Run 120 km"       of a goal, a value, a term (term 3) or lifetime
      arkived history "Garden ideas"     of a note, a meeting or a person, even if deleted
      arkived history diff run           what its last change changed
      arkived history diff 77C01E42      what changed after an earlier version
      arkived history "#garden"          of a tag, by name
      arkived history change 5D01A7E3    what one change did, before and after
      arkived history --by assistant     only changes by one author; add --from and --to
      arkived history restore 77C01E42   restores an earlier version
      arkived history keep               how long history is kept: forever
      """,
    subcommands: [
      HistoryList.self, HistoryChange.self, HistoryDiff.self, HistoryRestore.self,
      HistoryKeep.self,
    ],
    defaultSubcommand: HistoryList.self)
}

struct HistoryList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List changes or earlier versions (default).")

  @Argument(
    help: """
      An ID (or its first digits), a day, or the name of a goal, value, term, note, meeting or \
      person.
      """)
  var entry: [String] = []

  @Option(help: "The maximum number to show.") var limit = 20

  @Option(help: "Only changes by one author: owner, import, sync or assistant.")
  var by: ChangeFilter.Maker?

  @Option(help: "Only changes made on this day or later.") var from: String?

  @Option(help: "Only changes made on this day or earlier.") var to: String?

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard entry.isEmpty || (by == nil && from == nil && to == nil) else {
      throw ValidationError(said("--by, --from and --to only work with the list of changes."))
    }
  }

  private func changes(_ archive: Archive, _ context: Context) throws -> [Change] {
    var filter = ChangeFilter()
    filter.limit = limit
    filter.maker = by
    filter.from = try from.map { context.zone.start(of: try context.day([$0])) }
    filter.to = try to.map { context.zone.start(of: try context.day([$0]).advanced(by: 1)) }
    return try archive.listedChanges(filter).changes.map(\.change)
  }

  func run() throws {
    let context = try Context(options)
    let most = try ListLimit.checked(limit)
    let archive = try context.open()
    guard !entry.isEmpty else {
      let isAll = by == nil && from == nil && to == nil
      let changes = try isAll ? archive.changes(limit: most) : self.changes(archive, context)
      let short = try archive.shortIDs(changes.map(\.id), of: .changes)
      context.output.result(
        ["changes": .array(changes.map(\.json))],
        lines: changes.map { change in
          let (id, author) = (short[change.id] ?? "", HistoryWords.author(change.author))
          let end = change.isUndone ? "  \(said("(undone)"))" : ""
          return
            "\(id)  \(context.timeText(change.at))  \(author)  \(saidAgain(change.summary))\(end)"
        })
      return
    }
    let versions = try HistoryEntity(archive: archive, today: context.today)
      .allVersions(of: entry.joined(separator: " ")).prefix(most)
    let short = try archive.shortIDs(versions.map(\.id), of: .oldVersions)
    context.output.result(
      ["versions": .array(versions.map(\.json))],
      lines: versions.map { version in
        let (id, reason) = (short[version.id] ?? "", HistoryWords.reason(version.reason))
        let author = HistoryWords.author(version.archivedBy)
        let text = EntryText.oneLine(String(version.text.prefix(100)))
        return "\(id)  \(context.timeText(version.archivedAt))  \(reason) (\(author))  \(text)"
      })
    if versions.isEmpty, !context.output.isJSON {
      context.output.say(said("No earlier versions."))
    }
  }
}

/// Resolves names to items with versions, existing or deleted.
struct HistoryEntity {
  let archive: Archive
  let today: DayKey

  /// Returns the old versions of the item that a name refers to, latest first; the versions of a
  /// meeting's entry on its day belong to the meeting as well.
  func versions(of text: String) throws -> [HistoryRecord] {
    let id = try identity(text)
    let versions = try archive.history(of: id)
    let meeting = try archive.meeting(id)
    guard
      let entry = try meeting?.activity.id
        ?? versions.first(where: { $0.sourceTable == .meeting }).flatMap(otherRow)
    else { return versions }
    return (versions + (try archive.history(of: entry)))
      .sorted { $0.archivedAt > $1.archivedAt }
  }

  /// Returns the same versions, and for a day those of all notes that it has had: a note that was
  /// emptied and written again is another one.
  func allVersions(of text: String) throws -> [HistoryRecord] {
    guard let day = DayKey(text) else { return try versions(of: text) }
    let versions = try archive.history(ofDay: day)
    return try versions.isEmpty ? self.versions(of: text) : versions
  }

  /// Returns the other of the two rows that make up a meeting and change together; nil for anything
  /// else.
  func otherRow(_ version: HistoryRecord) throws -> UUID? {
    switch version.sourceTable {
    case .meeting: version.record["activityId"]?.string.flatMap(UUID.init(uuidString:))
    case .activity: try archive.meeting(ofActivity: version.sourceID)?.id
    default: nil
    }
  }

  /// Resolves a name.
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` with the candidates.
  func identity(_ text: String) throws -> UUID {
    if let day = DayKey(text) {
      if let entry = try archive.day(day).entry { return entry.id }
      if let id = try archive.deletedDay(day) { return id }
      throw ArchiveError.notFound("No current or earlier note for \(day).")
    }
    if let id = UUID(uuidString: text) { return id }
    if text.hasPrefix("#") { return try archive.tag(named: text).tag.id }
    if ["lifetime", "birth date"].contains(text.lowercased()), let life = try archive.lifeTime() {
      return life.id
    }
    let ways: [() throws -> UUID] = [
      { try archive.entryReference(matching: text).id },
      { try archive.goal(named: text).id },
      { try archive.value(named: text).id },
      { try archive.term(named: text, today: today).id },
      { try archive.note(named: text).id },
      { try archive.meeting(named: text, now: archive.clock.now).id },
      { try archive.person(named: text).id },
      { try archive.deletedID(matching: text) },
      { try archive.deletedID(titled: text) },
      { try archive.deletedID(named: text) },
    ]
    for way in ways {
      do { return try way() } catch ArchiveError.notFound { continue }
    }
    throw ArchiveError.notFound(
      """
      No current or earlier entry, goal, value, term, note, meeting or person named \
      “\(text.prefix(60))”.
      """
    )
  }
}

/// Names of authors and reasons for lists.
enum HistoryWords {
  static func author(_ author: Author) -> String {
    author == .owner ? said("you") : saidAgain(author.told)
  }

  /// Returns what happened to a version when it was moved to the history.
  static func reason(_ reason: HistoryRecord.Reason) -> String {
    switch reason {
    case .update: said("changed")
    case .delete: said("deleted")
    case .import: said("changed by an import")
    case .restore: said("restored")
    case .manualArchive: said("archived manually")
    case "sync": said("changed by a sync")
    default: reason.rawValue
    }
  }
}

extension HistoryRecord {
  /// The display name in a list.
  fileprivate var text: String {
    if sourceTable == .term {
      let theme = record["theme"]?.string.map { ": \($0)" } ?? ""
      return said("Term \(record["termNumber"]?.int ?? 0)") + theme
    }
    return ["text", "note", "title", "name", "birthDate"].lazy
      .compactMap { record[$0]?.string }.first { !$0.isEmpty } ?? ""
  }
}

struct HistoryRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore an earlier version.")

  @Argument(help: "The version, as listed by arkived history.")
  var version: String

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let change = try archive.restore(try archive.historyRecord(matching: version))
    context.output.result(["restored": change.json], lines: [saidAgain(change.summary + ".")])
  }
}

/// The `undo` command: reverts the latest change.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the latest change, or a specific one. Undoing an undo brings the change back.")

  @Argument(help: "The change, as listed by arkived history. Default: the latest.")
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
        said("Undone: \(saidAgain(undone.undid.summary)).")
          + (undone.kept > 0
            ? said(" Entries kept because of later changes: \(undone.kept).") : "")
      ])
  }
}
