package import ArkivedCore
package import Foundation

/// An address book on a CardDAV server (RFC 6352), which is only read.
///
/// Like a calendar, it is asked for the changes since the last fetch if the server supports that
/// (RFC 6578), and otherwise its listings are compared.
package struct CardDAVSource: CalendarSource {
  package let collection: URL
  package let credentials: CalendarCredentials
  /// The time limit of a fetch.
  package var patience = Duration.seconds(1800)
  /// The interval at which everything is compared again, in case the server reported changes
  /// incorrectly.
  package var trust = Duration.seconds(86_400)
  package var network = CalendarNetwork.system

  package init(collection: URL, credentials: CalendarCredentials = .none) {
    self.collection = collection
    self.credentials = credentials
  }

  /// Reports the cards that changed since the last fetch.
  ///
  /// - Throws: `AddressBookError`, or `CancellationError`.
  @concurrent package func fetch(
    known: [String: String], state: JSON?, into sink: any CalendarSink
  ) async throws -> JSON? {
    try await AddressBookError.converting {
      let address = try CalendarAddress(collection)
      return try await FetchDeadline.run(patience, place: address.shown) {
        let client = try await CalendarClient(
          address, credentials: credentials, allowsPlainHTTP: false, network: network,
          place: address.shown, kind: .addressBook)
        let collection = DAVCollection(DAVClient(client: client), at: address)
        var run = DAVFetch(collection: collection, known: known, sink: sink)
        return try await run.fetch(state, trust: trust)
      }
    }
  }
}
