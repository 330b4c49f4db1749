import Foundation
import GRDB

/// A case-insensitive search for a piece of text in columns.
enum TextPiece {
  /// Returns a condition that is true if one of the columns contains the piece.
  ///
  /// SQLite's LIKE ignores the case of ASCII letters only, and text is stored as typed, so a piece
  /// with other letters is searched for in each of its usual spellings.
  static func condition(
    _ piece: String, in columns: [String]
  ) -> (sql: String, arguments: StatementArguments) {
    var patterns: [String] = []
    // Swift treats Strings that differ only in normal form as equal, so bytes decide.
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
