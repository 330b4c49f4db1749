import ArkivedCore
import Foundation

extension TextPeople {
  /// People known only from texts, for finding who is named in one.
  struct Names: Sendable {
    let all: [String]
    /// The relations that texts state: “sister”.
    let relations: [String: String]
    private let byFirst: [String: [(name: String, parts: [String])]]
    /// The person that a word such as “sister” refers to.
    private let kin: [String: String]

    init(_ names: [String], relations: [String: String]) {
      all = names
      self.relations = relations
      byFirst = Dictionary(
        grouping: names.map { ($0, $0.split(separator: " ").map(String.init)) }
      ) { Lemma.key($0.1.first ?? $0.0) }
      kin = Dictionary(grouping: relations.keys.sorted()) { relations[$0] ?? "" }
        .filter { $0.value.count == 1 }.compactMapValues(\.first)
    }

    /// Extracts the names in texts.
    init(in texts: some Sequence<[Word]>) {
      let sentences = Array(texts)
      let names = TextPeople.names(in: sentences)
      self.init(names, relations: TextPeople.relations(in: sentences, of: names))
    }

    /// Words after a possessive that name somebody's place.
    private static let homes: Set<String> = ["parents", "mother", "father", "flat", "house"]

    /// Returns the people mentioned in a text, without duplicates.
    func found(in words: [Word]) -> [String] {
      guard !byFirst.isEmpty else { return [] }
      var found: [String] = []
      for (index, word) in words.enumerated() where word.isCapitalised {
        for (name, parts) in byFirst[word.key] ?? [] {
          let written = words[index...].prefix(parts.count).map(\.text)
          let isPlace =
            index > 0 && ["in", "at"].contains(words[index - 1].lower)
            || word.isPossessive && index + 1 < words.count
              && Self.homes.contains(words[index + 1].lower)
          if written == parts, !found.contains(name), !isPlace { found.append(name) }
        }
      }
      // "my sister" alone refers to the person described that way elsewhere.
      for index in words.indices.dropFirst()
      where words[index - 1].lower == "my"
        || words[index - 1].lower == "the" && animals.contains(words[index].lower)
      {
        if let name = kin[words[index].lower], !found.contains(name) { found.append(name) }
      }
      // "Anna Reuter" doesn't also count as Anna.
      return found.filter { name in
        !found.contains { $0 != name && $0.hasPrefix(name + " ") }
      }
    }
  }
}
