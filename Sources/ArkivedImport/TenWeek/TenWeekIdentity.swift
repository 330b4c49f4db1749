package import ArkivedCore
package import Foundation

extension UUID {
  /// Parses an identity in any form used by databases: in either case, without hyphens, in braces,
  /// as a URN, or as its sixteen bytes.
  package init?(foreign value: InterchangeValue?) {
    switch value {
    case .text(let text)?: self.init(foreign: text)
    case .blob(let bytes)? where bytes.count == 16:
      self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case .blob(let bytes)?:
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self.init(foreign: text)
    default: return nil
    }
  }

  package init?(foreign text: String) {
    if let id = UUID(identity: text) {
      self = id
      return
    }
    guard (32...64).contains(text.utf8.count) else { return nil }
    var digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if digits.lowercased().hasPrefix("urn:uuid:") { digits.removeFirst(9) }
    if digits.hasPrefix("{"), digits.hasSuffix("}") {
      digits = String(digits.dropFirst().dropLast())
    }
    if digits.utf8.count == 32, digits.utf8.allSatisfy({ $0 < 0x80 }) {
      var parts: [Substring] = []
      var rest = Substring(digits)
      for count in [8, 4, 4, 4, 12] {
        parts.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      digits = parts.joined(separator: "-")
    }
    self.init(identity: digits)
  }
}
