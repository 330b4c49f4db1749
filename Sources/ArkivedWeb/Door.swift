import ArkivedCore
import ArkivedStore
import ArkivedCrypto
import Foundation
import NIOCore
import Synchronization

/// The authentication of clients by the owner's token, one-time login codes, and browser sessions.
final class Door: Sendable {
  /// The number of days for which a browser stays signed in.
  static let sessionDays = 180
  /// The number of minutes after which an unused login code expires.
  static let codeMinutes = 60

  let ownerToken: String
  let refusals: Refusals
  private let archive: Archive
  private let account: PeerAccount.Question
  private let state: Mutex<State>

  private struct State {
    var port: Int?
    /// The hashes of unused codes, with their expiry.
    var codes: [String: Instant] = [:]
    /// The hashes of sessions that couldn't be stored, with their expiry.
    var unwritten: [String: Instant] = [:]
  }

  /// Reads the archive's owner token, which is created at the first start.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - refusals: counts wrong tokens and codes.
  ///   - account: finds out to which account the program at the other end belongs.
  /// - Throws: an error if the token can't be read or created.
  init(
    archive: Archive, refusals: Refusals = Refusals(limit: Refusals.usualLimit),
    account: @escaping PeerAccount.Question = PeerAccount.of
  ) throws {
    self.archive = archive
    self.account = account
    self.refusals = refusals
    ownerToken = try archive.ownerToken { Door.secret() }
    state = Mutex(State())
    // Guesses right after a restart must not lock out anyone who was signed in before it.
    for hash in (try? archive.signInHashes()) ?? [] { refusals.remember(hash) }
  }

  /// Sets the port on which the server listens, which determines the only valid Host and Origin.
  func open(port: Int) { state.withLock { $0.port = port } }

  private var port: Int? { state.withLock { $0.port } }

  /// The server's only valid name in a Host header; nil before it listens.
  ///
  /// `localhost` isn't valid, because it also resolves to `::1`, where another program may listen
  /// on the same port.
  var authority: String? { port.map { $0 == 80 ? "127.0.0.1" : "127.0.0.1:\($0)" } }

  /// The address of the web app.
  var url: String { "http://\(authority ?? "127.0.0.1")/" }

  func admits(host: String) -> Bool { host == authority }

  /// The cookie's name, which includes the port because cookies are shared between the ports of a
  /// host.
  var cookieName: String { "arkived-\(port ?? 0)" }

  func isOwner(token: String) -> Bool { Door.equal(token, ownerToken) }

  /// Returns the program that holds a token, or nil if there is none or too many tokens were tried.
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

  /// Creates an address that signs one browser in, once.
  func makeLoginLink() -> String { "\(url)login/\(makeLoginCode())" }

  /// Exchanges a login code for a session's token; returns nil if the code is wrong, used or
  /// expired.
  func signIn(code: String) throws -> String? {
    let now = archive.clock.now
    let end = state.withLock { $0.codes.removeValue(forKey: Door.hash(code)) }
    guard let end, now <= end else { return nil }
    let token = Door.secret()
    try keepSession(Door.hash(token), until: now.adding(seconds: Door.sessionDays * 86_400))
    refusals.remember(Door.hash(token))
    return token
  }

  /// Stores a session.
  ///
  /// If nothing can be written because the disk is full or the folder read-only, it lasts as long
  /// as the server, so the owner can still read.
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

  /// Returns true if a browser's session is valid; always false if too many were tried.
  func hasSession(_ token: String) throws -> Bool {
    let hash = Door.hash(token)
    guard refusals.mayTry(hash), try isUnwritten(hash) || archive.hasWebSession(hash) else {
      return false
    }
    refusals.remember(hash)
    return true
  }

  /// Returns true if a session may be used over a connection, which excludes programs of another
  /// account.
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

  /// Returns 256 random bits in URL-safe base64.
  static func secret() -> String {
    Data(Secrets.random(32)).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  static func hash(_ secret: String) -> String {
    Data(SHA256.hash(data: Data(secret.utf8))).base64EncodedString()
  }

  /// Compares two secrets in a time that doesn't reveal where they differ.
  private static func equal(_ left: String, _ right: String) -> Bool {
    hash(left) == hash(right)
  }
}
