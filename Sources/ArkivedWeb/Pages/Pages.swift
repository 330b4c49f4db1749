import ArkivedCore
import ArkivedCrypto
import Foundation
import HTTPTypes
import Hummingbird
import Mustache

/// Renders pages from the templates.
struct Pages: Sendable {
  private let languages = SpokenPages()
  /// The version of the assets, which changes whenever an asset does, so browsers may cache assets
  /// for a long time.
  let assetVersion: String
  /// The address of the owner's archive if the pages are those of the sample life.
  private let sampleHome: String?

  init(sampleHome: String? = nil) {
    self.sampleHome = sampleHome
    MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
    assetVersion = Self.version
  }

  /// The templates in English.
  private static let english = PageTemplates()

  private static let version: String = {
    var digest = SHA256()
    for asset in Asset.all { digest.update(data: Data(asset.content)) }
    digest.update(data: Data(WebFiles.content("service-worker.js")))
    return digest.finalize().prefix(4).hexadecimal
  }()

  /// A section of the app in its navigation.
  enum Section: String, CaseIterable {
    case today, calendar, search, assistant, goals, people, insights, map, photos, settings

    var tab: (href: String, label: String) {
      switch self {
      case .today: ("/", said("Today"))
      case .calendar: ("/calendar", said("Calendar"))
      case .search: ("/search", said("Search"))
      case .assistant: ("/ask", said("Assistant"))
      case .goals: ("/goals", said("Goals"))
      case .people: ("/meetings", said("People & meetings"))
      case .insights: ("/insights", said("Insights"))
      case .map: ("/map", said("Map"))
      case .photos: ("/photos", said("Photos"))
      case .settings: ("/settings", said("Settings"))
      }
    }

    /// The icon in the sprite.
    var icon: String {
      switch self {
      case .map: "place"
      case .photos: "photo"
      case .settings: "gear"
      default: rawValue
      }
    }

    /// True if it is in the navigation bar of a phone; the others are under More.
    var isMain: Bool {
      switch self {
      case .today, .calendar, .search, .assistant: true
      case .goals, .people, .insights, .map, .photos, .settings: false
      }
    }

    /// The sections under More.
    static var others: [Section] { allCases.filter { !$0.isMain } }
  }

  /// Renders a page with the common data that every page needs.
  ///
  /// - Parameters:
  ///   - template: the name of the template.
  ///   - title: the title.
  ///   - section: the selected section of the menu.
  ///   - known: the changes that the page reflects; the page polls for later ones. If nil, the page
  ///     is not updated.
  ///   - notices: the notices at the top of the page.
  ///   - context: the values of the template.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func page(
    _ template: String, title: String, section: Section?, known: ChangeFeed.Known? = nil,
    notices: [Notice] = [], _ context: [String: Any], status: HTTPResponse.Status = .ok
  ) throws -> Response {
    var all = context
    all["pageTitle"] = title
    if case .upTo(let change) = known { all["newestChange"] = change?.uuidString ?? "none" }
    let preferences = ShownDates.preferences
    all["language"] = Language.current.code
    if let spoken = languages.spoken(.current) {
      all["pageWords"] = spoken.scriptWords
    }
    all["theme"] = preferences.theme.rawValue
    all["contrast"] = preferences.contrast.rawValue
    all["density"] = preferences.density.rawValue
    all["zoom"] = "\(preferences.zoom)"
    all["dateOrder"] = preferences.dateOrder.rawValue
    all["assetVersion"] = assetVersion
    all["isSample"] = sampleHome != nil
    all["sampleHome"] = sampleHome ?? ""
    all["tabs"] = Section.allCases.map { item in
      [
        "href": item.tab.href, "label": item.tab.label, "icon": item.icon,
        "isCurrent": item == section, "isWideOnly": !item.isMain,
      ] as [String: Any]
    }
    all["isBehindMore"] = section.map { !$0.isMain } ?? false
    all["notices"] = notices.map(\.context)
    return Response(html: try html(template, all), status: status)
  }

  /// Renders a template alone, as a part of a page.
  func html(_ template: String, _ context: [String: Any]) throws -> String {
    let templates = languages.spoken(.current)?.templates ?? Self.english
    guard let html = try templates.html(template, context) else {
      throw WebFailure(.internalServerError, "Page not found", "The page’s template is missing.")
    }
    return html
  }

  /// Renders a failure as a page, or the sign-in page without a session.
  ///
  /// - Parameters:
  ///   - failure: the failure.
  ///   - isSignedIn: true if the request belongs to a session.
  ///   - keepsDraft: true if the submitted text was typed into a field for which the browser keeps
  ///     a draft.
  ///   - signIn: the template of the sign-in page.
  /// - Returns: the page.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func failure(
    _ failure: WebFailure, isSignedIn: Bool, keepsDraft: Bool = false, signIn: String = "login"
  ) throws -> Response {
    if failure.status == .unauthorized {
      let notice = Notice(
        tone: .warning,
        sentence: said(
          """
          You were signed out, so this wasn’t saved. Your text is kept in this browser. Sign in \
          and open the day again to get it back.
          """))
      return try page(
        signIn, title: said("Sign in"), section: nil, notices: keepsDraft ? [notice] : [], [:],
        status: .unauthorized)
    }
    var context: [String: Any] = [
      "status": "\(failure.status.code)", "messageTitle": saidWhole(failure.title),
      "sentence": saidAgain(failure.detail), "hasTabs": isSignedIn,
    ]
    if isSignedIn {
      context["backHref"] = failure.way?.href ?? "/"
      context["backLabel"] = failure.way?.label ?? said("Back to today")
    }
    var response = try page(
      "message", title: saidWhole(failure.title), section: nil, context, status: failure.status)
    if let allow = failure.allow { response.headers[.allow] = allow }
    if let seconds = failure.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
