import ArkivedAssistant
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Notifications of the desktop")
struct DesktopNotifierTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var said: [String] {
    get throws {
      let file = folder.url.appendingPathComponent("said")
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }

  /// A program of that name alone is found; it writes down what it is told.
  private func notifier(
    _ name: String, _ script: String = "printf '%s\\n' \"$@\" > \"$HOME/said\"",
    limit: Duration = .seconds(600)
  ) throws -> DesktopNotifier {
    _ = try folder.script("bin/\(name)", script)
    return DesktopNotifier(
      environment: [
        "PATH": "\(folder.url.path)/none:\(folder.url.path)/bin", "HOME": folder.url.path,
        "SECRET": "canary",
      ], limit: limit)
  }

  private static let text = "<b>Tea</b> & $(touch owned) 'now'\n--help"

  @Test func notifySendIsToldWordForWordAndNoShellReadsThem() throws {
    let notifier = try notifier("notify-send")
    #expect(notifier.isThere)
    try notifier.show("-Title", Self.text)
    #expect(
      try said == [
        "--app-name=Arkived", "--", "-Title",
        "&lt;b&gt;Tea&lt;/b&gt; &amp; $(touch owned) 'now' --help",
      ])
  }

  @Test func gdbusIsToldTheSameInItsOwnQuotes() throws {
    try notifier("gdbus").show("Arkived", Self.text)
    let words = try said
    #expect(words.prefix(2) == ["call", "--session"])
    #expect(words.contains("org.freedesktop.Notifications.Notify"))
    #expect(
      words.contains(#"'&lt;b&gt;Tea&lt;/b&gt; &amp; $(touch owned) \'now\' --help'"#), "\(words)")
  }

  @Test func theProgramSeesNothingOfTheSurroundingsButTheDesktop() throws {
    try notifier("notify-send", "echo \"secret:$SECRET\" > \"$HOME/said\"").show("a", "b")
    #expect(try said == ["secret:"])
  }

  @Test func whatIsAbsentOrRefusedIsSaid() throws {
    let nothing = DesktopNotifier(environment: ["PATH": "\(folder.url.path)/none:relative"])
    #expect(!nothing.isThere)
    #expect(throws: DesktopNotifier.Problem.absent) { try nothing.show("a", "b") }
    #expect(DesktopNotifier.Problem.absent.description.contains("libnotify-bin"))
    #expect(throws: DesktopNotifier.Problem.refused) {
      try notifier("notify-send", "exit 1").show("a", "b")
    }
  }

  @Test func aProgramThatHangsIsEnded() throws {
    let slow = try notifier("notify-send", "exec /bin/sleep 600", limit: .milliseconds(300))
    #expect(throws: DesktopNotifier.Problem.refused) { try slow.show("a", "b") }
  }
}
