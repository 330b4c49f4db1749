import ArkivedCore
import ArkivedStore
import ArkivedCrypto
import Foundation
import NIOCore
import Synchronization

/// Who may come in: the owner's token, one-time login codes, and the sessions of browsers.
final class Door: Sendable {
  /// How long a browser stays signed in.
  static let sessionDays = 180
  /// A login code that nobody used is worthless after this.
  static let codeMinutes = 60

  let ownerToken: String
  let refusals: Refusals
  private let archive: Archive
  private let account: PeerAccount.Question
  private let state: Mutex<State>

  private struct State {
    var port: Int?
    /// Hashes of unused codes, with when they end.
    var codes: [String: Instant] = [:]
    /// Hashes of sessions that could not be written down, with when they end.
    var unwritten: [String: Instant] = [:]
  }

  /// Takes the archive's owner token, which is made at the first start.
  ///
  /// - Parameters:
  ///   - refusals: counts wrong tokens and codes.
  ///   - account: finds out whose program is at the other end.
  init(
    archive: Archive, refusals: Refusals = Refusals(limit: Refusals.usualLimit),
    account: @escaping PeerAccount.Question = PeerAccount.of
  ) throws {
    self.archive = archive
    self.account = account
    self.refusals = refusals
    ownerToken = try archive.ownerToken { Door.secret() }
    state = Mutex(State())
  }

  /// Tells the port the server listens on, from which the only right Host and Origin follow.
  func open(port: Int) { state.withLock { $0.port = port } }

  private var port: Int? { state.withLock { $0.port } }

  /// The one name of the server, as a Host header has it; nil before it listens.
  ///
  /// `localhost` isn't one: it also leads to `::1`, where another program may listen on the same port.
  var authority: String? { port.map { $0 == 80 ? "127.0.0.1" : "127.0.0.1:\($0)" } }

  /// The address of the web app.
  var url: String { "http://\(authority ?? "127.0.0.1")/" }

  func admits(host: String) -> Bool { host == authority }

  /// Cookies are shared between the ports of a host, so the name carries the port.
  var cookieName: String { "arkived-\(port ?? 0)" }

  func isOwner(token: String) -> Bool { Door.equal(token, ownerToken) }

  /// The program that holds a token; nil where none does, or too many were tried.
  func agent(token: String) throws -> AgentToken? {
    let hash = Door.hash(token)
    guard refusals.mayTry(hash), let agent = try archive.agent(holding: token) else { return nil }
    refusals.remember(hash)
    return agent
  }

  // MARK: Login codes and sessions

  func makeLoginCode() -> String {
    let code = Door.secret()
    let now = archive.clock.now
    let end = now.adding(seconds: Door.codeMinutes * 60)
    state.withLock { state in
      state.codes = state.codes.filter { $0.value >= now }
      state.codes[Door.hash(code)] = end
    }
    return code
  }

  /// An address that signs one browser in, once.
  func makeLoginLink() -> String { "\(url)login/\(makeLoginCode())" }

  /// Exchanges a login code for a session's token; nil when it is wrong, used or too old.
  func signIn(code: String) throws -> String? {
    let now = archive.clock.now
    let end = state.withLock { $0.codes.removeValue(forKey: Door.hash(code)) }
    guard let end, now <= end else { return nil }
    let token = Door.secret()
    try keepSession(Door.hash(token), until: now.adding(seconds: Door.sessionDays * 86_400))
    refusals.remember(Door.hash(token))
    return token
  }

  /// Keeps a session. Where nothing can be written, because the disk is full or the folder read-only, it
  /// lasts as long as the server: its owner can still read.
  private func keepSession(_ hash: String, until end: Instant) throws {
    do {
      try archive.addWebSession(hash, until: end)
    } catch {
      var isReadable = StorageTrouble(error)?.leavesReadable == true
      if case ArchiveError.cannotOpen = error { isReadable = true }
      guard isReadable else { throw error }
      state.withLock { $0.unwritten[hash] = end }
    }
  }

  private func isUnwritten(_ hash: String) -> Bool {
    let now = archive.clock.now
    return state.withLock { state in state.unwritten[hash].map { now <= $0 } ?? false }
  }

  /// Whether a browser's session is open; never where too many were tried.
  func hasSession(_ token: String) throws -> Bool {
    let hash = Door.hash(token)
    guard refusals.mayTry(hash), try isUnwritten(hash) || archive.hasWebSession(hash) else {
      return false
    }
    refusals.remember(hash)
    return true
  }

  /// Returns whether a session may come over a connection: not if another account's program sends it.
  ///
  /// - Throws: `WebFailure` 503 if too many files are open for the system to be asked.
  func admitsSession(from client: SocketAddress?, to server: SocketAddress?) throws -> Bool {
    let peer = account(client, server)
    guard peer != .fileLimitReached else { throw WebFailure.tooManyOpenFiles }
    return peer.maySendSession
  }

  func signOut(_ token: String) throws {
    let hash = Door.hash(token)
    guard state.withLock({ $0.unwritten.removeValue(forKey: hash) }) == nil else { return }
    try archive.removeWebSession(hash)
  }

  // MARK: Secrets

  /// 256 random bits in URL-safe base64.
  static func secret() -> String {
    Data(Secrets.random(32)).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  static func hash(_ secret: String) -> String {
    Data(SHA256.hash(data: Data(secret.utf8))).base64EncodedString()
  }

  /// Compares in a time that tells nothing of where two secrets differ.
  private static func equal(_ left: String, _ right: String) -> Bool {
    hash(left) == hash(right)
  }
}
