package import Foundation

/// A program with access granted by the owner: it may read, add and propose, and nothing else.
///
/// The token itself is shown once and stored only as a hash.
package struct AgentToken: Hashable, Sendable, Identifiable {
  package var id: UUID
  package var name: String
  package var createdAt: Instant
  /// True if it may only add entries and not even read.
  package var addsOnly: Bool

  package init(id: UUID, name: String, createdAt: Instant, addsOnly: Bool = false) {
    self.addsOnly = addsOnly
    self.id = id
    self.name = name
    self.createdAt = createdAt
  }

  package var json: JSON {
    [
      "id": .string(id.uuidString), "name": .string(name), "createdAt": JSON(createdAt),
      "addsOnly": .bool(addsOnly),
    ]
  }

  /// Checks that a name is a short line, because it is shown in lists of changes.
  ///
  /// - Throws: a `FieldError` about `name`.
  package static func validate(name: String) throws(FieldError) {
    guard !isBlank(name) else { throw FieldError("name", "is empty. Name the program") }
    guard name.count <= 60 else { throw FieldError("name", "is longer than 60 characters") }
    guard
      !name.unicodeScalars.contains(where: {
        $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
      })
    else { throw FieldError("name", "contains a control character") }
  }
}
