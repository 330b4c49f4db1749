package import Foundation

/// An address book that a server offers.
package struct AddressBookChoice: Hashable, Sendable {
  package var url: URL
  package var displayName: String
  package var description: String?
  /// True if the server can report changes.
  package var supportsSync: Bool
}

/// Finds the address books of an account (RFC 6764).
///
/// The search can start from the address of a server, a principal, a folder of address books or an
/// address book.
package struct CardDAVDiscovery: Sendable {
  package let url: URL
  package let credentials: CalendarCredentials
  /// The time limit of a search.
  package var patience = Duration.seconds(120)
  package var network = CalendarNetwork.system

  package init(url: URL, credentials: CalendarCredentials = .none) {
    self.url = url
    self.credentials = credentials
  }

  /// Returns the address books, sorted by name.
  ///
  /// - Throws: `AddressBookError`.
  @concurrent package func addressBooks() async throws -> [AddressBookChoice] {
    try await AddressBookError.converting {
      let address = try CalendarAddress(url)
      return try await FetchDeadline.run(patience, place: address.shown) {
        let client = try await CalendarClient(
          address, credentials: credentials, allowsPlainHTTP: false, network: network,
          place: address.shown, kind: .addressBook)
        return try await DAVSearch(client: DAVClient(client: client), start: address).run().map {
          AddressBookChoice(
            url: $0.url, displayName: $0.displayName, description: $0.description,
            supportsSync: $0.supportsSync)
        }
      }
    }
  }
}
