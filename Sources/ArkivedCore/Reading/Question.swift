import Foundation

/// The meaning of a plain question, as far as it was understood.
package struct Question: Hashable, Sendable {
  /// The kind of answer requested; raw values are those of the contract.
  package struct Kind: OpenString {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let list: Kind = "list"
    package static let count: Kind = "count"
    package static let sum: Kind = "sum"
    package static let first: Kind = "first"
    package static let last: Kind = "last"
    /// No answer.
    package static let none: Kind = "none"
  }

  /// A person named in the question, with everyone the name fits.
  package struct NamedPerson: Hashable, Sendable {
    package var words: String
    package var candidates: [KnownPerson]

    package init(words: String, candidates: [KnownPerson]) {
      self.words = words
      self.candidates = candidates
    }
  }

  package var text: String
  package var kind: Kind
  /// True if days are counted, false if entries are.
  package var countsDays: Bool
  package var time: TimeMatch?
  package var people: [NamedPerson]
  package var tags: [String]
  package var kinds: [ActivityKind]
  /// Content words that the entries must contain.
  package var words: [String]
  /// The unit to sum, such as `km`; `minutes` also includes durations.
  package var measure: String?
  /// Parts that were recognised but could not be used.
  package var ignored: [String]

  package init(
    text: String, kind: Kind = .list, countsDays: Bool = false, time: TimeMatch? = nil,
    people: [NamedPerson] = [], tags: [String] = [], kinds: [ActivityKind] = [],
    words: [String] = [], measure: String? = nil, ignored: [String] = []
  ) {
    self.text = text
    self.kind = kind
    self.countsDays = countsDays
    self.time = time
    self.people = people
    self.tags = tags
    self.kinds = kinds
    self.words = words
    self.measure = measure
    self.ignored = ignored
  }
}
