import ArkivedCore
import ArkivedStore
import ArkivedCrypto
import Foundation
import NIOSSL

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

  /// - Throws: `PhoneDoorFailure` for an archive that has no folder.
  init(archive: Archive) throws {
    guard case .folder(let folder) = archive.location else {
      throw PhoneDoorFailure(
        "Phones can’t connect to an archive in memory. Choose a folder with --archive.")
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
  func authority(now: Date) throws -> Certificate {
    // Whoever is in the network may ask for it: that waits for nobody and writes nothing. Its file is
    // there whole or not at all.
    if let authority = try? read(authorityFile), Self.isGood(authority, now) { return authority }
    return try locked { try standingAuthority(now) }
  }

  /// The server's certificate and its key for an address, good for some time yet.
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
      // Phones trust the one that they installed: once the clock is right again, it is in force again.
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

  /// Whether a certificate of the server serves on.
  static func fits(
    _ certificate: Certificate, _ address: HomeAddress, _ name: String?,
    _ authority: Certificate, _ now: Date
  ) -> Bool {
    certificate.isFor(address: address.bytes, host: name) && certificate.isSigned(by: authority)
      && certificate.notValidBefore <= now
      && now.addingTimeInterval(Double(renewalDays) * 86_400)
        < min(certificate.notValidAfter, authority.notValidAfter)
  }

  // MARK: Making

  private static let organization = "Arkived"

  /// From an hour ago, since clocks differ.
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
      // With blanks: what looks like a name of the Internet, OpenSSL holds against the constraint.
      name: "Arkived at \(address.text)", address: Array(address.bytes), host: name,
      valid: valid.lowerBound..<min(valid.upperBound, authority.notValidAfter))
  }

  // MARK: Files

  /// Two processes may need the first certificates at once.
  private func locked<Value>(_ body: () throws -> Value) throws -> Value {
    try DurableFile.makeFolder(folder)
    let lock = try FileLock(
      at: folder.appendingPathComponent("lock"), waits: 10,
      else: "Another Arkived is creating certificates right now. Try again.")
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
  /// SHA-256 of the certificate, as phones show it.
  func fingerprint() throws -> String {
    let digits = SHA256.hash(data: try der()).hexadecimal.uppercased()
    return stride(from: 0, to: digits.count, by: 2).map { place in
      String(digits.dropFirst(place).prefix(2))
    }.joined(separator: ":")
  }

  /// What a listener needs to speak TLS 1.2 and newer.
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

/// Why the door to the home network cannot be opened, in words for its owner.
package struct PhoneDoorFailure: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
