import ArkivedCore
import ArkivedStore
import Foundation
import Hummingbird

/// The routes of `/api/v1/templates` and `/api/v1/prompts`.
struct TemplateController: Sendable {
  let settings: SettingsPages

  private var archive: Archive { settings.archive }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/templates", use: all)
    group.get("/templates/:id", use: show)
    group.put("/templates/:id", use: put)
    group.delete("/templates/:id", use: remove)
    group.get("/templates/:id/text", use: filled)
    group.get("/prompts", use: prompts)
    group.put("/prompts", use: putPrompts)
  }

  @Sendable func all(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let writing = try await offServer { try archive.writingSettings() }
    return Response(json: ["templates": .array(writing.templates.map(\.json))])
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let template = try await archive.template(context)
    return Response(entity: ["template": template.json], version: template.version)
  }

  /// Adds a template with an ID, or replaces it.
  @Sendable func put(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: TemplateForm.limit)
    return try await offServer {
      var fields = FieldReader(object)
      var template = try WritingTemplate(&fields, id: id)
      try fields.refuseUnknown()
      template.id = id
      let kept = template
      let saved = try archive.updateWritingSettings { settings in
        let version = settings.template(id)?.version
        try precondition.check(version)
        // A template that was deleted in the meantime must not come back.
        guard version != nil || !precondition.requiresExisting else { throw Precondition.changed }
        try settings.keep(kept)
      }
      return Self.saved(["template": kept.json], version: kept.version, saved.change)
    }
  }

  @Sendable func remove(_ request: Request, context: WebContext) async throws -> Response {
    let template = try await archive.template(context)
    let precondition = Precondition(request)
    return try await offServer {
      let saved = try archive.updateWritingSettings { settings in
        try precondition.check(settings.template(template.id)?.version)
        settings.templates.removeAll { $0.id == template.id }
      }
      return Response(
        json: ["deleted": template.json, "changeId": JSON(saved.change?.id.uuidString)])
    }
  }

  /// Returns a template's text, filled in for a day.
  @Sendable func filled(_ request: Request, context: WebContext) async throws -> Response {
    let template = try await archive.template(context)
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
    return try await offServer {
      Response(
        entity: try promptAnswer(day), version: try archive.writingSettings().promptVersion)
    }
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
      let saved = try archive.updateWritingSettings { settings in
        try precondition.check(settings.promptVersion)
        if let lines { try settings.setPrompts(lines) }
        settings.showsPrompts = shows ?? settings.showsPrompts
        settings.usesPast = past ?? settings.usesPast
      }
      return Self.saved(
        try promptAnswer(today), version: saved.value.promptVersion, saved.change)
    }
  }

  private func promptAnswer(_ day: DayKey) throws -> JSON {
    let writing = try archive.writingSettings()
    return [
      "dayKey": JSON(day), "prompt": JSON(try archive.prompt(of: day)),
      "showsPrompts": .bool(writing.showsPrompts), "usesPast": .bool(writing.usesPast),
      "prompts": JSON(writing.shownPrompts),
    ]
  }

  /// Returns what was saved, with the change and the tag that reading it returns.
  private static func saved(_ json: JSON, version: String, _ change: Change?) -> Response {
    var answer = json.object ?? JSONObject()
    answer["changeId"] = JSON(change?.id.uuidString)
    return Response(
      json: .object(answer), etag: EntityTag.text(version: version, of: json.bytes()))
  }
}
