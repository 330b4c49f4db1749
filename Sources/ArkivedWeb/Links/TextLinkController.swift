import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// Links in texts: the routes of `/api/v1/link-targets` and `/api/v1/backlinks`, and the pages of a
/// name and of everything that links to something.
struct TextLinkController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages

  private static let pageSize = 100

  func addRoutes(to router: Router<WebContext>) {
    router.get("/linked", use: named)
    router.get("/linked/from", use: list)
  }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/link-targets", use: targets)
    group.get("/backlinks", use: backlinks)
  }

  /// Returns the address of a link's target.
  static func href(name: String) -> String { "/linked?name=\(URLText.escaped(name))" }

  /// Returns the address of the page of everything that links to something.
  static func href(of subject: LinkSubject) -> String {
    switch subject {
    case .day(let day): "/linked/from?day=\(day)"
    case .person(let id): "/linked/from?person=\(id.uuidString)"
    case .note(let id): "/linked/from?note=\(id.uuidString)"
    case .entry(let id): "/linked/from?entry=\(id.uuidString)"
    }
  }

  // MARK: API

  /// Returns the possible targets of a link while it is being typed.
  @Sendable func targets(_ request: Request, context: WebContext) async throws -> Response {
    let (query, kinds, limit) = try request.arguments { fields throws(FieldError) in
      let limit = try fields.int("limit") ?? 10
      guard (1...50).contains(limit) else {
        throw FieldError("limit", "is \(limit); it must be 1 to 50")
      }
      return (
        try fields.string("query") ?? "", try Self.kinds(try fields.string("types") ?? ""), limit
      )
    }
    let now = archive.clock.now
    let reader = TimeReader(now: now, zone: zone)
    let offers = try await offServer {
      try archive.linkOffers(
        matching: query, kinds: kinds, today: zone.dayKey(at: now), reader: reader, limit: limit)
    }
    return Response(json: ["targets": .array(offers.map(\.json))])
  }

  private static func kinds(_ text: String) throws(FieldError) -> Set<LinkTarget.Kind> {
    var kinds: Set<LinkTarget.Kind> = []
    for name in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      guard let kind = LinkTarget.Kind(rawValue: name),
        [.day, .person, .note, .activity, .tag].contains(kind)
      else {
        throw FieldError(
          "types",
          "has \(FieldError.shown(name)); it must be a list of day, person, note, activity and tag")
      }
      kinds.insert(kind)
    }
    return kinds
  }

  /// Returns the texts that link to something.
  @Sendable func backlinks(_ request: Request, context: WebContext) async throws -> Response {
    let (subject, page) = try request.arguments { fields throws(FieldError) in
      (
        try Self.subject(&fields),
        try ListPage(&fields, usual: 50, most: 500, takesCursor: true)
      )
    }
    return try await offServer {
      var result = Backlinks()
      let found = try page.items(id: { $0.id }) { limit, offset -> [Backlink] in
        let part = try archive.backlinks(to: subject, limit: limit, offset: offset)
        result.count = part.count
        return part.links
      }
      result.links = found.items
      return Response(json: result.json.with(["next": found.nextJSON]))
    }
  }

  private static func subject(_ fields: inout FieldReader) throws(FieldError) -> LinkSubject {
    let subjects = [
      try fields.string("day").map { text throws(FieldError) -> LinkSubject in
        guard let day = DayKey(text) else {
          throw FieldError("day", "is \(FieldError.shown(text)); write it like 2026-03-14")
        }
        return .day(day)
      }, try fields.uuid("person").map(LinkSubject.person),
      try fields.uuid("note").map(LinkSubject.note),
      try fields.uuid("entry").map(LinkSubject.entry),
    ].compactMap(\.self)
    guard let subject = subjects.first, subjects.count == 1 else {
      throw FieldError("day", "must be given, or one of person, note and entry, and nothing more")
    }
    return subject
  }

  // MARK: Pages

  /// Redirects to a link's target, or lets the reader choose.
  @Sendable func named(_ request: Request, context: WebContext) async throws -> Response {
    let name = String((request.fields.text("name") ?? "").prefix(400))
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let found = try await offServer { try archive.targets(ofName: name) }
    if found.count == 1 { return .seeOther(PageLinks.href(found[0])) }
    let shown = ClippedText.of(name, limit: 120)
    return try pages.page(
      "linked", title: shown.isEmpty ? said("Link without a name") : shown, section: .search,
      [
        "linkedHeading": shown.isEmpty ? said("Link without a name") : shown, "isName": true,
        "isUnknown": found.isEmpty, "hasChoices": !found.isEmpty,
        "choices": found.map { target in
          [
            "choiceHref": PageLinks.href(target),
            "choiceName": ClippedText.of(target.label, limit: 120),
            "choiceKind": Self.word(target.kind),
          ]
        }, "searchHref": "/search?query=\(URLText.escaped(name))", "hasBacklinks": false,
      ])
  }

  private static func word(_ kind: LinkTarget.Kind) -> String {
    switch kind {
    case .day: said("Day")
    case .person: said("Person")
    case .note: said("Note")
    case .activity: said("Entry")
    case .meeting: said("Meeting")
    case .goal: said("Goal")
    case .value: said("Value")
    case .term: said("Term")
    case .tag: said("Tag")
    }
  }

  /// Shows everything that links to something.
  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let offset = MeetingSidePages.offset(fields)
    let subject = try request.arguments { fields throws(FieldError) in
      let subject = try Self.subject(&fields)
      _ = try fields.int("offset")
      return subject
    }
    let (title, href, found) = try await offServer {
      let (title, href) = try name(of: subject)
      return (
        title, href, try archive.backlinks(to: subject, limit: Self.pageSize, offset: offset)
      )
    }
    let address = Self.href(of: subject)
    return try pages.page(
      "linked", title: said("Linked from: \(title)"), section: .search,
      [
        "linkedHeading": title, "linkedHref": href, "isName": false, "isUnknown": false,
        "hasChoices": false, "hasBacklinks": !found.links.isEmpty,
        "backlinks": BacklinkContext.rows(found.links),
        "backlinkCount": BacklinkContext.count(found.count), "hasMoreBacklinks": false,
        "hasEarlier": offset > 0,
        "earlierHref": "\(address)&offset=\(max(0, offset - Self.pageSize))",
        "hasMore": offset + found.links.count < found.count && !found.links.isEmpty,
        "moreHref": "\(address)&offset=\(offset + Self.pageSize)",
      ])
  }

  private func name(of subject: LinkSubject) throws -> (title: String, href: String) {
    func gone(_ id: UUID) -> ArchiveError {
      .notFound("Nothing has the ID \(id.uuidString). It may have been deleted.")
    }
    switch subject {
    case .day(let day): return (EntryContext.dayLabel(day), "/day/\(day)")
    case .person(let id):
      guard let person = try archive.person(id, today: zone.dayKey(at: archive.clock.now)) else {
        throw gone(id)
      }
      return (ClippedText.of(person.person.displayName, limit: 120), "/people/\(id.uuidString)")
    case .note(let id):
      guard let note = try archive.note(id) else { throw gone(id) }
      return (ClippedText.of(note.headline, limit: 120), "/notes/\(id.uuidString)")
    case .entry(let id):
      if let meeting = try archive.meeting(id) {
        return (MeetingWords.title(meeting, limit: 120), "/meetings/\(id.uuidString)")
      }
      guard let activity = try archive.activity(id) else { throw gone(id) }
      return (
        ClippedText.of(activity.text, limit: 120),
        EntryContext.href(activity.dayKey, id, isLarge: true)
      )
    }
  }
}
