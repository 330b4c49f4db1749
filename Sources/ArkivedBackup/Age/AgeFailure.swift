/// The reason that a file in the age format can't be written or read.
package enum AgeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The header isn't an age header, or is damaged.
  case header(String)
  /// The armor is damaged.
  case armor(String)
  /// The header was modified.
  case hmac
  /// None of the keys opens the file, or the passphrase is wrong.
  case noMatch
  /// The content is damaged, modified or truncated.
  case payload(String)
  /// A key is invalid.
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
