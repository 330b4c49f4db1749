import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page for editing an activity.
struct ActivityPageController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages
  let voice: VoiceDesk

  func addRoutes(to router: Router<WebContext>) {
    router.get("/activities/:id/edit", use: edit)
    router.post("/activities/:id", use: save)
    router.post("/activities/:id/delete", use: delete)
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let change = try await offServer { try archive.newestChange() }
    let (activity, versions) = try await load(id)
    var form = ActivityForm(activity)
    if form.notes.isEmpty, let name = request.fields.text("template") {
      form.notes = try await offServer {
        let template = try archive.writingSettings().template(named: name)
        return try archive.templateValues(of: activity.dayKey, in: zone).filled(template.text)
      }
    }
    return try await page(form, activity, versions, known: .upTo(change))
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = ActivityForm(try await request.form(limit: context.maxFormSize))
    do {
      let saved = try await offServer {
        let units = try archive.units(in: .current)
        return try archive.updateActivity(id, version: form.expectedVersion) {
          try form.apply(to: &$0, units: units)
        }
      }
      let change = saved.change.map { "change=\($0.id.uuidString)&" } ?? ""
      let activity = saved.value.id.uuidString
      return .seeOther(
        "/day/\(saved.value.dayKey)?\(change)at=\(activity)#activity-\(activity)")
    } catch let error as FieldError {
      let (activity, versions) = try await load(id)
      var wrong = form
      wrong.error = error
      return try await page(wrong, activity, versions, status: .unprocessableContent)
    } catch ArchiveError.conflict {
      let (activity, versions) = try await load(id)
      var late = form
      late.version = EntityTag.text(activity.updatedAt)
      return try await page(
        late, activity, versions, status: .preconditionFailed,
        notices: [
          Notice(
            tone: .warning,
            sentence: "This entry was changed elsewhere after you opened it. Your text is below. "
              + "Saving again replaces the other version, which stays in the history.",
            otherVersion: form.otherVersion(ActivityForm(activity)))
        ])
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let version = Int64((fields["version"] ?? "").filter { $0 != "\"" })
      .map(Instant.init(milliseconds:))
    let saved = try await offServer { try archive.deleteActivities([id], version: version) }
    let day = saved.value.first?.dayKey ?? zone.dayKey(at: archive.clock.now)
    let change = saved.change.map { "?change=\($0.id.uuidString)" } ?? ""
    return .seeOther("/day/\(day)\(change)")
  }

  private func load(_ id: UUID) async throws -> (Activity, [OldVersion]) {
    try await offServer {
      guard let activity = try archive.activity(id) else {
        throw ArchiveError.notFound(
          "No entry with the ID \(id.uuidString). It may have been deleted.")
      }
      return (activity, try archive.oldVersions(of: id, limit: EntryContext.historyLimit))
    }
  }

  private func page(
    _ form: ActivityForm, _ activity: Activity, _ versions: [OldVersion],
    known: ChangeFeed.Known? = nil,
    status: HTTPResponse.Status = .ok, notices: [Notice] = []
  ) async throws -> Response {
    let canWriteDown = try await offServer { voice.isReady }
    let entries = EntryContext(homeZone: zone)
    var context = form.context
    context["id"] = activity.id.uuidString
    context["href"] = EntryContext.href(activity.dayKey, activity.id, isLarge: true)
    context["dayKey"] = activity.dayKey.description
    context["dayName"] = EntryContext.dayName(activity.dayKey)
    context["year"] = "\(activity.dayKey.year)"
    if let place = activity.coordinates { context["coordinatesText"] = place.text }
    if activity.timeZone != zone.identifier {
      context["zoneText"] = EntryContext.city(activity.timeZone)
    }
    var facts = [(said("Source"), EntryContext.label(activity.source))]
    if let typed = activity.typedText, typed != activity.text {
      facts.append((said("Typed as"), ClippedText.of(typed, limit: 300)))
    }
    facts.append((said("Added"), entries.moment(activity.createdAt)))
    for ref in activity.externalRefs where ref.provider != "content" {
      facts.append(
        (
          said("From"),
          said(
            "\(ImportOrigin.name(ofProvider: ref.provider)), imported \(entries.moment(ref.fetchedAt))"
          )
        ))
    }
    context["facts"] = facts.map { ["factName": $0.0, "factText": $0.1] }
    context["attachAction"] = "/activities/\(activity.id.uuidString)/attachments"
    let files = EntryFiles(
      attachments: activity.attachments, voice: canWriteDown ? voice : nil,
      isBare: activity.notes?.isEmpty ?? true)
    context.merge(files.listed(entries)) { $1 }
    try await offServer {
      try BacklinkContext(.entry(activity.id), archive: archive)
    }.add(to: &context)
    let templates = try await offServer {
      try archive.writingSettings().templates(of: activity.kind).prefix(4)
    }
    context["hasEntryTemplates"] = !templates.isEmpty && form.notes.isEmpty
    context["entryTemplates"] = templates.map { template in
      [
        "entryTemplateHref":
          "/activities/\(activity.id.uuidString)/edit?template=\(template.id.uuidString)#notes",
        "entryTemplateName": ClippedText.of(template.name, limit: 40),
      ]
    }
    context["hasHistory"] = !versions.isEmpty
    context["history"] = entries.history(versions)
    return try pages.page(
      "activity-edit", title: said("Edit: \(ClippedText.of(activity.text, limit: 60))"),
      section: .today, known: known, notices: notices, context, status: status)
  }
}
