import Foundation

/// Decides if a new tag is probably a variant of an existing one: misspelt, in the plural, or with
/// another separator.
package struct TagLikeness: Sendable {
  private let folded: String
  private let letters: [Unicode.Scalar]
  private let digits: [Unicode.Scalar]

  package init(_ name: String) {
    folded = NameFolding.key(name)
    let scalars = NameFolding.loose(name).unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    digits = scalars.filter { $0.properties.numericType != nil }
    letters = Array(scalars.prefix(TagLikeness.lengthLimit))
  }

  /// The length of the longest tags compared.
  private static let lengthLimit = 40

  /// Returns the distance to another name, or nil if they are different words or the same tag.
  ///
  /// The distance is 0 if they differ only in case, accents or separators, and 1 for one typing
  /// mistake or a plural. A mistake is an extra letter, a missing letter or two swapped letters; a
  /// substituted letter counts only in words of six letters or more, because short pairs such as
  /// "food" and "wood" are both words. Two mistakes are accepted from nine letters on. Names with
  /// different digits are different on purpose.
  package func distance(to other: TagLikeness) -> Int? {
    guard folded != other.folded, digits == other.digits else { return nil }
    guard !letters.isEmpty, letters != other.letters else { return letters.isEmpty ? nil : 0 }
    let (short, long) =
      letters.count <= other.letters.count
      ? (letters, other.letters) : (other.letters, letters)
    if short.count >= 3, long.starts(with: short), ["s", "es"].contains(tail(long, short.count)) {
      return 1
    }
    guard short.count >= 4, long.count - short.count <= 2, short.first == long.first else {
      return nil
    }
    let allowed = short.count >= 9 ? 2 : 1
    let distance = TagLikeness.distance(short, long)
    guard distance <= allowed else { return nil }
    let isOtherLetter =
      short.count == long.count && zip(short, long).filter { $0 != $1 }.count == 1
    return isOtherLetter && short.count < 6 ? nil : distance
  }

  private func tail(_ letters: [Unicode.Scalar], _ count: Int) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: letters.dropFirst(count))
    return String(view)
  }

  /// Returns the optimal string alignment distance: the fewest insertions, deletions, substitutions
  /// and swaps of neighbouring characters (Damerau 1964, without editing a part twice).
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var line = [row + 1]
      for column in right.indices {
        var best = min(last[column + 1] + 1, line[column] + 1)
        best = min(best, last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        line.append(best)
      }
      before = last
      last = line
    }
    return last[right.count]
  }
}
