import CCrypto
package import Foundation

/// A certificate (X.509, RFC 5280) with its key on P-256.
package final class Certificate: @unchecked Sendable {
  // Unchecked, because a C pointer is never Sendable. The pair is immutable after initialisation
  // and is freed only in deinit, and OpenSSL 3 lets any number of threads read an X509 at once.
  private let pair: OpaquePointer

  private init?(_ pair: OpaquePointer?) {
    guard let pair else { return nil }
    self.pair = pair
  }

  deinit { crypto_certificate_free(pair) }

  /// Creates a self-signed authority that can vouch only for names that end in `.local`.
  package static func authority(
    organization: String, name: String, valid: Range<Date>
  ) throws -> Certificate {
    let made = Certificate(
      crypto_certificate_authority(
        organization, name, seconds(valid.lowerBound), seconds(valid.upperBound)))
    guard let made else { throw CryptoFailure() }
    return made
  }

  /// Creates a server's certificate signed by an authority.
  ///
  /// - Parameters:
  ///   - authority: the authority's certificate.
  ///   - organization: the name of the organisation.
  ///   - name: the name.
  ///   - address: 4 or 16 bytes.
  ///   - host: the server's name on the network, if it has one.
  ///   - valid: the period in which it is valid.
  /// - Returns: the certificate.
  /// - Throws: `CryptoFailure` if it can't be created.
  package static func server(
    by authority: Certificate, organization: String, name: String, address: [UInt8], host: String?,
    valid: Range<Date>
  ) throws -> Certificate {
    let made = Certificate(
      crypto_certificate_server(
        authority.pair, organization, name, address, address.count, host,
        seconds(valid.lowerBound), seconds(valid.upperBound)))
    guard let made else { throw CryptoFailure() }
    return made
  }

  /// Reads a certificate and its key from PEM.
  ///
  /// - Throws: `CryptoFailure` if one is missing or they don't belong together.
  package init(pem: String) throws {
    let bytes = Array(pem.utf8.map { CChar(bitPattern: $0) })
    guard let pair = crypto_certificate_read(bytes, bytes.count) else { throw CryptoFailure() }
    self.pair = pair
  }

  package var notValidBefore: Date {
    Date(timeIntervalSince1970: Double(crypto_certificate_begin(pair)))
  }
  package var notValidAfter: Date {
    Date(timeIntervalSince1970: Double(crypto_certificate_end(pair)))
  }

  /// Returns true if the certificate names this address and this host, and nothing else.
  package func isFor(address: [UInt8], host: String?) -> Bool {
    crypto_certificate_is_for(pair, address, address.count, host) == 1
  }

  /// Returns true if the authority issued the certificate and its signature verifies.
  package func isSigned(by authority: Certificate) -> Bool {
    crypto_certificate_is_by(pair, authority.pair) == 1
  }

  package func der() throws -> [UInt8] { try bytes(CRYPTO_CERTIFICATE_DER) }
  package func certificatePEM() throws -> String { try text(CRYPTO_CERTIFICATE_PEM) }
  /// Returns the key in PKCS #8 format.
  package func keyPEM() throws -> String { try text(CRYPTO_KEY_PEM) }
  /// Returns the certificate in readable form, as printed by `openssl x509 -text`.
  package func summary() throws -> String { try text(CRYPTO_CERTIFICATE_TEXT) }

  private func text(_ form: crypto_form) throws -> String {
    String(decoding: try bytes(form), as: UTF8.self)
  }

  private func bytes(_ form: crypto_form) throws -> [UInt8] {
    var count = 0
    guard let start = crypto_certificate_bytes(pair, form, &count) else { throw CryptoFailure() }
    defer { free(start) }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }

  private static func seconds(_ date: Date) -> Int64 {
    Int64(date.timeIntervalSince1970.rounded(.down))
  }
}
