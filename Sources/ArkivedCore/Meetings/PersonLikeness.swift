package import Foundation

/// Two people who may be one, and why.
package struct PersonMergeProposal: Hashable, Sendable {
  /// The one who would stay: the one that more is known of.
  package var kept: UUID
  package var merged: UUID
  /// A sentence: "Both are called Priya Nair."
  package var reason: String

  package init(kept: UUID, merged: UUID, reason: String) {
    self.kept = kept
    self.merged = merged
    self.reason = reason
  }
}

/// Finds people who are likely the same: of one name but for accents, order and initials, or an
/// address that spells somebody's name.
package enum PersonLikeness {
  /// - Parameter weight: how much is known of a person; the heavier of two is the one who stays.
  package static func proposals(
    among people: [Person], weight: (Person) -> Int
  ) -> [PersonMergeProposal] {
    var groups: [String: [(person: Person, shown: String)]] = [:]
    for person in people {
      var keys: Set<String> = []
      for name in [person.name].compactMap({ $0 }) + person.aliases {
        if let key = key(ofName: name), keys.insert(key).inserted {
          groups[key, default: []].append((person, name))
        }
      }
      // Whoever has a name needs no address to tell it.
      guard person.name == nil else { continue }
      for address in [person.email].compactMap({ $0 }) + person.furtherAddresses {
        if let key = key(ofAddress: address), keys.insert(key).inserted {
          groups[key, default: []].append((person, address))
        }
      }
    }
    var proposals: [PersonMergeProposal] = []
    var seen: Set<[UUID]> = []
    // Of a first name alone only who has no address may be the one who has.
    groups = groups.filter { key, group in
      key.contains(" ") || group.count == 2 && group.count { $0.person.hasAddress } == 1
    }
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) where group.count > 1 {
      let sorted = group.sorted {
        let (left, right) = (weight($0.person), weight($1.person))
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
      return said("\(other.shown) looks like an address of \(first.shown).")
    }
    if first.shown.contains("@") {
      return said("\(first.shown) looks like an address of \(other.shown).")
    }
    return said("\(other.shown) could be \(first.shown).")
  }

  /// The words of a name, without accents, order, titles and initials.
  private static func key(ofName name: String) -> String? {
    guard !name.contains("@") else { return nil }
    let all = NameFolding.loose(name).split { !$0.isLetter && $0 != "'" && $0 != "’" }
    let words = all.map(String.init).filter { $0.count > 1 && !titles.contains($0) }
    // What is left of initials and a surname is no first name.
    return words.count > 1 || words.count == 1 && all.count == 1
      ? words.sorted().joined(separator: " ") : nil
  }

  /// What stands before the @, where it is made of at least two words.
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
