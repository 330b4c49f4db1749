import ArgumentParser
import ArkivedCore
import ArkivedWeb
import Foundation

/// `serve`: the web app.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the web app and the JSON API on this computer only.",
    discussion: """
      Prints the address and a login link that works once. With --json the first line is \
      {"url","token","login"}; token is the owner's bearer token for scripts.
      """)

  @Option(
    help: ArgumentHelp(
      "Take an answer in this MCP client's own dialog for yours.",
      discussion: "Only for a client whose dialogs no model and no setting can answer.",
      valueName: "agent"))
  var confirmInClient: [String] = []

  @Option(help: "The port on 127.0.0.1; 0 takes a free one.") var port = 8017

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    guard (0...65_535).contains(port) else {
      throw CommandFailure(.usage, "--port is \(port); it must be 0 to 65535.")
    }
    let archive = try context.open()
    let server = WebServer(
      archive: archive, zone: context.zone, port: port,
      confirmingAgents: Set(confirmInClient))
    let output = context.output
    do {
      try await server.run { address in
        if output.isJSON {
          let document: JSON = [
            "url": .string(address.url), "token": .string(address.token),
            "login": .string(address.login),
          ]
          Output.write(document.text() + "\n", to: 1)
        } else {
          Output.write(
            """
            Arkived is at \(address.url)
            Sign in once with \(address.login)
            Stop with Ctrl-C.

            """, to: 1)
        }
      }
    } catch is PortInUse {
      throw CommandFailure(
        .unavailable, "Port \(port) is in use; choose another with --port, or --port 0.")
    }
  }
}
