import ArkivedCore
import Foundation
import Testing

@Suite("The hints of a goal")
struct GoalHintTests {
  @Test(arguments: [
    // the old text, the new one
    ("", #"{"units":["km"],"keywords":["jog"]}"#),
    ("three runs a week", #"{"units":["km"],"keywords":["jog"]}"#),
    (#"{"keywords":["run"],"pace":"slow"}"#, #"{"keywords":["jog"],"pace":"slow","units":["km"]}"#),
  ])
  func theyKeepWhatElseTheirTextHas(old: String, text: String) {
    #expect(GoalHints(units: ["km"], keywords: ["jog"]).text(over: old) == text)
  }

  @Test func withoutAnythingThereIsNoText() {
    #expect(GoalHints().text(over: nil) == nil)
    #expect(GoalHints().text(over: #"{"units":["km"],"keywords":["run"]}"#) == nil)
    #expect(
      GoalHints().text(over: #"{"keywords":["run"],"pace":"slow"}"#)
        == #"{"keywords":[],"pace":"slow","units":[]}"#)
  }
}
