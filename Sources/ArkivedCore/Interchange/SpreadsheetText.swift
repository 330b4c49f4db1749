import Foundation

/// Rows of comma-separated values (RFC 4180) that keep spreadsheets from running text as a formula.
///
/// Arkived writes and prints all tables with this type.
package struct SpreadsheetText: Sendable {
  /// The content of a column.
  package enum Cell: Sendable {
    /// Text that a person wrote.
    case text(String?)
    /// Text that Arkived generates: numbers, days, times, IDs.
    case plain(String?)

    package static func amount(_ amount: Double?) -> Cell {
      guard let amount else { return .plain(nil) }
      let isWhole = amount == amount.rounded() && abs(amount) < 1e15
      return .plain(isWhole ? String(Int64(amount)) : "\(amount)")
    }

    package static func count(_ count: Int?) -> Cell { .plain(count.map(String.init)) }
  }

  /// True if text is written unchanged even if a spreadsheet would run it.
  private let isExact: Bool

  package init(isExact: Bool = false) { self.isExact = isExact }

  /// Returns a row with its line ending.
  package func row(_ cells: [Cell]) -> String { line(cells) + "\r\n" }

  /// Returns a row without its line ending.
  package func line(_ cells: [Cell]) -> String { cells.map(field).joined(separator: ",") }

  private func field(_ cell: Cell) -> String {
    switch cell {
    case .plain(let text): Self.quoted(text ?? "")
    case .text(let text): Self.quoted(isExact ? text ?? "" : Self.inert(text ?? ""))
    }
  }

  /// Returns text that spreadsheets don't run as a formula.
  ///
  /// They run a field that begins with one of these characters, possibly after blanks, and a
  /// formula can call programs and send data away (OWASP, "CSV Injection"). A leading apostrophe
  /// makes it text. Text that already has one gets another, so `restored` finds its beginning.
  private static func inert(_ text: String) -> String { isMarked(text) ? "'" + text : text }

  /// Returns true for text that may run without the apostrophes before it.
  private static func isMarked(_ text: some StringProtocol) -> Bool {
    mayRun(text.drop { $0 == "'" })
  }

  private static func mayRun(_ text: some StringProtocol) -> Bool {
    let first = text.unicodeScalars.first { $0 != " " && $0 != "\u{A0}" }
    return first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
  }

  /// Returns a field's text without the apostrophe that keeps a spreadsheet from running it.
  package static func restored(_ field: String) -> String {
    field.hasPrefix("'") && isMarked(field) ? String(field.dropFirst()) : field
  }

  private static func quoted(_ field: String) -> String {
    // This compares bytes because a carriage return and a line feed form a single Character.
    let needsQuotes = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsQuotes else { return field }
    return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
