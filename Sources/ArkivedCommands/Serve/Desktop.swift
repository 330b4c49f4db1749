import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The owner's browser on this computer.
///
/// Every account can read the arguments of every process, so a sign-in link is never passed as one:
/// the browser receives the name of a private file that redirects to it.
struct Desktop {
  private let environment: [String: String]

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  /// True if there is a browser that shows pages in a window.
  var hasBrowser: Bool { command != nil }

  /// The shell command that opens a page, where `"$1"` is the page.
  private var command: String? {
    if let named = environment["BROWSER"]?.split(separator: ":").first.map(String.init),
      named.contains(where: { !$0.isWhitespace })
    {
      // `%s` marks the place of the address in BROWSER.
      return named.contains("%s")
        ? named.replacingOccurrences(of: "%s", with: "\"$1\"") : "\(named) \"$1\""
    }
    #if os(macOS)
      return "/usr/bin/open \"$1\""
    #else
      let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
      guard hasScreen, OwnProgram.path(of: "xdg-open", environment) != nil else { return nil }
      return "xdg-open \"$1\""
    #endif
  }

  /// Opens a page through a file that redirects to it.
  ///
  /// - Throws: `CommandFailure`.
  func open(link: String) throws {
    try show(
      """
      <meta http-equiv="refresh" content="0; url=\(Self.escaped(link))">
      <p><a href="\(Self.escaped(link))">\(Self.escaped(said("Open your archive")))</a>. \
      \(Self.escaped(said("The link works once.")))</p>
      """)
  }

  /// Shows a sentence in a separate page.
  func tell(_ sentence: String) throws { try show("<p>\(Self.escaped(sentence))</p>") }

  private func show(_ body: String) throws {
    guard let command else {
      throw CommandFailure(.unavailable, said("No browser found."))
    }
    let page = """
      <!doctype html>
      <html lang="\(Language.current.code)"><meta charset="utf-8"><title>Arkived</title>
      \(body)
      </html>

      """
    let file = folder.appendingPathComponent("arkived-open.html")
    try DurableFile.write(Data(page.utf8), to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command, "arkived-open", file.path]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch {
      throw CommandFailure(.unavailable, said("Couldn’t start the browser: \(error)"))
    }
    // A browser may keep running until its window is closed; one that fails exits soon.
    let end = ContinuousClock.now + .seconds(3)
    while process.isRunning, ContinuousClock.now < end { usleep(20_000) }
    guard process.isRunning || process.terminationStatus == 0 else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          The browser didn’t open (\(command) exited with code \(process.terminationStatus)).
          """))
    }
  }

  /// A folder that only the owner can read: the session's own, which is deleted with it, otherwise
  /// the one for programs' caches.
  private var folder: URL {
    if let session = environment["XDG_RUNTIME_DIR"], session.hasPrefix("/"),
      FileManager.default.isWritableFile(atPath: session)
    {
      return URL(fileURLWithPath: session, isDirectory: true)
    }
    let home = OwnProgram.home(environment)
    let cache = home.appendingPathComponent(".cache/arkived", isDirectory: true)
    try? DurableFile.makeFolder(cache)
    return cache
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}
