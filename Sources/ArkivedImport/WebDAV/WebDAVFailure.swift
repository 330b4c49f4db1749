package import ArkivedCore

/// An error from a WebDAV server or from the connection to it.
package struct WebDAVFailure: Error, Hashable, Sendable {
  package enum Kind: String, Sendable {
    case unencrypted, unusableAddress, unauthorised, forbidden, missing, notAFolder, locked,
      tooLarge
    case full, redirected, unreachable, timedOut, serverError, unusable
  }

  package var kind: Kind
  /// The address without name and password.
  package var place: String
  /// The status of the server’s response; nil without one.
  package var status: Int?

  package init(_ kind: Kind, _ place: String, status: Int? = nil) {
    self.kind = kind
    self.place = place
    self.status = status
  }

  // MARK: As JSON

  package var json: JSON {
    ["kind": .string(kind.rawValue), "place": .string(place), "status": JSON(status)]
  }

  package init?(_ json: JSON?) {
    guard let kind = json?["kind"]?.string.flatMap(Kind.init), let place = json?["place"]?.string
    else { return nil }
    self.init(kind, place, status: json?["status"]?.int)
  }
}
