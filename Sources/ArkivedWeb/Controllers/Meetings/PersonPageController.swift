import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of people: the list, one person, and the form.
struct PersonPageController: Sendable {
  let shared: MeetingSidePages

  static let pageSize = 60
  private static let proposalLimit = 5

  func addRoutes(to router: Router<WebContext>) {
    router.get("/people", use: list)
    router.get("/people/new", use: new)
    router.post("/people", use: create)
    router.get("/people/:id", use: show)
    router.get("/people/:id/edit", use: edit)
    router.post("/people/:id", use: save)
    router.post("/people/:id/merge", use: merge)
    router.post("/people/:id/delete", use: delete)
  }

  private var archive: Archive { shared.archive }

  // MARK: The list

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let query = fields.text("query").map { String($0.prefix(200)) } ?? ""
    let asked = fields.text("order") ?? ""
    let order = PersonController.orders[asked] == nil ? "lastSeen" : asked
    let offset = MeetingSidePages.offset(fields)
    let today = shared.today
    let (newest, part, total, proposals, notices) = try await offServer {
      let proposals =
        query.isEmpty && offset == 0 ? try archive.personMergeProposals(today: today) : []
      let shown = proposals.prefix(Self.proposalLimit)
      let people = try archive.people(shown.flatMap { [$0.kept, $0.merged] })
      return (
        try archive.newestChange(),
        try archive.people(
          matching: query, order: PersonController.orders[order] ?? .lastSeen, today: today,
          limit: Self.pageSize, offset: offset, hasFirst: false),
        try archive.countPeople(matching: query),
        shown.compactMap { Self.proposal($0, among: people) },
        try shared.notices(fields, back: "/people")
      )
    }
    func address(_ offset: Int) -> String {
      MeetingSidePages.address(
        "/people",
        [
          ("query", query), ("order", order == "lastSeen" ? nil : order),
          ("offset", offset > 0 ? "\(offset)" : nil),
        ])
    }
    let choices = [
      ("lastSeen", said("Most recently seen first")), ("meetings", said("Most meetings first")),
      ("name", said("By name")),
    ].map { value, label -> [String: Any] in
      ["value": value, "label": label, "isSelected": value == order]
    }
    let page: [String: Any] = [
      "people": part.map(row), "hasPeople": !part.isEmpty, "query": FormValue(query),
      "isEmpty": total == 0 && query.isEmpty, "isFiltered": !query.isEmpty,
      "orderChoices": choices,
      "totalLine": GoalWords.count(total, "person", "people"),
      "hasProposals": !proposals.isEmpty, "proposals": proposals.map(\.context),
      "hasMore": offset + part.count < total && !part.isEmpty,
      "moreHref": address(offset + Self.pageSize), "hasEarlier": offset > 0,
      "earlierHref": address(max(0, offset - Self.pageSize)),
    ]
    return try shared.page(
      "people", title: said("People"), tab: .people, known: .some(newest), notices: notices, page)
  }

  private func row(_ summary: PersonSummary) -> [String: Any] {
    var counts: [String] = []
    if summary.meetingCount > 0 { counts.append(GoalWords.count(summary.meetingCount, "meeting")) }
    if summary.entryCount > 0 {
      counts.append(GoalWords.count(summary.entryCount, "entry", "entries"))
    }
    let about = summary.person.relationshipSummary ?? summary.person.email ?? ""
    return [
      "personID": summary.id.uuidString, "personHref": MeetingWords.href(person: summary.id),
      "personName": ClippedText.of(summary.person.displayName, limit: 120),
      "hasAbout": !about.isEmpty && about != summary.person.displayName,
      "about": ClippedText.of(about, limit: 120), "counts": counts.joined(separator: " · "),
      "hasCounts": !counts.isEmpty, "hasSeen": summary.lastSeen != nil,
      "seen": summary.lastSeen.map { GoalWords.day($0, today: shared.today) } ?? "",
      "seenISO": summary.lastSeen?.description ?? "",
    ]
  }

  private struct Proposal: Sendable {
    var kept: Person
    var merged: Person
    var reason: String

    var context: [String: Any] {
      let name = ClippedText.of(merged.displayName, limit: 80)
      let other = ClippedText.of(kept.displayName, limit: 80)
      return [
        "mergedName": name, "mergedHref": MeetingWords.href(person: merged.id),
        "keptName": other, "keptHref": MeetingWords.href(person: kept.id),
        "keptID": kept.id.uuidString, "reason": ClippedText.of(reason, limit: 300),
        "mergeLabel": said("Merge \(name) into \(other)"),
      ]
    }
  }

  private static func proposal(
    _ proposal: PersonMergeProposal, among people: [Person]
  ) -> Proposal? {
    guard let kept = people.first(where: { $0.id == proposal.kept }),
      let merged = people.first(where: { $0.id == proposal.merged })
    else { return nil }
    return Proposal(kept: kept, merged: merged, reason: proposal.reason)
  }

  // MARK: One person

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try ActivityController.id(context), fields: request.fields)
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - fields: the fields of the form or address.
  ///   - merge: the person that this one was to be merged into, and any error.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: an error if the person can't be read.
  private func page(
    _ id: UUID, fields: FormFields, merge: FormTexts? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let href = MeetingWords.href(person: id)
    let today = shared.today
    let loaded = try await offServer {
      let owner = try archive.owner()
      return try archive.person(id, today: today, owner: owner).map { summary in
        (
          try archive.newestChange(),
          try PersonDetail(
            summary, archive: archive, owner: owner, zone: shared.zone, today: today),
          try shared.notices(fields, back: href)
        )
      }
    }
    guard let (newest, detail, notices) = loaded else {
      if let response = shared.shared.gone(fields, to: "/people") { return response }
      throw ArchiveError.notFound(
        "No person with the ID \(id.uuidString). They may have been deleted.")
    }
    var page = detail.context
    try await offServer {
      try BacklinkContext(.person(id), archive: archive)
    }.add(to: &page)
    page["history"] = shared.shared.history(detail.versions, back: href)
    page["hasHistory"] = !detail.versions.isEmpty
    let problem = merge?.problem(of: "into", label: "The name")
    page["isMergeOpen"] = merge != nil
    page["into"] = FormValue(merge?["into"] ?? "")
    page["hasIntoError"] = problem != nil
    page["intoError"] = problem ?? ""
    return try shared.page(
      "person", title: ClippedText.of(detail.summary.person.displayName, limit: 60), tab: .people,
      known: .some(newest), notices: notices, page, status: status)
  }

  @Sendable func merge(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let texts = FormTexts(fields, lines: ["into"])
    do {
      guard let into = texts.optional("into") else {
        throw FieldError("into", "is missing. Enter the other person")
      }
      let (kept, change) = try await offServer {
        guard try archive.people([id]).first != nil else {
          throw ArchiveError.notFound(
            "No person with the ID \(id.uuidString). They may have been merged already.")
        }
        let kept = try archive.personNamed(into, field: "into")
        return (kept, try archive.merge(id, into: kept).change)
      }
      let back = LocalPath.read(fields["back"]) ?? MeetingWords.href(person: kept)
      return .seeOther(GoalSidePages.location(back, change))
    } catch let error as FieldError {
      var wrong = texts
      wrong.error = error
      return try await page(
        id, fields: FormFields([]), merge: wrong, status: .unprocessableContent)
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let saved = try await offServer {
      try archive.deletePerson(id, version: GoalSidePages.version(fields))
    }
    return .seeOther(GoalSidePages.location("/people", saved.change))
  }

  // MARK: The form

  @Sendable func new(_ request: Request, context: WebContext) async throws -> Response {
    var form = PersonForm()
    if let name = request.fields.text("name") { form.texts["name"] = String(name.prefix(200)) }
    return try formPage(form, nil)
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    let form = PersonForm(fields)
    let now = archive.clock.now
    do {
      var person = Person(id: archive.identities.next(), createdAt: now, updatedAt: now)
      try form.apply(to: &person)
      let made = person
      return try await shared.shared.once(fields, at: "people") { key in
        try archive.create(made, once: key) { saved in
          GoalSidePages.redirect(MeetingWords.href(person: made.id), saved.change)
        }
      }
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = PersonForm.named(error)
      return try formPage(wrong, nil, status: .unprocessableContent)
    }
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (newest, person) = try await offServer { (try archive.newestChange(), try load(id)) }
    return try formPage(PersonForm(person), person, known: .some(newest))
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = PersonForm(try await request.form(limit: context.maxFormSize))
    do {
      let saved = try await offServer {
        try archive.updatePerson(id, version: MeetingPageController.version(form.texts)) {
          try form.apply(to: &$0)
        }
      }
      return .seeOther(GoalSidePages.location(MeetingWords.href(person: id), saved.change))
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = PersonForm.named(error)
      let person = try await offServer { try load(id) }
      return try formPage(wrong, person, status: .unprocessableContent)
    } catch ArchiveError.conflict {
      let person = try await offServer { try load(id) }
      var late = form
      late.texts.version = EntityTag.text(person.updatedAt)
      let other = form.texts.otherVersion(PersonForm(person).texts, in: PersonForm.rows)
      return try formPage(
        late, person, status: .preconditionFailed, notices: [GoalSidePages.late(other)])
    }
  }

  private func load(_ id: UUID) throws -> Person {
    guard let person = try archive.people([id]).first else {
      throw ArchiveError.notFound(
        "No person with the ID \(id.uuidString). They may have been deleted.")
    }
    return person
  }

  private func formPage(
    _ form: PersonForm, _ person: Person?, known: UUID?? = nil,
    status: HTTPResponse.Status = .ok, notices: [Notice] = []
  ) throws -> Response {
    let href = person.map { MeetingWords.href(person: $0.id) } ?? "/people"
    var page = form.context()
    page["isNew"] = person == nil
    page["idempotencyKey"] = archive.identities.next().uuidString
    page["action"] = href
    page["cancelHref"] = href
    let title =
      person.map { said("Edit: \(ClippedText.of($0.displayName, limit: 60))") }
      ?? said("New person")
    return try shared.page(
      "person-edit", title: title, tab: .people, known: known, notices: notices, page,
      status: status)
  }
}
