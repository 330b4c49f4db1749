import ArkivedCore
import ArkivedStore
import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The certificates by which a phone knows this computer: an authority of the archive's own, made when
/// it is first needed, and the server's, which the authority signs.
///
/// They lie in `phone/` in the archive's folder with their keys, each pair in one file that only the
/// owner can read. They go by the computer's own clock: whoever checks them does too.
struct PhoneCertificates: Sendable {
  let folder: URL

  static let authorityDays = 3_650
  static let serverDays = 365
  /// A server's certificate is made anew so many days before its end.
  static let renewalDays = 30

  /// A certificate with its key.
  struct Pair: Sendable {
    var certificate: Certificate
    var key: P256.Signing.PrivateKey

    /// The certificate in DER.
    var der: [UInt8] {
      get throws {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
      }
    }
  }

  /// - Throws: `PhoneDoorFailure` for an archive that has no folder.
  init(archive: Archive) throws {
    guard case .folder(let folder) = archive.location else {
      throw PhoneDoorFailure(
        "An archive in memory cannot be opened for phones; name a folder with --archive.")
    }
    self.folder = folder.appendingPathComponent("phone")
  }

  private var authorityFile: URL { folder.appendingPathComponent("authority.pem") }
  /// The authority before one that was made since it had ended: by a clock that was wrong, perhaps.
  private var earlierFile: URL { folder.appendingPathComponent("authority-before.pem") }
  private var serverFile: URL { folder.appendingPathComponent("server.pem") }

  // MARK: What is there, or is made

  /// The authority; a new one where there is none or the one there was has ended.
  ///
  /// - Throws: `PhoneDoorFailure` where its file cannot be read: phones trust the one that was in it.
  func authority(now: Date) throws -> Pair {
    // Whoever is in the network may ask for it: that waits for nobody and writes nothing. Its file is
    // there whole or not at all.
    if let pair = try? read(authorityFile), Self.isGood(pair, now) { return pair }
    return try locked { try standingAuthority(now) }
  }

  /// The server's certificate and its key for an address, good for some time yet.
  func server(for address: HomeAddress, name: String?, now: Date) throws -> Pair {
    try locked {
      let authority = try standingAuthority(now)
      if let pair = try? read(serverFile),
        Self.fits(pair.certificate, address, name, authority.certificate, now)
      {
        return pair
      }
      let pair = try Self.makeServer(address, name, by: authority, now: now)
      try write(pair, to: serverFile)
      return pair
    }
  }

  private func standingAuthority(_ now: Date) throws -> Pair {
    if FileManager.default.fileExists(atPath: authorityFile.path) {
      let pair: Pair
      do {
        pair = try read(authorityFile)
      } catch {
        throw PhoneDoorFailure(
          "\(authorityFile.path) cannot be read. Put it back from a copy, or remove it: then a new "
            + "certificate is made, and each phone installs it anew.")
      }
      // Phones trust the one that they installed: once the clock is right again, it is in force again.
      if now < pair.certificate.notValidBefore, let earlier = try? read(earlierFile),
        Self.isGood(earlier, now)
      {
        try write(earlier, to: authorityFile)
        return earlier
      }
      if now < pair.certificate.notValidAfter { return pair }
      try write(pair, to: earlierFile)
    }
    let pair = try Self.makeAuthority(now: now)
    try write(pair, to: authorityFile)
    return pair
  }

  private static func isGood(_ pair: Pair, _ now: Date) -> Bool {
    pair.certificate.notValidBefore <= now && now < pair.certificate.notValidAfter
  }

  /// Whether a certificate of the server serves on.
  static func fits(
    _ certificate: Certificate, _ address: HomeAddress, _ name: String?,
    _ authority: Certificate, _ now: Date
  ) -> Bool {
    guard let named = try? certificate.extensions.subjectAlternativeNames else { return false }
    return Array(named) == names(address, name) && certificate.issuer == authority.subject
      && authority.publicKey.isValidSignature(certificate.signature, for: certificate)
      && certificate.notValidBefore <= now
      && now.addingTimeInterval(Double(renewalDays) * 86_400)
        < min(certificate.notValidAfter, authority.notValidAfter)
  }

  // MARK: Making

  private static func makeAuthority(now: Date) throws -> Pair {
    let key = P256.Signing.PrivateKey()
    let publicKey = Certificate.PublicKey(key.publicKey)
    let day = Zone.utc.dayKey(at: Instant(now))
    let subject = try DistinguishedName {
      OrganizationName("Arkived")
      CommonName("Arkived at home, since \(day)")
    }
    // Whoever gets hold of the key can pretend to be no site that is known by a name. Addresses are
    // not constrained: BoringSSL, which many apps bring along, refuses a certificate where they are.
    let names = NameConstraints(permittedSubtrees: [GeneralName.dnsName("local")])
    let extensions = try Certificate.Extensions {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
      Critical(KeyUsage(keyCertSign: true))
      Critical(names)
      SubjectKeyIdentifier(hash: publicKey)
    }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
      notValidBefore: now.addingTimeInterval(-3_600),
      notValidAfter: now.addingTimeInterval(Double(authorityDays) * 86_400), issuer: subject,
      subject: subject, signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(key))
    return Pair(certificate: certificate, key: key)
  }

  private static func makeServer(
    _ address: HomeAddress, _ name: String?, by authority: Pair, now: Date
  ) throws -> Pair {
    let key = P256.Signing.PrivateKey()
    let publicKey = Certificate.PublicKey(key.publicKey)
    let subject = try DistinguishedName {
      OrganizationName("Arkived")
      // With blanks: what looks like a name of the Internet, OpenSSL holds against the constraint.
      CommonName("Arkived at \(address.text)")
    }
    let issuer = SubjectKeyIdentifier(hash: authority.certificate.publicKey).keyIdentifier
    let usage = try ExtendedKeyUsage([ExtendedKeyUsage.Usage.serverAuth])
    let names = SubjectAlternativeNames(Self.names(address, name))
    let extensions = try Certificate.Extensions {
      Critical(BasicConstraints.notCertificateAuthority)
      Critical(KeyUsage(digitalSignature: true))
      usage
      names
      SubjectKeyIdentifier(hash: publicKey)
      AuthorityKeyIdentifier(keyIdentifier: issuer)
    }
    let end = now.addingTimeInterval(Double(serverDays) * 86_400)
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
      notValidBefore: now.addingTimeInterval(-3_600),
      notValidAfter: min(end, authority.certificate.notValidAfter),
      issuer: authority.certificate.subject, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(authority.key))
    return Pair(certificate: certificate, key: key)
  }

  private static func names(_ address: HomeAddress, _ name: String?) -> [GeneralName] {
    var names = [GeneralName.ipAddress(ASN1OctetString(contentBytes: address.bytes[...]))]
    if let name { names.append(.dnsName(name)) }
    return names
  }

  // MARK: Files

  /// Two processes may need the first certificates at once.
  private func locked<Value>(_ body: () throws -> Value) throws -> Value {
    try DurableFile.makeFolder(folder)
    let lock = try FileLock(
      at: folder.appendingPathComponent("lock"), waits: 10,
      else: "Another Arkived is making certificates just now; try again.")
    return try withExtendedLifetime(lock) { try body() }
  }

  private func read(_ file: URL) throws -> Pair {
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    var certificate: Certificate?
    var key: P256.Signing.PrivateKey?
    for document in try PEMDocument.parseMultiple(pemString: text) {
      if document.discriminator == Certificate.defaultPEMDiscriminator {
        certificate = try Certificate(pemDocument: document)
      } else {
        key = try P256.Signing.PrivateKey(derRepresentation: document.derBytes)
      }
    }
    guard let certificate, let key,
      certificate.publicKey == Certificate.PublicKey(key.publicKey)
    else { throw CocoaError(.fileReadCorruptFile) }
    return Pair(certificate: certificate, key: key)
  }

  private func write(_ pair: Pair, to file: URL) throws {
    let text = try pair.certificate.serializeAsPEM().pemString + "\n" + pair.key.pemRepresentation
    try DurableFile.write(Data((text + "\n").utf8), to: file)
  }
}

extension PhoneCertificates.Pair {
  /// SHA-256 of the certificate, as phones show it.
  var fingerprint: String {
    get throws {
      let bytes = try der
      return SHA256.hash(data: Data(bytes)).map { byte -> String in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
      }.joined(separator: ":")
    }
  }

  /// What a listener needs to speak TLS 1.2 and newer.
  func serverConfiguration() throws -> TLSConfiguration {
    let leaf = try NIOSSLCertificate(bytes: der, format: .der)
    let secret = try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(leaf)], privateKey: .privateKey(secret))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    return configuration
  }
}

/// Why the door to the home network cannot be opened, in words for its owner.
package struct PhoneDoorFailure: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
