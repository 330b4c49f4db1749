import ArgumentParser
import ArkivedCore
import ArkivedWeb
import Foundation

/// The `serve` command: the web app.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the web app and the JSON API on this computer only.",
    discussion: """
      Prints the address and a login link that works once. With --json, the first line is \
      {"url","token","login"}. token is the owner’s bearer token for scripts. To open the page \
      from another terminal, use arkived open. To start the server whenever you sign in, use \
      arkived service.
      """)

  @Option(
    help: ArgumentHelp(
      "Accept an answer in this MCP client’s own dialog as your approval.",
      discussion: "Only for a client whose dialogs can’t be answered by a model or a setting.",
      valueName: "agent"))
  var confirmInClient: [String] = []

  @Option(help: "The port on 127.0.0.1. 0 picks a free one.") var port = 8017

  @Flag(help: "Run alongside another arkived serve that uses the same archive.") var beside = false

  @Flag(
    name: .customLong("no-login"),
    help: "Create no login link, so none ends up in a log. Use arkived open to get one.")
  var withoutLogin = false

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    guard (0...65_535).contains(port) else {
      throw CommandFailure(.usage, said("--port is \(port), but must be 0 to 65535."))
    }
    let archive = try context.open()
    let server = WebServer(
      archive: archive, zone: context.zone, port: port,
      confirmingAgents: Set(confirmInClient), isBeside: beside,
      followsSystem: ProcessInfo.processInfo.environment["ARKIVED_TIME_ZONE"]?.isEmpty ?? true)
    let output = context.output
    let withoutLogin = withoutLogin
    // The server stores and logs English; its pages use the owner's language.
    let language = Language.current
    var preferences = ShownDates.preferences
    preferences.language = Preferences.Speech(.english)
    do {
      try await ShownDates.$preferences.withValue(preferences) {
        try await server.run { address in
          let login = withoutLogin ? nil : address.login
          if output.isJSON {
            let document: JSON = [
              "url": .string(address.url), "token": .string(address.token), "login": JSON(login),
            ]
            Output.write(document.text() + "\n", to: 1)
          } else {
            let how = login.map {
              said("Sign in once with \($0)\nPress Ctrl-C to stop.", in: language) + "\n"
            }
            let place = said("Arkived is running at \(address.url)", in: language)
            Output.write("\(place)\n\(how ?? "")", to: 1)
          }
        }
      }
    } catch is PortInUse {
      throw CommandFailure(
        .unavailable, said("Port \(port) is in use. Choose another with --port, or use --port 0."))
    } catch let served as AlreadyServed {
      throw CommandFailure(
        .busy,
        (served.notice.map {
          said("Another arkived serve is already using this archive, at \($0.url). ")
        }
          ?? said("Another arkived serve is already using this archive. "))
          + said(
            "To open it: arkived open   To run another alongside: arkived serve --beside --port 0"))
    }
  }
}
