public import Foundation

/// A person the owner knows.
public struct Person: Hashable, Sendable, Identifiable {
  /// The ID, which never changes.
  public var id: UUID
  /// The name, if known.
  public var name: String?
  /// The main address, unique among the addresses of all people.
  public var email: String?
  /// Addresses in addition to the main one.
  public var furtherAddresses: [String]
  /// Other names they go by.
  public var aliases: [String]
  /// The person's relationship to the owner.
  public var relationshipSummary: String?
  /// References to the sources it was imported from.
  public var externalRefs: [ExternalRef]
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a person.
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

  /// The name to display: the name, otherwise an alias, otherwise an address.
  public var displayName: String {
    if let name, !isBlank(name) { return name }
    return aliases.first ?? email ?? Self.nameless
  }

  /// The name to display for a person who has no name and no address.
  package static let nameless = "Somebody"

  /// Removes names that contain only white space, because an entry can't name anybody with them.
  package mutating func removeBlankNames() {
    if let name, isBlank(name) { self.name = nil }
    aliases.removeAll { isBlank($0) }
  }

  /// The name that distinguishes the person from a namesake: the name with the address, otherwise
  /// with the first digits of the ID, which also work as a reference.
  public var tellingName: String {
    guard let address = email ?? furtherAddresses.first else {
      return said("\(displayName) (no address, \(String(id.uuidString.prefix(8))))")
    }
    return address == displayName ? address : "\(displayName) <\(address)>"
  }
}

/// A word that groups entries.
public struct Tag: Hashable, Sendable, Identifiable {
  /// The ID, which never changes.
  public var id: UUID
  /// The name, unique when normalised to NFC and case-folded.
  public var name: String
  /// The colour as `#RRGGBB`.
  public var colorHex: String?
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a tag.
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

/// Compares names that must be unique.
package enum NameFolding {
  /// Returns the form in which equal names of tags, people or addresses match: NFC, case-folded,
  /// without surrounding white space.
  ///
  /// Accents matter: "Jose" and "José" differ.
  package static func key(_ name: String) -> String {
    if let plain = asciiKey(name) { return plain }
    return name.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping.lowercased().precomposedStringWithCanonicalMapping
  }

  /// Returns the `key` of an ASCII name, or nil for others; most names are ASCII, and they need no
  /// Unicode tables.
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

  /// Returns the form in which typed text is compared with a name: as `key`, but without accents.
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
