import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the appearance settings: `/settings`, `/settings/appearance` and
/// `/api/v1/preferences`; `/more`, the sections that don't fit into a phone's bar; and `/design`,
/// the components of pages.
struct AppearanceController: Sendable {
  let archive: Archive
  let pages: Pages
  let homeZone: HomeZoneController

  func addRoutes(to router: Router<WebContext>) {
    router.get("/more", use: more)
    router.get("/design", use: design)
    router.get("/settings", use: page)
    router.post("/settings/appearance", use: save)
  }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/preferences", use: show)
    group.patch("/preferences", use: change)
  }

  // MARK: Pages

  @Sendable func more(_ request: Request, context: WebContext) async throws -> Response {
    try pages.page(
      "more", title: said("More"), section: nil,
      [
        "hasShortcuts": !Visitor.isDevice,
        "others": Pages.Section.others.map {
          ["href": $0.tab.href, "label": $0.tab.label, "icon": $0.icon]
        },
      ])
  }

  /// Returns the components of pages in all their states.
  @Sendable func design(_ request: Request, context: WebContext) async throws -> Response {
    try pages.page("design", title: said("Design"), section: nil, ["isDesign": true])
  }

  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    let preferences = try await offServer { try archive.preferences() }
    let isSaved = request.fields.text("saved") != nil
    return try form(
      Self.texts(preferences),
      notices: isSaved ? [Notice(tone: .success, sentence: "Saved.")] : [])
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: 65_536)
    var texts = FormTexts(form, lines: Self.names)
    do {
      let object = try Self.object(texts)
      _ = try await offServer {
        try archive.updatePreferences { try Self.take(object, &$0) }
      }
    } catch let error as FieldError {
      texts.error = error
      return try self.form(texts, status: .unprocessableContent)
    }
    return .seeOther("/settings?saved=appearance")
  }

  private func form(
    _ texts: FormTexts, notices: [Notice] = [], status: HTTPResponse.Status = .ok
  ) throws -> Response {
    try pages.page(
      "settings", title: said("Settings"), section: .settings, notices: notices,
      texts.context(Self.rows).merging(SettingsPages.tabs(.appearance)) { $1 }
        .merging(homeZone.context()) { $1 }, status: status)
  }

  /// Returns the page with the home zone's part as given.
  static func page(
    _ archive: Archive, _ pages: Pages, _ zone: [String: Any], status: HTTPResponse.Status
  ) throws -> Response {
    try pages.page(
      "settings", title: said("Settings"), section: .settings,
      texts(archive.preferences()).context(rows).merging(SettingsPages.tabs(.appearance)) { $1 }
        .merging(zone) { $1 }, status: status)
  }

  // MARK: API

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return Response(json: try await offServer { try archive.preferences() }.json)
  }

  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: 65_536)
    // Whether entries record places is set on the computer.
    if context.device != nil, object["recordsPlace"] != nil { throw DeviceRoutes.refusal }
    let saved = try await offServer {
      try archive.updatePreferences { try Self.take(object, &$0) }
    }
    return Response(json: saved.json)
  }

  // MARK: The form

  private static func take(_ object: JSONObject, _ preferences: inout Preferences) throws {
    var fields = FieldReader(object)
    try preferences.take(&fields)
    try fields.refuseUnknown()
  }

  private static let names = [
    "theme", "contrast", "zoom", "density", "firstWeekday", "clock", "dateOrder", "language",
  ]

  private static func object(_ texts: FormTexts) throws(FieldError) -> JSONObject {
    var object = JSONObject()
    for name in names {
      guard let text = texts.optional(name) else { continue }
      object[name] = name == "zoom" ? JSON(try texts.whole("zoom")) : .string(text)
    }
    return object
  }

  private static func texts(_ preferences: Preferences) -> FormTexts {
    var texts: [String: String] = [:]
    for name in names {
      texts[name] = preferences.json[name].map { $0.string ?? $0.text() } ?? ""
    }
    return FormTexts(texts)
  }

  private static var rows: [[FormField]] {
    [
      [
        FormField(
          "language", "Language",
          .choice(
            [(value: "auto", label: "Browser language")]
              + Language.all.map { (value: $0.code, label: $0.name) }),
          hint: "Programs get English, but answers are in the language of the question.")
      ],
      [
        FormField(
          "theme", "Colours",
          .choice([("auto", "Same as system"), ("light", "Light"), ("dark", "Dark")])),
        FormField(
          "contrast", "Contrast", .choice([("auto", "Same as system"), ("more", "More")])),
      ],
      [
        FormField(
          "zoom", "Size", .choice(Preferences.zooms.map { ("\($0)", PercentText.shown($0)) })),
        FormField(
          "density", "Spacing",
          .choice([("comfortable", "Comfortable"), ("compact", "Compact")])),
      ],
      [
        FormField(
          "clock", "Clock",
          .choice([("hours24", "24-hour, 17:30"), ("hours12", "12-hour, 5:30 pm")])
        ),
        FormField(
          "dateOrder", "Date format",
          .choice([("dayMonth", "16 November 2026"), ("monthDay", "November 16, 2026")])),
      ],
      [
        FormField(
          // words: Monday | Tuesday | Wednesday | Thursday | Friday | Saturday | Sunday
          "firstWeekday", "Calendar weeks start on",
          .choice(Weekday.allCases.map { ($0.name.lowercased(), $0.name) }),
          hint: "Questions and recaps always use weeks that start on Monday.")
      ],
    ]
  }
}
