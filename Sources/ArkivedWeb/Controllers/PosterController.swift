import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of a year as a poster: `/calendar/poster`, a page to print or to save as PDF, and
/// `/calendar/poster.svg`; with `day` in the year and `show`, as in the calendar.
struct PosterController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/calendar/poster", use: page)
    router.get("/calendar/poster.svg", use: file)
  }

  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    let (poster, day) = try await poster(request)
    let query = "day=\(day)&show=\(poster.shown.rawValue)"
    return try pages.page(
      "poster", title: poster.title, section: .calendar,
      [
        "title": poster.title, "posterHTML": poster.svg, "svgHref": "/calendar/poster.svg?\(query)",
        "yearHref": "/calendar?of=year&\(query)",
        "views": CalendarPage.Shown.allCases.map { view in
          [
            "label": view.label, "href": "/calendar/poster?day=\(day)&show=\(view.rawValue)",
            "isCurrent": view == poster.shown,
          ] as [String: Any]
        },
      ])
  }

  @Sendable func file(_ request: Request, context: WebContext) async throws -> Response {
    let (poster, _) = try await poster(request)
    return Response(
      status: .ok,
      headers: [
        .contentType: "image/svg+xml",
        .contentDisposition: "attachment; filename=\"arkived-\(poster.year).svg\"",
      ], body: .init(byteBuffer: ByteBuffer(string: poster.svg)))
  }

  private func poster(_ request: Request) async throws -> (YearPoster, DayKey) {
    let today = zone.dayKey(at: archive.clock.now)
    let day = try request.fields.day("day") ?? today
    let shown = try CalendarController.shown(request.fields)
    let days = CalendarSpan.year(day).days(firstWeekday: .monday)
    let summaries = try await offServer { try archive.daySummaries(in: days) }
    return (
      YearPoster(year: day.year, shown: shown, summaries: summaries, today: today), day
    )
  }
}
