import ArkivedCore
import ArkivedSearch
package import ArkivedStore
import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The address of a running server, which the server writes to a file in the archive's folder.
package struct ServerNotice: Hashable, Sendable {
  /// The address of its pages, such as `http://127.0.0.1:8017/`.
  package let url: String

  /// Returns the server that currently serves an archive, or nil if there is none.
  ///
  /// - Parameter home: the archive's folder. Nothing is created there.
  /// - Returns: the server.
  package static func current(of home: URL) -> ServerNotice? {
    let lock = lockFile(in: home)
    // If the lock is free, no server is running.
    guard FileManager.default.fileExists(atPath: lock.path),
      (try? FileLock(at: lock, waits: 0)) == nil
    else { return nil }
    return read(in: home)
  }

  /// Returns the lock file, held by a server for its whole lifetime, however it ends.
  static func lockFile(in home: URL) -> URL { home.appendingPathComponent("server.lock") }

  /// Returns the file with `{"url"}`; without the lock, a file left by a killed server means
  /// nothing.
  static func file(in home: URL) -> URL { home.appendingPathComponent("server.json") }

  static func read(in home: URL) -> ServerNotice? {
    guard let data = try? Data(contentsOf: file(in: home)),
      let url = (try? JSON(parsing: Array(data)))?["url"]?.string
    else { return nil }
    return ServerNotice(url: url)
  }

  /// The time in seconds that a server has to answer.
  private static let patience = 10

  /// Returns true if a server answers at the address.
  func answers() async -> Bool {
    guard let port = URL(string: url)?.port else { return false }
    let connecting = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(2)).connect(host: "127.0.0.1", port: port)
    guard let channel = try? await connecting.get() else { return false }
    try? await channel.close()
    return true
  }

  /// Asks the server for a link that signs one browser in, once.
  ///
  /// - Parameter archive: the archive it serves, whose owner's token authorises the request.
  /// - Returns: the link.
  /// - Throws: `NoLoginLink` if the server doesn't answer or refuses.
  package func makeLoginLink(for archive: Archive) async throws -> String {
    try await makeLoginLink(for: archive) { PeerAccount.listening(on: $0) }
  }

  /// Asks for a link unless the program on the port belongs to another account: it could have taken
  /// the port of a server that is ending, and would receive the owner's token.
  ///
  /// `account` finds out whose program listens on a port.
  func makeLoginLink(
    for archive: Archive, account: @Sendable (Int) -> PeerAccount
  ) async throws -> String {
    if let port = URL(string: url)?.port, case .account(let other) = account(port),
      !PeerAccount.account(other).maySendSession
    {
      throw NoLoginLink(
        url: url,
        problem: "is served by another account on this computer, so no link was requested")
    }
    let token = try archive.ownerToken { Door.secret() }
    var request = HTTPClientRequest(url: url + "api/v1/login")
    request.method = .POST
    request.headers.add(name: "Authorization", value: "Bearer \(token)")
    let answer: (status: Int, body: [UInt8])
    do {
      let response = try await AddressHTTP.client.execute(
        request, timeout: .seconds(Int64(Self.patience)))
      let body = try await response.body.collect(upTo: 1 << 16)
      answer = (Int(response.status.code), Array(body.readableBytesView))
    } catch {
      throw NoLoginLink(
        url: url,
        problem: AddressHTTP.problem(
          error, patience: .seconds(Self.patience), isEncrypted: false))
    }
    guard answer.status == 201, let link = (try? JSON(parsing: answer.body))?["login"]?.string
    else { throw NoLoginLink(url: url, problem: "returned \(answer.status)") }
    return link
  }
}

/// A running server returned no link.
package struct NoLoginLink: Error, CustomStringConvertible {
  package let url: String
  /// The rest of a sentence that begins with the address.
  package let problem: String

  package var description: String { "\(url) \(problem)." }
}

/// Another server already serves the archive.
package struct AlreadyServed: Error {
  /// The notice of that server, or nil if it has not written one yet.
  package let notice: ServerNotice?
}

/// The exclusive right to serve an archive, held until it is released or the process ends.
final class ServerPlace: Sendable {
  private let home: URL?
  private let lock: FileLock?

  private init(home: URL?, lock: FileLock?) {
    self.home = home
    self.lock = lock
  }

  /// Acquires the right, waiting for another server that is about to end.
  ///
  /// - Parameters:
  ///   - home: the archive's folder, or nil for one in memory.
  ///   - isBeside: true to serve in addition to a server that holds the lock.
  ///   - patience: the time to wait for a holder that does not answer.
  /// - Returns: the right.
  /// - Throws: `AlreadyServed`.
  static func take(
    in home: URL?, isBeside: Bool, patience: Duration = .seconds(10)
  ) async throws -> ServerPlace {
    guard let home else { return ServerPlace(home: nil, lock: nil) }
    let end = ContinuousClock.now + patience
    while true {
      do {
        let lock = try FileLock(at: ServerNotice.lockFile(in: home), waits: 0)
        try? FileManager.default.removeItem(at: ServerNotice.file(in: home))
        return ServerPlace(home: home, lock: lock)
      } catch ArchiveError.busy {
        if isBeside { return ServerPlace(home: nil, lock: nil) }
        let notice = ServerNotice.read(in: home)
        if let notice, await notice.answers() { throw AlreadyServed(notice: notice) }
        guard ContinuousClock.now < end else { throw AlreadyServed(notice: notice) }
        try await Task.sleep(for: .milliseconds(100))
      } catch {
        // A full or read-only disk must not prevent reading.
        return ServerPlace(home: nil, lock: nil)
      }
    }
  }

  /// Writes the server's address.
  func tell(_ notice: ServerNotice) {
    guard let home else { return }
    let document: JSON = ["url": .string(notice.url)]
    // Without the file, `arkived open` cannot find the server, but the server works. The file is
    // written atomically.
    try? DurableFile.write(Data(document.bytes()), to: ServerNotice.file(in: home))
  }

  func leave() {
    guard let home else { return }
    try? FileManager.default.removeItem(at: ServerNotice.file(in: home))
    lock?.release()
  }
}
