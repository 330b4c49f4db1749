import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Program {
  /// Runs the program at a terminal of its own, at which somebody types.
  ///
  /// - Returns: the exit code and everything the terminal showed.
  func atTerminal(
    _ arguments: [String], typing: String = "", interruptingAt question: String? = nil,
    environment more: [String: String] = [:]
  ) throws -> (status: Int32, screen: String) {
    var (master, slave): (Int32, Int32) = (-1, -1)
    guard openpty(&master, &slave, nil, nil, nil) == 0 else {
      // As in a change-root without /dev/pts.
      if access("/dev/ptmx", R_OK | W_OK) != 0 || access("/dev/pts/ptmx", F_OK) != 0 {
        try Test.cancel("This system has no pseudo-terminals.")
      }
      throw POSIXError(.ENODEV)
    }
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.environment = environment.merging(["TERM": "xterm", "NO_COLOR": ""]) { $1 }
      .merging(more) { $1 }
    process.currentDirectoryURL = folder.url
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    close(slave)
    try FileHandle(fileDescriptor: master, closeOnDealloc: false)
      .write(contentsOf: Data(typing.utf8))
    var screen = Data()
    var isInterrupted = false
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(master, &buffer, buffer.count)
      // At the end Linux answers with an error, Darwin with nothing.
      guard count > 0 else { break }
      screen.append(contentsOf: buffer[..<count])
      // What Ctrl-C does, which a terminal does only for the programs of its own session.
      if let question, !isInterrupted, screen.range(of: Data(question.utf8)) != nil {
        isInterrupted = true
        process.interrupt()
        // A program that only takes note of it gets an answer all the same.
        for _ in 0..<200 where process.isRunning { usleep(50_000) }
        if process.isRunning { _ = write(master, "y\n", 2) }
      }
    }
    process.waitUntilExit()
    close(master)
    return (process.terminationStatus, String(decoding: screen, as: UTF8.self))
  }

  /// A program that stands for an editor: a shell script that is given the file as `$1`.
  func editor(_ script: String, name: String = "editor.sh") throws -> [String: String] {
    let file = try folder.script(name, script)
    return ["EDITOR": file.path, "VISUAL": ""]
  }

  /// What lies in the archive's folder of drafts.
  var drafts: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: archive + "/drafts")) ?? []
  }
}
