import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of matches that wait for a decision: `/goals/review`.
struct MatchPageController: Sendable {
  let shared: GoalSidePages

  static let pageSize = 40
  /// The maximum number of a goal's matches that are decided at once.
  static let bulkLimit = 20_000

  func addRoutes(to router: Router<WebContext>) {
    router.get("/goals/review", use: review)
    router.post("/goals/review", use: decide)
  }

  private var archive: Archive { shared.archive }

  @Sendable func review(_ request: Request, context: WebContext) async throws -> Response {
    try await page(request.fields)
  }

  private func page(_ fields: FormFields, notice: Notice? = nil) async throws -> Response {
    let today = shared.today
    let goal = fields.text("goal").flatMap(UUID.init(uuidString:))
    let here = goal.map { "/goals/review?goal=\($0.uuidString)" } ?? "/goals/review"
    let (newest, matches, counts, notices) = try await offServer {
      (
        try archive.newestChange(),
        try archive.waitingMatches(goal: goal, limit: Self.pageSize),
        try archive.waitingCounts(), try shared.notices(fields, back: here)
      )
    }
    let total = goal.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
    var order: [UUID] = []
    var groups: [UUID: [LinkedAction]] = [:]
    for match in matches {
      if groups[match.goal.id] == nil { order.append(match.goal.id) }
      groups[match.goal.id, default: []].append(match)
    }
    let shown = order.compactMap { id -> [String: Any]? in
      groups[id].map { group($0, count: counts[id] ?? $0.count, today, here) }
    }
    let page: [String: Any] = [
      "hasMatches": !matches.isEmpty, "back": here, "isOfGoal": goal != nil,
      "waitingLine": total == 0
        ? said("Nothing to review")
        : GoalWords.waiting(total),
      "hasMore": matches.count < total,
      "moreLine": said("Showing \(matches.count). More will appear as you review these."),
      "groups": shown,
    ]
    return try shared.page(
      "matches", title: said("Review matches"), tab: .goals, known: .some(newest),
      notices: notices + [notice].compactMap { $0 }, page,
      status: notice == nil ? .ok : .conflict)
  }

  /// Returns the matches of one goal.
  private func group(
    _ own: [LinkedAction], count: Int, _ today: DayKey, _ here: String
  ) -> [String: Any] {
    guard let goal = own.first?.goal else { return [:] }
    let number = DayContext.grouped(Double(count))
    return [
      "groupTitle": ClippedText.of(goal.title, limit: 120),
      "groupHref": "/goals/\(goal.id.uuidString)", "groupID": goal.id.uuidString,
      "groupCount": number, "hasBulk": count > 1, "confirmAllLabel": said("Confirm all \(number)"),
      "rejectAllLabel": said("Reject all"), "groupBack": here,
      "matches": own.map { match($0, today, here) },
    ]
  }

  private func match(_ link: LinkedAction, _ today: DayKey, _ here: String) -> [String: Any] {
    let unit = link.goal.measurementUnit
    let measured = shared.entries.measurements(link.action).prefix(6)
      .map { ClippedText.of($0, limit: 60) }.joined(separator: ", ")
    return [
      "matchID": link.contribution.id.uuidString,
      "matchText": ClippedText.of(link.action.text, limit: 240),
      "matchHref": "/actions/\(link.action.id.uuidString)",
      "matchDay": GoalWords.day(link.action.dayKey, today: today),
      "matchDayISO": link.action.dayKey.description,
      "hasMeasured": !measured.isEmpty, "matchMeasured": measured,
      "matchGives": "+\(GoalWords.amount(link.contribution.contribution, unit))",
      "matchWhy": GoalWords.why(link.contribution),
      "matchCertainty": GoalWords.certainty(link.contribution), "matchBack": here,
    ]
  }

  @Sendable func decide(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    let back = LocalPath.read(fields["back"]) ?? "/goals/review"
    let method: MatchMethod
    switch fields["decision"] {
    case "confirm": method = .userConfirmed
    case "reject": method = .userRejected
    default:
      throw WebFailure(
        .badRequest, "Decision missing", "decision must be confirm or reject.", field: "decision")
    }
    let ids = fields.all("match").compactMap(UUID.init(uuidString:))
    let goal = fields.text("all").flatMap(UUID.init(uuidString:))
    do {
      let change = try await offServer {
        var decided = ids
        if let goal {
          decided = try archive.waitingMatches(goal: goal, limit: Self.bulkLimit)
            .map(\.contribution.id)
        }
        return decided.isEmpty ? nil : try archive.decide(decided, method).change
      }
      return .seeOther(GoalSidePages.location(back, change))
    } catch ArchiveError.notFound {
      return try await page(
        FormFields((back.split(separator: "?").dropFirst().first ?? "").utf8),
        notice: Notice(
          tone: .warning,
          sentence: "This match no longer exists because what it was based on has changed. Your "
            + "decision wasn’t applied."))
    }
  }
}
