import ArkivedCore
package import ArkivedImport
package import ArkivedStore
import Foundation

/// The information needed to link a service.
package struct LinkedServiceOrder: Sendable {
  package var service: LinkedService
  package var address: String
  /// The API key.
  package var key: String
  /// The display name; the address if nil.
  package var name: String?
  /// True if an Immich server's original files are copied instead of previews.
  package var takesOriginals = false
  /// The location data of photos to keep; places are what Dawarich has, so all of it is kept.
  package var places = PlaceChoice.names
  /// True if the key may be sent unencrypted to a server in the owner's own network.
  package var allowsPlainHTTP = false

  package init(_ service: LinkedService, address: String, key: String) {
    self.service = service
    self.address = address
    self.key = key.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Throws if something in it can't be used.
  func validate() throws(FieldError) {
    guard !key.isEmpty else { throw FieldError("token", "is empty. Enter an API key") }
    guard key.utf8.count <= 1_000, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw FieldError("token", "isn’t an API key: keys have no spaces or special characters")
    }
    if service == .dawarich {
      guard !takesOriginals else {
        throw FieldError("files", "can’t be chosen for Dawarich, which has no photos")
      }
    }
  }

  /// The choices as a link stores them.
  var options: JSON {
    var options = JSONObject()
    if let name, !name.isEmpty { options["name"] = .string(name) }
    if service == .immich {
      if takesOriginals { options["files"] = .string(Self.originals) }
      options["places"] = .string(places.rawValue)
    }
    if allowsPlainHTTP { options["plainHTTP"] = true }
    return .object(options)
  }

  static let originals = "originals"
}

extension LinkedService {
  /// The kind of its links.
  package var kind: SyncLink.Kind {
    switch self {
    case .immich: .immich
    case .dawarich: .dawarich
    }
  }
}
