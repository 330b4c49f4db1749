import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// Reminders as terminal output.
struct NudgeText {
  private let context: Context
  private let desk: NudgeDesk

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    desk = NudgeDesk(archive: archive, zone: context.zone)
  }

  /// Prints the settings, and reports conflicts.
  func show(_ settings: NudgeSettings) throws {
    let (standing, upcoming) = (try desk.standing(), try desk.upcoming())
    context.output.result(
      NudgeDesk.json(settings, standing, upcoming),
      lines: Self.lines(settings) + standing.map(Self.line))
    var advice = settings.advice
    if settings.isOn, settings.channels.contains(.desktop), !DesktopNotifier().isThere {
      advice.append(DesktopNotifier.Problem.absent.description)
    }
    for sentence in advice { context.output.say(saidAgain(sentence)) }
  }

  private static func lines(_ settings: NudgeSettings) -> [String] {
    let kinds: [NudgeKind] = [
      .evening, .meeting, .birthday, .notSeen, .goal, .backup, .onThisDay,
    ]
    let channels = NudgeChannel.allCases.filter(settings.channels.contains).map(\.rawValue)
    let rows = kinds.map { kind -> String in
      var when = settings.time(of: kind).map { said("at \($0)") } ?? said("off")
      if kind == .meeting, let minutes = settings.meeting {
        when = said(minutes, one: "\(minutes) minute before", other: "\(minutes) minutes before")
      }
      return kind.name.padding(toLength: 13, withPad: " ", startingAt: 0) + when
    }
    let ways = channels.isEmpty ? said("nothing") : channels.joined(separator: ", ")
    let quiet = settings.quiet?.description ?? said("none")
    let shown = settings.showsText ? said("titles and names") : said("no titles or names")
    return rows + [
      said("Shown by: \(ways)"),
      said(
        "Quiet hours: \(quiet). At most \(settings.mostADay) a day. Notifications show \(shown)."),
    ]
  }

  /// Formats a line of `today`.
  static func line(_ line: NudgeDesk.Line) -> String {
    "! \(line.words.text) → \(line.words.command)"
  }

  /// Prints the open reminders in `today`.
  ///
  /// Without a server, this is where they are delivered.
  static func sayStanding(_ context: Context, _ archive: Archive) throws {
    guard !context.output.isJSON else { return }
    let settings = try archive.nudgeSettings()
    guard settings.isOn, settings.channels.contains(.today) else { return }
    let desk = NudgeDesk(archive: archive, zone: context.zone)
    _ = try desk.giveDue()
    for line in try desk.standing() { context.output.say(Self.line(line)) }
  }

  /// Dismisses or snoozes one reminder, or all open ones.
  static func close(_ identity: String?, snoozes: Bool, _ context: Context) throws {
    let archive = try context.open()
    let desk = NudgeDesk(archive: archive, zone: context.zone)
    let ids = try identity.map { [$0] } ?? desk.standing().map(\.words.id)
    for id in ids { try desk.close(id, snoozes: snoozes) }
    context.output.result(
      ["closed": JSON(ids)],
      lines: [
        ids.isEmpty
          ? said("No reminders in `arkived today`.")
          : snoozes
            ? said(
              ids.count, one: "Snoozed one reminder for an hour.",
              other: "Snoozed \(ids.count) reminders for an hour.")
            : said(
              ids.count, one: "Dismissed one reminder.",
              other: "Dismissed \(ids.count) reminders.")
      ])
  }
}
