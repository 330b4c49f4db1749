import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of tags: the list, and one tag with its name, colour and operations.
struct TagPageController: Sendable {
  let settings: SettingsPages

  static let pageSize = 200
  private static let proposalLimit = 6
  /// The maximum number of names offered for merging; any name can be typed.
  private static let choiceLimit = 200

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/tags", use: list)
    router.get("/settings/tags/:id", use: show)
    router.post("/settings/tags/:id", use: save)
    router.post("/settings/tags/:id/merge", use: merge)
    router.post("/settings/tags/:id/apart", use: keepApart)
    router.post("/settings/tags/:id/delete", use: delete)
    router.post("/settings/tag-proposals", use: proposeAgain)
  }

  private var archive: Archive { settings.archive }

  static func href(_ id: UUID) -> String { "/settings/tags/\(id.uuidString)" }

  // MARK: The list

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let query = fields.text("query").map { String($0.prefix(200)) } ?? ""
    let order = fields.text("order").flatMap(Archive.TagOrder.init(rawValue:)) ?? .uses
    let offset = MeetingSidePages.offset(fields)
    let (newest, part, total, proposals, apart, notices) = try await offServer {
      (
        try archive.newestChange(),
        try archive.tagSummaries(
          matching: query, order: order, limit: Self.pageSize, offset: offset),
        try archive.countTags(matching: query),
        query.isEmpty && offset == 0 ? try archive.tagProposals(limit: Self.proposalLimit) : [],
        query.isEmpty && offset == 0 ? try archive.countTagsApart() : 0,
        try settings.notices(fields, back: "/settings/tags")
      )
    }
    func address(_ offset: Int) -> String {
      MeetingSidePages.address(
        "/settings/tags",
        [
          ("query", query), ("order", order == .uses ? nil : order.rawValue),
          ("offset", offset > 0 ? "\(offset)" : nil),
        ])
    }
    var page = SettingsPages.paging(
      offset: offset, size: Self.pageSize, shown: part.count, total: total, address: address)
    page["tags"] = part.map(row)
    page["hasTags"] = !part.isEmpty
    page["isEmpty"] = total == 0 && query.isEmpty
    page["isFiltered"] = !query.isEmpty
    page["query"] = FormValue(query)
    page["orderChoices"] = [
      (Archive.TagOrder.uses, said("Most used first")), (.name, said("By name")),
    ].map {
      ["value": $0.0.rawValue, "label": $0.1, "isSelected": $0.0 == order] as [String: Any]
    }
    page["totalLine"] = GoalWords.count(total, "tag")
    page["hasProposals"] = !proposals.isEmpty
    page["proposals"] = proposals.map(proposal)
    page["hasApart"] = apart > 0
    page["apartLine"] =
      said(
        apart, one: "\(apart) pair marked as different.",
        other: "\(apart) pairs marked as different.")
    return try settings.page(
      "settings-tags", title: said("Tags"), tab: .tags, known: .some(newest), notices: notices, page
    )
  }

  private func row(_ summary: TagSummary) -> [String: Any] {
    [
      "tagHref": Self.href(summary.id), "tagName": Self.name(summary), "tone": Self.tone(summary),
      "uses": Self.uses(summary), "hasSeen": summary.lastUsed != nil,
      "seen": summary.lastUsed.map { GoalWords.day($0, today: settings.today) } ?? "",
      "seenISO": summary.lastUsed?.description ?? "",
    ]
  }

  private func proposal(_ proposal: TagProposal) -> [String: Any] {
    let (merged, kept) = (proposal.merged, proposal.kept)
    return [
      "mergedName": Self.name(merged), "mergedHref": Self.href(merged.id),
      "mergedUses": Self.uses(merged), "keptName": Self.name(kept),
      "keptHref": Self.href(kept.id), "keptUses": Self.uses(kept), "keptID": kept.id.uuidString,
      "mergeLabel": said("Merge \(Self.name(merged)) into \(Self.name(kept))"),
      "apartLabel": said("\(Self.name(merged)) and \(Self.name(kept)) aren’t the same"),
    ]
  }

  private static func name(_ summary: TagSummary) -> String {
    ClippedText.of(summary.tag.name, limit: 120)
  }

  private static func tone(_ summary: TagSummary) -> String {
    summary.tag.colour?.rawValue ?? "none"
  }

  /// Returns text such as "12 entries, 1 note" or "not used".
  static func uses(_ summary: TagSummary) -> String {
    var parts: [String] = []
    if summary.activityCount > 0 {
      parts.append(GoalWords.count(summary.activityCount, "entry", "entries"))
    }
    if summary.noteCount > 0 { parts.append(GoalWords.count(summary.noteCount, "note")) }
    return parts.isEmpty ? said("not used") : parts.joined(separator: ", ")
  }

  // MARK: One tag

  /// The text typed into the forms of a tag's page.
  private struct Typed: Sendable {
    var name: String?
    var colour: String?
    var into = ""
    var version: String?
    var error: FieldError?
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try ActivityController.id(context), fields: request.fields)
  }

  private func page(
    _ id: UUID, fields: FormFields = FormFields([]), typed: Typed = Typed(),
    notices more: [Notice] = [], status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let href = Self.href(id)
    let loaded = try await offServer {
      try archive.tag(id).map { summary in
        (
          try archive.newestChange(), summary,
          try archive.tagSummaries(limit: Self.choiceLimit).filter { $0.id != id },
          try archive.oldVersions(of: id, limit: EntryContext.historyLimit),
          try settings.notices(fields, back: href)
        )
      }
    }
    guard let (newest, summary, others, versions, notices) = loaded else {
      if let response = settings.shared.gone(fields, to: "/settings/tags") { return response }
      throw ArchiveError.notFound("No tag with the ID \(id.uuidString). It may have been deleted.")
    }
    var page = row(summary)
    page["version"] = typed.version ?? EntityTag.text(summary.tag.updatedAt)
    page["name"] = FormValue(typed.name ?? summary.tag.name)
    page["searchHref"] = MeetingSidePages.address("/search", [("tag", summary.tag.name)])
    page["isUsed"] = summary.count > 0
    page["hasHistory"] = !versions.isEmpty
    page["history"] = settings.shared.history(versions, back: href)
    let chosen = typed.colour ?? summary.tag.colour?.rawValue ?? ""
    // words: Red | Orange | Amber | Green | Teal | Blue | Purple | Pink
    page["colours"] = ([""] + TagColour.allCases.map(\.rawValue)).map { name -> [String: Any] in
      [
        "value": name, "tone": name.isEmpty ? "none" : name,
        "label": Self.colour(name),
        "isChosen": name == chosen,
      ]
    }
    page["choices"] = others.map { ["choice": FormValue($0.tag.name)] }
    page["into"] = FormValue(typed.into)
    for (field, label) in [
      // words: Name | Colour | The other tag
      ("name", "Name"), ("colour", "Colour"), ("into", "The other tag"),
    ] {
      let isWrong = typed.error?.field == field
      page["has\(EntryContext.capitalised(field))Error"] = isWrong
      page["\(field)Error"] =
        isWrong ? "\(saidWhole(label)) \(saidAgain(typed.error?.problem ?? ""))." : ""
    }
    page["isMergeOpen"] = typed.error?.field == "into"
    return try settings.page(
      "settings-tag", title: "#\(ClippedText.of(summary.tag.name, limit: 60))", tab: .tags,
      known: .some(newest), notices: notices + more, page, status: status)
  }

  /// Returns the name of a colour.
  private static func colour(_ name: String?) -> String {
    guard let name, !name.isEmpty else { return said("None") }
    return saidWhole(EntryContext.capitalised(name))
  }

  // MARK: Changing

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    var typed = Typed(
      name: fields["name"], colour: fields["colour"], version: fields["version"])
    do {
      let colour = try fields.text("colour").map { name throws(FieldError) in
        try TagColour(named: name)
      }
      let name = fields["name"] ?? ""
      let saved = try await offServer {
        try archive.editTag(id, version: GoalSidePages.version(fields)) { tag in
          tag.name = name
          // A colour from elsewhere is not changed as long as it is shown as the selected one.
          if colour != tag.colour { tag.colorHex = colour?.hex }
        }
      }
      return .seeOther(GoalSidePages.location(Self.href(id), saved.change))
    } catch let error as FieldError {
      typed.error = error
      return try await page(id, typed: typed, status: .unprocessableContent)
    } catch ArchiveError.conflict {
      let saved = try await offServer { try archive.tag(id)?.tag }
      let other = saved.flatMap { saved in
        OtherVersion.text([
          (said("Name"), typed.name ?? "", saved.name),
          (said("Colour"), Self.colour(typed.colour), Self.colour(saved.colour?.rawValue)),
        ])
      }
      typed.version = nil
      return try await page(
        id, typed: typed, notices: [GoalSidePages.late(other)], status: .preconditionFailed)
    }
  }

  @Sendable func merge(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let into = fields.text("into") ?? ""
    do {
      let (kept, change) = try await offServer {
        guard try archive.tag(id) != nil else {
          throw ArchiveError.notFound(
            "No tag with the ID \(id.uuidString). It may have been merged already.")
        }
        let kept = try archive.tagToMergeInto(into)
        return (kept, try archive.mergeTag(id, into: kept).change)
      }
      let back = LocalPath.read(fields["back"]) ?? Self.href(kept)
      return .seeOther(GoalSidePages.location(back, change))
    } catch let error as FieldError {
      var typed = Typed(into: into)
      typed.error = error
      return try await page(id, typed: typed, status: .unprocessableContent)
    }
  }

  /// Marks two similar tags as different, so they are no longer suggested for merging.
  @Sendable func keepApart(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let text = fields.text("from") ?? ""
    guard let other = UUID(uuidString: text) else {
      throw FieldError("from", "is \(FieldError.shown(text)), but must be a tag’s ID")
    }
    try await offServer { try archive.keepTagsApart(id, other) }
    return .seeOther("/settings/tags#same")
  }

  @Sendable func proposeAgain(_ request: Request, context: WebContext) async throws -> Response {
    try await offServer { try archive.proposeTagsAgain() }
    return .seeOther("/settings/tags#same")
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let saved = try await offServer {
      try archive.deleteTag(id, version: GoalSidePages.version(fields))
    }
    return .seeOther(GoalSidePages.location("/settings/tags", saved.change))
  }
}

extension Archive {
  /// Returns the tag that a field names as the one to remain.
  ///
  /// - Throws: `FieldError` if it doesn't exist.
  func tagToMergeInto(_ text: String) throws -> UUID {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty else { throw FieldError("into", "is missing. Enter the tag to keep") }
    do {
      return try tag(named: name).id
    } catch ArchiveError.notFound(let what) {
      let advice =
        what.range(of: ". Did you mean").map { String(what[$0.lowerBound...].dropLast()) } ?? ""
      throw FieldError("into", "is \(FieldError.shown(name)), which isn’t a tag\(advice)")
    }
  }
}
