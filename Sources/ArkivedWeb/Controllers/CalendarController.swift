import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the calendar: `/calendar`, with `of` (week, month, year, years), `day` and `show`
/// (entries, mood, energy), and `/api/v1/days` with `from` and `to`.
struct CalendarController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages

  func addRoutes(to router: Router<WebContext>) { router.get("/calendar", use: page) }

  func addRoutes(to group: RouterGroup<WebContext>) { group.get("/days", use: list) }

  private var today: DayKey { zone.dayKey(at: archive.clock.now) }

  /// The maximum number of days in an API request.
  private static let limit = 3_700

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let today = today
    let days = try request.arguments { fields throws(FieldError) in
      let span = try DayFilter(&fields, from: "from", to: "to", homeZone: zone)
      let last = span.to ?? today
      let first = span.from ?? last.advanced(by: -30)
      guard first <= last else { throw FieldError("from", "is after “to”") }
      guard first.distance(to: last) < Self.limit else {
        throw FieldError("from", "is too early. At most \(Self.limit) days are returned at once")
      }
      return first...last
    }
    let summaries = try await offServer { try archive.daySummaries(in: days) }
    return Response(json: [
      "from": JSON(days.lowerBound), "to": JSON(days.upperBound),
      "days": .array(summaries.map(\.json)),
    ])
  }

  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let today = today
    let span = try span(fields, today: today)
    let shown = try Self.shown(fields)
    let firstWeekday = ShownDates.preferences.firstWeekday
    let days = span.days(firstWeekday: firstWeekday)
    let (change, written, content, pictures) = try await offServer {
      let content: CalendarContent =
        switch span {
        case .years: .months(try archive.monthSummaries(in: days))
        case .week:
          .week(
            try archive.daySummaries(in: days),
            try days.map {
              try archive.dayPart($0, from: .beginning, limit: CalendarPage.weekLimit)
            })
        case .month, .year: .days(try archive.daySummaries(in: days))
        }
      return (
        try archive.newestChange(), try archive.writtenSpan(), content,
        try self.pictures(of: span, days)
      )
    }
    let calendar = CalendarPage(
      span: span, shown: shown, today: today, firstWeekday: firstWeekday, written: written,
      content: content, pictures: pictures)
    return try pages.page(
      "calendar", title: calendar.title, section: .calendar, known: .upTo(change),
      calendar.context)
  }

  /// Returns the pictures of a month, one per day, or of a week, several per day; other views have
  /// none.
  private func pictures(
    of span: CalendarSpan, _ days: ClosedRange<DayKey>
  ) throws -> [DayKey: [Attachment]] {
    let limit: Int
    switch span {
    case .month: limit = 1
    case .week: limit = CalendarPage.weekPictureLimit
    case .year, .years: return [:]
    }
    return try archive.pictures(
      in: days, limit: limit, types: EntryFiles.pictureTypes,
      bytes: EntryFiles.pictureLimit)
  }

  private func span(_ fields: FormFields, today: DayKey) throws -> CalendarSpan {
    let day = try fields.day("day") ?? today
    let unit = fields.text("of") ?? "month"
    guard let span = CalendarSpan(unit: unit, around: day) else {
      throw WebFailure(
        .badRequest, "Invalid time span",
        "of is \(FieldError.shown(unit)), but must be week, month, year or years.", field: "of")
    }
    return span
  }

  static func shown(_ fields: FormFields) throws -> CalendarPage.Shown {
    guard let text = fields.text("show") else { return .entries }
    guard let shown = CalendarPage.Shown(rawValue: text) else {
      throw WebFailure(
        .badRequest, "Invalid view",
        "show is \(FieldError.shown(text)), but must be entries, mood or energy.", field: "show")
    }
    return shown
  }
}
