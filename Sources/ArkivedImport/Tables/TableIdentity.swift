import ArkivedCore
import ArkivedCrypto
import Foundation

/// Identifiers for rows of a table that has none, used to recognise a later export: the beginning
/// of a row, and its number among identical ones.
struct TableIdentity {
  private var counts: [String: Int] = [:]

  /// Returns a row's name.
  ///
  /// - Parameters:
  ///   - moment: the row's time as the table gives it: `2023-05-21T14:58`.
  ///   - words: the part of the row that stays the same when it is edited.
  /// - Returns: the name.
  mutating func name(_ moment: String, _ words: String) -> String {
    let name = words.isEmpty ? moment : "\(moment)/\(Self.hash(words).prefix(16))"
    counts[name, default: 0] += 1
    let number = counts[name, default: 1]
    return number == 1 ? name : "\(name)/\(number)"
  }

  /// Returns a SHA-256 hash in hexadecimal digits.
  static func hash(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).hexadecimal
  }
}
