import ArkivedCore
import ArkivedStore
import Foundation
import Hummingbird

/// The pages of templates and prompts in the settings, and the beginning of a day's note with a
/// template.
struct TemplatePageController: Sendable {
  let settings: SettingsPages

  static let href = "/settings/templates"

  private var archive: Archive { settings.archive }

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/templates", use: list)
    router.post("/settings/templates", use: create)
    router.get("/settings/templates/:id", use: edit)
    router.post("/settings/templates/:id", use: save)
    router.post("/settings/templates/:id/delete", use: delete)
    router.post("/settings/prompts", use: savePrompts)
    router.post("/day/:dayKey/note/template", use: begin)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let notices = try await offServer { try settings.notices(fields, back: Self.href) }
    return try await page(TemplateForm(), saved: fields.text("saved"), notices: notices)
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let template = try await archive.template(context)
    return try await page(TemplateForm(template), of: template)
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    try await keep(TemplateForm(try await request.form(limit: TemplateForm.limit)), nil)
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    return try await keep(TemplateForm(try await request.form(limit: TemplateForm.limit)), id)
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let template = try await archive.template(context)
    let saved = try await offServer {
      try archive.updateWritingSettings { $0.templates.removeAll { $0.id == template.id } }
    }
    return .seeOther(GoalSidePages.location(Self.href, saved.change))
  }

  @Sendable func savePrompts(_ request: Request, context: WebContext) async throws -> Response {
    let typed = PromptForm(try await request.form(limit: 1 << 20))
    let saved: Saved<WritingSettings>
    do {
      saved = try await offServer {
        try archive.updateWritingSettings { settings in
          let stored = settings
          try typed.apply(to: &settings)
          guard typed.knows(stored.promptVersion) || settings == stored else { throw Outdated() }
        }
      }
    } catch let error as FieldError {
      var wrong = typed
      wrong.error = error
      return try await page(TemplateForm(), prompts: wrong, status: .unprocessableContent)
    } catch is Outdated {
      let stored = try await offServer { try archive.writingSettings() }
      var late = typed
      late.version = stored.promptVersion
      return try await page(
        TemplateForm(), prompts: late,
        conflict: Conflict(
          title: said("The prompts were changed elsewhere"),
          text: stored.shownPrompts.joined(separator: "\n")), status: .conflict)
    }
    guard let change = saved.change else {
      return .seeOther("\(Self.href)?saved=prompts#prompts-title")
    }
    return .seeOther(GoalSidePages.location(Self.href, change))
  }

  /// Begins the empty note of a day with a template.
  @Sendable func begin(_ request: Request, context: WebContext) async throws -> Response {
    let day = try DayController.dayKey(context)
    let fields = try await request.form(limit: 65_536)
    let name = fields["template"] ?? ""
    let saved = try await offServer {
      let template = try archive.writingSettings().template(named: name)
      let text = try archive.templateValues(of: day, in: settings.zone).filled(template.text)
      return try archive.updateDay(day) { entry in
        // A note written in the meantime is kept.
        if entry.note.allSatisfy(\.isWhitespace) { entry.note = text }
      }
    }
    guard let change = saved.change else { return .seeOther("/day/\(day)/note/edit") }
    // The editor, and the day after Cancel, offer to undo it.
    return .seeOther(GoalSidePages.location("/day/\(day)/note/edit?begun=note", change))
  }

  /// The stored template has changed since the form was opened.
  private struct Outdated: Error {}

  /// The version that was saved elsewhere.
  private struct Conflict {
    var title: String
    var text: String
  }

  /// Adds a template, or replaces the one with an ID if it is still the one that was shown.
  private func keep(_ form: TemplateForm, _ id: UUID?) async throws -> Response {
    let saved: Saved<WritingSettings>
    do {
      let template = form.template(id: id ?? archive.identities.next())
      saved = try await offServer {
        try archive.updateWritingSettings { settings in
          let stored = settings.templates.first { $0.id == template.id }
          guard id == nil || stored == template || stored.map({ form.knows($0.version) }) == true
          else { throw Outdated() }
          try settings.keep(template)
        }
      }
    } catch let error as FieldError {
      var wrong = form
      wrong.error = error
      return try await page(wrong, of: archive.storedTemplate(id), status: .unprocessableContent)
    } catch is Outdated {
      // A deleted template is restored by saving its text as a new one.
      guard let stored = try await archive.storedTemplate(id) else {
        return try await page(form, deleted: form.name, status: .conflict)
      }
      var late = form
      late.version = stored.version
      return try await page(
        late, of: stored,
        conflict: Conflict(
          title: said("This template was changed elsewhere"),
          text: "\(stored.name)\n\(TemplateForm.line(stored))\n\n\(stored.text)"),
        status: .conflict)
    }
    guard let change = saved.change else { return .seeOther("\(Self.href)?saved=template") }
    return .seeOther(GoalSidePages.location(Self.href, change))
  }

  private func page(
    _ form: TemplateForm, of template: WritingTemplate? = nil, saved: String? = nil,
    deleted: String? = nil, prompts: PromptForm? = nil, conflict: Conflict? = nil,
    notices: [Notice] = [], status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let (writing, example) = try await offServer {
      let today = settings.today
      return (
        try archive.writingSettings(),
        template == nil
          ? nil : try archive.templateValues(of: today, in: settings.zone).filled(form.text)
      )
    }
    var context = form.context
    context["isNew"] = template == nil
    context["formAction"] = template.map { "\(Self.href)/\($0.id.uuidString)" } ?? Self.href
    context["exampleHTML"] = example.map { Markdown.html($0, limit: 200_000) } ?? ""
    context["isListed"] = template == nil
    context["hasTemplates"] = !writing.templates.isEmpty
    context["templates"] = writing.templates.map { item in
      [
        "templateHref": "\(Self.href)/\(item.id.uuidString)",
        "templateName": ClippedText.of(item.name, limit: 80),
        "templateUse": TemplateForm.line(item),
      ]
    }
    context["isSaved"] = saved == "template"
    context["isDeleted"] = deleted != nil
    context["deletedLine"] =
      deleted.map {
        said("Deleted “\(ClippedText.of($0, limit: 80))”. Save the form below to bring it back.")
      } ?? ""
    context["arePromptsSaved"] = saved == "prompts"
    context.merge((prompts ?? PromptForm(writing)).context) { $1 }
    context["hasConflict"] = conflict != nil
    context["conflictTitle"] = conflict?.title ?? ""
    context["conflictText"] = conflict?.text ?? ""
    return try settings.page(
      "settings-templates",
      title: template.map { ClippedText.of($0.name, limit: 60) }
        ?? said("Templates"), tab: .templates, notices: notices, context, status: status)
  }
}
