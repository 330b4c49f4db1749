package import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import Dispatch
import Foundation
import Synchronization

/// The root command of the command line.
package struct ArkivedCommand: ParsableCommand {
  package static var configuration: CommandConfiguration {
    guard let named else { return whole }
    // With a super-command, even one without a name, ArgumentParser doesn’t first parse all arguments
    // twice as requests for a completion script.
    return CommandConfiguration(
      commandName: whole.commandName, _superCommandName: "", version: whole.version,
      subcommands: [named])
  }

  /// The command named in the arguments being parsed.
  ///
  /// Only this command is set up, because ArgumentParser would otherwise set up all of them.
  @TaskLocal private static var named: (any ParsableCommand.Type)?

  private static let whole = CommandConfiguration(
    commandName: "arkived",
    abstract: "A private archive of your life on your own computer: days, goals and meetings.",
    discussion: """
      Anything that isn’t a command is saved as an entry:

        arkived "lunch with Sam at Joe's 12:30-13:15 #friends"
        arkived yesterday at 7am: ran 5 km

      Then ask: arkived ask "what did I do with Sam last month?"

      Set goals that count your entries, and see your progress:

        arkived goal create Run 120 km --to "31 march"
        arkived progress

      Settings: ARKIVED_HOME is the archive’s folder, ARKIVED_TIME_ZONE your home time zone, \
      ARKIVED_NOW a fixed clock. ARKIVED_LANGUAGE, or --language before the command, is en or de.
      Completions for bash, zsh or fish: arkived --generate-completion-script SHELL
      Exit codes: 0 success, 1 failure, 64 incorrect usage, 65 invalid input, 66 input not found, \
      69 required service unavailable, 73 can’t create file, 74 input/output error, 75 busy, 77 \
      refused.
      """,
    version: ArkivedVersion.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Writing",
        subcommands: [
          Add.self, Capture.self, Note.self, Edit.self, Attach.self, Delete.self, Pin.self,
          TagCommand.self, Drafts.self, TemplatesCommand.self,
        ]),
      CommandGroup(
        name: "Reading",
        subcommands: [
          Today.self, ShowDay.self, OnThisDay.self, Search.self, Ask.self, ShowRecap.self,
          ShowInsights.self, BacklinksCommand.self, When.self, RunQuery.self, SQLQuery.self,
          Playground.self,
        ]),
      CommandGroup(
        name: "Goals",
        subcommands: [
          ProgressCommand.self, GoalCommand.self, ActionCommand.self, ValueCommand.self,
          TermCommand.self, MatchCommand.self, LifeTimeCommand.self,
        ]),
      CommandGroup(
        name: "Meetings",
        subcommands: [
          MeetingCommand.self, BriefCommand.self, PersonCommand.self, NotesCommand.self,
          PromisesCommand.self,
        ]),
      CommandGroup(
        name: "Import, export and backup",
        subcommands: [
          Import.self, InboxCommand.self, Export.self, Backup.self, Restore.self, Merge.self,
          Move.self, Sync.self, Sample.self,
        ]),
      CommandGroup(
        name: "Maintenance and settings",
        subcommands: [
          InitArchive.self, History.self, Undo.self, Purge.self, Doctor.self, IndexArchive.self,
          AssistantCommand.self, NudgeCommand.self, Serve.self, OpenPage.self, ServiceCommand.self,
          PhoneCommand.self, SettingsCommand.self,
        ]),
      CommandGroup(
        name: "For programs",
        subcommands: [
          ToolCommand.self, ConfirmCommand.self, TokenCommand.self, MCPCommand.self,
        ]),
    ])

  package init() {}

  /// The commands by their names and aliases.
  ///
  /// A line that begins with another word is added as an entry.
  static let commands: [String: any ParsableCommand.Type] = {
    var commands: [String: any ParsableCommand.Type] = [:]
    for command in whole.subcommands { for name in names(of: command) { commands[name] = command } }
    return commands
  }()

  private static func isCommand(_ word: String) -> Bool { word == "help" || commands[word] != nil }

  /// Runs the program with its arguments and returns its exit code.
  ///
  /// Most commands run on the calling thread: the first task of a process starts four threads, each
  /// with its own heap, which takes longer than adding an entry.
  package static func runProgram() -> Int32 {
    StandardStreams.keepPlaces()
    Interrupt.unblock()
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { break }
      // The standard library would replace invalid UTF-8 with replacement characters, which would
      // then be stored.
      guard let argument = String(validatingCString: bytes) else {
        return report(
          CommandFailure(
            .badInput,
            said(
              """
              Couldn’t read argument \(index), “\(String(cString: bytes).prefix(60))”: it isn’t \
              valid UTF-8. Nothing was done. If it’s a file name, rename the file.
              """)
          ),
          isJSON: wantsJSON(arguments))
      }
      arguments.append(argument)
    }
    if arguments == ["--version"] {
      Output.write(ArkivedVersion.current + "\n", to: 1)
      return ExitStatus.done.rawValue
    }
    ImageReader.register()
    guard arguments != [ImageReader.argument] else {
      ImageReader.serve()
      return ExitStatus.done.rawValue
    }
    guard arguments != [ReaderChild.argument] else { ReaderService.serve() }
    do {
      let choice = try TerminalLanguage.choice(arguments)
      return TerminalLanguage.speaking(choice) { run($0) }
    } catch {
      return report(CommandFailure(error), isJSON: wantsJSON(arguments))
    }
  }

  /// Runs arguments and returns the exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    var arguments = textsLast(commandFirst(arguments))
    do {
      if isPiped(arguments) { arguments.insert(Capture._commandName, at: 0) }
      try checkHelp(arguments)
      var slip: String?
      if try isLineToWrite(arguments) {
        slip = misspelt(arguments)
        arguments.insert("add", at: 0)
      }
      arguments = EditRouting.routed(arguments)
      if arguments.first == Search._commandName { arguments = try searchArguments(arguments) }
      let isScript = arguments.contains { $0.hasPrefix("--generate-completion-script") }
      let name = isScript ? nil : arguments.first
      var command = try $named.withValue(name.flatMap { commands[$0] }) {
        try parseAsRoot(arguments)
      }
      if let asynchronous = command as? any AsyncParsableCommand {
        try wait(for: asynchronous)
      } else {
        try command.run()
      }
      if let slip, !wantsJSON(arguments) {
        Output(.text).say(
          said(
            "Saved as an entry. Did you mean `arkived \(slip)`? To undo: `arkived undo`"))
      }
      return ExitStatus.done.rawValue
    } catch  where isParsing(error) {
      let text = HelpText.spoken(
        fullMessage(for: error), arguments, root: Self.self, columns: Output(.text).columns)
      let code = exitCode(for: error)
      if wantsJSON(arguments), !code.isSuccess {
        let failure = CommandFailure(.usage, message(for: error))
        let document: JSON = ["error": failure.json]
        Output(.json).data(document.text())
      }
      Output.write(text + "\n", to: code.isSuccess ? 1 : 2)
      return code.rawValue
    } catch {
      return report(CommandFailure(error), isJSON: wantsJSON(arguments))
    }
  }

  /// Runs a command in a task, and blocks this thread until it ends.
  private static func wait(for command: sending any AsyncParsableCommand) throws {
    let ended = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    Task { [command] in
      defer { ended.signal() }
      var command = command
      do { try await command.run() } catch { failure.withLock { $0 = error } }
    }
    ended.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private static func wantsJSON(_ arguments: [String]) -> Bool {
    let options = arguments.prefix { $0 != "--" }
    return options.contains("--json") || options.contains("--format=json")
      || zip(options, options.dropFirst()).contains { $0 == "--format" && $1 == "json" }
  }

  /// Returns the arguments with leading global options moved after the command.
  static func commandFirst(_ arguments: [String]) -> [String] {
    var globals: [String] = []
    var rest = arguments[...]
    while let first = rest.first {
      if first == "--archive", rest.count > 1 {
        globals += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else if first == "--json" || first.hasPrefix("--archive=") {
        globals.append(first)
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    if let first = rest.first, Habits.isSearch(first) { return ["search"] + globals + rest }
    guard let command = rest.first, !globals.isEmpty else { return arguments }
    if command == "help" { return Array(rest) }
    guard commands[command] != nil else { return globals + rest }
    // After the subcommand too, because a default one would otherwise treat its name as an
    // argument.
    let own = rest.dropFirst().first.map { subcommandNames(of: command).contains($0) } ?? false
    let words = rest.prefix(own ? 2 : 1)
    return words + globals + rest.dropFirst(words.count)
  }

  private static func subcommandNames(of command: String) -> Set<String> {
    Set(commands[command]?.configuration.subcommands.flatMap(names(of:)) ?? [])
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command._commandName] + command.configuration.aliases
  }

  /// Returns a search's arguments with its user's habitual spellings expanded.
  private static func searchArguments(_ arguments: [String]) throws -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let now = try Context.clock(environment).now
    let zone = try Context.zone(environment)
    return Habits.expanded(arguments) { (try? Context.day($0, now: now, zone: zone)) != nil }
  }

  /// Returns true if a line is piped in and the arguments contain no words:
  /// `echo coffee | arkived`.
  private static func isPiped(_ arguments: [String]) -> Bool {
    var rest = arguments[...]
    while let first = rest.popFirst() {
      if first == "--archive" {
        rest = rest.dropFirst()
      } else if first != "--json", !first.hasPrefix("--archive=") {
        return false
      }
    }
    return Capture.hasInput
  }

  /// Checks the arguments of a request for help.
  ///
  /// - Throws: an error if help is requested for something other than a command.
  static func checkHelp(_ arguments: [String]) throws {
    let words = arguments.dropFirst().prefix { !$0.hasPrefix("-") }
    guard arguments.first == "help", let first = words.first, !isCommand(first) else { return }
    let name = String(first.prefix(60))
    let meant = MisspeltCommand.meant(by: first, among: Array(commands.keys), isEntry: false)
    throw CommandFailure(
      .usage,
      meant.map { said("“\(name)” isn’t a command. Did you mean `arkived help \($0)`?") }
        ?? said("“\(name)” isn’t a command. For a list of commands: `arkived help`"))
  }

  /// Returns the probably intended line if the first word of an entry is a misspelt command.
  static func misspelt(_ arguments: [String]) -> String? {
    guard let word = arguments.first,
      let meant = MisspeltCommand.meant(by: word, among: Array(commands.keys), isEntry: true)
    else { return nil }
    return ([meant] + arguments.dropFirst()).joined(separator: " ")
  }

  /// Returns true if an error is ArgumentParser's own: wrong usage, or a request for help.
  private static func isParsing(_ error: any Error) -> Bool {
    if error is CommandFailure { return false }
    let code = exitCode(for: error)
    return code == .validationFailure || code == .success
  }

  private static func report(_ failure: CommandFailure, isJSON: Bool) -> Int32 {
    if isJSON, !failure.isInDocument {
      let document: JSON = ["error": failure.json]
      Output(.json).data(document.text())
    }
    Output.write("arkived: \(Output.visible(saidAgain(failure.message)))\n", to: 2)
    return failure.status.rawValue
  }

  /// Returns true if the arguments are an entry instead of a command: the first word isn't a
  /// command, or the line begins with a time and a colon (“today at 3am: …”).
  static func isLineToWrite(
    _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Bool {
    var words: [String] = []
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if argument == "--archive" {
        index += 1
      } else if argument == "--" {
        words += arguments[(index + 1)...]
        break
      } else if !argument.hasPrefix("-") || argument == "-" || !words.isEmpty {
        words.append(argument)
      } else if !["--json"].contains(argument), !argument.hasPrefix("--archive=") {
        // --help, --version, completions.
        return false
      }
      index += 1
    }
    guard let first = words.first else { return false }
    guard isCommand(first) else { return true }
    if words.contains(where: { $0.contains(":") }) {
      let clock = try Context.clock(environment)
      let reader = QuickAddReader(
        now: clock.now, zone: try Context.zone(environment), language: TerminalLanguage.typed)
      if reader.startsWithTime(words.joined(separator: " ")) { return true }
    }
    try checkVerb(of: first, words.dropFirst().first)
    return false
  }

  /// Commands that could also be the first word of an entry, and accept only verbs as their
  /// arguments.
  private static let nouns: [any ParsableCommand.Type] = [
    GoalCommand.self, ActionCommand.self, ValueCommand.self, TermCommand.self, MatchCommand.self,
    LifeTimeCommand.self, AssistantCommand.self, ConfirmCommand.self, TokenCommand.self,
    OpenPage.self, ServiceCommand.self, InboxCommand.self, NudgeCommand.self, PhoneCommand.self,
    Move.self,
  ]

  /// Checks the word after a noun.
  ///
  /// - Throws: an error if it isn't one of the noun's verbs.
  private static func checkVerb(of noun: String, _ word: String?) throws {
    guard let word, !word.hasPrefix("-"),
      let command = nouns.first(where: { $0._commandName == noun })
    else { return }
    let verbs = command.configuration.subcommands.map { $0._commandName }
    guard !verbs.contains(word) else { return }
    let taken = verbs.isEmpty ? said("only options") : verbs.joined(separator: ", ")
    throw CommandFailure(
      .usage,
      said(
        """
        “\(noun) \(word.prefix(60))” isn’t a command. `\(noun)` accepts \(taken). To save these \
        words as an entry: `arkived add \(noun) …`
        """))
  }
}
