import ArkivedCore
import ArkivedStore
import Foundation

/// The goals that an action counts towards, or may count towards.
struct CountsToward {
  private let links: [(contribution: ActionGoalContribution, goal: Goal)]
  private let progress: [UUID: GoalProgress]

  init(_ action: UUID, _ archive: Archive, today: DayKey) throws {
    links = try archive.contributions(ofAction: action)
      .filter { $0.contribution.matchMethod != .userRejected }
    var progress: [UUID: GoalProgress] = [:]
    // One by one: asked for together, every goal's days would be read.
    for (_, goal) in links {
      progress.merge(try archive.progress(of: [goal], today: today)) { first, _ in first }
    }
    self.progress = progress
  }

  var json: JSON {
    .array(
      links.map { link, goal in
        [
          "goalId": .string(goal.id.uuidString), "title": .string(goal.title),
          "contribution": JSON(link.contribution), "confidence": JSON(link.confidence),
          "counts": .bool(link.counts), "total": JSON(progress[goal.id]?.total),
          "target": JSON(goal.measurementTarget), "unit": JSON(goal.measurementUnit),
        ]
      })
  }

  /// “counts toward Run 120 km: 43.5 of 120 km”
  func say(_ output: Output) {
    for (link, goal) in links {
      let title = EntryText.oneLine(goal.title)
      if link.counts {
        let amount = progress[goal.id].map {
          ": " + PaceText(goal: goal, progress: $0, today: .earliest).amountText
        }
        output.say("counts toward \(title)\(amount ?? "")")
      } else if link.waits {
        output.say("may count toward \(title): arkived match review")
      }
    }
  }
}
