import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of the service that runs Arkived whenever its owner is signed in.
struct ServicePageController: Sendable {
  let settings: SettingsPages
  let service: UserService

  private static let address = "/settings/service"
  private static let logLines = 50
  private static let usualPort = 8_017
  /// The first port that Linux picks by itself (net.ipv4.ip_local_port_range).
  private static let firstPickedPort = 32_768

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/service", use: show)
    router.post("/settings/service", use: install)
    router.post("/settings/service/restart", use: restart)
    router.post("/settings/service/linger", use: linger)
    router.post("/settings/service/remove", use: remove)
  }

  /// True if this server is the service itself (systemd.exec(5), SYSTEMD_EXEC_PID).
  private static var isService: Bool {
    ProcessInfo.processInfo.environment["SYSTEMD_EXEC_PID"] == "\(getpid())"
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let done = request.fields.text("done")
    let notice: Notice? =
      switch done {
      case "installed":
        Notice(
          tone: .success,
          sentence: said("Installed. Arkived starts automatically the next time you sign in."))
      case "restarting":
        Notice(tone: .info, sentence: said("Arkived is restarting. Reload this page in a moment."))
      case "lingering":
        Notice(
          tone: .success, sentence: said("Arkived now keeps running after you sign out."))
      case "removed":
        Notice(
          tone: .success,
          sentence: said(
            "Removed. Arkived keeps running until you sign out. Your archive isn’t affected."))
      default: nil
      }
    return try await page(request, notices: [notice].compactMap { $0 })
  }

  private func page(
    _ request: Request, notices: [Notice] = [], port: String? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let archive = settings.archive
    let service = service
    let (newest, state, (absence, isSupported), log) = try await offServer {
      let isInstalled = service.isInstalled
      var (absence, isSupported): (String?, Bool) = (nil, true)
      do {
        absence = try service.absence().map {
          said(
            "The service can’t be started right now (\($0)). It will start the next time you sign in."
          )
        }
      } catch let failure as ServiceFailure {
        (absence, isSupported) = (failure.description, false)
      }
      return (
        try archive.newestChange(), isInstalled ? service.state() : "absent",
        (absence, isSupported), isInstalled ? service.log(limit: Self.logLines) : []
      )
    }
    let served = service.archive
    let isOwn = served != nil && served == archive.home?.path
    // A port that the system picked may be used by another program the next time.
    let current = request.head.authority?.split(separator: ":").last.flatMap { Int($0) }
      .flatMap { $0 < Self.firstPickedPort ? $0 : nil }
    let facts =
      served == nil
      ? []
      : [
        (said("Archive"), served ?? ""), (said("File"), service.file.path),
        (said("Status"), Self.word(state)),
        (
          said("Starts when you sign in"), service.isEnabled ? said("Yes") : said("No")
        ),
      ].map { ["factName": $0.0, "factText": ClippedText.of($0.1, limit: 500)] }
    return try settings.page(
      "settings-service", title: said("Startup"), tab: .service, known: .some(newest),
      notices: notices,
      [
        "isInstalled": service.isInstalled, "isOther": served != nil && !isOwn,
        "isActive": state == "active", "isService": Self.isService,
        "hasFailed": state == "failed", "hasAbsence": absence != nil,
        "absence": ClippedText.of(absence ?? "", limit: 500), "facts": facts,
        "lingerHint": service.lingers == false && service.isInstalled,
        "hasLog": !log.isEmpty,
        "logText": ClippedText.of(log.joined(separator: "\n"), limit: 20_000),
        "port": FormValue(port ?? "\(current ?? Self.usualPort)"),
        "mayInstall": archive.home != nil && isSupported,
      ], status: status)
  }

  private static func word(_ state: String) -> String {
    switch state {
    case "active": said("Running")
    case "inactive": said("Not running")
    case "failed": said("Failed")
    default: state
    }
  }

  /// Installs the service for this archive, or changes the installed one.
  @Sendable func install(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: 65_536)
    let text = fields.text("port") ?? ""
    guard let port = Int(text), (0...65_535).contains(port) else {
      let notice = Notice(tone: .error, sentence: said("The port must be between 0 and 65535."))
      return try await page(request, notices: [notice], port: text, status: .unprocessableContent)
    }
    guard let home = settings.archive.home else {
      throw ArchiveError.refused(
        "A service can’t serve an archive in memory. Choose a folder.")
    }
    let service = service
    return try await attempt(request) { _ = try service.install(for: home, port: port) }
      ?? .seeOther("\(Self.address)?done=installed")
  }

  @Sendable func restart(_ request: Request, context: WebContext) async throws -> Response {
    let service = service
    return try await attempt(request) { try service.restartSoon() }
      ?? .seeOther("\(Self.address)?done=restarting")
  }

  /// Lets the service keep running after its owner signs out.
  @Sendable func linger(_ request: Request, context: WebContext) async throws -> Response {
    let service = service
    return try await attempt(request) { try service.linger() }
      ?? .seeOther("\(Self.address)?done=lingering")
  }

  /// Removes the service; a running one continues, because it may be answering this request.
  @Sendable func remove(_ request: Request, context: WebContext) async throws -> Response {
    let service = service
    return try await attempt(request) { try service.remove(stops: false) }
      ?? .seeOther("\(Self.address)?done=removed")
  }

  /// Performs an operation on the service.
  ///
  /// - Returns: the page with the failure; nil if it worked.
  private func attempt(
    _ request: Request, _ body: @escaping @Sendable () throws -> Void
  ) async throws -> Response? {
    do {
      try await offServer { try body() }
      return nil
    } catch let failure as ServiceFailure {
      let notice = Notice(tone: .error, sentence: failure.description)
      return try await page(request, notices: [notice], status: .conflict)
    }
  }
}
