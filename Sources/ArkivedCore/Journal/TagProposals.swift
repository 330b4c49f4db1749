/// Finds tags that are probably meant to be one.
package enum TagProposals {
  /// Two names that are alike, by their places in the list.
  package struct Pair: Hashable, Sendable {
    package var first: Int
    package var second: Int
    /// As in `TagLikeness.distance`.
    package var distance: Int
    /// Whether they may be two words that only look alike (lunch and launch): they differ in more
    /// than how they are written, or whether there is one of them.
    package var isSlip: Bool
  }

  /// The pairs of names that are alike, the most alike first, else in the order of the list.
  ///
  /// Only names whose letters begin alike are compared one by one: other slips are not looked for
  /// anyway. Each name stands as `second` at most once, with the earliest that is most like it.
  package static func pairs(among names: [String]) -> [Pair] {
    let likenesses = names.map { TagLikeness($0) }
    var groups: [String: [Int]] = [:]
    for (index, name) in names.enumerated() {
      groups[beginning(of: name), default: []].append(index)
    }
    var pairs: [Pair] = []
    for group in groups.values {
      for (place, second) in group.enumerated().dropFirst() {
        var best: Pair?
        for first in group[..<place] {
          guard let distance = likenesses[first].distance(to: likenesses[second]),
            distance < best?.distance ?? .max
          else { continue }
          best = Pair(
            first: first, second: second, distance: distance,
            isSlip: distance > 0 && !isPlural(names[first], names[second]))
          if distance == 0 { break }
        }
        if let best { pairs.append(best) }
      }
    }
    return pairs.sorted { ($0.distance, $0.first, $0.second) < ($1.distance, $1.first, $1.second) }
  }

  private static func isPlural(_ first: String, _ second: String) -> Bool {
    let (left, right) = (NameFolding.loose(first), NameFolding.loose(second))
    let (short, long) = left.utf8.count <= right.utf8.count ? (left, right) : (right, left)
    return long == short + "s" || long == short + "es"
  }

  private static func beginning(of name: String) -> String {
    let letters = NameFolding.loose(name).unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    return letters.first.map { String(Character($0)) } ?? ""
  }
}
