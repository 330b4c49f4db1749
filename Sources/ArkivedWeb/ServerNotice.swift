import ArkivedCore
import ArkivedSearch
package import ArkivedStore
import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Where a running server is to be found: what it wrote beside the archive that it serves.
package struct ServerNotice: Hashable, Sendable {
  /// The address of its pages, such as `http://127.0.0.1:8017/`.
  package let url: String

  /// The server that serves an archive just now; nil where none does.
  ///
  /// - Parameter home: the archive's folder. Nothing is made there.
  package static func current(of home: URL) -> ServerNotice? {
    let lock = lockFile(in: home)
    // Whoever could have the lock meets no server.
    guard FileManager.default.fileExists(atPath: lock.path),
      (try? FileLock(at: lock, waits: 0)) == nil
    else { return nil }
    return read(in: home)
  }

  /// Held by a server for as long as it lives, however it ends.
  static func lockFile(in home: URL) -> URL { home.appendingPathComponent("server.lock") }

  /// `{"url"}`; what a killed server left there means nothing without the lock.
  static func file(in home: URL) -> URL { home.appendingPathComponent("server.json") }

  static func read(in home: URL) -> ServerNotice? {
    guard let data = try? Data(contentsOf: file(in: home)),
      let url = (try? JSON(parsing: Array(data)))?["url"]?.string
    else { return nil }
    return ServerNotice(url: url)
  }

  /// How long a server has to answer.
  private static let patience = 10

  /// Whether somebody listens at the address.
  func answers() async -> Bool {
    guard let port = URL(string: url)?.port else { return false }
    let connecting = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(2)).connect(host: "127.0.0.1", port: port)
    guard let channel = try? await connecting.get() else { return false }
    try? await channel.close()
    return true
  }

  /// Has the server make a link that signs one browser in, once.
  ///
  /// - Parameter archive: the one that it serves, whose owner's token opens its door.
  /// - Throws: `NoLoginLink`.
  package func makeLoginLink(for archive: Archive) async throws -> String {
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
    else { throw NoLoginLink(url: url, problem: "answered \(answer.status)") }
    return link
  }
}

/// A server that runs gave no link.
package struct NoLoginLink: Error, CustomStringConvertible {
  package let url: String
  /// The rest of a sentence that begins with the address.
  package let problem: String

  package var description: String { "\(url) \(problem)." }
}

/// Another server has the archive already.
package struct AlreadyServed: Error {
  /// nil where it has not said yet where it is.
  package let notice: ServerNotice?
}

/// The place of an archive's one server, kept until it is left or the process is gone.
final class ServerPlace: Sendable {
  private let home: URL?
  private let lock: FileLock?

  private init(home: URL?, lock: FileLock?) {
    self.home = home
    self.lock = lock
  }

  /// Takes the place, after another server that is about to end.
  ///
  /// - Parameters:
  ///   - home: the archive's folder; nil for one in memory.
  ///   - isBeside: whether to serve beside a server that has the place.
  ///   - patience: how long to wait for one that holds the place and does not answer.
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
        // A full or unwritable disk keeps nobody from reading.
        return ServerPlace(home: nil, lock: nil)
      }
    }
  }

  /// Says where the server is.
  func tell(_ notice: ServerNotice) {
    guard let home else { return }
    let document: JSON = ["url": .string(notice.url)]
    // Without it the server is not found by arkived open, and serves all the same.
    // Whoever looks meets all of it or nothing.
    try? DurableFile.write(Data(document.bytes()), to: ServerNotice.file(in: home))
  }

  func leave() {
    guard let home else { return }
    try? FileManager.default.removeItem(at: ServerNotice.file(in: home))
    lock?.release()
  }
}
