import Foundation

/// A rough, conservative estimate of how hard a passphrase is to guess.
package struct PassphraseStrength: Hashable, Sendable {
  /// The base-2 logarithm of the maximum number of guesses.
  package let bits: Double

  package enum Level: String, Sendable {
    case weak, fair, strong
  }

  package var level: Level { bits < 40 ? .weak : bits < 64 ? .fair : .strong }

  /// Estimates the strength from the kinds of characters; runs and repetitions count once, and
  /// words count as words: a sentence of ordinary words is weaker than the same number of random
  /// letters.
  package init(_ passphrase: String) {
    let characters = Array(passphrase)
    var pool = 0.0
    for (size, isOf) in Self.kinds where characters.contains(where: isOf) { pool += size }
    var steps = 0.0
    for (index, character) in characters.enumerated() {
      let isExpected = index > 0 && Self.follows(characters[index - 1], character)
      steps += isExpected ? 0.25 : 1
    }
    // Repeated characters add little.
    let distinct = Double(Set(characters).count)
    let effective = min(steps, distinct * 2.5)
    let bitsOfCharacter: Double = pool > 1 ? log2(pool) : 0
    let byCharacters = effective * bitsOfCharacter
    let words: [Substring] = passphrase.split(whereSeparator: { !$0.isLetter })
      .filter { $0.count > 2 }
    let letters: Int = words.reduce(0) { $0 + $1.count }
    let others: Double = max(0, effective - Double(letters))
    let distinctWords = Set(words.map { $0.lowercased() }).count
    let byWords: Double = Double(distinctWords) * Self.bitsOfWord + others * bitsOfCharacter
    bits = words.isEmpty ? byCharacters : min(byCharacters, byWords)
  }

  /// The bits of a word out of about 8,000.
  private static let bitsOfWord = 13.0

  private static let kinds: [(Double, @Sendable (Character) -> Bool)] = [
    (26, { $0.isASCII && $0.isLowercase }), (26, { $0.isASCII && $0.isUppercase }),
    (10, { $0.isASCII && $0.isNumber }),
    (33, { $0.isASCII && !$0.isLetter && !$0.isNumber }), (100, { !$0.isASCII }),
  ]

  private static func follows(_ first: Character, _ second: Character) -> Bool {
    guard let a = first.asciiValue, let b = second.asciiValue else { return first == second }
    return abs(Int(a) - Int(b)) <= 1
  }
}
