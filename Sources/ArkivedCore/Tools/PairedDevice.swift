package import Foundation

/// A phone or another device of the owner that was paired over the home network. What it holds to
/// come in is not part of it.
package struct PairedDevice: Hashable, Sendable, Identifiable {
  package var id: UUID
  package var name: String
  package var createdAt: Instant
  /// To some minutes; when it was paired, at first.
  package var lastSeenAt: Instant

  /// A device that was not seen for so long must be paired again.
  package static let idleDays = 180

  package init(id: UUID, name: String, createdAt: Instant, lastSeenAt: Instant) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.lastSeenAt = lastSeenAt
  }

  /// Reads what `json` wrote; nil for anything else.
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

  /// Whether it may come in no longer since it stayed away.
  package func hasExpired(at now: Instant) -> Bool {
    lastSeenAt.adding(seconds: Self.idleDays * 86_400) < now
  }

  /// A name is a short line, since it stands in lists.
  ///
  /// - Throws: a `FieldError` of `name`.
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

/// Where the owner lets devices of the home network come in, and whether they may now.
package struct PhoneDoorSettings: Hashable, Sendable {
  package var isOpen: Bool
  /// An address of this computer, as text.
  package var address: String
  package var port: Int
  /// A name that leads to the address, such as `study.local`; nil for none.
  package var name: String?

  package init(isOpen: Bool, address: String, port: Int, name: String? = nil) {
    self.isOpen = isOpen
    self.address = address
    self.port = port
    self.name = name
  }

  /// Reads what `json` wrote; nil for anything else.
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
