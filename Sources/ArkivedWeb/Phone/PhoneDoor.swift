import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Synchronization

/// Access from the home network, for devices that were paired with a one-time code.
final class PhoneDoor: Sendable {
  /// The number of days a browser keeps a device's cookie, longer than it is accepted.
  static let cookieDays = 400

  private let guesses: PairingGuesses
  private let archive: Archive
  private let state = Mutex(State())

  /// The status of the access.
  enum Standing: Hashable, Sendable {
    case closed
    case open
    /// This computer no longer has the chosen address.
    case addressGone
    /// Another program listens on the port.
    case portTaken
    /// It failed for a reason worded for the owner.
    case failed(String)
  }

  /// The address it listens on, which determines the only valid Host and Origin.
  struct Place: Hashable, Sendable {
    var address: HomeAddress
    var port: Int
    var name: String?

    /// The authorities of its URLs; the name, which survives a change of address, comes first.
    var authorities: [String] {
      var hosts = [address.host]
      if let name { hosts.insert(name, at: 0) }
      return hosts.map { port == 443 ? $0 : "\($0):\(port)" }
    }

    var url: String { "https://\(authorities.first ?? address.host)/" }
  }

  private struct State {
    var place: Place?
    var standing = Standing.closed
    /// The open streams by number, with the closures that end them.
    var streams: [Int: Stream] = [:]
    var nextStream = 0
  }

  private struct Stream {
    var device: UUID
    var end: @Sendable () -> Void
  }

  /// Creates the access.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - guesses: the counter of wrong codes.
  init(archive: Archive, guesses: PairingGuesses = PairingGuesses()) {
    self.archive = archive
    self.guesses = guesses
  }

  // MARK: State

  var place: Place? { state.withLock { $0.place } }
  var standing: Standing { state.withLock { $0.standing } }

  /// Sets the address the server listens on.
  func open(at place: Place) {
    state.withLock { state in
      state.place = place
      state.standing = .open
    }
  }

  /// Records that the server no longer listens, and the reason.
  func close(_ standing: Standing) {
    state.withLock { state in
      state.place = nil
      state.standing = standing
    }
  }

  func admits(host: String) -> Bool { place?.authorities.contains(host) ?? false }

  /// The name of the cookie.
  ///
  /// It includes the port because the ports of a host share cookies; its prefix makes browsers
  /// accept it only from this host over TLS (RFC 6265bis §4.1.3.2).
  var cookieName: String { "__Host-arkived-phone-\(place?.port ?? 0)" }

  // MARK: Devices

  /// Returns the device with a token, or nil if there is none.
  ///
  /// Tokens are too long to be guessed, so failed tries don't lock out any device.
  func device(token: String) throws -> PairedDevice? {
    try archive.device(holding: Door.hash(token))
  }

  /// Records the access of a device.
  ///
  /// - Returns: true if the recorded time changed, which happens at most once every few minutes.
  func note(_ device: PairedDevice, token: String) throws -> Bool {
    try archive.noteDevice(holding: Door.hash(token), device)
  }

  /// A device that was just paired.
  struct Paired: Sendable {
    var device: PairedDevice
    /// The token it uses from now on.
    var token: String
  }

  /// Pairs a device with a code shown to its owner.
  ///
  /// - Parameters:
  ///   - code: the code as typed.
  ///   - name: the name.
  ///   - isSame: true if a device of that name gets the new token instead of its current one.
  ///   - origin: the requesting address.
  /// - Returns: the device, or the answer if the code is wrong, used or expired, or too many were
  ///   tried.
  /// - Throws: `FieldError` about its name; the code stays valid.
  func pair(
    code: String, name: String, isSame: Bool, from origin: String?
  ) throws -> Result<Paired, WebFailure> {
    guard guesses.mayTry(from: origin) else { return .failure(Self.tooManyCodes) }
    let token = "device-" + Door.secret()
    let tokenHash = Door.hash(token)
    let found: PairedDevice?
    do {
      found = try archive.pairDevice(
        named: name, isSame: isSame, code: PairingCode.hash(code), token: tokenHash)
    } catch {
      // Only an invalid name throws this error, and other failures aren't guesses either.
      guesses.wasRight(from: origin)
      throw error
    }
    guard let device = found else { return .failure(Self.wrongCode) }
    guesses.wasRight(from: origin)
    // If the device is paired again, the streams opened with its previous token must end.
    endStreams { $0 == device.id }
    return .success(Paired(device: device, token: token))
  }

  private static let wrongCode = WebFailure(
    .forbidden, "This code doesn’t work",
    "This code is wrong, already used, or older than \(PairingCode.minutes) minutes. Create a new "
      + "one on the computer.", field: "code")

  private static var tooManyCodes: WebFailure {
    var failure = WebFailure(
      .tooManyRequests, "Too many attempts",
      "Too many wrong codes. Wait a minute, then try again.")
    failure.retryAfter = PairingGuesses.roundSeconds
    return failure
  }

  /// Revokes a device and ends its streams immediately.
  func revoke(_ text: String) throws -> PairedDevice {
    let device = try archive.removeDevice(text)
    endStreams { $0 == device.id }
    return device
  }

  // MARK: Streams

  /// Registers an open stream of a device.
  ///
  /// - Returns: its number, for `closedStream`.
  func openedStream(of device: UUID, end: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextStream += 1
      state.streams[state.nextStream] = Stream(device: device, end: end)
      return state.nextStream
    }
  }

  func closedStream(_ number: Int) {
    state.withLock { _ = $0.streams.removeValue(forKey: number) }
  }

  /// Ends the streams of devices that were revoked, possibly by another process.
  ///
  /// - Parameters:
  ///   - devices: the paired devices.
  ///   - newest: the newest stream before the devices were looked up; later streams may belong to
  ///     devices paired later.
  func endStreams(except devices: Set<UUID>, upTo newest: Int) {
    endStreams(upTo: newest) { !devices.contains($0) }
  }

  var hasStreams: Bool { state.withLock { !$0.streams.isEmpty } }
  var newestStream: Int { state.withLock { $0.nextStream } }

  private func endStreams(upTo newest: Int = .max, where isRevoked: (UUID) -> Bool) {
    let ended = state.withLock { state in
      let ended = state.streams.filter { $0.key <= newest && isRevoked($0.value.device) }
      for number in ended.keys { state.streams[number] = nil }
      return ended.values.map(\.end)
    }
    for end in ended { end() }
  }
}

/// The one-time code for pairing a device: sixty random bits that can be read out and typed.
enum PairingCode {
  static let minutes = 10
  private static let length = 12
  /// Crockford's base 32, which has no ambiguous letters.
  private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  /// Creates a code, such as `7KQF-2MXD-9TRB`.
  static func make() -> String {
    let code = (0..<length).map { _ in letters[Int.random(in: 0..<letters.count)] }
    return stride(from: 0, to: length, by: 4).map { String(code[$0..<$0 + 4]) }
      .joined(separator: "-")
  }

  /// Returns the hash of a code as typed: case, blanks and dashes are ignored, and letters that
  /// look like digits count as those digits.
  static func hash(_ typed: String) -> String {
    let code = typed.uppercased().compactMap { letter -> Character? in
      switch letter {
      case "O": "0"
      case "I", "L": "1"
      case let letter where letter.isASCII && (letter.isLetter || letter.isNumber): letter
      default: nil
      }
    }
    return Door.hash("pair " + String(code))
  }
}
