import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The first steps of an archive: the greeting of an empty one, the sample life, and the suggestion
/// of a first backup.
struct WelcomeController: Sendable {
  let archive: Archive
  let zone: Zone
  let door: Door
  let pages: Pages
  let sample: SampleDesk

  /// The number of entries after which a first backup is suggested.
  static let backupEntries = 10

  func addRoutes(to router: Router<WebContext>) {
    router.get("/welcome/sample", use: page)
    router.post("/welcome/sample", use: open)
    router.get("/welcome/sample/enter", use: enter)
    router.post("/welcome/sample/close", use: close)
    router.post("/welcome/language", use: setLanguage)
    router.post("/hints/:name/dismiss", use: dismiss)
  }

  // MARK: Notices on today's page

  /// Adds the greeting to the page of an empty archive.
  static func greet(_ context: inout [String: Any], zone: Zone, followsSystem: Bool) {
    let city = EntryContext.city(zone.identifier)
    context["hasChoices"] = !Visitor.isDevice
    context["zoneLine"] =
      followsSystem
      ? said("Your days follow this computer’s time zone: \(city).")
      : said("Your days follow the time zone \(city).")
    let chosen = ShownDates.preferences.language
    context["languages"] = Language.all.map { language -> [String: Any] in
      [
        "value": language.code, "label": language.name,
        "isSelected": chosen == Preferences.Speech(language) || language == .current,
      ]
    }
  }

  /// Returns true if a first backup should be suggested: there are a few entries, there has been no
  /// backup, and the owner hasn't dismissed the suggestion.
  static func suggestsBackup(_ archive: Archive) throws -> Bool {
    guard !Visitor.isDevice, archive.databaseFile != nil,
      try archive.hasEntries(atLeast: backupEntries), try !archive.isDismissed(.backup)
    else { return false }
    let book = BackupBook(of: archive)
    return book.plan == nil && book.entries.isEmpty
  }

  @Sendable func dismiss(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("name") ?? ""
    guard let hint = Archive.Hint(rawValue: name) else {
      let known = Archive.Hint.allCases.map(\.rawValue).joined(separator: ", ")
      throw FieldError("name", "is \(FieldError.shown(name)), but must be one of \(known)")
    }
    try await offServer { try archive.dismiss(hint) }
    return .seeOther("/")
  }

  @Sendable func setLanguage(_ request: Request, context: WebContext) async throws -> Response {
    let text = try await request.form(limit: 65_536)["language"] ?? ""
    guard let language = Language.all.first(where: { $0.code == text }) else {
      let known = Language.all.map(\.code).joined(separator: ", ")
      throw FieldError("language", "is \(FieldError.shown(text)), but must be one of \(known)")
    }
    _ = try await offServer {
      try archive.updatePreferences { $0.language = Preferences.Speech(language) }
    }
    return .seeOther("/")
  }

  // MARK: The sample life

  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    var page: [String: Any] = [
      "isFilling": false, "isOpen": false, "isClosed": false, "hasProblem": false, "problem": "",
      "refreshHref": "/welcome/sample",
    ]
    switch sample.standing {
    case .closed: page["isClosed"] = true
    case .filling: page["isFilling"] = true
    case .open: page["isOpen"] = true
    case .failed(let problem):
      (page["isClosed"], page["hasProblem"]) = (true, true)
      page["problem"] = saidAgain(problem)
    }
    return try pages.page("welcome-sample", title: said("Sample life"), section: .today, page)
  }

  @Sendable func open(_ request: Request, context: WebContext) async throws -> Response {
    sample.open(zone: zone, from: door.url)
    return .seeOther("/welcome/sample")
  }

  @Sendable func enter(_ request: Request, context: WebContext) async throws -> Response {
    guard case .open(let door) = sample.standing else { return .seeOther("/welcome/sample") }
    return .seeOther(door.makeLoginLink())
  }

  @Sendable func close(_ request: Request, context: WebContext) async throws -> Response {
    sample.close()
    return .seeOther("/")
  }
}
