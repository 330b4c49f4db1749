import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedWeb
import Foundation

/// The `service` command: runs the web app whenever its owner is signed in.
struct ServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Run the web app whenever you’re signed in.",
    discussion: """
      arkived service install    from now on; restarts after a failure
      arkived service status
      arkived service restart    after travelling to another time zone
      arkived service remove     the archive stays

      A service in your own session that needs no special permissions: systemd on Linux, launchd on \
      macOS. It serves this archive on this computer only, and keeps indexes, calendars and backups \
      up to date. Its log contains no entry text and no login link. To sign in, use arkived open. On \
      Linux it ends when you sign out, unless you run: loginctl enable-linger
      """,
    subcommands: [
      ServiceInstall.self, ServiceStatus.self, ServiceRestart.self, ServiceRemove.self,
    ],
    defaultSubcommand: ServiceStatus.self)
}

/// The `service install` command.
struct ServiceInstall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install and start the service, or change the installed one.")

  @Option(help: "The port on 127.0.0.1. With 0, a free one is picked each time.") var port = 8017

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let context = try Context(options, environment: environment)
    guard (0...65_535).contains(port) else {
      throw CommandFailure(.usage, said("--port is \(port), but must be 0 to 65535."))
    }
    guard case .folder(let home) = context.location else {
      throw CommandFailure(
        .usage, said("A service can’t serve an archive in memory. Choose a folder."))
    }
    let service = UserService(environment: environment)
    // Without such services, not even an archive is created.
    _ = try service.absence()
    // Problems with the archive are reported here instead of in a log.
    _ = try context.open()
    let absence = try service.install(for: home, port: port)
    if let absence {
      throw CommandFailure(
        .unavailable,
        said(
          """
          The service is installed in \(service.file.path) and starts the next time you sign in. \
          It couldn’t be started now: \(absence)
          """))
    }
    if service.state() != "active", let other = ServerNotice.current(of: home) {
      return context.output.result(
        ServiceStatus.document(service, url: other.url),
        lines: [
          said(
            """
            Another `arkived serve` is running at \(other.url). The service replaces it the next \
            time you sign in. To start it sooner, stop the other one and run: `arkived open`
            """)
        ])
    }
    try service.restart()
    let notice = try await service.answer(for: home)
    var lines = [
      said("Arkived is running at \(notice.url) and starts whenever you sign in."),
      said("To open it: `arkived open`"),
    ]
    if service.lingers == false {
      lines.append(said("To keep it running after you sign out: `loginctl enable-linger`"))
    }
    context.output.result(
      ServiceStatus.document(service, url: notice.url), lines: lines)
  }
}

/// The `service status` command.
struct ServiceStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether the service is installed and running (default).")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let service = UserService()
    let url = service.archive.flatMap {
      ServerNotice.current(of: URL(fileURLWithPath: $0, isDirectory: true))?.url
    }
    let document = Self.document(service, url: url)
    guard let archive = service.archive else {
      context.output.result(document, lines: [])
      throw CommandFailure(
        .unavailable, said("The service isn’t installed. To install it: `arkived service install`"),
        isInDocument: true)
    }
    let state = service.state()
    var lines = [
      said("The service serves the archive in \(archive)."),
      said("It’s installed in \(service.file.path)."),
    ]
    if let url { lines.append(said("It’s running at \(url)")) }
    if !service.isEnabled {
      lines.append(
        said("It doesn’t start when you sign in. To fix that: `arkived service install`"))
    }
    if service.lingers == false {
      lines.append(said("It stops when you sign out, unless you run: `loginctl enable-linger`"))
    }
    context.output.result(document, lines: lines)
    guard url != nil else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          It isn’t running (\(state)). To start it, run `arkived open`. To see why, run \
          `\(UserService.journal)`.
          """
        ),
        isInDocument: true)
    }
  }

  static func document(_ service: UserService, url: String?) -> JSON {
    [
      "service": [
        "file": .string(service.file.path), "installed": .bool(service.isInstalled),
        "enabled": .bool(service.isEnabled), "archive": JSON(service.archive),
        "state": .string(service.isInstalled ? service.state() : "absent"), "url": JSON(url),
      ]
    ]
  }
}

/// The `service restart` command.
struct ServiceRestart: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart",
    abstract: "Restart the service. It then uses the computer’s current time zone.")

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let service = UserService()
    guard let archive = service.archive else {
      throw CommandFailure(
        .unavailable, said("The service isn’t installed. To install it: `arkived service install`"))
    }
    try service.restart()
    let notice = try await service.answer(for: URL(fileURLWithPath: archive, isDirectory: true))
    context.output.result(
      ServiceStatus.document(service, url: notice.url),
      lines: [said("The service was restarted and is running at \(notice.url)")])
  }
}

/// The `service remove` command.
struct ServiceRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Stop and remove the service. The archive isn’t touched.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let service = UserService()
    let archive = service.archive
    let wasInstalled = service.isInstalled
    if wasInstalled { try service.remove() }
    context.output.result(
      ["removed": .bool(wasInstalled), "archive": JSON(archive)],
      lines: [
        wasInstalled
          ? archive.map { said("The service was removed. The archive is still in \($0).") }
            ?? said("The service was removed. The archive wasn’t touched.")
          : said("The service isn’t installed.")
      ])
  }
}

extension UserService {
  /// Waits until the service responds.
  ///
  /// - Throws: `CommandFailure` (failed) if it doesn't respond within 20 seconds, or has failed.
  func answer(for home: URL) async throws -> ServerNotice {
    let end = ContinuousClock.now + .seconds(20)
    var round = 0
    while ContinuousClock.now < end {
      if let notice = ServerNotice.current(of: home) { return notice }
      round += 1
      if round.isMultiple(of: 10), state() == "failed" { break }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw CommandFailure(
      .failed, said("The service was started but isn’t responding. To see why: `\(Self.journal)`"))
  }
}
