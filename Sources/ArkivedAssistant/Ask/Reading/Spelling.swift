import Foundation

/// A spelling corrector for questions, based on words from the archive and words used in questions.
struct Spelling {
  let isKnown: (String) -> Bool
  let candidates: [String: Int]

  /// Returns the known word nearest to an unknown one: one typo away, two in long words; nil if the
  /// word is known, no word is near, or it may be a name.
  func correction(of word: String) -> String? {
    let lower = word.lowercased()
    let count = lower.count
    guard count >= 4, lower.allSatisfy({ $0.isLetter && $0.isASCII }), !isKnown(lower) else {
      return nil
    }
    let limit = count >= 10 ? 2 : 1
    let source = Array(lower.utf8)
    var best: (distance: Int, frequency: Int, word: String)?
    for (candidate, frequency) in candidates
    where abs(candidate.utf8.count - count) <= max(limit, 2) {
      guard candidate.utf8.count >= 3 else { continue }
      let target = Array(candidate.utf8)
      // Typos rarely affect the first letter.
      if source[0] != target[0] { continue }
      // Many short words are one typo apart, so only swapped letters count.
      if count < 6, target.count <= count, source.sorted() != target.sorted(),
        count < 5 || frequency < 50
      {
        continue
      }
      let sounds = count >= 6 && Spelling.sound(lower) == Spelling.sound(candidate)
      let distance = sounds ? 1 : Spelling.distance(source, target, limit)
      guard distance <= limit else { continue }
      if let known = best,
        (known.distance, -known.frequency, known.word) <= (distance, -frequency, candidate)
      {
        continue
      }
      best = (distance, frequency, candidate)
    }
    return best?.word
  }

  /// Returns a rough phonetic form of a word: "headakes" like "headaches".
  static func sound(_ word: String) -> String {
    var result = ""
    let plain = word.replacing("ch", with: "k").replacing("ck", with: "k").replacing(
      "ph", with: "f"
    )
    .replacing("c", with: "k")
    for letter in plain where letter != result.last { result.append(letter) }
    return result
  }

  /// Returns the number of insertions, deletions, substitutions and swaps of neighbouring letters,
  /// up to a limit.
  static func distance(_ first: [UInt8], _ second: [UInt8], _ limit: Int) -> Int {
    var older = [Int](repeating: 0, count: second.count + 1)
    var previous = Array(0...second.count)
    for row in 1...first.count {
      var current = [Int](repeating: row, count: second.count + 1)
      var smallest = row
      for column in 1...max(1, second.count) where column <= second.count {
        let cost = first[row - 1] == second[column - 1] ? 0 : 1
        var value = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + cost)
        if row > 1, column > 1, first[row - 1] == second[column - 2],
          first[row - 2] == second[column - 1]
        {
          value = min(value, older[column - 2] + 1)
        }
        current[column] = value
        smallest = min(smallest, value)
      }
      if smallest > limit { return limit + 1 }
      older = previous
      previous = current
    }
    return previous[second.count]
  }
}
