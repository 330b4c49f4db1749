import Foundation
import NIOCore

/// The reason the server can't listen on its port.
package struct PortUnavailable: Error, Equatable {
  package enum Reason: Sendable { case inUse, forbidden }

  package let reason: Reason
  package let port: Int

  package init(_ reason: Reason, port: Int) {
    self.reason = reason
    self.port = port
  }

  /// Creates an error for a failed attempt to listen; nil if it failed for another reason.
  init?(_ error: IOError, port: Int) {
    switch error.errnoCode {
    case EADDRINUSE: self.init(.inUse, port: port)
    case EACCES, EPERM: self.init(.forbidden, port: port)
    default: return nil
    }
  }
}
