import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Synchronization

/// Who may come in from the home network: devices that were paired by a one-time code.
final class PhoneDoor: Sendable {
  /// How long a browser keeps what a device holds; longer than the door takes it.
  static let cookieDays = 400

  private let guesses: PairingGuesses
  private let archive: Archive
  private let state = Mutex(State())

  /// How the door stands.
  enum Standing: Hashable, Sendable {
    case closed
    case open
    /// This computer has the chosen address no longer.
    case addressGone
    /// Another program listens there.
    case portTaken
    /// In words for the owner.
    case failed(String)
  }

  /// Where it listens: the only Host and Origin that are right follow from it.
  struct Place: Hashable, Sendable {
    var address: HomeAddress
    var port: Int
    var name: String?

    /// The authorities of its URLs; the name, which outlives a change of address, comes first.
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
    /// What ends a stream, by its number.
    var streams: [Int: Stream] = [:]
    var nextStream = 0
  }

  private struct Stream {
    var device: UUID
    var end: @Sendable () -> Void
  }

  /// - Parameter guesses: counts wrong codes.
  init(archive: Archive, guesses: PairingGuesses = PairingGuesses()) {
    self.archive = archive
    self.guesses = guesses
  }

  // MARK: Where it is

  var place: Place? { state.withLock { $0.place } }
  var standing: Standing { state.withLock { $0.standing } }

  /// Tells where the server listens.
  func open(at place: Place) {
    state.withLock { state in
      state.place = place
      state.standing = .open
    }
  }

  /// Tells that it listens no longer, and why.
  func close(_ standing: Standing) {
    state.withLock { state in
      state.place = nil
      state.standing = standing
    }
  }

  func admits(host: String) -> Bool { place?.authorities.contains(host) ?? false }

  /// Cookies are shared between the ports of a host, so the name carries the port; its beginning has
  /// browsers take it from this host over TLS alone (RFC 6265bis §4.1.3.2).
  var cookieName: String { "__Host-arkived-phone-\(place?.port ?? 0)" }

  // MARK: Devices

  /// The device that holds a token; nil where none does. Tokens are too long to be guessed: whoever
  /// tries shuts no device out.
  func device(token: String) throws -> PairedDevice? {
    try archive.device(holding: Door.hash(token))
  }

  /// Notes that a device was here.
  ///
  /// - Returns: whether that was news.
  func note(_ device: PairedDevice, token: String) throws -> Bool {
    try archive.noteDevice(holding: Door.hash(token), device)
  }

  /// A device that was paired just now.
  struct Paired: Sendable {
    var device: PairedDevice
    /// What it holds from now on.
    var token: String
  }

  /// Pairs a device by a code that its owner was shown.
  ///
  /// - Parameter origin: the address that asks.
  /// - Returns: the device, or what to answer where the code is wrong, was used or is too old, or too
  ///   many were tried.
  /// - Throws: `FieldError` of its name; the code stays good.
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
      // Only a name is refused so; what else fails is no guess either.
      guesses.wasRight(from: origin)
      throw error
    }
    guard let device = found else { return .failure(Self.wrongCode) }
    guesses.wasRight(from: origin)
    // Where it is paired anew, what was open by the token before is not its own any more.
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

  /// Revokes a device, whose streams end at once.
  func revoke(_ text: String) throws -> PairedDevice {
    let device = try archive.removeDevice(text)
    endStreams { $0 == device.id }
    return device
  }

  // MARK: Streams

  /// Notes a stream of a device that is open.
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

  /// Ends the streams of devices that were revoked, also by another process.
  ///
  /// - Parameters:
  ///   - devices: those that are paired.
  ///   - newest: the newest stream before these were looked up; what is opened later may be that of a
  ///     device that was paired later.
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

/// The one-time code that pairs a device: sixty random bits that can be read out and typed.
enum PairingCode {
  static let minutes = 10
  private static let length = 12
  /// Crockford's base 32: no letter that is taken for another.
  private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  /// A new one, such as `7KQF-2MXD-9TRB`.
  static func make() -> String {
    let code = (0..<length).map { _ in letters[Int.random(in: 0..<letters.count)] }
    return stride(from: 0, to: length, by: 4).map { String(code[$0..<$0 + 4]) }
      .joined(separator: "-")
  }

  /// The hash of a code as it was typed: small letters, blanks and dashes make no difference, nor do
  /// letters that look like digits.
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
