import ArkivedCore
import Foundation

/// The tables of Loop's own backup, a SQLite database (`Loop Habits Backup 2026-03-14 093000.db`).
///
/// Source of the format: the program's migrations. `Habits` has a row for each habit (`type` 1 is a
/// counted habit, since schema version 24; the question was called `description` before),
/// `Repetitions` has one for each mark: `timestamp` is midnight in UTC of the marked day in
/// milliseconds, `value` is 2 for a yes, 1 for a yes that Loop filled in, 0 for a no, 3 for a
/// skipped day, -1 for an unknown one, or an amount in thousandths.
enum LoopBackup {
  static func areTheirs(_ tables: [InterchangeTable]) -> Bool {
    habits(in: tables) != nil && marks(in: tables) != nil
  }

  static func habits(in tables: [InterchangeTable]) -> InterchangeTable? {
    table("habits", with: ["name", "freq_num", "freq_den"], in: tables)
  }

  static func marks(in tables: [InterchangeTable]) -> InterchangeTable? {
    table("repetitions", with: ["habit", "timestamp"], in: tables)
  }

  private static func table(
    _ name: String, with columns: Set<String>, in tables: [InterchangeTable]
  ) -> InterchangeTable? {
    tables.first { table in
      table.name.lowercased() == name
        && columns.isSubset(of: table.columns.map { $0.name.lowercased() })
    }
  }

  static func integer(_ value: InterchangeValue?) -> Int? {
    switch value {
    case .integer(let number): Int(number)
    case .real(let number): Int(exactly: number)
    case .text(let text): Int(text)
    default: nil
    }
  }

  /// Returns a text that isn't empty; bytes that aren't UTF-8 are shown as �.
  static func words(_ value: InterchangeValue?) -> String? {
    let text =
      switch value {
      case .text(let text): text
      case .brokenText(let bytes): String(decoding: bytes, as: UTF8.self)
      default: ""
      }
    let words = text.replacing("\0", with: "").trimmingCharacters(in: .whitespacesAndNewlines)
    return words.isEmpty ? nil : words
  }

  /// A row of the marks.
  struct Mark {
    let row: String
    let habit: Int?
    /// nil where the time isn't one.
    let day: DayKey?
    let timestamp: String
    let notes: String?
    private let number: InterchangeValue?

    init(_ columns: [InterchangeRow.Column], _ number: Int64?) {
      let row = InterchangeRow(table: "", key: "", columns: columns)
      self.row =
        (integer(row["id"]) ?? number.map(Int.init(truncatingIfNeeded:))).map(String.init)
        ?? "?"
      habit = integer(row["habit"])
      let time = integer(row["timestamp"])
      day = time.flatMap { milliseconds in
        (0..<253_402_300_800_000).contains(milliseconds)
          ? Zone.utc.dayKey(at: Instant(milliseconds: Int64(milliseconds))) : nil
      }
      timestamp = row["timestamp"].map { FieldError.shown($0.json.text()) } ?? "nothing"
      notes = words(row["notes"])
      // The oldest versions stored only marked days.
      self.number = row["value"] ?? .integer(2)
    }

    /// Returns the mark in the form of Loop's CSV.
    func value(isAmount: Bool) -> String {
      guard let value = integer(number) else { return number?.json.text() ?? "" }
      // Other small numbers are thousandths of an amount.
      return isAmount && value == 3 ? "SKIP" : String(value)
    }
  }
}
