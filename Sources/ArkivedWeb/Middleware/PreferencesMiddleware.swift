import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// Applies the owner's format and language settings to pages.
struct PreferencesMiddleware: RouterMiddleware {
  let archive: Archive

  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    let isAsset =
      path.hasPrefix("/assets/") && !SpokenAssets.names.contains(String(path.dropFirst(8)))
    guard !isAsset, !path.hasPrefix("/api/"), path != "/events" else {
      return try await next(request, context)
    }
    let archive = archive
    // A page without its settings is better than none.
    var preferences = (try? await offServer { try archive.preferences() }) ?? Preferences()
    if path == "/mcp" {
      // Programs receive responses in English.
      preferences.language = .english
    } else if preferences.language == .automatic {
      let asked = request.headers[.acceptLanguage] ?? ""
      preferences.language = Preferences.Speech(Language.accepted(asked))
    }
    return try await ShownDates.$preferences.withValue(preferences) {
      try await next(request, context)
    }
  }
}
