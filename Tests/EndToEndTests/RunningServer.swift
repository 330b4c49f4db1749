import ArkivedCore
import ArkivedTestSupport
import Foundation

/// `arkived serve` at work on a program's archive; it is killed when nobody holds it any more.
final class RunningServer: Sendable {
  let port: Int
  let token: String
  private let process: Process
  private let talk: URL

  /// Starts a server with further options of `serve` and further variables.
  init(
    _ program: Program, options: [String] = [], environment more: [String: String] = [:]
  ) throws {
    process = Process()
    process.executableURL = Program.executable
    process.arguments = ["serve", "--port", "0", "--json"] + options
    process.environment = program.environment.merging(more) { $1 }
    process.currentDirectoryURL = program.folder.url
    let output = Pipe()
    talk = try program.folder.file("serve-\(UUID().uuidString)", "")
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: talk)
    try process.run()
    var line = Data()
    // It says its address in one line when it answers.
    while !line.contains(0x0A) {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { throw FieldError("serve", "ended before it answered") }
      line += piece
    }
    let address = try JSON(parsing: String(decoding: line, as: UTF8.self))
    port = URL(string: address["url"]?.string ?? "")?.port ?? 0
    token = address["token"]?.string ?? ""
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The owner's token, as a header.
  var door: [String: String] { ["Authorization": "Bearer \(token)"] }

  /// Asks as the owner.
  func ask(
    _ method: String, _ path: String, _ json: JSON? = nil, headers: [String: String] = [:]
  ) throws -> PlainAnswer {
    var headers = headers.merging(door) { $1 }
    if json != nil { headers["Content-Type"] = "application/json" }
    return try PlainAnswer.ask(
      port: port, method, path, headers: headers, body: json?.text() ?? "")
  }

  func listen() async throws -> EventListener {
    try await EventListener.open(port: port, "/api/v1/events", headers: door)
  }

  /// Tells it to stop, as the system does.
  ///
  /// - Returns: its exit code, -1 when a signal ended it, and what it said on standard error; nil
  ///   when it still runs after the seconds.
  func stop(within seconds: Double) throws -> (status: Int32, talk: String)? {
    kill(process.processIdentifier, SIGTERM)
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while true {
      if let status = ended { return (status, try String(contentsOf: talk, encoding: .utf8)) }
      guard ContinuousClock.now < end else { return nil }
      usleep(10_000)
    }
  }

  /// The exit code once it has ended.
  private var ended: Int32? {
    // The system is asked as well: Foundation hears of an end late where another program that was
    // started at the same moment inherited the socket by which it listens for it.
    var info = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    if waitid(P_PID, id_t(process.processIdentifier), &info, options) == 0, info.si_signo == SIGCHLD
    {
      #if canImport(Glibc)
        let status = info._sifields._sigchld.si_status
      #else
        let status = info.si_status
      #endif
      return info.si_code == Int32(CLD_EXITED) ? status : -1
    }
    guard !process.isRunning else { return nil }
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
