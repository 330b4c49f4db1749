import ArkivedCore
import Foundation

extension TextPeople {
  /// People known by their names in texts alone, for finding who is named in one.
  struct Names: Sendable {
    let all: [String]
    private let byFirst: [String: [(name: String, parts: [String])]]

    init(_ names: [String]) {
      all = names
      byFirst = Dictionary(
        grouping: names.map { ($0, $0.split(separator: " ").map(String.init)) }
      ) { Lemma.key($0.1.first ?? $0.0) }
    }

    /// The people whom a text names, each once.
    func found(in words: [Word]) -> [String] {
      guard !byFirst.isEmpty else { return [] }
      var found: [String] = []
      for (index, word) in words.enumerated() where word.isCapitalised {
        for (name, parts) in byFirst[word.key] ?? [] {
          let written = words[index...].prefix(parts.count).map(\.text)
          let isPlace =
            index > 0 && ["in", "at"].contains(words[index - 1].lower) && !word.isPossessive
          if written == parts, !found.contains(name), !isPlace { found.append(name) }
        }
      }
      // "Anna Reuter" is not also Anna.
      return found.filter { name in
        !found.contains { $0 != name && $0.hasPrefix(name + " ") }
      }
    }
  }
}
