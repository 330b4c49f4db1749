import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `purge` command: erases permanently.
struct Purge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Permanently delete items with their history. This can’t be undone.",
    discussion: """
      arkived purge 3F2A91B0 "Garden ideas"        items by ID or name, even if deleted
      arkived purge 2026-03-14                     a day note
      arkived purge --tag therapy                  entries and notes with a tag, and the tag
      arkived purge --from 2019-01-01 --to 2019-06-30   everything on these days

      This removes texts, earlier versions, indexed words, quotes in changes and conversations, and
      attachments that nothing else uses. Drafts and snapshots that may contain them are removed \
      too,
      and the database is rewritten. Backups and exports elsewhere stay; known ones are listed.
      Text that a browser hasn’t saved yet stays in that browser.
      A person’s name stays in the entries that name them. What you asked the assistant in your own
      words stays in the conversation.
      """)

  @Argument(help: "IDs, days (for their notes), or names, as for arkived history.")
  var entries: [String] = []

  @Option(help: "Everything with this tag.", completion: .tags) var tag: String?

  @Option(help: "Everything on this day or later.") var from: String?

  @Option(help: "Everything on this day or earlier.") var to: String?

  @Flag(name: .customLong("dry-run"), help: "Show what would be deleted without changing anything.")
  var dryRun = false

  @Flag(help: "Don’t ask.") var yes = false

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    let ways = [!entries.isEmpty, tag != nil, from != nil || to != nil].filter { $0 }.count
    guard ways == 1 else {
      throw ValidationError(said("Specify what to delete, or use --tag, or --from and --to."))
    }
    guard (from == nil) == (to == nil) else {
      throw ValidationError(said("Give both days, --from and --to."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let selection = try self.selection(archive, context)
    let plan = try archive.purgePlan(selection)
    guard !plan.isEmpty else { throw ArchiveError.notFound("Nothing found to delete permanently.") }
    let backups = BackupBook(of: archive).entries(since: plan.firstMade).map(\.path)
    let told = plan.lines(backups: backups)
    guard !dryRun else {
      return context.output.result(
        ["plan": plan.json, "backups": JSON(backups)], lines: told.map(saidAgain))
    }
    if !yes { for line in told { context.output.say(saidAgain(line)) } }
    try Confirmation.askWord(
      saidAgain("Permanently delete \(Archive.words(plan))?"), isGiven: yes,
      refusal: said("Nothing was deleted."))
    let (purged, areVectorsGone) = try PurgeJob(archive: archive)
      .run(selection, asShown: yes ? nil : plan.mark)
    let log =
      purged.isLogEmpty
      ? []
      : [
        said(
          """
          Couldn’t rewrite the archive file yet. Another program is reading it, or the disk is full. \
          Fix that, then run `arkived doctor`.
          """)
      ]
    let vectors = areVectorsGone ? [] : [PurgeJob.vectorsRemain]
    context.output.result(
      [
        "purged": purged.json, "backups": JSON(backups), "areVectorsGone": .bool(areVectorsGone),
      ],
      lines: [saidAgain("\(purged.change.summary).")]
        + purged.plan.elsewhere(backups: backups).map(saidAgain) + log + vectors.map(saidAgain))
  }

  private func selection(_ archive: Archive, _ context: Context) throws -> PurgeSelection {
    // A deleted tag still exists in old versions.
    if let tag {
      let bare = tag.hasPrefix("#") ? String(tag.dropFirst()) : tag
      return .tag((try? archive.tag(named: tag))?.tag.name ?? bare)
    }
    if let from, let to {
      let (first, last) = (try context.day([from]), try context.day([to]))
      guard first <= last else {
        throw CommandFailure(.usage, said("--from \(first) is after --to \(last)."))
      }
      return .days(DayFilter(from: first, to: last))
    }
    let names = HistoryEntity(archive: archive, today: context.today)
    return .entities(try entries.map { try names.identity($0) })
  }
}
