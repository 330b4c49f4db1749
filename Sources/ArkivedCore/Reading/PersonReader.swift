package import Foundation

/// Somebody whose name may occur in a text.
package struct KnownPerson: Hashable, Sendable {
  package var id: UUID?
  package var name: String
  package var aliases: [String]

  package init(id: UUID? = nil, name: String, aliases: [String] = []) {
    self.id = id
    self.name = name
    self.aliases = aliases
  }
}

/// Finds the names of known people in a text.
package struct PersonReader: Sendable {
  package struct NameMatch: Hashable, Sendable {
    package var range: Range<String.Index>
    /// Whom the name fits; more than one when it is ambiguous.
    package var candidates: [KnownPerson]
  }

  package init(people: [KnownPerson]) {}

  package func mentions(in text: String) -> [NameMatch] { [] }
}
