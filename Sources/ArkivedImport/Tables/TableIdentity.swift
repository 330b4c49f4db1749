import ArkivedCore
import ArkivedCrypto
import Foundation

/// Names rows of a table that has no identities, so that a later export of it is known again: by what
/// a row begins with, and by its number among equals.
struct TableIdentity {
  private var counts: [String: Int] = [:]

  /// - Parameters:
  ///   - moment: when the row is, as the table tells it: `2023-05-21T14:58`.
  ///   - words: what of the row stays when it is edited.
  mutating func name(_ moment: String, _ words: String) -> String {
    let name = words.isEmpty ? moment : "\(moment)/\(Self.hash(words).prefix(16))"
    counts[name, default: 0] += 1
    let number = counts[name, default: 1]
    return number == 1 ? name : "\(name)/\(number)"
  }

  /// A SHA-256 in hexadecimal digits.
  static func hash(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).hexadecimal
  }
}
