import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

/// The `inbox` command: the folder whose files become entries.
struct InboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "Turn files dropped into a folder into entries.",
    discussion: """
      arkived inbox set ~/Sync/Inbox    from now on, while arkived serve runs
      arkived inbox                     shows the folder, and files waiting or failed
      arkived inbox run                 checks it now
      arkived inbox off                 imported data stays, and so does the folder

      Text files (.txt) are read like lines typed here, and Markdown becomes notes. Photos, \
      videos, sound and calendars (.ics) are imported as such. Their time comes from the file, its name or its header. Files can get there in any way: Syncthing, Nextcloud, Dropbox, \
      iCloud, KDE Connect or drag and drop. Files still being written are left until they’re \
      complete. Imported files move to “done”, files that couldn’t be imported to “failed”, with the reason \
      next to them.
      """,
    subcommands: [InboxStatus.self, InboxSet.self, InboxRun.self, InboxOff.self],
    defaultSubcommand: InboxStatus.self)
}

struct InboxStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the inbox folder and the files waiting in it (default).")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let book = InboxBook(of: try context.open())
    context.output.result(["inbox": book.json], lines: Self.lines(book, context))
  }

  static func lines(_ book: InboxBook, _ context: Context) -> [String] {
    guard let folder = book.folder else {
      return [said("No inbox is set. Choose a folder: `arkived inbox set FOLDER`")]
    }
    var lines = [said("The inbox is \(folder). Files imported: \(book.taken).")]
    if let last = book.lastLook { lines.append(said("Last activity: \(context.timeText(last))")) }
    if let problem = book.problem { lines.append(said("Problem: \(saidAgain(problem)).")) }
    if book.waiting > 0 { lines.append(said("Files waiting: \(book.waiting)")) }
    if !book.left.isEmpty {
      lines.append(said("Left in the folder:"))
      lines += book.left.map { "  \($0.name): \(saidAgain($0.reason))" }
    }
    if !book.failed.isEmpty {
      lines.append(said("Failed, newest first (in \(folder)/failed):"))
      lines += book.failed.map { "  \($0.name): \(saidAgain($0.reason))" }
    }
    return lines
  }
}

struct InboxSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Make a folder the inbox.")

  @Argument(help: "The folder. It’s created if it doesn’t exist.", completion: .directory)
  var folder: String

  @Flag(help: "Don’t ask if the folder already contains files.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let url = try CommandPath.folder(folder)
    let count = InboxBook.count(in: url)
    if count > 0 {
      try Confirmation.ask(
        count == 1
          ? said("There’s one file in \(url.path). It would be imported and moved. Continue?")
          : said(
            "There are \(count) files in \(url.path). They will be imported and moved. Continue?"),
        isGiven: yes, refusal: said("Nothing was changed."))
    }
    let book = try InboxBook.choose(url, for: archive)
    context.output.result(
      ["inbox": book.json],
      lines: [said("The inbox is \(book.folder ?? "").")])
    context.output.say(
      said("Files are imported while `arkived serve` runs, or with `arkived inbox run`."))
  }
}

struct InboxRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Check the inbox now.")

  @OptionGroup var options: GlobalOptions

  /// The time to wait for a file that is still being written.
  private static let patience = Duration.seconds(10)

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let folder = InboxBook(of: archive).url else {
      throw CommandFailure(
        .noInput, said("No inbox is set. Choose a folder: `arkived inbox set FOLDER`"))
    }
    Interrupt.watch()
    var job = InboxJob(
      archive: archive, homeZone: context.zone, folder: folder,
      isCancelled: { Interrupt.hasCome })
    job.language = TerminalLanguage.typed
    job.placeNames = PlaceNames.installed()
    let end = ContinuousClock.now + Self.patience
    var account = InboxAccount()
    repeat {
      if account.waiting > 0 { Thread.sleep(forTimeInterval: 0.3) }
      let look = try job.run()
      account.add(look)
      try InboxBook.change(of: archive) { $0.note(look, at: context.clock.now) }
    } while account.waiting > 0 && ContinuousClock.now < end && !Interrupt.hasCome
    context.output.result(account.json, lines: account.lines)
    if let problem = account.problem {
      throw CommandFailure(.noInput, "\(problem).", isInDocument: true)
    }
    if account.isEmpty, account.left.isEmpty, account.waiting == 0 {
      context.output.say(said("Nothing to import in \(folder.path)."))
    }
  }
}

struct InboxOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Stop using the inbox. The folder and its files are kept.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let before = InboxBook(of: archive).folder
    let book = try InboxBook.change(of: archive) { $0.folder = nil }
    context.output.result(
      ["inbox": book.json],
      lines: [
        before.map { said("\($0) is no longer the inbox. Its files are kept.") }
          ?? said("No inbox was set.")
      ])
  }
}
