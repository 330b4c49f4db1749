import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `token`: which programs are let in.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Let programs in: they read, add and propose, and nothing else.",
    discussion: """
      arkived token create "My editor"    prints a token, this once
      arkived token create Phone --adds-only
                                          one that adds entries and reads nothing
      arkived token list
      arkived token revoke "My editor"
      """, subcommands: [List.self, Create.self, Revoke.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the programs let in.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let agents = try context.open().agents()
      context.output.result(
        ["agents": .array(agents.map(\.json)), "total": JSON(agents.count)],
        lines: agents.isEmpty
          ? [said("No program is let in.")]
          : agents.map { agent in
            said("\(agent.name)  since \(context.timeText(agent.createdAt))")
              + (agent.addsOnly ? said("  adds only") : "")
          })
    }
  }

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Let a program in and print its token, this once.")

    @Argument(help: "Its name, which stands beside what it adds.") var name: String
    @Flag(help: "It may add entries and nothing else, not even read.") var addsOnly = false
    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let (agent, token) = try context.open().addAgent(named: name, addsOnly: addsOnly)
      context.output.result(
        ["created": agent.json, "token": .string(token)], lines: [token])
      context.output.say(said("The token of \(agent.name); it is not shown again."))
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Let a program in no longer.")

    @Argument(help: "Its name or identity.") var name: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
      let context = try Context(options)
      let agent = try context.open().removeAgent(name)
      context.output.result(
        ["deleted": .array([agent.json])], lines: [said("\(agent.name) is let in no longer.")])
    }
  }
}
