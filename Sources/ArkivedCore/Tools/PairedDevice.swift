package import Foundation

/// A phone or another device of the owner that was paired over the home network.
///
/// The secret with which the device signs in is not included.
package struct PairedDevice: Hashable, Sendable, Identifiable {
  package var id: UUID
  package var name: String
  package var createdAt: Instant
  /// The last access, accurate to a few minutes; initially the time of pairing.
  package var lastSeenAt: Instant

  /// The number of days without access after which a device must be paired again.
  package static let idleDays = 180

  package init(id: UUID, name: String, createdAt: Instant, lastSeenAt: Instant) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.lastSeenAt = lastSeenAt
  }

  /// Reads the form that `json` writes; returns nil for anything else.
  package init?(_ json: JSON) {
    guard let id = json["id"]?.string.flatMap(UUID.init(uuidString:)),
      let name = json["name"]?.string,
      let createdAt = json["createdAt"]?.string.flatMap({ Instant($0) }),
      let lastSeenAt = json["lastSeenAt"]?.string.flatMap({ Instant($0) })
    else { return nil }
    self.init(id: id, name: name, createdAt: createdAt, lastSeenAt: lastSeenAt)
  }

  package var json: JSON {
    [
      "id": .string(id.uuidString), "name": .string(name), "createdAt": JSON(createdAt),
      "lastSeenAt": JSON(lastSeenAt),
    ]
  }

  /// Returns true if the pairing has expired because the device was absent too long.
  package func hasExpired(at now: Instant) -> Bool {
    lastSeenAt.adding(seconds: Self.idleDays * 86_400) < now
  }

  /// Checks that a name is a short line, because it is shown in lists.
  ///
  /// - Throws: a `FieldError` about `name`.
  package static func validate(name: String) throws(FieldError) {
    guard !isBlank(name) else { throw FieldError("name", "is empty. Name the device") }
    guard name.count <= 60 else { throw FieldError("name", "is longer than 60 characters") }
    guard
      !name.unicodeScalars.contains(where: {
        $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
      })
    else { throw FieldError("name", "contains a control character") }
  }
}

/// The address at which devices on the home network connect, and whether access is on.
package struct PhoneDoorSettings: Hashable, Sendable {
  package var isOpen: Bool
  /// An address of this computer, as text.
  package var address: String
  package var port: Int
  /// A host name for the address, such as `study.local`, or nil for none.
  package var name: String?

  package init(isOpen: Bool, address: String, port: Int, name: String? = nil) {
    self.isOpen = isOpen
    self.address = address
    self.port = port
    self.name = name
  }

  /// Reads the form that `json` writes; returns nil for anything else.
  package init?(_ json: JSON) {
    guard let isOpen = json["isOpen"]?.bool, let address = json["address"]?.string,
      let port = json["port"]?.int, (0...65_535).contains(port)
    else { return nil }
    self.init(isOpen: isOpen, address: address, port: port, name: json["name"]?.string)
  }

  package var json: JSON {
    [
      "isOpen": .bool(isOpen), "address": .string(address), "port": JSON(port),
      "name": JSON(name),
    ]
  }
}
