/// Finds tags that are probably meant to be the same.
package enum TagProposals {
  /// Two similar names, by their indices in the list.
  package struct Pair: Hashable, Sendable {
    package var first: Int
    package var second: Int
    /// The distance, as in `TagLikeness.distance`.
    package var distance: Int
    /// True if they may be two different words that look similar ("lunch" and "launch"), because
    /// they differ in more than spelling conventions or number.
    package var isSlip: Bool
  }

  /// Returns pairs of similar names, the most similar first, then in the order of the list.
  ///
  /// Only names with similar beginnings are compared one by one, because other mistakes are never
  /// considered. Each name appears as `second` at most once, with the earliest of its most similar
  /// names.
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
