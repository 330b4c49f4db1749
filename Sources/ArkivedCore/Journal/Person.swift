public import Foundation

/// Somebody the owner knows.
public struct Person: Hashable, Sendable, Identifiable {
  /// The identity, which never changes.
  public var id: UUID
  /// The name, where it is known.
  public var name: String?
  /// The main address; unique among all people's addresses.
  public var email: String?
  /// Addresses beside the main one.
  public var furtherAddresses: [String]
  /// Other names they go by.
  public var aliases: [String]
  /// Who they are to the owner.
  public var relationshipSummary: String?
  /// Where it was imported from.
  public var externalRefs: [ExternalRef]
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes a person.
  public init(
    id: UUID, name: String? = nil, email: String? = nil, furtherAddresses: [String] = [],
    aliases: [String] = [], relationshipSummary: String? = nil,
    externalRefs: [ExternalRef] = [], createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.name = name
    self.email = email
    self.furtherAddresses = furtherAddresses
    self.aliases = aliases
    self.relationshipSummary = relationshipSummary
    self.externalRefs = externalRefs
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// What to call them: the name, else an alias, else an address.
  public var displayName: String { name ?? aliases.first ?? email ?? "Somebody" }

  /// What tells them from a namesake: the name with the address, else with the first digits of the
  /// identity, by which they can be named too.
  public var tellingName: String {
    guard let address = email ?? furtherAddresses.first else {
      return said("\(displayName) (no address, \(String(id.uuidString.prefix(8))))")
    }
    return address == displayName ? address : "\(displayName) <\(address)>"
  }
}

/// A word that groups entries.
public struct Tag: Hashable, Sendable, Identifiable {
  /// The identity, which never changes.
  public var id: UUID
  /// Unique when compared NFC- and case-folded.
  public var name: String
  /// `#RRGGBB`.
  public var colorHex: String?
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes a tag.
  public init(
    id: UUID, name: String, colorHex: String? = nil, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.name = name
    self.colorHex = colorHex
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// Comparing names that must be unique.
package enum NameFolding {
  /// The form in which two names of tags, people or addresses are the same: NFC, case-folded,
  /// white space trimmed. Accents count: "Jose" and "José" differ.
  package static func key(_ name: String) -> String {
    if let plain = asciiKey(name) { return plain }
    return name.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping.lowercased().precomposedStringWithCanonicalMapping
  }

  /// `key` of a name in ASCII, which is most of them and needs no tables; nil for others.
  private static func asciiKey(_ name: String) -> String? {
    let bytes = name.utf8
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(
      decoding: bytes[first...last].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }

  /// The form in which a reader's text is compared with a name: as `key`, without accents.
  package static func loose(_ name: String) -> String {
    let bytes = name.utf8
    if bytes.allSatisfy({ $0 < 0x80 }) {
      guard bytes.contains(where: { (0x41...0x5A).contains($0) }) else { return name }
      return String(
        decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
    let plain = name.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
      $0.properties.generalCategory != .nonspacingMark
    }
    return String(String.UnicodeScalarView(plain)).lowercased()
  }
}
