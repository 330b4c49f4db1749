package import Foundation

/// Links as attachments: web addresses that are stored and shown but never fetched.
extension Attachment {
  private static let addressLimit = 4_000
  private static let captionLimit = 4_000

  /// Creates a link.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - address: an http or https address, as typed.
  ///   - caption: its display text; nil or blank for none.
  ///   - now: the current time.
  /// - Throws: `FieldError` about the field `url` or `caption`.
  package init(
    id: UUID, link address: String, caption: String? = nil, at now: Instant
  ) throws(FieldError) {
    self.init(
      id: id, type: .link, caption: try Self.caption(caption),
      externalURL: try Self.webAddress(address), createdAt: now, updatedAt: now)
  }

  /// Returns true if a text is probably a web address rather than a file path.
  package static func isWebAddress(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace).prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// Validates a web address.
  package static func webAddress(_ typed: String) throws(FieldError) -> String {
    let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    guard isWebAddress(text) else {
      throw FieldError(
        "url", "is \(FieldError.shown(text)), but must start with http:// or https://")
    }
    guard text.utf8.count <= addressLimit else {
      throw FieldError("url", "is longer than \(addressLimit) bytes")
    }
    guard
      !text.unicodeScalars.contains(where: {
        $0.value <= 0x20 || (0x7F...0xA0).contains($0.value) || $0.properties.isWhitespace
      })
    else {
      throw FieldError(
        "url", "is \(FieldError.shown(text)), but must not contain spaces or control characters")
    }
    guard let host = URLComponents(string: text)?.host, !host.isEmpty else {
      throw FieldError(
        "url",
        "is \(FieldError.shown(text)), but must contain a host, as in https://example.org/page")
    }
    return text
  }

  /// Returns a caption without surrounding blanks, or nil if it is empty.
  ///
  /// - Throws: `FieldError` about the field `caption`.
  package static func caption(_ typed: String?) throws(FieldError) -> String? {
    let text = (typed ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return nil }
    guard text.utf8.count <= captionLimit else {
      throw FieldError("caption", "is longer than \(captionLimit) bytes")
    }
    guard !text.utf8.contains(0) else {
      throw FieldError("caption", "contains a NUL character")
    }
    return text
  }

  /// The host of a link, displayed next to its caption; nil if the attachment is not a link.
  package var linkHost: String? {
    guard relativePath == nil, let externalURL else { return nil }
    let address = Self.asBrowsersRead(externalURL)
    guard Self.isWebAddress(address) else { return nil }
    if let host = URLComponents(string: address)?.host, !host.isEmpty { return host }
    // A browser may accept more, and a caption alone could name another place.
    return address.split(separator: "/").dropFirst().first.map(String.init) ?? address
  }

  /// Returns an address with the host that a browser opens (WHATWG URL, basic URL parser): tabs and
  /// line breaks are skipped, a backslash is a slash, and the number of slashes doesn't matter.
  ///
  /// By other rules, the host of `https://there.example\@shown.example/` is `shown.example`.
  private static func asBrowsersRead(_ address: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in address.unicodeScalars.drop(while: { $0.properties.isWhitespace }) {
      switch scalar {
      case "\t", "\n", "\r": break
      case "\\": plain.append("/")
      default: plain.append(scalar)
      }
    }
    let scheme = plain.prefix { $0 != ":" }
    let rest = plain.dropFirst(scheme.count + 1).drop { $0 == "/" }
    return "\(String(scheme))://\(String(rest))"
  }
}
