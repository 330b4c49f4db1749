import Foundation
import Hummingbird
import Logging

/// What a request carries through the middleware.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The session's token, when a signed-in browser asks.
  var sessionToken: String?

  init(source: Source) { coreContext = .init(source: source) }

  /// Larger bodies of forms and JSON are refused; a long note has its place.
  var maxUploadSize: Int { 16 << 20 }
}
