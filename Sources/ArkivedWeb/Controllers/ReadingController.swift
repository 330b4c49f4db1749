import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// Pages for reading texts whose beginning a day's page shows: a note, an entry, an old version.
struct ReadingController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages
  let voice: VoiceDesk

  /// The maximum size of a part's HTML; a larger part is shown without its markup.
  static let htmlLimit = 4 * NoteParts.partSize

  func addRoutes(to router: Router<WebContext>) {
    router.get("/day/:dayKey/note", use: note)
    router.get("/activities/:id", use: entry)
    router.get("/history/:id", use: oldVersion)
  }

  @Sendable func note(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let (change, entry) = try await offServer {
      (try archive.newestChange(), try archive.dayEntry(dayKey))
    }
    let title = entry?.title ?? ""
    var page: [String: Any] = [
      "dayKey": dayKey.description, "backHref": "/day/\(dayKey)#note",
      "backLabel": EntryContext.dayLabel(dayKey), "editHref": "/day/\(dayKey)/note/edit",
      "heading": title.isEmpty ? said("Day note") : ClippedText.of(title, limit: 300),
      "levels": DayContext.levels(entry), "hasLevels": !DayContext.levels(entry).isEmpty,
      "isProse": true,
    ]
    try add(entry?.note ?? "", of: "/day/\(dayKey)/note", request, to: &page)
    return try pages.page(
      "reading", title: said("Day note for \(EntryContext.dayLabel(dayKey))"), section: .today,
      known: .upTo(change), page)
  }

  @Sendable func entry(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (change, activity, canWriteDown) = try await offServer {
      (try archive.newestChange(), try archive.activity(id), voice.isReady)
    }
    guard let activity else {
      throw ArchiveError.notFound(
        "No entry with the ID \(id.uuidString). It may have been deleted.")
    }
    let day = EntryContext.dayLabel(activity.dayKey)
    var facts: [[String: String]] = []
    func add(_ name: String, _ text: String) {
      if !text.isEmpty {
        facts.append(["factName": name, "factText": ClippedText.of(text, limit: 5_000)])
      }
    }
    add(said("When"), [day, activity.shownTimeText].compactMap { $0 }.joined(separator: ", "))
    if activity.kind != .other {
      add(said("Kind"), saidWhole(EntryContext.capitalised(activity.kind.rawValue)))
    }
    add(
      said("Measured"), EntryContext(homeZone: zone).measurements(activity).joined(separator: ", "))
    add(said("Place"), activity.locationLabel ?? "")
    add(said("People"), activity.people.map(\.name).joined(separator: ", "))
    add(said("Tags"), activity.tags.map { "#\($0)" }.joined(separator: " "))
    var page: [String: Any] = [
      "dayKey": activity.dayKey.description,
      "backHref": EntryContext.href(activity.dayKey, id, isLarge: true), "backLabel": day,
      "editHref": "/activities/\(id.uuidString)/edit", "heading": said("Entry"), "facts": facts,
      "hasFacts": true, "isProse": false,
    ]
    let files = EntryFiles(
      attachments: activity.attachments, voice: canWriteDown ? voice : nil,
      isBare: activity.notes?.isEmpty ?? true)
    page.merge(files.listed(EntryContext(homeZone: zone))) { $1 }
    let texts = [activity.text, activity.description, activity.notes].compactMap { $0 }
    try self.add(
      texts.joined(separator: "\n\n"), of: "/activities/\(id.uuidString)", request, to: &page)
    return try pages.page(
      "reading", title: ClippedText.of(activity.text, limit: 60), section: .today,
      known: .upTo(change), page)
  }

  @Sendable func oldVersion(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (version, since) = try await offServer {
      let version = try archive.historyRecord(matching: id.uuidString)
      return (version, try archive.comparison(since: version))
    }
    let entries = EntryContext(homeZone: zone)
    let when = entries.moment(version.archivedAt)
    let place = Place(version)
    let comparison = RecordComparison(entries: entries)
    var page: [String: Any] = [
      "backHref": place.href, "backLabel": place.label(comparison.title(since)),
      "heading": said(
        "\(EntryContext.capitalised(saidAgain(version.sourceTable.singular))) as of \(when)"),
      "isProse": false, "restoreAction": "/history/\(id.uuidString)/restore",
    ]
    // A day is found again by itself, because it may differ from this version's.
    if !place.isDay { page["restoreBack"] = place.href }
    var size = 0
    let isGone = since.verb == .removed
    let fields = isGone || since.isLong ? [] : comparison.fields(since, &size)
    page["isOld"] = true
    page["isGone"] = isGone
    page["isLong"] = since.isLong
    page["hasFields"] = !fields.isEmpty
    page["fields"] = fields
    page["isSame"] = !isGone && !since.isLong && fields.isEmpty
    try add(
      entries.oldText(version.record), of: "/history/\(id.uuidString)", request, to: &page)
    return try pages.page(
      "reading", title: said("Earlier version from \(when)"), section: place.section, page)
  }

  /// The address of the current version of something.
  private struct Place {
    var href: String
    var section: Pages.Section = .today
    private var day: DayKey?

    var isDay: Bool { section == .today }

    init(_ version: HistoryRecord) {
      let id = version.sourceID.uuidString
      switch version.sourceTable {
      case .goal: (href, section) = ("/goals/\(id)", .goals)
      case .personalValue: (href, section) = ("/values/\(id)", .goals)
      case .term: (href, section) = ("/terms/\(id)", .goals)
      case .lifeTime: (href, section) = ("/life", .goals)
      case .meeting: (href, section) = ("/meetings/\(id)", .people)
      case .note: (href, section) = ("/notes/\(id)", .people)
      case .person: (href, section) = ("/people/\(id)", .people)
      case .thread: (href, section) = ("/threads/\(id)", .assistant)
      case .tag: (href, section) = ("/settings/tags/\(id)", .settings)
      case .template, .prompts: (href, section) = (TemplatePageController.href, .settings)
      default:
        day = version.record["dayKey"]?.string.flatMap(DayKey.init)
        href = day.map { "/day/\($0)" } ?? "/"
      }
    }

    /// Returns the label of the link.
    ///
    /// - Parameter title: the title of the target.
    /// - Returns: the label.
    func label(_ title: String) -> String {
      guard isDay else { return ClippedText.of(title, limit: 60) }
      return day.map(EntryContext.dayLabel) ?? said("Today")
    }
  }

  /// Adds a part of a text, with links to the others.
  private func add(
    _ text: String, of address: String, _ request: Request, to page: inout [String: Any]
  ) throws {
    let parts = NoteParts(text)
    var index = 0
    if let asked = request.fields.text("part") {
      guard let number = Int(asked), number > 0 else {
        throw WebFailure(
          .badRequest, "Invalid part", "\(FieldError.shown(asked)) isn’t a valid part number.",
          field: "part")
      }
      index = min(number, parts.count) - 1
    }
    page["isEmpty"] = text.isEmpty
    if page["isProse"] as? Bool == true {
      page["textHTML"] = Markdown.html(
        parts.markdown(index), limit: ReadingController.htmlLimit, under: 1)
    } else {
      page["plainText"] = parts.plain(index)
    }
    page["hasParts"] = parts.count > 1
    guard parts.count > 1 else { return }
    page["sizeText"] = EntryContext.size(text.utf8.count)
    page["part"] = "\(index + 1)"
    page["partCount"] = "\(parts.count)"
    page["address"] = address
    if index > 0 { page["previousHref"] = "\(address)?part=\(index)" }
    if index + 1 < parts.count { page["nextHref"] = "\(address)?part=\(index + 2)" }
  }
}
