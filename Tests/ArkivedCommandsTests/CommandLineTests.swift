import ArgumentParser
import ArkivedCore
import ArkivedStore
import ArkivedWeb
import Foundation
import Testing

@testable import ArkivedCommands

@Suite("Reading the command line")
struct CommandLineTests {
  private let environment = [
    "ARKIVED_NOW": "2026-03-14T20:00:00Z", "ARKIVED_TIME_ZONE": "Europe/Berlin",
  ]

  @Test(arguments: [
    ("lunch with Sam", true), ("today", false), ("search castle", false),
    ("today at 3am: woke up", true), ("yesterday at 7am: ran 5 km", true),
    ("search for my keys: nothing", false), ("--help", false), ("--version", false), ("", false),
    ("--archive DIR lunch", true), ("--archive DIR today", false), ("--json lunch", true),
    ("add today", false), ("help add", false), ("-- today", false), ("day 2026-03-14", false),
    ("sql select 1", false),
  ])
  func bareWordsWriteUnlessTheyAreACommand(line: String, writes: Bool) throws {
    let words = line.split(separator: " ").map(String.init)
    #expect(try ArkivedCommand.isLineToWrite(words, environment: environment) == writes)
  }

  @Test func optionsMayStandBeforeTheCommand() {
    #expect(
      ArkivedCommand.commandFirst(["--archive", "D", "--json", "day", "yesterday"])
        == ["day", "--archive", "D", "--json", "yesterday"])
    #expect(ArkivedCommand.commandFirst(["lunch", "--json"]) == ["lunch", "--json"])
  }

  @Test func aPortThatCannotBeUsedIsExplained() {
    let forbidden = Serve.failure(PortUnavailable(.forbidden, port: 80))
    #expect(forbidden.status == .refused)
    #expect(forbidden.message.contains("isn’t allowed to use port 80. Choose a port from 1024 up"))
    let used = Serve.failure(PortUnavailable(.inUse, port: 8017))
    #expect(used.status == .unavailable && used.message.hasPrefix("Port 8017 is in use."))
  }

  /// A list in Markdown begins like an option.
  @Test(arguments: [
    (["note", "--replace", "- milk"], ["note", "--replace", "--", "- milk"]),
    (["note", "--json", "- milk"], ["note", "--json", "--", "- milk"]),
    (["--json", "- milk"], ["--json", "--", "- milk"]),
    (["note", "--title", "- milk"], ["note", "--title=- milk", "--"]),
    (["goal", "edit", "run", "--notes", "- a"], ["goal", "edit", "run", "--notes=- a", "--"]),
    (["note", "milk"], ["note", "milk"]),
  ])
  func aTextThatBeginsLikeAnOptionIsNoOption(arguments: [String], result: [String]) {
    #expect(ArkivedCommand.textsLast(arguments) == result)
  }

  @Test(arguments: ["match against Milan", "goal scored by Sam", "value for money", "term paper"])
  func aNounWithoutItsVerbWritesNothing(line: String) {
    let words = line.split(separator: " ").map(String.init)
    let error = #expect(throws: CommandFailure.self) {
      try ArkivedCommand.isLineToWrite(words, environment: environment)
    }
    #expect(error?.status == .usage && error?.message.contains("arkived add") == true)
  }

  @Test(arguments: ["goal", "goal list", "goal --json", "match review", "progress", "term --help"])
  func aNounWithItsVerbIsACommand(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    #expect(try !ArkivedCommand.isLineToWrite(words, environment: environment))
  }

  @Test func aWrongClockOrZoneIsWrongUsage() {
    for (name, value) in [("ARKIVED_NOW", "noon"), ("ARKIVED_TIME_ZONE", "Mars")] {
      let error = #expect(throws: CommandFailure.self) {
        try Context(try GlobalOptions.parse([]), environment: [name: value])
      }
      #expect(error?.status == .usage && error?.message.contains(name) == true)
    }
  }

  @Test func theArchiveLiesWhereItsOwnerSays() {
    let xdg = ["XDG_DATA_HOME": "/data"]
    #expect(Context.location(":memory:", xdg) == .memory)
    #expect(Context.location(nil, xdg) == .folder(URL(fileURLWithPath: "/data/arkived/")))
    #expect(Context.location("/a/b", xdg) == .folder(URL(fileURLWithPath: "/a/b/")))
  }

  /// A script's `--archive "$DIR"` without a value must not reach the archive of its user.
  @Test(arguments: ["", " "])
  func anArchiveWithoutANameIsWrongUsage(name: String) throws {
    var options = try GlobalOptions.parse([])
    options.archive = name
    let error = #expect(throws: CommandFailure.self) {
      try Context(options, environment: environment)
    }
    #expect(error?.status == .usage && error?.message.contains("--archive") == true)
  }

  /// It would be the folder in which the program runs.
  @Test(arguments: ["", " "])
  func anEmptyPathIsWrongUsage(path: String) throws {
    for read in [PathArgument.url, PathArgument.folder] {
      let error = #expect(throws: CommandFailure.self) { try read(path) }
      #expect(error?.status == .usage)
    }
    #expect(try PathArgument.url("/a/b").path == "/a/b")
    #expect(try PathArgument.folder("/a/b").hasDirectoryPath)
  }

  private static let filters: [([String], String?)] = [
    (["--kind", ""], "--kind"), (["--from", "march", "--kind", ","], "--kind"),
    (["--not-tag", "", "--tag", "a"], "--not-tag"), (["--contains", ""], "--contains"),
    (["--person", " "], "--person"), (["--source", ""], "--source"), (["--contains", ","], nil),
    (["--tag", "a,b", "--kind", "work", "--pinned"], nil),
  ]

  /// An action must not reach more entries because a script's variable is unset.
  @Test(arguments: filters)
  func aFilterWithoutAValueIsFound(arguments: [String], option: String?) throws {
    let filters = try Filters.parse(arguments)
    guard let option else { return try filters.checkValues() }
    let error = #expect(throws: CommandFailure.self) { try filters.checkValues() }
    #expect(error?.status == .usage && error?.message.hasPrefix("\(option) ") == true)
  }

  @Test func anEmptyWordIsFound() throws {
    let filters = try Filters.parse(["--tag", "a"])
    try filters.checkValues(words: ["rain", "-sun"])
    for words in [[""], ["rain", " "]] {
      let error = #expect(throws: CommandFailure.self) { try filters.checkValues(words: words) }
      #expect(error?.status == .usage)
    }
  }

  /// A person copies these commands into a shell.
  @Test func aPathWithASpaceIsOneWordOfASuggestedCommand() throws {
    #expect(Archive.shellWord("/home/ann/life-2026.zip") == "/home/ann/life-2026.zip")
    #expect(Archive.shellWord("/home/ann/it's life") == #"'/home/ann/it'\''s life'"#)
    // A quote that carries an accent is a quote to the shell.
    #expect(Archive.shellWord("it'\u{301};ls") == "'it'\\''\u{301};ls'")
    #expect(Archive.shellWord("$HOME") == "'$HOME'" && Archive.shellWord("").count == 2)
    let home = URL(fileURLWithPath: "/nowhere/My Life", isDirectory: true)
    let damage = try #require(
      DamagedArchive(
        ArchiveError.damaged(path: home.path, reason: "not a database"), at: .folder(home)))
    let advice = damage.failure.message
    #expect(advice.contains("`mv '/nowhere/My Life/archive.sqlite'* SOME-OTHER-FOLDER`"))
    #expect(advice.contains("`sqlite3 '/nowhere/My Life/archive.sqlite' .recover`"))
  }

  @Test func aDayIsNamedInManyWays() throws {
    let context = try Context(try GlobalOptions.parse([]), environment: environment)
    #expect(try context.day([]).description == "2026-03-14")
    #expect(try context.day(["yesterday"]).description == "2026-03-13")
    #expect(try context.day(["last", "sunday"]).description == "2026-03-08")
    #expect(try context.day(["2020-02-29"]).description == "2020-02-29")
    // A script's `--day "$DAY"` without a value must not choose today.
    for words in [
      ["march"], ["gibberish"], ["2026-02-30"], ["yesterday", "maybe"], [""], [" "],
    ] {
      #expect(throws: CommandFailure.self) { try context.day(words) }
    }
  }

  /// A column with the name of another one would be lost in a line of JSON.
  @Test(arguments: [
    (["a", "b"], ["a", "b"]), (["a", "a", "a"], ["a", "a_2", "a_3"]),
    (["a", "a_2", "a"], ["a", "a_2", "a_3"]), (["a", "a", "a_2"], ["a", "a_3", "a_2"]),
  ])
  func noTwoColumnsOfAQueryHaveOneName(names: [String], unique: [String]) {
    #expect(QueryPrinter.unique(names) == unique)
  }

  @Test func controlCharactersOfAnEntryCannotDriveTheTerminal() {
    #expect(Output.visible("a\u{1B}]0;evil\u{7}b") == "a␛]0;evil␇b")
    #expect(Output.visible("\u{202E}txet") == "\u{FFFD}txet")
    #expect(Output.visible("\u{1B}[1mbold\u{1B}[0m\n\t日本") == "␛[1mbold␛[0m\n\t日本")
  }

  /// ArgumentParser makes a name of a type's name otherwise, at every start and for every command.
  @Test func everyCommandNamesItself() {
    func unnamed(_ command: any ParsableCommand.Type) -> [String] {
      let own = command.configuration.commandName == nil ? ["\(command)"] : []
      return own + command.configuration.subcommands.flatMap(unnamed)
    }
    #expect(unnamed(ArkivedCommand.self) == [])
    #expect(ArkivedCommand.configuration.subcommands.count > 50)
  }
}
