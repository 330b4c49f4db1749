import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of the life in weeks.
struct LifePageController: Sendable {
  let shared: GoalSidePages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/life", use: show)
    router.post("/life", use: save)
  }

  private var archive: Archive { shared.archive }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(nil, fields: request.fields)
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let texts = FormTexts(
      try await request.form(limit: context.maxUploadSize),
      lines: ["birthDate", "expectedYears"])
    do {
      guard let birth = try texts.day("birthDate") else {
        throw FieldError("birthDate", "is missing")
      }
      try LifeTime.checkBirth(birth, today: shared.today)
      let years = try texts.number("expectedYears") ?? LifeTime.defaultYears
      let now = archive.clock.now
      let change = try await offServer { () -> Change? in
        if let life = try archive.lifeTime() {
          return try archive.update(LifeTime.self, life.id) {
            $0.birthDate = birth
            $0.expectedYears = years
            try $0.validate()
          }.change
        }
        return try archive.create(
          LifeTime(
            id: archive.identities.next(), birthDate: birth, expectedYears: years,
            createdAt: now, updatedAt: now)
        ).change
      }
      return .seeOther(GoalSidePages.location("/life", change))
    } catch let error as FieldError {
      var wrong = texts
      wrong.error = error
      return try await page(wrong, fields: FormFields([]), status: .unprocessableContent)
    }
  }

  private static let rows: [[FormField]] = [
    [
      FormField("birthDate", "Birth date", .day, isRequired: true),
      FormField(
        "expectedYears", "Life expectancy in years", .number, hint: "79 if left empty",
        isOptional: true),
    ]
  ]

  private func page(
    _ typed: FormTexts?, fields: FormFields, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let today = shared.today
    let (newest, life, terms, versions, notices) = try await offServer {
      let life = try archive.lifeTime()
      return (
        try archive.newestChange(), life, try archive.terms(),
        try life.map { try archive.oldVersions(of: $0.id, limit: EntryContext.historyLimit) } ?? [],
        try shared.notices(fields, back: "/life")
      )
    }
    let texts =
      typed
      ?? FormTexts([
        "birthDate": life?.birthDate.description ?? "",
        "expectedYears": FormNumber.exact(life?.expectedYears ?? LifeTime.defaultYears),
      ])
    var page = texts.context(Self.rows)
    page["hasLife"] = life != nil
    page["isFormOpen"] = life == nil || typed != nil
    page["hasHistory"] = !versions.isEmpty
    page["history"] = shared.history(versions, back: "/life")
    if let life {
      let lived = life.weeksLived(on: today)
      let left = life.weeksRemaining(on: today)
      let share = Double(lived) / Double(max(1, lived + left)) * 100
      page["gridHTML"] = LifeGrid(life: life, terms: terms, today: today).html
      page["figures"] = [
        (said("Weeks lived"), DayContext.grouped(Double(lived))),
        (said("Weeks to come"), DayContext.grouped(Double(left))),
        (
          said("Age"),
          said("\(life.ageText(on: today)) years")
        ),
        (said("Lived so far"), PercentText.of(min(share, 100))),
      ].map { ["figureName": $0.0, "figure": $0.1] }
      page["hasTerms"] = !terms.isEmpty
    }
    return try shared.page(
      "life", title: said("Life in weeks"), tab: .life, known: .some(newest), notices: notices,
      page,
      status: status)
  }
}
