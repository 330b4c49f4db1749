import ArgumentParser
import ArkivedCore
import ArkivedStore
import ArkivedWeb
import Foundation

/// `service`: the web app whenever its owner is signed in.
struct ServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Have the web app served whenever you are signed in.",
    discussion: """
      arkived service install    from now on; started again where it fails
      arkived service status
      arkived service restart    after a journey to another time zone
      arkived service remove     the archive stays

      A service of your own session, which needs no rights: systemd's on Linux, launchd's on macOS. It \
      serves this archive on this computer only, and keeps indexes, calendars and backups in line. \
      Its log holds no text of entries and no login link: arkived open signs you in. On Linux it ends \
      when you sign out, unless you type: loginctl enable-linger
      """,
    subcommands: [
      ServiceInstall.self, ServiceStatus.self, ServiceRestart.self, ServiceRemove.self,
    ],
    defaultSubcommand: ServiceStatus.self)
}

/// `service install`.
struct ServiceInstall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install and start it, or change what is installed.")

  @Option(help: "The port on 127.0.0.1; 0 takes a free one each time.") var port = 8017

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let context = try Context(options, environment: environment)
    guard (0...65_535).contains(port) else {
      throw CommandFailure(.usage, said("--port is \(port); it must be 0 to 65535."))
    }
    guard case .folder(let home) = context.location else {
      throw CommandFailure(
        .usage, said("An archive in memory cannot be served later. Name a folder."))
    }
    guard let program = OwnProgram.file else {
      throw CommandFailure(.failed, said("It cannot be told where this program lies."))
    }
    let service = UserService(environment: environment)
    let absence = try service.absence()
    // Whatever is wrong with the archive is told here and not in a log.
    _ = try context.open()
    let settings = environment.filter { ServiceFile.kept.contains($0.key) && !$0.value.isEmpty }
    try service.write(
      ServiceFile(program: program.path, archive: home.path, port: port, settings: settings))
    if let absence {
      throw CommandFailure(
        .unavailable,
        said(
          """
          The service stands in \(service.file.path) and starts when you sign in next. It could not \
          be started now: \(absence)
          """))
    }
    try service.reload()
    if service.state() != "active", let other = ServerNotice.current(of: home) {
      return context.output.result(
        ServiceStatus.document(service, url: other.url),
        lines: [
          said(
            """
            Another arkived serve is at \(other.url). The service takes its place when you sign in \
            next, or, once that one has ended, with: arkived open
            """)
        ])
    }
    try service.restart()
    let notice = try await service.answer(for: home)
    var lines = [
      said("Arkived is at \(notice.url), and is started whenever you sign in."),
      said("Open it with: arkived open"),
    ]
    if service.lingers == false {
      lines.append(said("To have it run while you are signed out too: loginctl enable-linger"))
    }
    context.output.result(
      ServiceStatus.document(service, url: notice.url), lines: lines)
  }
}

/// `service status`.
struct ServiceStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell whether it is installed and runs (the default).")

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
        .unavailable, said("No service is installed. To install it: arkived service install"),
        isInDocument: true)
    }
    let state = service.state()
    var lines = [
      said("The service serves \(archive)"), said("and stands in \(service.file.path)."),
    ]
    if let url { lines.append(said("It is at \(url)")) }
    if !service.isEnabled {
      lines.append(
        said("It is not started when you sign in. To mend that: arkived service install"))
    }
    if service.lingers == false {
      lines.append(said("It ends when you sign out, unless you type: loginctl enable-linger"))
    }
    context.output.result(document, lines: lines)
    guard url != nil else {
      throw CommandFailure(
        .unavailable,
        said(
          "It does not run (\(state)). To start it: arkived open   To see why: \(UserService.journal)"
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

/// `service restart`.
struct ServiceRestart: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart",
    abstract: "End it and start it anew; it goes by the computer's time zone of now then.")

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let service = UserService()
    guard let archive = service.archive else {
      throw CommandFailure(
        .unavailable, said("No service is installed. To install it: arkived service install"))
    }
    try service.restart()
    let notice = try await service.answer(for: URL(fileURLWithPath: archive, isDirectory: true))
    context.output.result(
      ServiceStatus.document(service, url: notice.url),
      lines: [said("The service was started anew, and is at \(notice.url)")])
  }
}

/// `service remove`.
struct ServiceRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "End it and remove it; the archive stays.")

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
          ? archive.map { said("The service is removed. The archive stays in \($0).") }
            ?? said("The service is removed. The archive stays.")
          : said("No service is installed.")
      ])
  }
}
