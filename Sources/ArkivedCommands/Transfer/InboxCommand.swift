import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

/// `inbox`: the folder whose files become entries.
struct InboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "Let files that are dropped into a folder become entries.",
    discussion: """
      arkived inbox set ~/Sync/Inbox    from now on, while arkived serve runs
      arkived inbox                     where it is, and what waits or failed
      arkived inbox run                 looks into it now
      arkived inbox off                 what came in stays, the folder too

      Texts (.txt) are read like lines typed here, Markdown becomes notes, photos, films, sound and \
      calendars (.ics) come in as what they are, at the time that the file, its name or its head \
      tells. Whoever puts the files there does not matter: Syncthing, Nextcloud, Dropbox, iCloud, \
      KDE Connect or a mouse. A file that is still being written is waited for. What came in lies \
      in “done” then; what could not, in “failed” with the reason beside it.
      """,
    subcommands: [InboxStatus.self, InboxSet.self, InboxRun.self, InboxOff.self],
    defaultSubcommand: InboxStatus.self)
}

struct InboxStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show where the inbox is and what waits (the default).")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let book = InboxBook(of: try context.open())
    context.output.result(["inbox": book.json], lines: Self.lines(book, context))
  }

  static func lines(_ book: InboxBook, _ context: Context) -> [String] {
    guard let folder = book.folder else {
      return [said("There is no inbox. Choose a folder: arkived inbox set FOLDER")]
    }
    var lines = [said("The inbox is \(folder); \(book.taken) files came in.")]
    if let last = book.lastLook { lines.append(said("Last news: \(context.timeText(last))")) }
    if let problem = book.problem { lines.append(said("In the way: \(saidAgain(problem)).")) }
    if book.waiting > 0 { lines.append(said("On their way: \(book.waiting)")) }
    if !book.left.isEmpty {
      lines.append(said("Left where they are:"))
      lines += book.left.map { "  \($0.name): \(saidAgain($0.reason))" }
    }
    if !book.failed.isEmpty {
      lines.append(said("Failed, the newest first; they lie in \(folder)/failed:"))
      lines += book.failed.map { "  \($0.name): \(saidAgain($0.reason))" }
    }
    return lines
  }
}

struct InboxSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Make a folder the inbox.")

  @Argument(help: "The folder; it is made where there is none.", completion: .directory)
  var folder: String

  @Flag(help: "Don't ask where files lie in it already.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let url = URL(
      fileURLWithPath: HomeFolder.expandingTilde(folder), isDirectory: true)
    let count = InboxBook.count(in: url)
    if count > 0 {
      try Confirmation.ask(
        count == 1
          ? said("One file lies in \(url.path); all of them would come in and be moved. Go on?")
          : said(
            "\(count) files lie in \(url.path); all of them would come in and be moved. Go on?"),
        isGiven: yes, refusal: said("Nothing was changed."))
    }
    let book = try InboxBook.choose(url, for: archive)
    context.output.result(
      ["inbox": book.json],
      lines: [said("The inbox is \(book.folder ?? "").")])
    context.output.say(
      said("Files come in while arkived serve runs, and by arkived inbox run."))
  }
}

struct InboxRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Look into the inbox now.")

  @OptionGroup var options: GlobalOptions

  /// What is being written is waited for, this long.
  private static let patience = Duration.seconds(10)

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let folder = InboxBook(of: archive).url else {
      throw CommandFailure(
        .noInput, said("There is no inbox. Choose a folder: arkived inbox set FOLDER"))
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
      context.output.say(said("Nothing waits in \(folder.path)."))
    }
  }
}

struct InboxOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Look into it no longer; the folder and its files stay.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let before = InboxBook(of: archive).folder
    let book = try InboxBook.change(of: archive) { $0.folder = nil }
    context.output.result(
      ["inbox": book.json],
      lines: [
        before.map { said("\($0) is the inbox no longer; its files stay.") }
          ?? said("There was no inbox.")
      ])
  }
}
