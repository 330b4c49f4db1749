import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `lifetime` command: a life in weeks.
struct LifeTimeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifetime", abstract: "Show your life in weeks: lived and to come.",
    discussion: """
      arkived lifetime set 1985-06-01
      arkived lifetime set "1 june 1985" --years 85
      arkived lifetime

      Each row is one year of life: █ a week lived, · a week to come.
      """,
    subcommands: [LifeTimeShow.self, LifeTimeSet.self, LifeTimeDelete.self],
    defaultSubcommand: LifeTimeShow.self)
}

struct LifeTimeShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show your life in weeks.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let life = try archive.lifeTime() else {
      context.output.result(["lifetime": .null], lines: [])
      context.output.say(said("No birth date is set. To set it: `arkived lifetime set 1985-06-01`"))
      return
    }
    context.output.result(
      ["lifetime": life.json(on: context.today)],
      lines: [LifeTimeText.line(life, context.today), ""]
        + LifeTimeText.grid(life, context.today, width: context.output.columns))
  }
}

struct LifeTimeSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set your birth date and life expectancy.")

  @Argument(help: "Your birth date: 1985-06-01, “1 june 1985”.") var birthDate: [String]
  @Option(parsing: .unconditional, help: "Your life expectancy in years. Default: 79.")
  var years: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let birth = try context.day(birthDate)
    guard birth <= context.today else {
      throw FieldError("birthDate", said("is \(birth), which is in the future"))
    }
    let number = try years.map { text in
      guard let number = TypedNumber.read(text, in: TerminalLanguage.typed), number > 0,
        number <= 150
      else {
        throw FieldError(
          "expectedYears", said("is \(FieldError.shown(text)), but must be above 0 and at most 150")
        )
      }
      return number
    }
    let archive = try context.open()
    let saved: LifeTime
    if let old = try archive.lifeTime() {
      saved = try archive.update(LifeTime.self, old.id) {
        $0.birthDate = birth
        if let number { $0.expectedYears = number }
      }.value
    } else {
      let now = archive.clock.now
      saved = try archive.create(
        LifeTime(
          id: archive.identities.next(), birthDate: birth,
          expectedYears: number ?? LifeTime.defaultYears, createdAt: now, updatedAt: now)
      ).value
    }
    context.output.result(
      ["lifetime": saved.json(on: context.today)],
      lines: [LifeTimeText.line(saved, context.today)])
  }
}

struct LifeTimeDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete the birth date. arkived undo brings it back.")

  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let life = try archive.lifeTime() else {
      throw ArchiveError.notFound("No lifetime; no birth date is set.")
    }
    try Confirmation.ask(
      said("Delete the birth date \(life.birthDate)?"), isGiven: yes,
      refusal: said("Nothing was deleted."))
    let deleted = try archive.delete(LifeTime.self, life.id).value
    context.output.result(["deleted": deleted.json], lines: [said("Birth date deleted.")])
    context.output.say(said("`arkived undo` reverts this."))
  }
}

/// The appearance of a life in weeks.
enum LifeTimeText {
  /// Formats a summary: `2,127 weeks lived, 1,995 to come (40.7 of 79 years)`.
  static func line(_ life: LifeTime, _ today: DayKey) -> String {
    let left = life.weeksRemaining(on: today)
    let years = life.ageText(on: today)
    let lived = AmountText.grouped(life.weeksLived(on: today))
    let expected = AmountText.told(life.expectedYears)
    guard left > 0 else {
      return said("\(lived) weeks lived, more than expected (\(years) of \(expected) years)")
    }
    return said(
      "\(lived) weeks lived, \(AmountText.grouped(left)) to come (\(years) of \(expected) years)")
  }

  private static let mostRows = 90

  /// Formats one row per year, with a cell for each week if there is enough space; each row covers
  /// several years if there would be too many rows.
  static func grid(_ life: LifeTime, _ today: DayKey, width: Int) -> [String] {
    let years = max(
      Int(life.expectedYears.rounded(.up)), Int(life.age(on: today).rounded(.up)), 1)
    let perRow = (years + mostRows - 1) / mostRows
    if perRow == 1, width >= 57 { return weeks(life, today, years: years) }
    let cells = max(1, min(52, width - 5))
    let daysPerCell = LifeTime.daysPerYear * Double(perRow) / Double(cells)
    let lived = Double(life.birthDate.distance(to: today))
    let end = life.expectedYears * LifeTime.daysPerYear
    return stride(from: 0, to: years, by: perRow).map { year in
      let first = Double(year) * LifeTime.daysPerYear
      let row = (0..<cells).map { cell in
        let start = first + Double(cell) * daysPerCell
        return start + daysPerCell <= lived ? "█" : start < end ? "·" : " "
      }.joined()
      let label = year % 10 == 0 || perRow > 1 ? String(year) : ""
      let padded = String(repeating: " ", count: max(0, 3 - label.count)) + label
      return trimmed("\(padded) \(row)")
    }
  }

  /// Formats one cell per week: a year has 52 or 53 of them.
  private static func weeks(_ life: LifeTime, _ today: DayKey, years: Int) -> [String] {
    let lived = life.weeksLived(on: today)
    let expected = life.weeksExpected
    return (0..<years).map { year in
      let row = life.weeks(ofYear: year).map { week in
        week < lived ? "█" : week < expected ? "·" : " "
      }.joined()
      let label = year % 10 == 0 ? String(year) : ""
      return trimmed(String(repeating: " ", count: 3 - label.count) + label + " " + row)
    }
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
