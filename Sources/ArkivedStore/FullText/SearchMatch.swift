import ArkivedCore
import Foundation

/// Converts a query's words to FTS5's MATCH language; everything is quoted, so no text can cause an
/// error (SQLite, "FTS5 Full-text Query Syntax").
enum SearchMatch {
  /// Returns the MATCH expression, or nil if the query has no word that must occur.
  static func expression(
    _ query: WordQuery, matching: Archive.WordMatching, expand: (String) -> [String]
  ) -> String? {
    let wanted = query.wanted.filter { $0.form != .inside }
    guard !wanted.isEmpty else { return nil }
    let parts = wanted.map { term -> String in
      guard term.form == .word else { return phrase(term) }
      let forms = [term.text] + expand(term.text).filter { $0 != term.text.lowercased() }
      guard forms.count > 1 else { return phrase(term) }
      return "(" + forms.map { phrase(.init(text: $0)) }.joined(separator: " OR ") + ")"
    }
    var expression = parts.joined(separator: matching == .all ? " AND " : " OR ")
    for term in query.excluded where term.form != .inside {
      expression = "(\(expression)) NOT \(phrase(term))"
    }
    return expression
  }

  /// Returns the words that must not occur, each as a separate expression.
  static func exclusions(_ query: WordQuery) -> [String] {
    query.excluded.filter { $0.form != .inside }.map(phrase)
  }

  private static func phrase(_ term: WordQuery.Term) -> String {
    var scalars = Segmentation.spaced(term.text).unicodeScalars
    scalars.removeAll { $0 == "\0" }
    let quoted = String(scalars).replacingOccurrences(of: "\"", with: "\"\"")
    return "\"\(quoted)\"" + (term.form == .prefix ? "*" : "")
  }
}
