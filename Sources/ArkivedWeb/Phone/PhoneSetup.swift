package import ArkivedCore
package import ArkivedStore
package import Foundation
import NIOCore
import NIOPosix
import ArkivedCrypto

/// What the owner sets up for their phone, the same at the terminal and on the page.
package struct PhoneSetup: Sendable {
  /// The port where the owner names none.
  package static let usualPort = 8_443

  private let archive: Archive

  package init(archive: Archive) { self.archive = archive }

  /// What pairs one device, for some minutes.
  package struct Pairing: Sendable {
    package var code: String
    /// Leads to the page that pairs, with the code.
    package var url: String
    /// The same by the address, for phones that do not find the name in `url`; nil where it has none.
    package var addressURL: String?
    package var expiresAt: Instant
  }

  /// The certificate that phones install.
  package struct Authority: Sendable {
    /// X.509 in DER.
    package var certificate: Data
    /// SHA-256, as phones show it.
    package var fingerprint: String
    package var since: Instant
    package var until: Instant
  }

  // MARK: The door

  /// Opens the door at an address of the owner's choice. A server that runs follows within a second
  /// or two; devices that were paired stay so.
  ///
  /// - Parameter name: below `local`, or nil.
  /// - Throws: `FieldError` for an address that is none of the home network or none of this
  ///   computer, for a port, or for a name; `PhoneDoorFailure`.
  package func open(address: String, port: Int, name: String?) throws -> PhoneDoorSettings {
    guard let home = HomeAddress(address.trimmingCharacters(in: .whitespaces)) else {
      throw FieldError(
        "address",
        "is \(FieldError.shown(address)), but must be an address on the home network, such as "
          + "192.168.1.20, never one that the whole Internet can reach")
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
    // Nothing is opened where there can be no certificate.
    _ = try PhoneCertificates(archive: archive).authority(now: Date())
    try archive.setPhoneDoor(settings)
    return settings
  }

  /// Shuts the door; devices stay paired.
  package func close() throws {
    guard var settings = try archive.phoneDoor() else { return }
    settings.isOpen = false
    try archive.setPhoneDoor(settings)
  }

  /// Makes a code for one device; any before it is worthless then.
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

  /// The name below `local` by which the home network finds this computer at an address; nil where it
  /// knows none. It may take some seconds.
  package static func knownName(at address: String) -> String? {
    HomeAddress(address).flatMap { HomeName.known(for: $0) }
  }

  /// Whether a code still waits for its device.
  package func waits(_ pairing: Pairing) throws -> Bool {
    try archive.hasPairingCode(PairingCode.hash(pairing.code))
  }

  /// The address that a browser opens.
  package static func url(of settings: PhoneDoorSettings) -> String? {
    HomeAddress(settings.address).map {
      PhoneDoor.Place(address: $0, port: settings.port, name: settings.name).url
    }
  }

  // MARK: How it stands

  /// The certificate of the authority, which is made where there is none.
  package func authority() throws -> Authority {
    let authority = try PhoneCertificates(archive: archive).authority(now: Date())
    return Authority(
      certificate: Data(try authority.der()), fingerprint: try authority.fingerprint(),
      since: Instant(authority.notValidBefore), until: Instant(authority.notValidAfter))
  }

  /// Whether this computer has the chosen address now.
  package static func isPresent(_ settings: PhoneDoorSettings) -> Bool {
    HomeAddress(settings.address).map(HomeNetwork.has) ?? false
  }

  /// Whether a server answers at the chosen place; one that runs needs a moment to open the door.
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
