import Foundation
import GRDB

/// Looking for a piece of text in columns, in any case.
enum TextPiece {
  /// A condition that holds where one of the columns contains the piece.
  ///
  /// SQLite's LIKE knows the case of ASCII letters only, and text is stored as it was typed: a
  /// piece with other letters is looked for in each of its usual spellings.
  static func condition(
    _ piece: String, in columns: [String]
  ) -> (sql: String, arguments: StatementArguments) {
    var patterns: [String] = []
    // Two Strings that differ in their normal form only are equal in Swift, so bytes decide.
    var seen = Set<[UInt8]>()
    for form in spellings(of: piece) where seen.insert(Array(form.utf8)).inserted {
      patterns.append("%\(escaped(form))%")
    }
    let conditions = columns.flatMap { column in
      patterns.map { _ in "\(column) LIKE ? ESCAPE '\\'" }
    }
    return (
      "(\(conditions.joined(separator: " OR ")))",
      StatementArguments(columns.flatMap { _ in patterns })
    )
  }

  private static func spellings(of piece: String) -> [String] {
    guard !piece.utf8.allSatisfy({ $0 < 0x80 }) else { return [piece] }
    let cases = [
      piece, piece.lowercased(), piece.uppercased(), piece.capitalized,
      piece.prefix(1).uppercased() + piece.dropFirst().lowercased(),
    ]
    return cases.flatMap {
      [$0, $0.precomposedStringWithCanonicalMapping, $0.decomposedStringWithCanonicalMapping]
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "%", with: "\\%")
      .replacingOccurrences(of: "_", with: "\\_")
  }
}
