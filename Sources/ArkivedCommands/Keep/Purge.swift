import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// `purge`: forgets for ever.
struct Purge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Forget things for ever, with their history. It cannot be undone.",
    discussion: """
      arkived purge 3F2A91B0 "Garden ideas"        things by identity or name, deleted ones too
      arkived purge 2026-03-14                     a day's note
      arkived purge --tag therapy                  entries and notes with a tag, and the tag
      arkived purge --from 2019-01-01 --to 2019-06-30   everything on these days

      Texts, old versions, words in indexes, what changes and conversations quote, attachments that
      nothing else needs, and drafts and snapshots that may hold them are removed, and the database is
      written anew. Backups and exports elsewhere stay as they are; those that are known are named.
      Text that a browser hasn't saved yet stays in that browser.
      A person's name stays in the entries that name them, and what you asked the assistant in your own
      words stays in the conversation.
      """)

  @Argument(help: "Identities, days of notes, or names as arkived history takes them.")
  var entries: [String] = []

  @Option(help: "Everything that carries this tag.", completion: .tags) var tag: String?

  @Option(help: "Everything from this day on.") var from: String?

  @Option(help: "Everything up to this day.") var to: String?

  @Flag(name: .customLong("dry-run"), help: "Say what would be forgotten, and change nothing.")
  var dryRun = false

  @Flag(help: "Do not ask.") var yes = false

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    let ways = [!entries.isEmpty, tag != nil, from != nil || to != nil].filter { $0 }.count
    guard ways == 1 else {
      throw ValidationError(said("Name things, or a --tag, or days by --from and --to."))
    }
    guard (from == nil) == (to == nil) else {
      throw ValidationError(said("Name both days, --from and --to."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let selection = try self.selection(archive, context)
    let plan = try archive.purgePlan(selection)
    guard !plan.isEmpty else { throw ArchiveError.notFound("such thing to forget") }
    let backups = BackupBook(of: archive).entries(since: plan.firstMade).map(\.path)
    let told = plan.lines(backups: backups)
    guard !dryRun else {
      return context.output.result(
        ["plan": plan.json, "backups": JSON(backups)], lines: told.map(saidAgain))
    }
    if !yes { for line in told { context.output.say(saidAgain(line)) } }
    try Confirmation.askWord(
      saidAgain("Forget \(Archive.words(plan)) for ever?"), isGiven: yes,
      refusal: said("Nothing was forgotten."))
    let (purged, areVectorsGone) = try PurgeJob(archive: archive).run(selection)
    let log =
      purged.isLogEmpty
      ? []
      : [
        said(
          """
          The archive's file could not be written anew yet: another program is reading it, or the \
          disk is full. Mend that, and run arkived doctor.
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
    // A tag that is deleted still stands in old versions.
    if let tag {
      let bare = tag.hasPrefix("#") ? String(tag.dropFirst()) : tag
      return .tag((try? archive.tag(named: tag))?.tag.name ?? bare)
    }
    if let from, let to {
      let (first, last) = (try context.day([from]), try context.day([to]))
      guard first <= last else {
        throw CommandFailure(.usage, said("--from \(first) lies after --to \(last)."))
      }
      return .days(DayFilter(from: first, to: last))
    }
    let names = HistoryEntity(archive: archive, today: context.today)
    return .entities(try entries.map { try names.identity($0) })
  }
}
