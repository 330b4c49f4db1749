import ArkivedCore
import ArkivedStore
import Foundation

/// A report on the goals toward which an action counts or may count.
struct CountsToward {
  private let credits: [GoalCredit]

  init(_ action: UUID, _ archive: Archive, today: DayKey) throws {
    credits = try archive.countsToward(action: action, today: today)
  }

  var json: JSON { .array(credits.map(\.json)) }

  /// Prints a line such as “counts toward Run 120 km: 43.5 of 120 km”.
  func say(_ output: Output) {
    for credit in credits {
      let title = EntryText.oneLine(credit.title)
      let amount =
        credit.target.map { PaceText.amount(credit.total, of: $0, credit.unit) }
        ?? credit.amountText
      output.say(
        credit.counts
          ? credit.isPlanned
            ? said("will count toward \(title): \(amount)")
            : said("counts toward \(title): \(amount)")
          : said("may count toward \(title). To decide: `arkived match review`"))
    }
  }
}
