import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The route of `/go`, which finds pages, actions, days, people and goals by name.
///
/// The palette shows its list; without scripts it is a form on its own page.
struct GoPageController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages

  private static let placeLimit = 8
  private static let peopleLimit = 5
  private static let goalLimit = 4

  /// A line of the list.
  private struct Line {
    var kind: String
    var label: String
    var href: String

    var context: [String: Any] {
      ["goKind": kind, "goLabel": ClippedText.of(label, limit: 120), "goHref": href]
    }
  }

  func addRoutes(to router: Router<WebContext>) { router.get("/go", use: page) }

  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    let query = String((request.fields.text("q") ?? "").prefix(200))
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let lines = try await lines(query)
    // The form opens the first result; scripts request the list.
    if request.fields.text("go") != nil, let first = lines.first { return .seeOther(first.href) }
    return try pages.page(
      "go", title: said("Go to"), section: nil,
      [
        "goQuery": FormValue(query), "goLines": lines.map(\.context),
        "hasGoLines": !lines.isEmpty,
      ])
  }

  private func lines(_ query: String) async throws -> [Line] {
    let today = zone.dayKey(at: archive.clock.now)
    let places = Destination.all(today: today)
    guard !query.isEmpty else { return places.map(Self.line) }
    let folded = Destination.folded(query)
    let words = Destination.split(folded)
    let ranked = places.enumerated().compactMap { place, one in
      one.rank(words, whole: folded).map { (rank: $0, place: place, one: one) }
    }
    let found = ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }
      .prefix(Self.placeLimit).map { Self.line($0.one) }
    let (people, goals) = try await offServer {
      (
        try archive.people(
          matching: query, order: .lastSeen, today: today, limit: Self.peopleLimit,
          hasFirst: false),
        try archive.goals().filter { Self.matches($0.title, words) }.prefix(Self.goalLimit)
      )
    }
    var lines: [Line] = []
    if let time = time(query, today) { lines.append(time) }
    if !words.isEmpty { lines += found }
    lines += people.map {
      Line(kind: said("Person"), label: $0.person.displayName, href: "/people/\($0.id.uuidString)")
    }
    lines += goals.map {
      Line(kind: said("Goal"), label: $0.title, href: "/goals/\($0.id.uuidString)")
    }
    let search = "/search?query=\(URLText.escaped(query))"
    lines.append(
      Line(kind: said("Search"), label: said("Search for “\(query)”"), href: search))
    return lines
  }

  private static func line(_ one: Destination) -> Line {
    Line(kind: one.isAct ? said("Action") : said("Page"), label: one.label, href: one.href)
  }

  private static func matches(_ title: String, _ words: [String]) -> Bool {
    let own = Destination.split(Destination.folded(title))
    return !words.isEmpty && words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
  }

  /// Returns the day that a query names, such as “5 May 2023” or “go to yesterday”, or else the
  /// month or year in the calendar.
  private func time(_ query: String, _ today: DayKey) -> Line? {
    let leads = ["go to ", "goto ", "gehe zum ", "gehe zu ", "geh zu ", "zum "]
    let lead = leads.first { query.lowercased().hasPrefix($0) }
    let text = String(query.dropFirst(lead?.count ?? 0)).trimmingCharacters(in: .whitespaces)
    if let day = DayKey(text) { return Self.line(day) }
    let reader = TimeReader(
      now: archive.clock.now, zone: zone,
      dateOrder: ShownDates.preferences.dateOrder == .monthDay ? .monthFirst : .dayFirst,
      language: Language.current)
    let matches = reader.matches(in: text)
    guard let match = matches.first, matches.count == 1, match.text.count == text.count,
      let start = match.start?.day
    else { return nil }
    let last = match.end.map { $0.day > start ? $0.day.advanced(by: -1) : start } ?? start
    switch start.distance(to: last) {
    case ...0: return Self.line(start)
    case ...7: return Self.line(.week(start))
    case ...31: return Self.line(.month(start))
    default: return Self.line(.year(start))
    }
  }

  private static func line(_ day: DayKey) -> Line {
    Line(kind: said("Day"), label: day.shownLongName, href: "/day/\(day)")
  }

  private static func line(_ span: CalendarSpan) -> Line {
    Line(
      kind: said("Calendar"), label: SpanText.shownDays(span.days(firstWeekday: .monday)),
      href: "/calendar?of=\(span.unit)&day=\(span.day)")
  }
}
