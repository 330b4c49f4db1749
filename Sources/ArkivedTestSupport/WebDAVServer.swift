import ArkivedCore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A real WsgiDAV on 127.0.0.1 with its own user; it ends when the last reference to it is released.
package final class WebDAVServer {
  private static let python = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Tests/.cache/webdav/bin/python")

  /// True if `./setup --test` has installed it.
  package static let isInstalled = FileManager.default.isExecutableFile(atPath: python.path)

  /// The folder that it serves.
  package let folder: URL
  package let port: Int
  package let password = "pass word"
  private let process = Process()
  private let lifeline = Pipe()

  package var address: String { "http://127.0.0.1:\(port)/Shared/" }

  package init() async throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "arkived-webdav-\(UUID().uuidString)")
    folder = home.appending(path: "Shared")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try CalendarServer().port
    process.executableURL = Self.python
    // It exits when its standard input closes, so it never outlives the tests.
    process.arguments = [
      "-c",
      """
      import os, threading
      threading.Thread(target=lambda: (os.read(0, 1), os._exit(0)), daemon=True).start()
      from cheroot import wsgi
      from wsgidav.wsgidav_app import WsgiDAVApp
      app = WsgiDAVApp({
          "provider_mapping": {"/": "\(home.path)"}, "verbose": 0, "logging": {"enable": False},
          "simple_dc": {"user_mapping": {"*": {"me": {"password": "\(password)"}}}},
          "http_authenticator": {
              "accept_basic": True, "accept_digest": False, "default_to_digest": False}})
      wsgi.Server(("127.0.0.1", \(port)), app).start()
      """,
    ]
    process.standardInput = lifeline
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = ContinuousClock.now + .seconds(600)
    while (try? PlainConnection(port: port)) == nil {
      guard process.isRunning, ContinuousClock.now < deadline else {
        throw FieldError("WsgiDAV", "does not start")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
  }
}
