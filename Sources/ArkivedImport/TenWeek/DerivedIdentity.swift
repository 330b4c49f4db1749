import ArkivedCrypto
package import Foundation

/// Identities for records whose source has none, equal for the same parts.
package enum DerivedIdentity {
  /// Returns a version 8 UUID (RFC 9562) from SHA-256 over the parts.
  package static func of(_ parts: String...) -> UUID {
    var hash = SHA256()
    for part in parts {
      // The lengths keep the parts separate.
      hash.update(data: Data("\(part.utf8.count):".utf8))
      hash.update(data: Data(part.utf8))
    }
    var bytes = [UInt8](hash.finalize())
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
        bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}
