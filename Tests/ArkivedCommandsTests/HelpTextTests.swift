import ArgumentParser
import ArkivedCore
import Testing

@testable import ArkivedCommands

/// What ArgumentParser says, in the language of who reads it.
@Suite struct HelpTextTests {
  private func english(_ words: [String]) throws -> String {
    let error = #expect(throws: (any Error).self) {
      var command = try ArkivedCommand.parseAsRoot(words)
      try command.run()
    }
    return ArkivedCommand.fullMessage(for: try #require(error))
  }

  private func help(_ arguments: String, columns: Int = 80) throws -> String {
    let words = arguments.split(separator: " ").map(String.init)
    return HelpText.spoken(try english(words), words, root: ArkivedCommand.self, columns: columns)
  }

  private func commands(
    _ command: any ParsableCommand.Type = ArkivedCommand.self
  ) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { commands($0) }
  }

  @Test func englishHelpIsWhatArgumentParserSays() throws {
    for arguments in ["--help", "goal create --help", "serve --port"] {
      let words = arguments.split(separator: " ").map(String.init)
      let text = try english(words)
      #expect(HelpText.spoken(text, words, root: ArkivedCommand.self, columns: 80) == text)
    }
  }

  @Test func helpIsSaidInGermanAndFitsTheTerminal() throws {
    try ShownDates.speaking(.german) {
      let text = try help("goal create --help")
      #expect(text.hasPrefix("ÜBERBLICK: Ein Ziel setzen.\n\narkived goal create 120 km laufen"))
      #expect(text.contains("\nVERWENDUNG: arkived goal create "))
      #expect(text.contains("\nARGUMENTE:\n  <title>                 Was du erreichen willst.\n"))
      #expect(text.contains("\nOPTIONEN:\n"))
      #expect(text.contains("  -h, --help              Hilfe anzeigen."))
      let examples = text.split(separator: "\n").filter { $0.hasPrefix("  ") }
      #expect(examples.allSatisfy { $0.count <= 80 }, "\(text)")
      #expect(try help("help goal create") == text)
    }
  }

  @Test func theListOfCommandsIsSaidInGerman() throws {
    try ShownDates.speaking(.german) {
      let text = try help("--help")
      for line in [
        "\nSCHREIBEN:\n", "\nLESEN:\n", "\nZIELE:\n", "\nTREFFEN:\n",
        "\nIMPORT, EXPORT UND SICHERUNG:\n",
        "\n  today                   Den heutigen Tag anzeigen.\n",
        "Mehr dazu: 'arkived help <subcommand>'",
      ] {
        #expect(text.contains(line), "\(line) in \(text)")
      }
      #expect(!text.contains("SUBCOMMANDS") && !text.contains("OPTIONS"))
    }
  }

  @Test func noCommandTellsOfItselfInEnglishAlone() {
    ShownDates.speaking(.german) {
      for command in commands() {
        let configuration = command.configuration
        #expect(saidWhole(configuration.abstract) != configuration.abstract, "\(command)")
        let discussion = configuration.discussion
        let isSaid = discussion.isEmpty || saidWhole(discussion) != discussion
        #expect(isSaid, "\(command): \(discussion)")
      }
    }
  }

  @Test func misuseIsToldInGerman() throws {
    try ShownDates.speaking(.german) { () throws in
      #expect(
        try help("pin").hasPrefix(
          """
          Fehler: Es fehlt das Argument '<id>'
          Hilfe:  <id>  Der Eintrag oder das Treffen: die ID oder deren erste Stellen.
          Verwendung: arkived pin <id>
          """))
      #expect(
        try help("today --nonsense").hasPrefix("Fehler: Unbekannte Option '--nonsense'"))
      #expect(try help("search x --sort y").contains("'best', 'newest' oder 'oldest'."))
      #expect(try help("today --nonsense").hasSuffix("  Mehr dazu: 'arkived today --help'"))
      for other in ["--folder /tmp", "--days 5", "--monthly 12"] {
        #expect(
          try help("backup schedule --off \(other)").hasPrefix(
            "Fehler: --off lässt sich nicht mit anderen Optionen kombinieren."))
      }
    }
  }
}
