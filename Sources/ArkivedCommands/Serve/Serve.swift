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

  @Option(help: "The port on 127.0.0.1. With 0, a free one is picked.") var port = 8017

  @Flag(help: "Run alongside another arkived serve that uses the same archive.") var beside = false

  @Flag(
    name: .customLong("no-login"),
    help: "Don’t create a login link, which could end up in a log. To get one, use arkived open.")
  var withoutLogin = false

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    guard (0...65_535).contains(port) else {
      throw CommandFailure(.usage, said("--port is \(port), but must be 0 to 65535."))
    }
    // If the owner restarts the server on a page, it keeps its port and its browser sessions.
    var known: Int?
    repeat { known = try await serve(again: known) } while known != nil
  }

  /// Serves until the server is stopped.
  ///
  /// - Parameter known: the port, if the server was restarted on a page.
  /// - Returns: the port if the owner asked for a restart.
  /// - Throws: `CommandFailure` or an error if the server can't be started.
  private func serve(again known: Int?) async throws -> Int? {
    let context = try Context(options)
    let server = WebServer(
      archive: try context.open(), zone: context.zone, port: known ?? port,
      confirmingAgents: Set(confirmInClient), isBeside: beside, zoneSource: context.zoneSource)
    let output = context.output
    let withoutLogin = withoutLogin
    // The server stores and logs English; its pages use the owner's language.
    let language = Language.current
    var preferences = ShownDates.preferences
    preferences.language = Preferences.Speech(.english)
    do {
      return try await ShownDates.$preferences.withValue(preferences) {
        try await server.run { address in
          guard known == nil else { return }
          let login = withoutLogin ? nil : address.login
          if output.isJSON {
            let document: JSON = [
              "url": .string(address.url), "token": .string(address.token), "login": JSON(login),
            ]
            Output.write(document.text() + "\n", to: 1)
          } else {
            let how = login.map {
              said(
                "Sign in with this link, which works once: \($0)\nPress Ctrl-C to stop.",
                in: language)
                + "\n"
            }
            let place = said("Arkived is running at \(address.url)", in: language)
            Output.write("\(place)\n\(how ?? "")", to: 1)
          }
        }
      }
    } catch let failure as PortUnavailable {
      throw Self.failure(failure)
    } catch let served as AlreadyServed {
      throw CommandFailure(
        .busy,
        (served.notice.map {
          said("Another `arkived serve` is already using this archive, at \($0.url). ")
        }
          ?? said("Another `arkived serve` is already using this archive. "))
          + said(
            "To open it: `arkived open`. To run another alongside: `arkived serve --beside --port 0`"
          ))
    }
  }

  /// Returns the failure of a server that can't listen on its port.
  static func failure(_ unavailable: PortUnavailable) -> CommandFailure {
    let port = unavailable.port
    return switch unavailable.reason {
    case .inUse:
      CommandFailure(
        .unavailable, said("Port \(port) is in use. Choose another with --port, or use --port 0."))
    case .forbidden:
      CommandFailure(
        .refused,
        said(
          """
          Your account isn’t allowed to use port \(port). Choose a port from 1024 up with --port, or \
          use --port 0.
          """))
    }
  }
}
