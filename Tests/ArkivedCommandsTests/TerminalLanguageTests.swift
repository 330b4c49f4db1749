import ArkivedCore
import Testing

@testable import ArkivedCommands

/// In which language the terminal speaks and reads.
@Suite struct TerminalLanguageTests {
  private func told(
    _ arguments: String, _ environment: [String: String] = [:]
  ) throws -> String {
    let choice = try TerminalLanguage.choice(
      arguments.split(separator: " ").map(String.init), environment: environment)
    return "\(choice.speaks.code) \(choice.typed.code) \(choice.arguments.joined(separator: " "))"
  }

  @Test func theOptionComesBeforeTheEnvironmentAndThatBeforeTheLocale() throws {
    let german = ["LANG": "de_DE.UTF-8"]
    #expect(try told("today") == "en en today")
    #expect(try told("today", german) == "de de today")
    #expect(try told("--language en today", german) == "en en today")
    #expect(try told("--language=de today") == "de de today")
    #expect(try told("today", ["ARKIVED_LANGUAGE": "de", "LANG": "C"]) == "de de today")
    #expect(try told("gestern Kino", german) == "de de gestern Kino")
    #expect(
      try told("--archive life day gestern", german) == "de de --archive life day gestern")
  }

  @Test func whatProgramsReadStaysEnglish() throws {
    let german = ["LANG": "de_DE.UTF-8"]
    #expect(try told("today --json", german) == "en en today --json")
    #expect(try told("search x --format csv", german) == "en en search x --format csv")
    #expect(try told("add --json x", ["ARKIVED_LANGUAGE": "de"]) == "en de add --json x")
    #expect(try told("tool ask {}", german) == "en de tool ask {}")
    #expect(try told("mcp", german) == "en de mcp")
    #expect(try told("---completion goal -- --", german) == "en de ---completion goal -- --")
  }

  @Test func everythingThatAPersonReadsSpeaks() throws {
    let german = ["LANG": "de_DE.UTF-8"]
    for arguments in ["--help", "help goal", "goal list", "serve", "tool --help", "ask why"] {
      #expect(try told(arguments, german) == "de de \(arguments)")
    }
  }

  @Test func aLanguageThatIsNotSpokenIsRefused() throws {
    for (arguments, environment) in [
      ("--language tlh today", [:]), ("--language", [:]), ("today", ["ARKIVED_LANGUAGE": "xx"]),
    ] as [(String, [String: String])] {
      let failure = #expect(throws: CommandFailure.self) { try told(arguments, environment) }
      #expect(failure?.status == .usage && failure?.message.contains("en, de") == true)
    }
  }
}
