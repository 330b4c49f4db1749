/// Corrects misspelt and shortened names of days, such as "tommorow", "yesteday" and "tmrw".
enum MisspeltDays {
  /// Returns a token with the name of the day that it means, if it is a misspelling of one.
  static func corrected(_ token: TimeToken) -> TimeToken {
    guard token.kind == .word, let name = name(of: token) else { return token }
    return token.renamed(name)
  }

  /// Returns tokens in which "2nite" and "2moro" are single words.
  static func joined(_ tokens: [TimeToken]) -> [TimeToken] {
    var result: [TimeToken] = []
    for token in tokens {
      if let last = result.last, last.text == "2", token.kind == .word, !token.hasSpaceBefore,
        LineLexicon.shared.shortDays["2\(token.text)"] != nil
      {
        result[result.count - 1] = TimeToken(
          kind: .word, text: "2\(token.text)",
          range: last.range.lowerBound..<token.range.upperBound,
          hasSpaceBefore: last.hasSpaceBefore)
      } else {
        result.append(token)
      }
    }
    return result
  }

  private static func name(of token: TimeToken) -> String? {
    let word = token.text
    let lexicon = LineLexicon.shared
    if let name = lexicon.shortDays[word] { return name }
    guard word.count >= 6, let first = word.first else { return nil }
    return lexicon.days.first { name in
      // Only days of the week are capitalised, unless they begin the line.
      guard name.first == first, word != name, word != name + "s",
        abs(word.count - name.count) <= 1, !token.isCapitalised || name.count > 7
      else { return false }
      return distance(word, name) <= (name.count > 7 && word.count > 7 ? 2 : 1)
    }
  }

  /// Returns the number of letters to add, remove, replace or swap.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var line = [row + 1]
      for column in right.indices {
        var best = min(
          line[column] + 1, last[column + 1] + 1,
          last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        line.append(best)
      }
      (before, last) = (last, line)
    }
    return last[right.count]
  }
}
