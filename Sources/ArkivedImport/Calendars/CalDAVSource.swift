package import ArkivedCore
package import Foundation

/// A calendar on a CalDAV server (RFC 4791).
///
/// It asks for changes since the last fetch if the server supports that (RFC 6578), and otherwise
/// compares listings.
package struct CalDAVSource: CalendarSource {
  package let collection: URL
  package let credentials: CalendarCredentials
  /// The time limit of a fetch.
  package var patience = Duration.seconds(1800)
  /// The interval at which everything is compared again, in case the server reported changes
  /// incorrectly.
  package var trust = Duration.seconds(86_400)
  /// True if the name and password may be sent over an unencrypted connection.
  package var allowsPlainHTTP = false
  package var network = CalendarNetwork.system

  package init(collection: URL, credentials: CalendarCredentials = .none) {
    self.collection = collection
    self.credentials = credentials
  }

  @concurrent package func fetch(
    known: [String: String], state: JSON?, into sink: any CalendarSink
  ) async throws -> JSON? {
    let address = try CalendarAddress(collection)
    return try await FetchDeadline.run(patience, place: address.shown) {
      let client = try await CalendarClient(
        address, credentials: credentials, allowsPlainHTTP: allowsPlainHTTP, network: network,
        place: address.shown)
      let collection = DAVCollection(DAVClient(client: client), at: address)
      var run = DAVFetch(collection: collection, known: known, sink: sink)
      return try await run.fetch(state, trust: trust)
    }
  }
}
