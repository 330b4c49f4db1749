import ArkivedCore
import ArkivedStore
import ArkivedCrypto
import Foundation
import NIOSSL

/// The certificates with which a phone recognises this computer: the archive's own authority,
/// created on first use, and the server's certificate, signed by the authority.
///
/// They are in `phone/` in the archive's folder with their keys, each pair in one file that only
/// the owner can read. Their validity is checked against this computer's clock, as the phones check
/// it against theirs.
struct PhoneCertificates: Sendable {
  let folder: URL

  static let authorityDays = 3_650
  static let serverDays = 365
  /// The number of days before its expiry at which a server's certificate is renewed.
  static let renewalDays = 30

  /// Opens the certificates of an archive.
  ///
  /// - Throws: `PhoneDoorFailure` for an archive without a folder.
  init(archive: Archive) throws {
    guard case .folder(let folder) = archive.location else {
      throw PhoneDoorFailure(
        "Phones can’t connect to an archive in memory. Choose a folder with --archive.")
    }
    self.folder = folder.appendingPathComponent("phone")
  }

  private var authorityFile: URL { folder.appendingPathComponent("authority.pem") }
  /// The previous authority, replaced because it had expired, possibly only according to a wrong
  /// clock.
  private var earlierFile: URL { folder.appendingPathComponent("authority-before.pem") }
  private var serverFile: URL { folder.appendingPathComponent("server.pem") }

  // MARK: Existing and new certificates

  /// Returns the authority, creating one if there is none or it has expired.
  ///
  /// - Throws: `PhoneDoorFailure` if its file cannot be read, because phones trust that authority.
  func authority(now: Date) throws -> Certificate {
    // Anyone on the network may request it, so this path waits for no one and writes nothing; the
    // file is written atomically.
    if let authority = try? read(authorityFile), Self.isGood(authority, now) { return authority }
    return try locked { try standingAuthority(now) }
  }

  /// Returns the server's certificate and its key for an address, valid for some time.
  func server(for address: HomeAddress, name: String?, now: Date) throws -> Certificate {
    try locked {
      let authority = try standingAuthority(now)
      if let server = try? read(serverFile), Self.fits(server, address, name, authority, now) {
        return server
      }
      let server = try Self.makeServer(address, name, by: authority, now: now)
      try write(server, to: serverFile)
      return server
    }
  }

  private func standingAuthority(_ now: Date) throws -> Certificate {
    if FileManager.default.fileExists(atPath: authorityFile.path) {
      let standing: Certificate
      do {
        standing = try read(authorityFile)
      } catch {
        throw PhoneDoorFailure(
          "\(authorityFile.path) can’t be read. Restore it from a copy, or remove it: a new "
            + "certificate is then created, and each phone has to install it again.")
      }
      // Phones trust the authority they installed, so it is restored once the clock is right again.
      if now < standing.notValidBefore, let earlier = try? read(earlierFile),
        Self.isGood(earlier, now)
      {
        try write(earlier, to: authorityFile)
        return earlier
      }
      if now < standing.notValidAfter { return standing }
      try write(standing, to: earlierFile)
    }
    let authority = try Self.makeAuthority(now: now)
    try write(authority, to: authorityFile)
    return authority
  }

  private static func isGood(_ certificate: Certificate, _ now: Date) -> Bool {
    certificate.notValidBefore <= now && now < certificate.notValidAfter
  }

  /// Returns true if a server's certificate is still suitable.
  static func fits(
    _ certificate: Certificate, _ address: HomeAddress, _ name: String?,
    _ authority: Certificate, _ now: Date
  ) -> Bool {
    certificate.isFor(address: address.bytes, host: name) && certificate.isSigned(by: authority)
      && certificate.notValidBefore <= now
      && now.addingTimeInterval(Double(renewalDays) * 86_400)
        < min(certificate.notValidAfter, authority.notValidAfter)
  }

  // MARK: Creation

  private static let organization = "Arkived"

  /// Returns a validity that begins an hour ago, because clocks differ.
  private static func valid(days: Int, from now: Date) -> Range<Date> {
    now.addingTimeInterval(-3_600)..<now.addingTimeInterval(Double(days) * 86_400)
  }

  private static func makeAuthority(now: Date) throws -> Certificate {
    try Certificate.authority(
      organization: organization,
      name: "Arkived at home, since \(Zone.utc.dayKey(at: Instant(now)))",
      valid: valid(days: authorityDays, from: now))
  }

  private static func makeServer(
    _ address: HomeAddress, _ name: String?, by authority: Certificate, now: Date
  ) throws -> Certificate {
    let valid = valid(days: serverDays, from: now)
    return try Certificate.server(
      by: authority, organization: organization,
      // The name contains blanks, because OpenSSL checks anything that looks like an Internet name
      // against the constraint.
      name: "Arkived at \(address.text)", address: Array(address.bytes), host: name,
      valid: valid.lowerBound..<min(valid.upperBound, authority.notValidAfter))
  }

  // MARK: Files

  /// Runs work under a lock, because two processes may need the first certificates at the same
  /// time.
  private func locked<Value>(_ body: () throws -> Value) throws -> Value {
    try DurableFile.makeFolder(folder)
    let lock = try FileLock(
      at: folder.appendingPathComponent("lock"), waits: 10,
      else: "Another Arkived process is creating certificates right now. Try again.")
    return try withExtendedLifetime(lock) { try body() }
  }

  private func read(_ file: URL) throws -> Certificate {
    try Certificate(pem: String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  private func write(_ certificate: Certificate, to file: URL) throws {
    let text = try certificate.certificatePEM() + certificate.keyPEM()
    try DurableFile.write(Data(text.utf8), to: file)
  }
}

extension Certificate {
  /// Returns the SHA-256 of the certificate, as phones show it.
  func fingerprint() throws -> String {
    let digits = SHA256.hash(data: try der()).hexadecimal.uppercased()
    return stride(from: 0, to: digits.count, by: 2).map { place in
      String(digits.dropFirst(place).prefix(2))
    }.joined(separator: ":")
  }

  /// Returns the configuration of a listener for TLS 1.2 and newer.
  func serverConfiguration() throws -> TLSConfiguration {
    let leaf = try NIOSSLCertificate(bytes: der(), format: .der)
    let secret = try NIOSSLPrivateKey(bytes: Array(keyPEM().utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(leaf)], privateKey: .privateKey(secret))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    return configuration
  }
}

/// The reason access from the home network cannot be opened, worded for the owner.
package struct PhoneDoorFailure: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
