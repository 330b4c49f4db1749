import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The changelog and the program's version, from which the news after an update is taken.
struct ChangelogPage: Sendable {
  var notes: ReleaseNotes
  var version: String

  /// The changelog that is part of the program.
  static let shipped = ChangelogPage(
    notes: ReleaseNotes(String(decoding: WebFiles.content("changelog.md"), as: UTF8.self)),
    version: ArkivedVersion.current)
}

/// The page that shows the changes since the last used version.
struct NewsPageController: Sendable {
  let settings: SettingsPages
  let changelog: ChangelogPage

  static let address = "/settings/news"
  /// The largest size of the notes on one version in bytes of HTML.
  private static let limit = 200_000

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/news", use: show)
    router.post("/settings/news/seen", use: see)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let archive = settings.archive
    let changelog = changelog
    let (newest, seen) = try await offServer {
      (
        try archive.newestChange(), UpdateNews.lastSeen(before: changelog.version, of: archive)
      )
    }
    let sections =
      seen.map { changelog.notes.sections(after: $0, upTo: changelog.version) }
      ?? Array(changelog.notes.sections.prefix(1))
    return try settings.page(
      "settings-news", title: said("What’s new"), tab: .storage, known: .some(newest),
      [
        "isUpdated": seen != nil,
        "newsLine": seen.map {
          said("Arkived was updated from \($0) to \(changelog.version).")
        } ?? said("This is Arkived \(changelog.version)."),
        "isForeign": Language.current != .english,
        "releases": sections.map { section in
          [
            "releaseTitle": section.title,
            "releaseHTML": Markdown.html(section.text, limit: Self.limit, under: 2),
          ] as [String: Any]
        },
        "hasReleases": !sections.isEmpty,
      ])
  }

  /// Records that the news was seen, so it isn't announced again.
  @Sendable func see(_ request: Request, context: WebContext) async throws -> Response {
    let archive = settings.archive
    let version = changelog.version
    try await offServer { try UpdateNews.see(version, of: archive) }
    return .seeOther("/")
  }
}
