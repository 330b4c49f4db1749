import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Nudges at the command line", .timeLimit(.minutes(20)))
struct NudgeCommandTests {
  /// Programs of the desktop that write down what they are told, on a PATH of their own.
  private func desktop(_ program: Program) throws -> [String: String] {
    _ = try program.folder.script(
      "bin/notify-send", "printf '%s\\n' \"$@\" >> \"$HOME/said\"")
    return ["PATH": "\(program.folder.url.path)/bin"]
  }

  private func said(_ program: Program) -> String {
    let file = program.folder.url.appendingPathComponent("said")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  @Test func allAreOffUntilTheyAreSet() throws {
    let program = try Program()
    let fresh = try program("nudge")
    #expect(fresh.status == 0, "\(fresh.talk)")
    #expect(fresh.output.contains("evening      off") && fresh.output.contains("meeting      off"))
    #expect(fresh.output.contains("22:00-07:00. At most 3 a day. Notifications"))
    #expect(try program("nudge", "set", "evening").status == 0)
    #expect(try program("nudge", "set", "meeting", "--minutes", "15").status == 0)
    let set = try program("nudge", "set", "on-this-day", "--at", "8:30am", "--json")
    let settings = set.json["settings"]
    #expect(settings?["evening"] == "21:00" && settings?["meeting"] == 15)
    #expect(settings?["onThisDay"] == "08:30" && settings?["goal"] == .null)
    // Set again without a time, it keeps its own.
    #expect(try program("nudge", "set", "on-this-day").output.contains("at 08:30"))
    let next = try program("nudge", "next")
    #expect(
      next.output == "2026-03-14 21:00  evening\n2026-03-15 08:30  on-this-day\n", "\(next.output)")
    let off = try program("nudge", "off", "evening", "meeting", "--json")
    #expect(off.json["settings"]?["evening"] == .null)
    #expect(off.json["settings"]?["onThisDay"] == "08:30")
    #expect(try program("nudge", "off", "--json").json["settings"]?["onThisDay"] == .null)
  }

  private static let wrong: [([String], Int32)] = [
    (["set"], 64), (["set", "pager"], 64), (["set", "evening", "--at", "9:00"], 65),
    (["set", "evening", "--at", "late"], 65), (["set", "goal", "--minutes", "5"], 64),
    (["set", "meeting", "--at", "9:00"], 64), (["set", "--quiet", "always"], 65),
    (["set", "--most", "0"], 65), (["set", "--by", "pager"], 64), (["set", "--text", "x"], 64),
    (["dismiss", "nothing"], 66), (["Sam", "about", "the", "report"], 64),
  ]

  @Test(arguments: wrong)
  func whatCannotBeIsSaidAndChangesNothing(words: [String], status: Int32) throws {
    let program = try Program()
    let refused = try program.run(["nudge"] + words)
    #expect(refused.status == status && !refused.talk.isEmpty, "\(refused.talk)")
    #expect(try program("nudge").output.contains("evening      off"))
  }

  @Test func todayTellsWithoutAServerUntilItIsDismissed() throws {
    let program = try Program()
    #expect(try !program("today").talk.contains("note yet"))
    _ = try program("nudge", "set", "evening", "--quiet", "none")
    let today = try program("today")
    #expect(today.talk.contains("! The day has no note yet. → arkived note\n"), "\(today.talk)")
    #expect(try !program("today", "--json").talk.contains("no note yet"))
    let snoozed = try program("nudge", "snooze")
    #expect(snoozed.output == "Snoozed one reminder for an hour.\n")
    #expect(try !program("today").talk.contains("no note yet"))
    let later = ["ARKIVED_NOW": "2026-03-14T21:00:00Z"]
    #expect(try program("today", environment: later).talk.contains("no note yet"))
    _ = try program("nudge", "dismiss", environment: later)
    #expect(try !program("today", environment: later).talk.contains("no note yet"))
    #expect(try program("nudge", "dismiss").output == "No reminders in `arkived today`.\n")
    let tomorrow = ["ARKIVED_NOW": "2026-03-15T20:00:00Z"]
    #expect(try program("today", environment: tomorrow).talk.contains("no note yet"))
  }

  @Test func testShowsANotificationOrSaysWhyThereIsNone() throws {
    let program = try Program()
    let shown = try program("nudge", "test", environment: try desktop(program))
    #expect(shown.status == 0, "\(shown.talk)")
    #expect(said(program) == "--app-name=Arkived\n--\nArkived\nReminders look like this.\n")
    let absent = try program("nudge", "test", environment: ["PATH": "/nowhere"])
    #expect(absent.status == 69 && absent.talk.contains("libnotify-bin"))
  }

  @Test func theServerTellsTheDesktopOnceAndWithoutTitles() async throws {
    let program = try Program()
    let words = try desktop(program)
    let made = try program("meeting", "create", "Canary talk 2026-03-14 21:08-21:30 @Ana")
    #expect(made.status == 0, "\(made.talk)")
    let set = try program(
      "nudge", "set", "meeting", "--by", "desktop", "--by", "today", environment: words)
    #expect(set.status == 0 && set.talk.isEmpty, "\(set.talk)")
    let server = try RunningServer(program, environment: words)
    // Waits without holding a thread that other tests need.
    while said(program).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
    let again = try RunningServer(program, options: ["--beside"], environment: words)
    let page = try again.ask("GET", "/api/v1/nudges")
    #expect(page.status == 200)
    let standing = page.json["standing"]?.array
    #expect(standing?.first?["text"]?.string?.hasPrefix("Canary talk Ana in eight ") == true)
    #expect(try server.stop(within: 60)?.talk.contains("Canary") == false)
    #expect(try again.stop(within: 60)?.talk.contains("Canary") == false)
    #expect(
      said(program) == "--app-name=Arkived\n--\nArkived\nA meeting in eight minutes.\n")
  }
}
