package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// The address of an address book.
package struct AddressBookPlace: Hashable, Sendable {
  package let url: URL

  /// Creates a place from what a person typed.
  package init(_ text: String) throws(FieldError) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else {
      throw FieldError("address", "is empty. Enter the address of a CardDAV server")
    }
    let lower = text.lowercased()
    guard ["http://", "https://"].contains(where: lower.hasPrefix), !text.contains("\0"),
      let url = URL(string: text), url.host?.isEmpty == false
    else {
      throw FieldError(
        "address", "is \(FieldError.shown(text)), but must start with https:// or http://")
    }
    guard url.user == nil, url.password == nil else {
      throw FieldError("address", "must not contain a name or password. Enter them separately")
    }
    guard url.port.map({ (1...65_535).contains($0) }) ?? true else {
      throw FieldError("address", "has the port \(url.port ?? 0), but the highest port is 65535")
    }
    self.url = url
  }
}

/// Address books among the places that the archive synchronises with.
extension SyncJob {
  /// Links an address book; the next sync imports its contacts.
  ///
  /// - Parameters:
  ///   - place: the address of the address book.
  ///   - name: its display name; its address if nil.
  ///   - credentials: stored in a file next to the archive that only its owner can read.
  /// - Returns: the link.
  /// - Throws: `ArchiveError` if it is already linked or the credentials can't be stored.
  package func linkAddressBook(
    _ place: AddressBookPlace, name: String? = nil, credentials: CalendarCredentials = .none
  ) throws -> SyncLink {
    let address = place.url.absoluteString
    if try archive.syncLinks().contains(where: { $0.address == address }) {
      throw ArchiveError.refused("\(address) is already linked.")
    }
    var options = JSONObject()
    if let name { options["name"] = .string(name) }
    let link = SyncLink(
      // Linking the same address book again gives the same identity, which cards without an ID of
      // their own are recognised by.
      id: DerivedIdentity.of("address book", address), kind: .cardDAV, address: address,
      options: .object(options), createdAt: archive.clock.now)
    if credentials != .none {
      guard let secrets else {
        throw ArchiveError.refused(
          "An archive in memory can’t store secrets. Choose a folder with --archive.")
      }
      try secrets.write(credentials, for: link.id)
    }
    try archive.add(link)
    return link
  }

  /// Returns the sync of a linked address book.
  func addressBookSync(of link: SyncLink) throws -> AddressBookSync {
    guard let url = URL(string: link.address) else {
      throw ArchiveError.refused("\(link.name) isn’t a valid address. Link it again.")
    }
    return AddressBookSync(
      archive: archive, homeZone: homeZone, link: link,
      source: CardDAVSource(collection: url, credentials: try secrets?.read(link.id) ?? .none))
  }
}
