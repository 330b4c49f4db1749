/// Why a file in the age format cannot be written or read.
package enum AgeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands before the content is no header of age's, or is damaged.
  case header(String)
  /// The text form around the file is damaged.
  case armor(String)
  /// The header was altered.
  case hmac
  /// None of the keys opens the file, or the passphrase is another one.
  case noMatch
  /// The content is damaged, altered or cut off.
  case payload(String)
  /// A key is not what it should be.
  case key(String)

  package var description: String {
    switch self {
    case .header(let reason): "The file’s age header can’t be used: \(reason)."
    case .armor(let reason): "The file’s text armour can’t be read: \(reason)."
    case .hmac: "The file’s age header was altered or damaged."
    case .noMatch: "The passphrase or key doesn’t open this file."
    case .payload(let reason): "The file is damaged or cut off: \(reason)."
    case .key(let reason): reason
    }
  }
}
