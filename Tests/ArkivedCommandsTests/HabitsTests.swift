import ArkivedCore
import Foundation
import Testing

@testable import ArkivedCommands

@Suite("Habits from other programs")
struct HabitsTests {
  private func expanded(_ line: String) -> String {
    let words = line.split(separator: " ").map(String.init)
    return Habits.expanded(words) { phrase in
      (try? Context.day(phrase, now: Instant(milliseconds: 1_773_518_400_000), zone: .utc)) != nil
    }.joined(separator: " ")
  }

  @Test(arguments: [
    ("search -10", "search -n 10"),
    ("search -on yesterday -not work", "search --on yesterday --not-tag work"),
    ("search -from x -until y -starred", "search --from x --to y --starred"),
    ("search a -and b", "search a b"), ("search -- -10 -on", "search -- -10 -on"),
    ("search --on-this-day", "search --on-this-day=today"),
    ("search --on-this-day 14 march soup", "search --on-this-day=14 march soup"),
    ("search --on-this-day soup", "search --on-this-day=today soup"),
    ("search --on-this-day --edit", "search --on-this-day=today --edit"),
    ("search -today-in-history", "search --on-this-day=today"), ("search -1x", "search -1x"),
    ("search -99999999999999999999", "search -99999999999999999999"),
  ])
  func spellingsOfJrnlAreUnderstood(line: String, result: String) {
    #expect(expanded(line) == result)
  }

  @Test(arguments: [
    ("-10", true), ("--on", true), ("--on=yesterday", true), ("-from", true), ("--tag", true),
    ("-n", true), ("--help", false), ("--version", false), ("lunch", false), ("-", false),
    ("--attach", false), ("--generate-completion-script", false), ("---completion", false),
  ])
  func anOptionOfSearchBeginsASearch(argument: String, isSearch: Bool) {
    #expect(Habits.isSearch(argument) == isSearch)
    #expect(
      ArkivedCommand.commandFirst([argument]) == (isSearch ? ["search", argument] : [argument]))
  }

  @Test func globalOptionsMayStandBeforeIt() {
    #expect(
      ArkivedCommand.commandFirst(["--json", "--archive", "D", "-3", "soup"])
        == ["search", "--json", "--archive", "D", "-3", "soup"])
  }
}
