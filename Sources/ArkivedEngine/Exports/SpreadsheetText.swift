import ArkivedCore
import Foundation

/// Rows of a file of comma-separated values (RFC 4180): UTF-8, a head line, CRLF between rows.
struct SpreadsheetText {
  /// What stands in a column.
  enum Cell {
    /// Somebody's words.
    case text(String?)
    /// What Arkived writes itself: numbers, days, times, identities.
    case plain(String?)

    static func amount(_ amount: Double?) -> Cell {
      guard let amount else { return .plain(nil) }
      let isWhole = amount == amount.rounded() && abs(amount) < 1e15
      return .plain(isWhole ? String(Int64(amount)) : "\(amount)")
    }

    static func count(_ count: Int?) -> Cell { .plain(count.map(String.init)) }
  }

  /// Whether words are written as they are, also where a spreadsheet would run them.
  let isExact: Bool

  /// One row with its end.
  func row(_ cells: [Cell]) -> String {
    cells.map(field).joined(separator: ",") + "\r\n"
  }

  private func field(_ cell: Cell) -> String {
    switch cell {
    case .plain(let text): Self.quoted(text ?? "")
    case .text(let text): Self.quoted(isExact ? text ?? "" : Self.inert(text ?? ""))
    }
  }

  /// Spreadsheets take a field for a formula that begins with one of these, maybe behind blanks, and
  /// a formula can call programs and send data away (OWASP, "CSV Injection"). An apostrophe before
  /// it makes it text.
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
