import ArgumentParser
import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `backup test` command.
struct BackupTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Restore a backup to a temporary folder and check it. Default: the last one.",
    discussion: """
      Verifies every file in the backup, creates an archive from it in a temporary folder, checks \
      that archive and then removes it. Your archive isn’t touched. Exits with 1 if something is \
      wrong.
      """)

  @Argument(help: "The backup.") var file: String?

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let path = file ?? BackupBook(of: archive).last(now: context.clock.now)?.path else {
      throw CommandFailure(.noInput, said("No backups yet. To make one: `arkived backup FILE`"))
    }
    let url = try PathArgument.url(path).standardizedFileURL
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw CommandFailure(.noInput, said("File \(url.path) not found."))
    }
    let unlocks = try unlock.unlocks(for: url)
    let work = LongWork(context)
    Interrupt.watch()
    let test = try RestoreJob(archive: archive, homeZone: context.zone, watch: work.watch)
      .test(url, unlocks: unlocks)
    work.clear()
    let entries = ItemCount.text(test.contents.entries, of: "activity")
    let attachments = ItemCount.text(test.comparedFiles, of: "attachment")
    context.output.result(
      ["test": test.json],
      lines: test.problems.map { saidAgain($0) }
        + (test.isGood
          ? [
            said(
              """
              \(url.path): can be restored completely. Restored to a temporary folder and checked: \
              \(entries) and \(attachments).
              """)
          ] : []))
    guard test.isGood else {
      throw CommandFailure(
        .failed, said("\(url.path) can’t be restored completely, see above."), isInDocument: true)
    }
  }
}
