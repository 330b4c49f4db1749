import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// Pages for reading what a day's page shows the beginning of: a note, an entry, an old version.
struct ReadingController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages
  let voice: VoiceDesk

  /// Every part of a text makes at most so much HTML, and is shown without its markup otherwise.
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
      "reading", title: said("Note of \(EntryContext.dayLabel(dayKey))"), section: .today,
      known: .upTo(change), page)
  }

  @Sendable func entry(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (change, activity, canWriteDown) = try await offServer {
      (try archive.newestChange(), try archive.activity(id), voice.isReady)
    }
    guard let activity else {
      throw ArchiveError.notFound("activity \(id.uuidString); it may have been deleted")
    }
    let day = EntryContext.dayLabel(activity.dayKey)
    var facts: [[String: String]] = []
    func add(_ name: String, _ text: String) {
      if !text.isEmpty {
        facts.append(["factName": name, "factText": ClippedText.of(text, limit: 5_000)])
      }
    }
    add(said("When"), [day, activity.timeText].compactMap { $0 }.joined(separator: ", "))
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
    let version = try await offServer { try archive.historyRecord(matching: id.uuidString) }
    let when = EntryContext(homeZone: zone).moment(version.archivedAt)
    let day = version.record["dayKey"]?.string.flatMap(DayKey.init)
    var page: [String: Any] = [
      "backHref": day.map { "/day/\($0)" } ?? "/",
      "backLabel": day.map(EntryContext.dayLabel) ?? said("Today"),
      "heading": said("The \(version.sourceTable.singular) until \(when)"),
      "isProse": false, "restoreAction": "/history/\(id.uuidString)/restore",
    ]
    try add(
      EntryContext.oldText(version.record), of: "/history/\(id.uuidString)", request, to: &page)
    return try pages.page(
      "reading", title: said("An earlier version of \(when)"), section: .today, page)
  }

  /// Adds one part of a text and the ways to the others.
  private func add(
    _ text: String, of address: String, _ request: Request, to page: inout [String: Any]
  ) throws {
    let parts = NoteParts(text)
    var index = 0
    if let asked = request.fields.text("part") {
      guard let number = Int(asked), number > 0 else {
        throw WebFailure(
          .badRequest, "No such part", "\(FieldError.shown(asked)) is no part’s number.",
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
