package import ArkivedCore
package import ArkivedStore
package import Foundation
import NIOCore
import NIOPosix
import ArkivedCrypto

/// The setup of the owner's phone, shared by the terminal and the page.
package struct PhoneSetup: Sendable {
  /// The default port.
  package static let usualPort = 8_443

  private let archive: Archive

  package init(archive: Archive) { self.archive = archive }

  /// A code that pairs one device within a few minutes.
  package struct Pairing: Sendable {
    package var code: String
    /// The URL of the pairing page with the code.
    package var url: String
    /// The same URL with the address, for phones that cannot resolve the name in `url`; nil if
    /// `url` has none.
    package var addressURL: String?
    package var expiresAt: Instant
  }

  /// The certificate to install on phones.
  package struct Authority: Sendable {
    /// The certificate as X.509 in DER.
    package var certificate: Data
    /// The SHA-256, as phones show it.
    package var fingerprint: String
    package var since: Instant
    package var until: Instant
  }

  // MARK: Opening and closing

  /// Opens access at an address the owner chose.
  ///
  /// A running server follows within a second or two; paired devices stay paired.
  ///
  /// - Parameters:
  ///   - address: the address.
  ///   - port: the port.
  ///   - name: a name below `local`, or nil.
  /// - Returns: the settings as stored.
  /// - Throws: `FieldError` for an address that is not on the home network or does not belong to
  ///   this computer, for a port, or for a name; `PhoneDoorFailure`.
  package func open(address: String, port: Int, name: String?) throws -> PhoneDoorSettings {
    guard let home = HomeAddress(address.trimmingCharacters(in: .whitespaces)) else {
      throw FieldError(
        "address",
        "is \(FieldError.shown(address)), but must be an address on the home network, such as "
          + "192.168.1.20, not one that can be reached from the Internet")
    }
    guard HomeNetwork.has(home) else {
      throw FieldError(
        "address", "is \(home.text), which isn’t an address of this computer at the moment")
    }
    guard (1_024...65_535).contains(port) || port == 443 else {
      throw FieldError("port", "is \(port), but must be 1024 to 65535, or 443")
    }
    let settings = PhoneDoorSettings(
      isOpen: true, address: home.text, port: port, name: try HomeName.read(name))
    // Access is not opened if a certificate cannot be created.
    _ = try PhoneCertificates(archive: archive).authority(now: Date())
    try archive.setPhoneDoor(settings)
    return settings
  }

  /// Closes access; devices stay paired.
  package func close() throws {
    guard var settings = try archive.phoneDoor() else { return }
    settings.isOpen = false
    try archive.setPhoneDoor(settings)
  }

  /// Creates a code for one device, which invalidates any previous code.
  package func makeCode(for settings: PhoneDoorSettings) throws -> Pairing {
    guard let address = HomeAddress(settings.address) else {
      throw PhoneDoorFailure("The address \(settings.address) isn’t on the home network.")
    }
    let code = PairingCode.make()
    let end = archive.clock.now.adding(seconds: PairingCode.minutes * 60)
    try archive.setPairingCode(PairingCode.hash(code), until: end)
    let place = PhoneDoor.Place(address: address, port: settings.port, name: settings.name)
    let byAddress = PhoneDoor.Place(address: address, port: settings.port)
    return Pairing(
      code: code, url: "\(place.url)pair/\(code)",
      addressURL: place.name == nil ? nil : "\(byAddress.url)pair/\(code)", expiresAt: end)
  }

  /// Returns the name below `local` with which the home network finds this computer at an address,
  /// or nil if there is none.
  ///
  /// It may take a few seconds.
  package static func knownName(at address: String) -> String? {
    HomeAddress(address).flatMap { HomeName.known(for: $0) }
  }

  /// Returns true if a code still waits for its device.
  package func waits(_ pairing: Pairing) throws -> Bool {
    try archive.hasPairingCode(PairingCode.hash(pairing.code))
  }

  /// Returns the address to open in a browser.
  package static func url(of settings: PhoneDoorSettings) -> String? {
    HomeAddress(settings.address).map {
      PhoneDoor.Place(address: $0, port: settings.port, name: settings.name).url
    }
  }

  // MARK: State

  /// Returns the certificate of the authority, creating it if there is none.
  package func authority() throws -> Authority {
    let authority = try PhoneCertificates(archive: archive).authority(now: Date())
    return Authority(
      certificate: Data(try authority.der()), fingerprint: try authority.fingerprint(),
      since: Instant(authority.notValidBefore), until: Instant(authority.notValidAfter))
  }

  /// Returns true if this computer currently has the chosen address.
  package static func isPresent(_ settings: PhoneDoorSettings) -> Bool {
    HomeAddress(settings.address).map(HomeNetwork.has) ?? false
  }

  /// Returns true if a server answers at the chosen address; a running one needs a moment to open
  /// access.
  package static func answers(_ settings: PhoneDoorSettings, within seconds: Double) async -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while await !answers(settings) {
      guard ContinuousClock.now < end else { return false }
      try? await Task.sleep(for: .milliseconds(250))
    }
    return true
  }

  private static func answers(_ settings: PhoneDoorSettings) async -> Bool {
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(1))
    guard
      let channel = try? await bootstrap.connect(host: settings.address, port: settings.port).get()
    else { return false }
    try? await channel.close().get()
    return true
  }
}
