/// An error that prevented a linked service from being read.
///
/// Each names the address and says what to do; none contains the key.
package enum LinkedServiceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A key that must not be sent without encryption.
  case unencrypted(place: String)
  /// Status 401.
  case wrongKey(place: String, service: LinkedService)
  /// Status 403.
  case forbidden(place: String, service: LinkedService)
  /// A server that isn't the service.
  ///
  /// - Parameter came: a description of what answered, as the rest of “but …”.
  case notTheService(place: String, service: LinkedService, came: String)
  /// More pages than there can be, or the same one again.
  case endless(place: String)
  /// An error of the connection or of a single answer.
  case transfer(CalendarSourceError)

  package var description: String {
    switch self {
    case .unencrypted(let place):
      "\(place): over http://, anyone along the way can read the key. Use https://, or allow "
        + "http:// for a server in your own network."
    case .wrongKey(let place, let service):
      "\(place): \(service.name) rejected the API key (401). Create a new key there, then unlink "
        + "this address and link it again."
    case .forbidden(let place, .immich):
      "\(place): Immich doesn’t let this API key read photos (403). Create a key with the "
        + "permissions user.read, asset.read, asset.view and asset.download, then unlink this "
        + "address and link it again."
    case .forbidden(let place, .dawarich):
      "\(place): Dawarich doesn’t let this API key read locations (403). Check the account there."
    case .notTheService(let place, let service, let came):
      "\(place): not \(service.name), but \(came). Nothing was changed. Check the address."
    case .endless(let place):
      "\(place): the server never stops sending pages. Nothing was imported from them. Check the address."
    case .transfer(let error): error.description
    }
  }

  /// The delay that the server asked for.
  package var retryAfter: Duration? {
    if case .transfer(let error) = self { error.retryAfter } else { nil }
  }
}
