package import ArkivedCore
import Foundation

/// The credentials that a calendar's server requires.
///
/// The secret never appears in a textual representation.
package enum CalendarCredentials: Hashable, Sendable {
  case none
  case basic(user: String, password: String)
  case bearer(token: String)
  /// A key that the server expects in a header of its own, `x-api-key`.
  case apiKey(String)

  /// The header that carries the secret.
  var header: (name: String, value: String)? {
    switch self {
    case .none: nil
    case .basic(let user, let password):
      ("Authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    case .bearer(let token): ("Authorization", "Bearer " + token)
    case .apiKey(let key): ("x-api-key", key)
    }
  }

  /// Checks that the credentials can be sent.
  ///
  /// - Throws: `CalendarSourceError` if they can't be sent unchanged.
  func check(for place: String) throws {
    let isFine =
      switch self {
      case .none: true
      case .basic(let user, let password):
        !user.contains(":") && (user + password).unicodeScalars.allSatisfy { $0.value >= 0x20 }
      case .bearer(let token), .apiKey(let token):
        !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      }
    guard isFine else {
      throw CalendarSourceError.unauthorised(
        place: place,
        reason: "the name, password or token contains something that can’t be sent. A name can’t "
          + "contain “:”, and none of them can contain line breaks.")
    }
  }

  /// Returns a server's text without the secret, in case the server repeats it.
  func redacted(_ text: String) -> String {
    var text = text
    for secret in secrets where secret.utf8.count > 3 {
      text = text.replacingOccurrences(of: secret, with: "…")
    }
    return text
  }

  private var secrets: [String] {
    switch self {
    case .none: []
    case .basic(let user, let password):
      [password, Data("\(user):\(password)".utf8).base64EncodedString()]
    case .bearer(let token), .apiKey(let token): [token]
    }
  }
}

extension CalendarCredentials: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package var description: String {
    switch self {
    case .none: "none"
    case .basic(let user, _): "\(user) with a password"
    case .bearer: "a token"
    case .apiKey: "a key"
    }
  }

  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension CalendarCredentials {
  /// The stored form; nil for `.none`.
  package var json: JSON? {
    switch self {
    case .none: nil
    case .basic(let user, let password): ["user": .string(user), "password": .string(password)]
    case .bearer(let token), .apiKey(let token): ["token": .string(token)]
    }
  }

  package init?(_ json: JSON) {
    if let user = json["user"]?.string, let password = json["password"]?.string {
      self = .basic(user: user, password: password)
    } else if let token = json["token"]?.string {
      self = .bearer(token: token)
    } else {
      return nil
    }
  }
}
