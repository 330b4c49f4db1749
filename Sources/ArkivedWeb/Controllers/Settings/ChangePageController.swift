import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of the history: all changes, and the effects of one.
struct ChangePageController: Sendable {
  let settings: SettingsPages

  static let pageSize = 50
  /// The maximum number of entities compared for one change.
  static let entityLimit = 100
  /// The approximate size limit of a page of comparisons, in bytes.
  private static let byteLimit = 400_000
  private static let dayLimit = 3

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/history", use: list)
    router.get("/settings/history/:id", use: show)
    router.post("/settings/history/:id/undo", use: undo)
  }

  private var archive: Archive { settings.archive }

  // MARK: The list

  /// The query as entered in the form.
  private struct Query: Sendable {
    var filter = ChangeFilter()
    var by = ""
    var action = ""
    var day: DayKey?
    /// The fault in the day.
    var dayText = ""
    var dayError: String?

    init(_ fields: FormFields, zone: Zone) {
      filter.limit = ChangePageController.pageSize
      filter.offset = MeetingSidePages.offset(fields)
      if let maker = fields.text("by").flatMap(ChangeFilter.Maker.init(rawValue:)) {
        (filter.maker, by) = (maker, maker.rawValue)
      }
      if let text = fields.text("action").map({ String($0.prefix(60)) }) {
        (filter.action, action) = (text, text)
      }
      guard let text = fields.text("day") else { return }
      dayText = String(text.prefix(60))
      guard let day = DayKey(text) else {
        dayError = said("\(FieldError.shown(text)) isn’t a valid day. Use the format 2026-03-14.")
        return
      }
      self.day = day
      filter.from = zone.start(of: day)
      filter.to = zone.start(of: day.advanced(by: 1))
    }

    var isFiltered: Bool { !by.isEmpty || !action.isEmpty || !dayText.isEmpty }

    func address(_ offset: Int) -> String {
      MeetingSidePages.address(
        "/settings/history",
        [
          ("by", by), ("action", action), ("day", day?.description),
          ("offset", offset > 0 ? "\(offset)" : nil),
        ])
    }
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try await listPage(request.fields)
  }

  private func listPage(
    _ fields: FormFields, notices more: [Notice] = [], status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let query = Query(fields, zone: settings.zone)
    let back = query.address(query.filter.offset)
    let (newest, found, actions, notices) = try await offServer {
      (
        try archive.newestChange(),
        query.dayError == nil
          ? try archive.listedChanges(query.filter) : (changes: [], hasMore: false),
        try archive.changeActions(), try settings.notices(fields, back: back)
      )
    }
    let makers =
      [("", said("Everyone"))]
      + ChangeFilter.Maker.allCases.map {
        ($0.rawValue, Self.maker($0))
      }
    func choices(_ all: [(String, String)], _ chosen: String) -> [[String: Any]] {
      all.map { ["value": FormValue($0.0), "label": $0.1, "isSelected": $0.0 == chosen] }
    }
    var kinds = [("", said("All kinds"))] + actions.map { ($0, Self.action($0)) }
    if !query.action.isEmpty, !actions.contains(query.action) {
      kinds.append((query.action, Self.action(query.action)))
    }
    let offset = query.filter.offset
    let page: [String: Any] = [
      "changes": found.changes.map { row($0, back: back) }, "hasChanges": !found.changes.isEmpty,
      "isEmpty": found.changes.isEmpty && !query.isFiltered && offset == 0,
      "isFiltered": query.isFiltered, "makers": choices(makers, query.by),
      "kinds": choices(kinds, query.action), "day": FormValue(query.dayText),
      "hasDayError": query.dayError != nil, "dayError": query.dayError ?? "",
      "hasEarlier": offset > 0, "earlierHref": query.address(max(0, offset - Self.pageSize)),
      "hasMore": found.hasMore, "moreHref": query.address(offset + Self.pageSize),
    ]
    return try settings.page(
      "settings-history", title: said("History"), tab: .history, known: .some(newest),
      notices: notices + more, page,
      status: query.dayError == nil ? status : .unprocessableContent)
  }

  static func href(_ id: UUID) -> String { "/settings/history/\(id.uuidString)" }

  private func row(_ listed: ListedChange, back: String) -> [String: Any] {
    let change = listed.change
    let days = listed.noted.days
    var row: [String: Any] = [
      "changeHref": Self.href(change.id),
      "summary": ClippedText.of(saidAgain(change.summary), limit: 200),
      "whenISO": change.at.description, "when": settings.entries.moment(change.at),
      "by": listed.maker.map(Self.maker)
        ?? ClippedText.of(saidAgain(change.author.told), limit: 70),
      "isUndone": change.isUndone, "touched": Self.touched(listed),
      "days": days.prefix(Self.dayLimit).map {
        ["dayHref": "/day/\($0)", "dayLabel": GoalWords.day($0, today: settings.today)]
      },
      "hasDays": !days.isEmpty, "hasUndo": listed.undo != nil,
      "undoLabel": listed.isRedo ? said("Redo") : said("Undo"), "back": back,
    ]
    let further = days.count - Self.dayLimit
    row["hasMoreDays"] = further > 0
    row["moreDays"] =
      listed.noted.reachesFurther && days.count == NotedChange.dayLimit
      ? said("and more days") : said("and \(GoalWords.count(further, "more day"))")
    if let undo = listed.undo { row["undoAction"] = "\(Self.href(undo))/undo" }
    row["undoName"] =
      (listed.isRedo ? said("Redo") : said("Undo")) + ": "
      + ClippedText.of(saidAgain(change.summary), limit: 80)
    return row
  }

  /// Returns the number of items that a change touched: "3 items", "10,000 or more items".
  private static func touched(_ listed: ListedChange) -> String {
    listed.touched < ListedChange.touchedLimit
      ? GoalWords.count(listed.touched, "item")
      : said("\(SettingsPages.number(ListedChange.touchedLimit)) or more items")
  }

  static func maker(_ maker: ChangeFilter.Maker) -> String {
    switch maker {
    case .owner: said("You")
    case .import: said("An import")
    case .sync: said("A sync")
    case .assistant: said("The assistant")
    }
  }

  private static func action(_ action: String) -> String {
    switch action {
    case "add": said("Added")
    case "edit": said("Changed")
    case "delete": said("Deleted")
    case "note": said("Day notes")
    case "merge": said("Merged")
    case "import": said("Imported")
    case "undo": said("Undone")
    case "redo": said("Redone")
    case "restore": said("Restored")
    case "purge": said("Permanently deleted")
    case "calendar": said("Calendar synced")
    case "addressBook": said("Address book synced")
    case "sync": said("Database synced")
    case "duplicate": said("Duplicated")
    case "link": said("Linked to a goal")
    case "unlink": said("Unlinked from a goal")
    case "review": said("Matches reviewed")
    case "commit": said("Committed to goals")
    case "unpack": said("Goal pack opened")
    case "sample": said("Sample life added")
    case "align": said("Values linked")
    default: saidWhole(EntryContext.capitalised(ClippedText.of(action, limit: 40)))
    }
  }

  // MARK: One change

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try ActivityController.id(context), request.fields)
  }

  private func page(
    _ id: UUID, _ fields: FormFields, notices more: [Notice] = [],
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let back = Self.href(id)
    let (newest, told, entities, notices) = try await offServer {
      (
        try archive.newestChange(), try archive.listedChange(id),
        try archive.entities(ofChange: id, limit: Self.entityLimit) ?? [],
        try settings.notices(fields, back: back)
      )
    }
    guard let listed = told else {
      throw ArchiveError.notFound("No change with the ID \(id.uuidString).")
    }
    let comparison = RecordComparison(entries: settings.entries)
    var size = 0
    var shown: [[String: Any]] = []
    for entity in entities {
      guard size < Self.byteLimit else { break }
      shown.append(self.entity(entity, comparison, back: back, &size))
    }
    var page = row(listed, back: back)
    page["entities"] = shown
    page["hasEntities"] = !shown.isEmpty
    let isCut = listed.touched > shown.count || entities.count == Self.entityLimit
    page["isCut"] = isCut && !shown.isEmpty
    let number = SettingsPages.number(shown.count)
    page["cutLine"] =
      listed.touched < ListedChange.touchedLimit
      ? said("Showing \(number) of \(SettingsPages.number(listed.touched)).")
      : said(
        "Showing \(number) of more than \(SettingsPages.number(ListedChange.touchedLimit)).")
    return try settings.page(
      "settings-change", title: ClippedText.of(saidAgain(listed.change.summary), limit: 60),
      tab: .history,
      known: .some(newest), notices: notices + more, page, status: status)
  }

  private func entity(
    _ change: EntityChange, _ comparison: RecordComparison, back: String, _ size: inout Int
  ) -> [String: Any] {
    let fields = comparison.fields(change, &size)
    var context: [String: Any] = [
      "entityTitle": ClippedText.of(comparison.title(change), limit: 120),
      "entityKind": EntryContext.capitalised(saidAgain(change.type.singular)),
      // words: added | changed | removed | restored
      "verb": saidWhole(change.verb.rawValue),
      "fields": fields, "hasFields": !fields.isEmpty, "isLong": change.isLong,
      "isPair": change.verb == .changed || change.before != nil && change.after != nil,
      "hasVersion": change.version != nil, "back": back,
      "forgetHref": "/settings/forget?id=\(change.id.uuidString)",
      "canForget": change.type != .tag,
    ]
    if let version = change.version {
      context["versionHref"] = "/history/\(version.uuidString)"
      context["restoreAction"] = "/history/\(version.uuidString)/restore"
    }
    let record = change.after ?? change.before ?? .null
    let day = change.type == .activity || change.type == .day ? record["dayKey"]?.string : nil
    context["hasDay"] = day.flatMap(DayKey.init) != nil
    context["dayHref"] = day.map { "/day/\($0)" } ?? ""
    context["dayLabel"] =
      day.flatMap(DayKey.init).map {
        GoalWords.day($0, today: settings.today)
      } ?? ""
    return context
  }

  // MARK: Undo

  /// Undoes or redoes a change; any obstacle is reported on the page that sent the request.
  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = try await request.form(limit: context.maxUploadSize)
    let back = LocalPath.read(form["back"]) ?? "/settings/history"
    do {
      let undone = try await offServer { try archive.undo(id) }
      return .seeOther(GoalSidePages.location(back, undone.change))
    } catch let error as ArchiveError {
      let notice = Notice(tone: .error, sentence: error.description)
      let status = WebFailure(error).status
      let parts = back.split(separator: "?", maxSplits: 1)
      let query = FormFields((parts.count > 1 ? parts[1] : "").utf8)
      if let shown = parts.first?.split(separator: "/").last.flatMap({ UUID(uuidString: "\($0)") })
      {
        return try await page(shown, query, notices: [notice], status: status)
      }
      return try await listPage(query, notices: [notice], status: status)
    }
  }
}
