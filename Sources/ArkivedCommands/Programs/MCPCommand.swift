import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The `mcp` command: the tools for MCP clients, over standard input and output.
struct MCPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Offer the tools to an MCP client over standard input and output.",
    discussion: """
      A client starts it automatically:

        {"mcpServers": {"arkived": {"command": "arkived", "args": ["mcp"]}}}

      It reads, adds and proposes. Anything that deletes or overwrites waits for your approval: \
      arkived
      confirm, or the page /pending of the web app.
      """)

  @Option(help: "The client’s name, shown with everything it adds.")
  var name = "mcp"

  @Flag(
    help: ArgumentHelp(
      "Accept an answer in the client’s own dialog as your approval.",
      discussion: "Only for a client whose dialogs can’t be answered by a model or a setting."))
  var confirmInClient = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    do throws(FieldError) {
      try AgentToken.validate(name: name)
    } catch {
      throw CommandFailure(.usage, "--name \(saidAgain(error.problem)).")
    }
    let tools = ToolBox(archive: try context.open(), zone: context.zone)
    let writer = MessageWriter()
    let session = MCPSession(
      tools: tools, caller: .agent(name), confirming: confirmInClient ? .inClient : .elsewhere,
      send: writer.write)
    let queue = DispatchQueue(label: "mcp", attributes: .concurrent)
    let atWork = DispatchGroup()
    var lines = MessageLines()
    while let line = lines.next() {
      @Sendable func reply() {
        if let answer = session.answer(to: line) { writer.write(answer) }
      }
      if MCPSession.isQuick(line) {
        reply()
      } else {
        queue.async(group: atWork, execute: reply)
      }
    }
    session.close()
    atWork.wait()
  }
}

/// A writer of complete messages to standard output, one per line.
private final class MessageWriter: Sendable {
  private let turn = Mutex(())

  @Sendable func write(_ message: JSON) {
    let line = message.text() + "\n"
    turn.withLock { _ in Output.write(line, to: STDOUT_FILENO) }
  }
}

/// The lines of standard input as they arrive, without blank ones.
///
/// If a line is longer than the maximum message, only enough of it is kept to refuse it.
private struct MessageLines {
  private var buffer: [UInt8] = []
  /// The number of leading bytes that contain no line end.
  private var searched = 0
  private var isAtEnd = false

  mutating func next() -> [UInt8]? {
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = Array(buffer[..<end])
        buffer.removeSubrange(...end)
        searched = 0
        if !Self.isBlank(line) { return line }
        continue
      }
      searched = buffer.count
      guard !isAtEnd else {
        let rest = buffer
        (buffer, searched) = ([], 0)
        return Self.isBlank(rest) ? nil : rest
      }
      read()
    }
  }

  private mutating func read() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = chunk.withUnsafeMutableBytes { bytes in
      #if canImport(Glibc)
        Glibc.read(STDIN_FILENO, bytes.baseAddress, bytes.count)
      #else
        Darwin.read(STDIN_FILENO, bytes.baseAddress, bytes.count)
      #endif
    }
    if count < 0, errno == EINTR { return }
    guard count > 0 else {
      isAtEnd = true
      return
    }
    let fresh = chunk[..<count]
    guard buffer.count > MCPSession.longestMessage else {
      buffer += fresh
      return
    }
    // Already too long: the rest is skipped up to the end of the line.
    if let end = fresh.firstIndex(of: 0x0A) { buffer += fresh[end...] }
  }

  private static func isBlank(_ line: [UInt8]) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}
