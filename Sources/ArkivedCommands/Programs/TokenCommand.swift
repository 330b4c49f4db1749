import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `token` command: the programs that have access.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Give programs access: they can read, add and propose, but nothing else.",
    discussion: """
      arkived token create "My editor"    prints a token, only this once
      arkived token create Phone --adds-only
                                          a token that adds entries and reads nothing
      arkived token list
      arkived token revoke "My editor"
      """, subcommands: [List.self, Create.self, Revoke.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List programs that have access.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let agents = try context.open().agents()
      context.output.result(
        ["agents": .array(agents.map(\.json)), "total": JSON(agents.count)],
        lines: agents.isEmpty
          ? [said("No programs have access.")]
          : agents.map { agent in
            said("\(agent.name)  since \(context.timeText(agent.createdAt))")
              + (agent.addsOnly ? said("  can only add") : "")
          })
    }
  }

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Give a program access and print its token. It’s shown only once.")

    @Argument(help: "Its name, shown with everything it adds.") var name: String
    @Flag(help: "Only allow adding entries. The program can’t read anything.") var addsOnly = false
    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let (agent, token) = try context.open().addAgent(named: name, addsOnly: addsOnly)
      context.output.result(
        ["created": agent.json, "token": .string(token)], lines: [token])
      context.output.say(said("The token for \(agent.name). It won’t be shown again."))
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Revoke a program’s access.")

    @Argument(help: "The name or ID.") var name: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let agent = try context.open().removeAgent(name)
      context.output.result(
        ["deleted": .array([agent.json])], lines: [said("Access revoked for \(agent.name).")])
    }
  }
}
