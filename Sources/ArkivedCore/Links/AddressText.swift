/// Hides the paths of addresses, because a private calendar's path is its secret.
package enum AddressText {
  private static let sync = "Synced with "
  private static let undo = "Undid: "

  /// Returns an address without user name, password and path: `https://example.org/…`.
  ///
  /// - Parameter address: an address; a text without a scheme, such as a path, stays as it is.
  /// - Returns: the address for display.
  package static func withoutPath(_ address: String) -> String {
    guard let mark = address.firstRange(of: "://") else { return address }
    let rest = address[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    let hasPath = rest.count - authority.count > 1
    return String(address[..<mark.upperBound] + host) + (hasPath ? "/…" : "")
  }

  /// Returns the summary of a change; if it is of a sync, without the path of the address.
  package static func withoutPath(ofSync summary: String) -> String {
    var rest = Substring(summary)
    while rest.hasPrefix(undo) { rest = rest.dropFirst(undo.count) }
    guard rest.hasPrefix(sync) else { return summary }
    let address = rest.dropFirst(sync.count)
    return String(summary[..<address.startIndex]) + withoutPath(String(address))
  }
}
