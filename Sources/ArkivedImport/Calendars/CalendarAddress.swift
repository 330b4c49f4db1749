import Foundation

/// The address of a calendar or of a part of one, with scheme and host in lower case and without
/// user name, password or fragment.
struct CalendarAddress: Hashable, Sendable {
  let scheme: String
  /// The host's name, or its IP address without brackets.
  let host: String
  let port: Int
  /// The path as written, beginning with `/`.
  let path: String
  let query: String?

  /// Parses an address; `webcal:` means `https:`.
  ///
  /// - Throws: `CalendarSourceError.unusableAddress`.
  init(_ url: URL) throws(CalendarSourceError) {
    func wrong(_ reason: String) -> CalendarSourceError {
      .unusableAddress(place: CalendarAddress.plain(url), reason: reason)
    }
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let written = parts.scheme?.lowercased()
    else { throw wrong("can’t be read. It should look like https://example.org/calendar.ics") }
    guard
      let scheme = ["https": "https", "http": "http", "webcal": "https", "webcals": "https"][
        written]
    else { throw wrong("must start with https://, http:// or webcal://") }
    guard parts.percentEncodedUser == nil, parts.percentEncodedPassword == nil else {
      throw wrong("must not contain a name or password. Enter them separately")
    }
    var host = parts.percentEncodedHost?.lowercased() ?? ""
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty, !host.contains("%") else { throw wrong("has no host name") }
    if let port = parts.port, !(1...65_535).contains(port) {
      throw wrong("has an invalid port")
    }
    self.scheme = scheme
    self.host = host
    port = parts.port ?? (scheme == "https" ? 443 : 80)
    path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    query = parts.percentEncodedQuery
  }

  private init(scheme: String, host: String, port: Int, path: String, query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// Returns the same address with another path.
  func with(path: String) -> CalendarAddress {
    CalendarAddress(
      scheme: scheme, host: host, port: port, path: path, query: nil)
  }

  /// The normalised path, which gives a resource one stable name.
  var name: String { CalendarAddress.normal(path) }

  var isEncrypted: Bool { scheme == "https" }

  var origin: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://\(name)" + (port == (isEncrypted ? 443 : 80) ? "" : ":\(port)")
  }

  var text: String { origin + path + (query.map { "?" + $0 } ?? "") }
  var url: URL? { URL(string: text) }

  /// The address for display, without the query because it may contain a secret.
  var shown: String { origin + (path.removingPercentEncoding ?? path) }

  /// The address for display without its path, because a private calendar's path is its secret.
  var shownShort: String { origin + "/…" }

  func isSameOrigin(as other: CalendarAddress) -> Bool { origin == other.origin }

  /// Resolves a reference (an `href` or `Location`) in an answer from this address.
  func resolving(_ reference: String) -> CalendarAddress? {
    let reference = reference.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let base = url else { return nil }
    // Some servers leave spaces and letters unescaped.
    guard let target = URL(string: CalendarAddress.escaped(reference), relativeTo: base) else {
      return nil
    }
    return try? CalendarAddress(target.absoluteURL)
  }

  // MARK: Escapes

  private static let unreserved = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
  /// The characters that need no escape in a path.
  private static let inPaths = unreserved.union("!$&'()*+,;=:@/".utf8)

  /// Escapes characters that aren't allowed in an address and keeps existing escapes.
  private static func escaped(_ text: String) -> String {
    let kept = inPaths.union("%?#[]".utf8)
    return text.utf8.map { kept.contains($0) ? String(UnicodeScalar($0)) : hex($0) }.joined()
  }

  private static func hex(_ byte: UInt8) -> String {
    "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// Returns the normalised form of a path.
  ///
  /// Letters and digits are unescaped; `%`, `/` and everything else that needs escaping is escaped
  /// in upper case; `.`, `..` and empty parts are removed.
  static func normal(_ path: String) -> String {
    var parts: [String] = []
    let isFolder = path.hasSuffix("/") || path.hasSuffix("/.") || path.hasSuffix("/..")
    for part in path.split(separator: "/") {
      if part == ".." {
        _ = parts.popLast()
      } else if part != "." {
        parts.append(normal(part: part))
      }
    }
    return "/" + parts.joined(separator: "/") + (isFolder && !parts.isEmpty ? "/" : "")
  }

  private static func normal(part: Substring) -> String {
    let bytes = Array(part.utf8)
    var text = ""
    var index = 0
    while index < bytes.count {
      var byte = bytes[index]
      var isEscape = false
      if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      {
        byte = high << 4 | low
        isEscape = true
        index += 2
      }
      index += 1
      // An escaped “/” isn't a separator, and an escaped “%” doesn't start an escape.
      let isPlain = inPaths.contains(byte) && !(isEscape && byte == UInt8(ascii: "/"))
      text += isPlain ? String(UnicodeScalar(byte)) : hex(byte)
    }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }

  /// Returns a displayable form of an address that can't be parsed, without parts that may be
  /// secret.
  private static func plain(_ url: URL) -> String {
    guard let host = url.host else { return "the calendar's address" }
    return (url.scheme.map { $0 + "://" } ?? "") + host
  }
}
