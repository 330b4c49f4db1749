import ArkivedCore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A real Radicale on 127.0.0.1 with its own user, filled by a real client; it ends when the last
/// reference to it is released.
package final class RadicaleServer {
  /// True if Debian's packages, which `./setup --test` installs, are present.
  package static let isInstalled =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    && ["radicale", "caldav"].allSatisfy {
      FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\($0)")
    }

  /// A folder in which flushing costs nothing, because Radicale flushes every event.
  private static let base =
    FileManager.default.isWritableFile(atPath: "/dev/shm")
    ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory

  package let folder: URL
  package let port: Int
  private var process: Process?
  private var ended: DispatchSemaphore?
  private var lifeline: Pipe?
  package private(set) var password = "pass word"

  package init() async throws {
    folder = Self.base.appending(path: "arkived-radicale-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try CalendarServer().port
    try """
    [server]
    hosts = 127.0.0.1:\(port)
    [auth]
    type = htpasswd
    htpasswd_filename = \(folder.path)/users
    htpasswd_encryption = plain
    delay = 0
    [storage]
    filesystem_folder = \(folder.path)/store
    [logging]
    level = critical

    """.write(to: folder.appending(path: "config"), atomically: true, encoding: .utf8)
    try set(password: password)
    try await start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  package func set(password: String) throws {
    self.password = password
    try "me:\(password)\n".write(
      to: folder.appending(path: "users"), atomically: true, encoding: .utf8)
  }

  package func start() async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    // It exits when its standard input closes, so it never outlives the tests.
    process.arguments = [
      "-c",
      """
      import os, sys, threading
      threading.Thread(target=lambda: (os.read(0, 1), os._exit(0)), daemon=True).start()
      from radicale.__main__ import run
      sys.argv = ["radicale", "-C", "\(folder.path)/config"]
      run()
      """,
    ]
    let lifeline = Pipe()
    process.standardInput = lifeline
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    ended = try Self.run(process)
    (self.process, self.lifeline) = (process, lifeline)
    let deadline = ContinuousClock.now + .seconds(600)
    while (try? PlainConnection(port: port)) == nil {
      guard process.isRunning, ContinuousClock.now < deadline else {
        throw FieldError("Radicale", "does not start")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  package func stop() {
    // It is designed to survive a power failure at any time, and would otherwise take long to exit.
    if let process { kill(process.processIdentifier, SIGKILL) }
    ended?.wait()
    (process, ended, lifeline) = (nil, nil, nil)
  }

  /// Starts a process.
  ///
  /// - Returns: a semaphore that is signalled when it has exited.
  private static func run(_ process: Process) throws -> DispatchSemaphore {
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    return ended
  }

  /// Deletes Radicale's records of earlier states.
  package func forgetHistory() throws {
    let store = folder.appending(path: "store")
    let names = FileManager.default.enumerator(at: store, includingPropertiesForKeys: nil)
    let caches = (names?.allObjects as? [URL] ?? []).filter {
      $0.lastPathComponent == ".Radicale.cache"
    }
    guard !caches.isEmpty else { throw FieldError("Radicale", "keeps no history") }
    for cache in caches { try FileManager.default.removeItem(at: cache) }
  }

  // MARK: The client

  package var origin: String { "http://127.0.0.1:\(port)" }
  /// Runs a script with the Python package caldav, in which `home` is the user's principal and
  /// `event(uid, title)` returns the text of an event.
  package func client(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      """
      import caldav
      client = caldav.DAVClient("\(origin)/", username="me", password="\(password)")
      home = client.principal()
      def event(uid, title="Talk"):
        return ("BEGIN:VCALENDAR\\r\\nVERSION:2.0\\r\\nPRODID:-//Test//EN\\r\\n" + body(uid, title)
          + "END:VCALENDAR\\r\\n")
      def body(uid, title="Talk"):
        return (f"BEGIN:VEVENT\\r\\nUID:{uid}\\r\\nDTSTAMP:20260101T000000Z\\r\\n"
          f"DTSTART:20260314T090000Z\\r\\nDTEND:20260314T100000Z\\r\\nSUMMARY:{title}\\r\\n"
          "END:VEVENT\\r\\n")
      \(script)
      """,
    ]
    process.standardInput = FileHandle.nullDevice
    let said = folder.appending(path: "said")
    try Data().write(to: said)
    process.standardError = try FileHandle(forWritingTo: said)
    try Self.run(process).wait()
    let words = try String(contentsOf: said, encoding: .utf8).suffix(2_000)
    guard process.terminationStatus == 0 else { throw FieldError("client", String(words)) }
  }
}
