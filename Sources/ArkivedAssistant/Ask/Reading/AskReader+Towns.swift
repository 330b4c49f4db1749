import ArkivedCore
import Foundation

/// Names that belong to both a town and a person.
extension AskReader {
  private static let going: Set<String> = [
    "go", "goes", "going", "went", "gone", "been", "travel", "travelled", "travelling", "fly",
    "flew", "flown", "drive", "drove", "driven", "trip", "trips", "journey", "flight", "flights",
    "return", "returned", "moved", "move",
  ]

  /// Returns true if a name is used as a destination: "went to Sofia", "the Sofia trip".
  func isGoal(_ range: Range<String.Index>, _ text: String) -> Bool {
    let tail = text[range.upperBound...]
    guard !tail.hasPrefix("'"), !tail.hasPrefix("’") else { return false }
    let next = tail.split(separator: " ").first.map { $0.lowercased() } ?? ""
    if ["trip", "trips", "stay", "stays", "journey", "holiday", "holidays"].contains(
      next.trimmingCharacters(in: .punctuationCharacters)), tail.hasPrefix(" ")
    {
      return true
    }
    let lead = text[..<range.lowerBound].split(separator: " ").suffix(2).map { $0.lowercased() }
    return lead.count == 2 && lead[1] == "to" && AskReader.going.contains(lead[0])
  }

  /// Returns true if entries mention days in a town of that name.
  func isTown(_ name: String) -> Bool {
    guard !name.contains(" ") else { return false }
    return ConceptResolver(timeline: timeline, today: today).stay([], Lemma.key(name)) != nil
  }
}
