import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedWeb
import Foundation

/// The `open` command: opens the web app in the owner's browser, signed in.
struct OpenPage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open the web app in your browser, already signed in.",
    discussion: """
      Asks the running server for a link that works once. Passes it to $BROWSER or the desktop’s \
      browser in a file only you can read. Without a desktop, the link is printed. If this \
      archive’s service is installed but not running, it’s started. Nothing else is started.
      """)

  @Flag(name: .customLong("print"), help: "Print the link without opening it.")
  var isPrinted = false

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let desktop = Desktop()
    guard case .folder(let home) = context.location else {
      throw CommandFailure(.usage, said("An archive in memory has no server. Choose a folder."))
    }
    let isShown = !isPrinted && !context.output.isJSON && desktop.hasBrowser
    let notice: ServerNotice
    do {
      notice = try await server(of: home, context)
    } catch let failure as CommandFailure {
      // Standard error is invisible to someone who chose it in a menu.
      if isShown, isatty(STDERR_FILENO) == 0 { try? desktop.tell(saidAgain(failure.message)) }
      throw failure
    }
    let link: String
    do {
      link = try await notice.makeLoginLink(for: try context.open())
    } catch let problem as NoLoginLink {
      throw CommandFailure(
        .unavailable,
        said("Arkived is running, but couldn’t create a link: \(saidAgain("\(problem)"))"))
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
      lines: [isOpened ? said("Arkived is running at \(notice.url)") : link])
    if !isOpened, !context.output.isJSON {
      context.output.say(said("Open this link in a browser on this computer. It works once."))
    }
  }

  /// Returns the running server, or the service's after starting it.
  private func server(of home: URL, _ context: Context) async throws -> ServerNotice {
    if let notice = ServerNotice.current(of: home) { return notice }
    let service = UserService()
    guard service.archive == home.path else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          Arkived isn’t running for \(home.path). To start it: `arkived serve`. To start it whenever \
          you sign in: `arkived service install`
          """))
    }
    context.output.say(said("Starting the service …"))
    try service.start()
    return try await service.answer(for: home)
  }
}
