import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `nudge` command: the reminders that Arkived may show by itself.
struct NudgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nudge",
    abstract: "Choose your reminders. All are off by default.",
    discussion: """
      arkived nudge set evening --at 21:00       if the day has no note yet
      arkived nudge set meeting --minutes 10     the brief, before a meeting with others
      arkived nudge set goal                     a goal that’s behind, once a week at most
      arkived nudge set backup                   an overdue backup, once a week at most
      arkived nudge set on-this-day --at 8am     what happened on this day in past years
      arkived nudge set birthday --at 8am        birthdays, from your contacts
      arkived nudge set not-seen                 somebody you haven’t seen for an unusually long \
      time
      arkived nudge set --by desktop --by today --quiet 22:00-07:00 --most 3
      arkived nudge off goal                     or all of them: arkived nudge off

      Reminders are shown while arkived serve runs: as a desktop notification, as a notification of \
      the browser in which the app is open, or as a line in arkived today. That line needs no \
      server. Notifications leave out titles and names unless you allow them with --text yes. Missed \
      reminders are shown later while they still make sense: until the meeting starts, for past \
      years within four hours, otherwise until midnight.
      """,
    subcommands: [
      NudgeList.self, NudgeSet.self, NudgeOff.self, NudgeNext.self, NudgeTest.self,
      NudgeSnooze.self, NudgeDismiss.self,
    ], defaultSubcommand: NudgeList.self)
}

/// The name of a reminder as an argument.
struct NudgeName: ExpressibleByArgument {
  let kind: NudgeKind

  init?(argument: String) {
    guard
      let kind = NudgeKind.allCases.first(where: {
        $0.name == argument.lowercased() || $0.rawValue == argument
      })
    else { return nil }
    self.kind = kind
  }

  static var allValueStrings: [String] { NudgeKind.allCases.map(\.name) }
}

extension NudgeChannel: ExpressibleByArgument {}

/// The `nudge list` command.
struct NudgeList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show your settings and current reminders.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    try NudgeText(context, archive).show(try archive.nudgeSettings())
  }
}

/// The `nudge set` command.
struct NudgeSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Switch on a reminder, or change how reminders are shown.")

  @Argument(help: "meeting, evening, birthday, not-seen, goal, backup or on-this-day.")
  var nudge: NudgeName?
  @Option(help: ArgumentHelp("The time of day.", valueName: "time")) var at: String?
  @Option(help: ArgumentHelp("The number of minutes before a meeting.", valueName: "number"))
  var minutes: Int?
  @Option(
    help: ArgumentHelp("desktop, web or today. Can be repeated.", valueName: "way"))
  var by: [NudgeChannel] = []
  @Option(help: ArgumentHelp("Quiet hours such as 22:00-07:00, or none.", valueName: "hours"))
  var quiet: String?
  @Option(help: ArgumentHelp("The maximum number of reminders per day.", valueName: "number"))
  var most: Int?
  @Option(
    help: ArgumentHelp("Show titles and names in notifications: yes or no.", valueName: "yes|no"))
  var text: String?

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard at == nil || (nudge != nil && nudge?.kind != .meeting) else {
      throw ValidationError(said("--at works with every reminder except meeting."))
    }
    guard minutes == nil || nudge?.kind == .meeting else {
      throw ValidationError(said("--minutes only works with meeting."))
    }
    guard text.map({ ["yes", "no"].contains($0.lowercased()) }) ?? true else {
      throw ValidationError(said("--text is “\(text ?? "")”, but must be yes or no."))
    }
    let hasOption = quiet != nil || most != nil || text != nil || !by.isEmpty
    guard nudge != nil || hasOption else {
      throw ValidationError(
        said("Specify a reminder, such as evening, or an option, such as --quiet."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let object = fields
    let chosen = try archive.updateNudgeSettings { settings in
      if let kind = nudge?.kind, !settings.isOn(kind) {
        settings.set(kind, at: NudgeSettings.usual(kind))
      }
      var reader = FieldReader(object)
      try settings.take(&reader)
    }
    try NudgeText(context, archive).show(chosen)
  }

  /// The given fields, in the form that `NudgeSettings.take` reads.
  private var fields: JSONObject {
    var object = JSONObject()
    if let kind = nudge?.kind, let at { object[kind.rawValue] = .string(at) }
    if let minutes { object["meeting"] = JSON(minutes) }
    if !by.isEmpty { object["channels"] = JSON(by.map(\.rawValue)) }
    if let quiet { object["quiet"] = quiet.lowercased() == "none" ? JSON.null : .string(quiet) }
    if let most { object["mostADay"] = JSON(most) }
    if let text { object["showsText"] = .bool(text.lowercased() == "yes") }
    return object
  }
}

/// The `nudge off` command.
struct NudgeOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Switch off one reminder or all of them.")

  @Argument(help: "The reminders to switch off. Default: all.") var nudges: [NudgeName] = []
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let kinds = nudges.isEmpty ? NudgeKind.allCases : nudges.map(\.kind)
    let chosen = try archive.updateNudgeSettings { settings in
      for kind in kinds { settings.set(kind, at: nil) }
    }
    try NudgeText(context, archive).show(chosen)
  }
}

/// The `nudge next` command.
struct NudgeNext: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Show when each reminder is next due.",
    discussion: "Arkived only checks at that time whether there’s anything to report.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let upcoming = try NudgeDesk(archive: archive, zone: context.zone).upcoming()
    context.output.result(
      [
        "upcoming": .array(
          upcoming.map { ["kind": .string($0.kind.rawValue), "at": JSON($0.at)] })
      ],
      lines: upcoming.map { "\(context.timeText($0.at))  \($0.kind.name)" })
    if upcoming.isEmpty { context.output.say(said("No reminders scheduled.")) }
  }
}

/// The `nudge test` command.
struct NudgeTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Show a test notification on the desktop.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    do throws(DesktopNotifier.Problem) {
      try DesktopNotifier().show(NudgeWords.title, said("Reminders look like this."))
    } catch {
      throw CommandFailure(.unavailable, error.description)
    }
    context.output.result(["shown": true], lines: [said("Notification shown.")])
  }
}

/// The `nudge snooze` command.
struct NudgeSnooze: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze", abstract: "Snooze one or all reminders in arkived today for an hour.")

  @Argument(help: "Its ID, as shown by arkived nudge list --json. Default: all current reminders.")
  var identity: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    try NudgeText.close(identity, snoozes: true, try Context(options))
  }
}

/// The `nudge dismiss` command.
struct NudgeDismiss: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss", abstract: "Dismiss one or all reminders in arkived today.")

  @Argument(help: "Its ID, as shown by arkived nudge list --json. Default: all current reminders.")
  var identity: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    try NudgeText.close(identity, snoozes: false, try Context(options))
  }
}
