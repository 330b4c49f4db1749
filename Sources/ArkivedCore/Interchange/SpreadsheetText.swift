import Foundation

/// Rows of comma-separated values (RFC 4180), in which no text is run as a formula.
///
/// Every table that Arkived writes or prints goes through here.
package struct SpreadsheetText: Sendable {
  /// The content of a column.
  package enum Cell: Sendable {
    /// Text that somebody wrote.
    case text(String?)
    /// What Arkived writes itself: numbers, days, times, identities.
    case plain(String?)

    package static func amount(_ amount: Double?) -> Cell {
      guard let amount else { return .plain(nil) }
      let isWhole = amount == amount.rounded() && abs(amount) < 1e15
      return .plain(isWhole ? String(Int64(amount)) : "\(amount)")
    }

    package static func count(_ count: Int?) -> Cell { .plain(count.map(String.init)) }
  }

  /// Whether text is written as it is, even if a spreadsheet would run it.
  private let isExact: Bool

  package init(isExact: Bool = false) { self.isExact = isExact }

  /// Returns a row with its end.
  package func row(_ cells: [Cell]) -> String { line(cells) + "\r\n" }

  /// Returns a row without its end.
  package func line(_ cells: [Cell]) -> String { cells.map(field).joined(separator: ",") }

  private func field(_ cell: Cell) -> String {
    switch cell {
    case .plain(let text): Self.quoted(text ?? "")
    case .text(let text): Self.quoted(isExact ? text ?? "" : Self.inert(text ?? ""))
    }
  }

  /// Spreadsheets run a field as a formula if it begins with one of these characters, perhaps behind
  /// blanks, and a formula can call programs and send data away (OWASP, "CSV Injection"). An apostrophe
  /// in front makes it text.
  private static func inert(_ text: String) -> String {
    let first = text.unicodeScalars.first { $0 != " " && $0 != "\u{A0}" }
    guard let first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else { return text }
    return "'" + text
  }

  private static func quoted(_ field: String) -> String {
    // Looked at as bytes: a carriage return and a line feed are one Character.
    let needsQuotes = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsQuotes else { return field }
    return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
