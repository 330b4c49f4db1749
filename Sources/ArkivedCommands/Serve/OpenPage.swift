import ArgumentParser
import ArkivedCore
import ArkivedStore
import ArkivedWeb
import Foundation

/// `open`: the web app in the owner's browser, signed in.
struct OpenPage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open the web app in your browser, signed in.",
    discussion: """
      Asks the server that runs for a link that works once, and hands it to $BROWSER or to the \
      desktop's browser in a file that only you can read. Where there is no desktop, the link is \
      printed. The service of this archive is started where it is installed and does not run; else \
      nothing is started.
      """)

  @Flag(name: .customLong("print"), help: "Print the link and open nothing.")
  var isPrinted = false

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let desktop = Desktop()
    guard case .folder(let home) = context.location else {
      throw CommandFailure(.usage, said("An archive in memory has no server. Name a folder."))
    }
    let isShown = !isPrinted && !context.output.isJSON && desktop.hasBrowser
    let notice: ServerNotice
    do {
      notice = try await server(of: home, context)
    } catch let failure as CommandFailure {
      // Who chose it in a menu sees no standard error.
      if isShown, isatty(STDERR_FILENO) == 0 { try? desktop.tell(saidAgain(failure.message)) }
      throw failure
    }
    let link: String
    do {
      link = try await notice.makeLoginLink(for: try context.open())
    } catch let problem as NoLoginLink {
      throw CommandFailure(
        .unavailable, said("Arkived runs, but made no link: \(saidAgain("\(problem)"))"))
    }
    var isOpened = false
    if isShown {
      do {
        try desktop.open(link: link)
        isOpened = true
      } catch {
        context.output.say(saidAgain(CommandFailure(error).message))
      }
    }
    context.output.result(
      ["url": .string(notice.url), "login": .string(link)],
      lines: [isOpened ? said("Arkived is at \(notice.url)") : link])
    if !isOpened, !context.output.isJSON {
      context.output.say(said("Open this link in a browser on this computer; it works once."))
    }
  }

  /// The server that runs, or the service's once it was started.
  private func server(of home: URL, _ context: Context) async throws -> ServerNotice {
    if let notice = ServerNotice.current(of: home) { return notice }
    let service = UserService()
    guard service.archive == home.path else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          Arkived is not running on \(home.path). Start it: arkived serve   Or have it run \
          whenever you are signed in: arkived service install
          """))
    }
    context.output.say(said("Starting the service."))
    try service.start()
    return try await service.answer(for: home)
  }
}
