import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of entries that two sources probably describe.
struct DuplicatePageController: Sendable {
  let settings: SettingsPages

  private static let address = "/settings/imports/duplicates"
  private static let limit = 100

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/imports/duplicates", use: list)
    router.post("/settings/imports/duplicates/merge", use: merge)
    router.post("/settings/imports/duplicates/keep", use: keepApart)
  }

  private var archive: Archive { settings.archive }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let (newest, pairs, notices) = try await offServer {
      (
        try archive.newestChange(), try archive.nearDuplicates(limit: Self.limit),
        try settings.notices(fields, back: Self.address)
      )
    }
    return try settings.page(
      "settings-duplicates", title: said("Possible duplicates"), tab: .imports,
      known: .some(newest),
      notices: notices, ["hasPairs": !pairs.isEmpty, "pairs": pairs.map(Self.row)])
  }

  private static func row(_ pair: Archive.NearDuplicatePair) -> [String: Any] {
    let (first, second) = (name(pair.first), name(pair.second))
    return [
      "firstID": pair.first.id.uuidString, "secondID": pair.second.id.uuidString,
      "firstHref": EntryContext.href(pair.first.dayKey, pair.first.id),
      "secondHref": EntryContext.href(pair.second.dayKey, pair.second.id),
      "firstText": first, "secondText": second,
      "firstSource": EntryContext.label(pair.first.source),
      "secondSource": EntryContext.label(pair.second.source),
      "firstTime": time(pair.first), "secondTime": time(pair.second),
      "mergeLabel": said("Merge \(second) into \(first)"),
      "keepLabel": said("Keep both: \(first) and \(second)"),
    ]
  }

  private static func name(_ activity: Activity) -> String {
    ClippedText.of(activity.text, limit: 120)
  }

  private static func time(_ activity: Activity) -> String {
    EntryContext.dayName(activity.dayKey) + (activity.shownTimeText.map { ", \($0)" } ?? "")
  }

  @Sendable func merge(_ request: Request, context: WebContext) async throws -> Response {
    let (kept, other) = try await pair("kept", "other", request, context)
    let change = try await offServer { try archive.mergeActivity(other, into: kept).change }
    return .seeOther(GoalSidePages.location(Self.address, change))
  }

  @Sendable func keepApart(_ request: Request, context: WebContext) async throws -> Response {
    let (one, other) = try await pair("one", "other", request, context)
    try await offServer { try archive.keepApart(one, other) }
    return .seeOther(Self.address)
  }

  private func pair(
    _ first: String, _ second: String, _ request: Request, _ context: WebContext
  ) async throws -> (UUID, UUID) {
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let one = fields.text(first).flatMap(UUID.init(uuidString:)),
      let other = fields.text(second).flatMap(UUID.init(uuidString:))
    else {
      throw WebFailure(
        .badRequest, "Entries missing",
        "The form is missing the two entries. Go back and try again.")
    }
    return (one, other)
  }
}
