import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// Templates and prompts: their page in the settings, a day's note begun with one, and the routes of
/// `/api/v1/templates` and `/api/v1/prompts`.
struct TemplatePageController: Sendable {
  let settings: SettingsPages

  static let href = "/settings/templates"
  private static let formLimit = 262_144

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

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/templates", use: all)
    group.get("/templates/:id", use: show)
    group.put("/templates/:id", use: put)
    group.delete("/templates/:id", use: remove)
    group.get("/templates/:id/text", use: filled)
    group.get("/prompts", use: prompts)
    group.put("/prompts", use: putPrompts)
  }

  // MARK: Pages

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try await page(TemplateForm(), saved: request.fields.text("saved"))
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let template = try await template(context)
    return try await page(TemplateForm(template), of: template)
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    try await keep(TemplateForm(try await request.form(limit: Self.formLimit)), nil)
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    return try await keep(TemplateForm(try await request.form(limit: Self.formLimit)), id)
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let template = try await template(context)
    try await offServer {
      _ = try archive.updateWritingSettings { $0.templates.removeAll { $0.id == template.id } }
    }
    // The form of a new template is filled with the deleted text, so nothing is lost by mistake.
    return try await page(TemplateForm(template), deleted: template.name)
  }

  @Sendable func savePrompts(_ request: Request, context: WebContext) async throws -> Response {
    let typed = PromptForm(try await request.form(limit: 1 << 20))
    do {
      try await offServer {
        _ = try archive.updateWritingSettings { settings in
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
    return .seeOther("\(Self.href)?saved=prompts#prompts-title")
  }

  /// Begins the empty note of a day with a template.
  @Sendable func begin(_ request: Request, context: WebContext) async throws -> Response {
    let day = try DayController.dayKey(context)
    let fields = try await request.form(limit: 65_536)
    let name = fields["template"] ?? ""
    try await offServer {
      let template = try archive.writingSettings().template(named: name)
      let text = try archive.templateValues(of: day, in: settings.zone).filled(template.text)
      _ = try archive.updateDay(day) { entry in
        // A note written in the meantime is kept.
        if entry.note.allSatisfy(\.isWhitespace) { entry.note = text }
      }
    }
    return .seeOther("/day/\(day)/note/edit")
  }

  private func template(_ context: WebContext) async throws -> WritingTemplate {
    let id = try ActivityController.id(context)
    guard let found = try await stored(id) else {
      throw ArchiveError.notFound(
        "No template with the ID \(id.uuidString). It may have been deleted.")
    }
    return found
  }

  private func stored(_ id: UUID?) async throws -> WritingTemplate? {
    guard let id else { return nil }
    return try await offServer {
      try archive.writingSettings().templates.first { $0.id == id }
    }
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
    do {
      let template = form.template(id: id ?? archive.identities.next())
      try await offServer {
        _ = try archive.updateWritingSettings { settings in
          let stored = settings.templates.first { $0.id == template.id }
          guard id == nil || stored == template || stored.map({ form.knows($0.version) }) == true
          else { throw Outdated() }
          try settings.keep(template)
        }
      }
    } catch let error as FieldError {
      var wrong = form
      wrong.error = error
      return try await page(wrong, of: stored(id), status: .unprocessableContent)
    } catch is Outdated {
      // A deleted template is restored by saving its text as a new one.
      guard let stored = try await stored(id) else {
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
    return .seeOther("\(Self.href)?saved=template")
  }

  private func page(
    _ form: TemplateForm, of template: WritingTemplate? = nil, saved: String? = nil,
    deleted: String? = nil, prompts: PromptForm? = nil, conflict: Conflict? = nil,
    status: HTTPResponse.Status = .ok
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
    // A text that was just refused is kept as a draft.
    context["deletedRole"] = status == .ok ? "status" : "alert"
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
        ?? said("Templates"), tab: .templates, context, status: status)
  }

  // MARK: API

  @Sendable func all(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let writing = try await offServer { try archive.writingSettings() }
    return Response(json: ["templates": .array(writing.templates.map(\.json))])
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return Self.response(try await template(context))
  }

  private static func response(_ template: WritingTemplate) -> Response {
    Response(entity: ["template": template.json], version: template.version)
  }

  /// Adds a template with an ID, or replaces it.
  @Sendable func put(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: Self.formLimit)
    let template = try await offServer {
      var fields = FieldReader(object)
      var template = try WritingTemplate(&fields, id: id)
      try fields.refuseUnknown()
      template.id = id
      let kept = template
      try archive.updateWritingSettings { settings in
        try precondition.check(settings.templates.first { $0.id == id }?.version)
        try settings.keep(kept)
      }
      return kept
    }
    return Self.response(template)
  }

  @Sendable func remove(_ request: Request, context: WebContext) async throws -> Response {
    let template = try await template(context)
    let precondition = Precondition(request)
    try await offServer {
      _ = try archive.updateWritingSettings { settings in
        try precondition.check(settings.templates.first { $0.id == template.id }?.version)
        settings.templates.removeAll { $0.id == template.id }
      }
    }
    return Response(json: ["deleted": template.json])
  }

  /// Returns a template's text, filled in for a day.
  @Sendable func filled(_ request: Request, context: WebContext) async throws -> Response {
    let template = try await template(context)
    let today = settings.today
    let day = try request.arguments { fields throws(FieldError) in try fields.day("day") ?? today }
    let text = try await offServer {
      try archive.templateValues(of: day, in: settings.zone).filled(template.text)
    }
    return Response(json: ["id": .string(template.id.uuidString), "text": .string(text)])
  }

  @Sendable func prompts(_ request: Request, context: WebContext) async throws -> Response {
    let today = settings.today
    let day = try request.arguments { fields throws(FieldError) in try fields.day("day") ?? today }
    return try await offServer { try promptAnswer(day) }
  }

  @Sendable func putPrompts(_ request: Request, context: WebContext) async throws -> Response {
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: 1 << 20)
    let today = settings.today
    return try await offServer {
      var fields = FieldReader(object)
      let lines = try fields.strings("prompts")
      let (shows, past) = (try fields.bool("showsPrompts"), try fields.bool("usesPast"))
      try fields.refuseUnknown()
      try archive.updateWritingSettings { settings in
        try precondition.check(settings.promptVersion)
        if let lines { try settings.setPrompts(lines) }
        settings.showsPrompts = shows ?? settings.showsPrompts
        settings.usesPast = past ?? settings.usesPast
      }
      return try promptAnswer(today)
    }
  }

  private func promptAnswer(_ day: DayKey) throws -> Response {
    let writing = try archive.writingSettings()
    return Response(
      entity: [
        "dayKey": JSON(day), "prompt": JSON(try archive.prompt(of: day)),
        "showsPrompts": .bool(writing.showsPrompts), "usesPast": .bool(writing.usesPast),
        "prompts": JSON(writing.shownPrompts),
      ], version: writing.promptVersion)
  }
}

extension WritingTemplate {
  /// The version of the template, by which a form or a program notices changes.
  var version: String { EntityTag.version(of: json) }
}

extension WritingSettings {
  /// The version of the prompts and of where they are shown.
  var promptVersion: String {
    EntityTag.version(of: [
      "showsPrompts": .bool(showsPrompts), "usesPast": .bool(usesPast),
      "prompts": prompts.map { JSON($0) } ?? .null,
    ])
  }
}

/// The form of a template.
struct TemplateForm: Sendable {
  var name = ""
  var text = ""
  var use = WritingTemplate.Use.day
  var weekdays: Set<Weekday> = []
  var kind = ""
  /// The version that the form was opened with; empty for a new template.
  var version = ""
  var error: FieldError?

  init() {}

  init(_ template: WritingTemplate) {
    name = template.name
    text = template.text
    use = template.use
    weekdays = template.weekdays
    kind = template.kind?.rawValue ?? ""
    version = template.version
  }

  init(_ fields: FormFields) {
    name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    text = fields.paragraphs("text")
    use = fields.text("use").flatMap(WritingTemplate.Use.init) ?? .day
    let days = Set(fields.all("weekday"))
    weekdays = Set(Weekday.allCases.filter { days.contains($0.name.lowercased()) })
    kind = fields.text("kind") ?? ""
    version = fields.text("version") ?? ""
  }

  /// Returns true if the form was opened with a version, or doesn't say with which.
  func knows(_ stored: String) -> Bool { version.isEmpty || version == stored }

  func template(id: UUID) -> WritingTemplate {
    WritingTemplate(
      id: id, name: name, text: text, use: use, weekdays: weekdays,
      kind: kind.isEmpty ? nil : ActivityKind(rawValue: String(kind.prefix(60))))
  }

  var context: [String: Any] {
    var context: [String: Any] = [
      "name": FormValue(name), "templateText": FormValue(text), "version": version,
      "useChoices": WritingTemplate.Use.allCases.map { item in
        ["value": item.rawValue, "label": Self.word(item), "isSelected": item == use]
          as [String: Any]
      },
      "weekdayChoices": Weekday.allCases.map { day in
        [
          "value": day.name.lowercased(), "label": day.shownName,
          "isChecked": weekdays.contains(day),
        ] as [String: Any]
      },
      "kindChoices": ([""] + ActivityKind.known.map(\.rawValue)).map { value in
        [
          "value": value,
          "label": value.isEmpty ? said("Any kind") : saidWhole(EntryContext.capitalised(value)),
          "isSelected": value == kind,
        ] as [String: Any]
      }, "placeholders": Self.placeholders, "hasNameError": false, "hasTextError": false,
    ]
    if let error {
      let field = error.field == "name" ? "Name" : "Text"
      context["has\(field)Error"] = true
      context["templateError"] = saidAgain(error.description + ".")
    }
    return context
  }

  private static var placeholders: [[String: Any]] {
    TemplateValues.names.map { name in
      let meaning =
        switch name {
        case "date": said("the date")
        case "day": said("a link to the day")
        case "weekday": said("the weekday")
        case "yesterday": said("a link to the day before")
        case "tomorrow": said("a link to the next day")
        case "time": said("the current time, only for today")
        case "weather": said("the weather, if it’s known")
        case "open": said("what is still open from the day before")
        default: said("the prompt of the day")
        }
      return ["placeholder": "{{\(name)}}", "meaning": meaning]
    }
  }

  static func word(_ use: WritingTemplate.Use) -> String {
    switch use {
    case .day: said("Day note")
    case .note: said("Note")
    case .entry: said("Entry")
    }
  }

  /// Returns what a template is for, in a line of a list.
  static func line(_ template: WritingTemplate) -> String {
    var parts = [word(template.use)]
    if template.weekdays.count == Weekday.allCases.count {
      parts.append(said("every day"))
    } else if !template.weekdays.isEmpty {
      parts.append(
        Weekday.allCases.filter(template.weekdays.contains).map(\.shownName)
          .joined(separator: ", "))
    }
    if let kind = template.kind {
      parts.append(saidWhole(EntryContext.capitalised(ClippedText.of(kind.rawValue, limit: 40))))
    }
    return parts.joined(separator: " · ")
  }
}

/// The form of the prompts.
struct PromptForm: Sendable {
  var lines: String
  var showsPrompts: Bool
  var usesPast: Bool
  /// The version that the form was opened with.
  var version: String
  var error: FieldError?

  init(_ writing: WritingSettings) {
    lines = writing.shownPrompts.joined(separator: "\n")
    showsPrompts = writing.showsPrompts
    usesPast = writing.usesPast
    version = writing.promptVersion
  }

  init(_ fields: FormFields) {
    lines = fields.paragraphs("prompts")
    showsPrompts = fields["showsPrompts"] == "true"
    usesPast = fields["usesPast"] == "true"
    version = fields.text("version") ?? ""
  }

  /// Returns true if the form was opened with a version, or doesn't say with which.
  func knows(_ stored: String) -> Bool { version.isEmpty || version == stored }

  func apply(to settings: inout WritingSettings) throws(FieldError) {
    try settings.setPrompts(lines.split(whereSeparator: \.isNewline).map(String.init))
    settings.showsPrompts = showsPrompts
    settings.usesPast = usesPast
  }

  var context: [String: Any] {
    [
      "showsPrompts": showsPrompts, "usesPast": usesPast, "promptLines": FormValue(lines),
      "promptVersion": version, "hasPromptError": error != nil,
      "promptError": error.map { saidAgain($0.description + ".") } ?? "",
    ]
  }
}

/// The ways to begin a day without a note: its templates and a prompt.
struct DayStart: Sendable {
  private let templates: [WritingTemplate]
  private let prompt: String?
  private let day: DayKey

  /// The number of templates offered on the page.
  private static let limit = 4

  init(_ archive: Archive, of day: DayKey, today: DayKey) throws {
    self.day = day
    templates = Array(try archive.writingSettings().templates(of: day).prefix(Self.limit))
    prompt = day == today ? try archive.prompt(of: day) : nil
  }

  func add(to context: inout [String: Any]) {
    context["hasDayTemplates"] = !templates.isEmpty
    context["dayTemplates"] = templates.map { template in
      [
        "dayTemplateID": template.id.uuidString,
        "dayTemplateName": ClippedText.of(template.name, limit: 40),
      ]
    }
    context["hasPrompt"] = prompt != nil
    context["prompt"] = prompt ?? ""
  }
}
