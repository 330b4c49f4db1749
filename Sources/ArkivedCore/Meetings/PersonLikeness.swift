package import Foundation

/// Two people who may be the same, with the reason.
package struct PersonMergeProposal: Hashable, Sendable {
  /// The person who would be kept: the one with more details.
  package var kept: UUID
  package var merged: UUID
  /// The reason as a sentence, such as "Both are called Priya Nair".
  package var reason: String

  package init(kept: UUID, merged: UUID, reason: String) {
    self.kept = kept
    self.merged = merged
    self.reason = reason
  }
}

/// Finds people who are probably the same: with the same name except for accents, order and
/// initials, or an address that spells someone's name.
package enum PersonLikeness {
  /// Returns proposals to merge people.
  ///
  /// - Parameters:
  ///   - people: the people.
  ///   - weight: how much is known about a person; the one with the greater weight is kept.
  /// - Returns: the proposals.
  package static func proposals(
    among people: [Person], weight: (Person) throws -> Int
  ) rethrows -> [PersonMergeProposal] {
    var groups: [String: [(person: Person, shown: String)]] = [:]
    for person in people {
      var keys: Set<String> = []
      for name in [person.name].compactMap({ $0 }) + person.aliases {
        if let key = key(ofName: name), keys.insert(key).inserted {
          groups[key, default: []].append((person, name))
        }
      }
      // A person with a name doesn't need one derived from an address.
      guard person.name == nil else { continue }
      for address in [person.email].compactMap({ $0 }) + person.furtherAddresses {
        if let key = key(ofAddress: address), keys.insert(key).inserted {
          groups[key, default: []].append((person, address))
        }
      }
    }
    var proposals: [PersonMergeProposal] = []
    var seen: Set<[UUID]> = []
    // A first name alone identifies another person only if it has no address.
    groups = groups.filter { key, group in
      key.contains(" ") || group.count == 2 && group.count { $0.person.hasAddress } == 1
    }
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) where group.count > 1 {
      let sorted = try group.sorted {
        let (left, right) = try (weight($0.person), weight($1.person))
        return left != right
          ? left > right : $0.person.id.uuidString < $1.person.id.uuidString
      }
      guard let first = sorted.first, sorted.count <= 10 else { continue }
      for other in sorted.dropFirst()
      where seen.insert([first.person.id, other.person.id]).inserted {
        proposals.append(
          PersonMergeProposal(
            kept: first.person.id, merged: other.person.id, reason: reason(first, other)))
      }
    }
    return proposals
  }

  private static func reason(
    _ first: (person: Person, shown: String), _ other: (person: Person, shown: String)
  ) -> String {
    if NameFolding.key(first.shown) == NameFolding.key(other.shown) {
      return said("Both are called \(first.shown).")
    }
    if other.shown.contains("@") {
      return said("\(other.shown) looks like an address that belongs to \(first.shown).")
    }
    if first.shown.contains("@") {
      return said("\(first.shown) looks like an address that belongs to \(other.shown).")
    }
    return said("\(other.shown) could be \(first.shown).")
  }

  /// Returns the words of a name without accents, order, titles and initials.
  private static func key(ofName name: String) -> String? {
    guard !name.contains("@") else { return nil }
    let all = NameFolding.loose(name).split { !$0.isLetter && $0 != "'" && $0 != "’" }
    let words = all.map(String.init).filter { $0.count > 1 && !titles.contains($0) }
    // The rest of initials and a surname is not a first name.
    return words.count > 1 || words.count == 1 && all.count == 1
      ? words.sorted().joined(separator: " ") : nil
  }

  /// Returns the part before the @ if it consists of at least two words.
  private static func key(ofAddress address: String) -> String? {
    guard let local = address.split(separator: "@").first else { return nil }
    let plain = local.split(separator: "+").first ?? local
    let words = NameFolding.loose(String(plain)).split { !$0.isLetter }.map(String.init)
      .filter { $0.count > 1 }
    return words.count > 1 ? words.sorted().joined(separator: " ") : nil
  }

  private static let titles: Set<String> = ["dr", "prof", "mr", "mrs", "ms", "herr", "frau"]
}

extension Person {
  fileprivate var hasAddress: Bool { email != nil || !furtherAddresses.isEmpty }
}
