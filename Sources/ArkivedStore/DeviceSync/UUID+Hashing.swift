import ArkivedCrypto
package import Foundation

extension UUID {
  /// Creates an ID derived from a text.
  package init(hashing text: String) {
    var bytes = Array(SHA256.hash(data: text.utf8).prefix(16))
    // Version 8 and the variant of RFC 9562.
    bytes[6] = (bytes[6] & 0x0F) | 0x80
    bytes[8] = (bytes[8] & 0x3F) | 0x80
    self = bytes.withUnsafeBytes { raw in
      UUID(uuid: raw.loadUnaligned(as: uuid_t.self))
    }
  }
}
