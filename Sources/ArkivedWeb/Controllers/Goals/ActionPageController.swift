import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of actions: the list, one action with its goals, and the form for logging one.
struct ActionPageController: Sendable {
  let shared: GoalSidePages

  static let pageSize = 50
  /// The maximum number of goals offered for linking an action.
  static let goalLimit = 1_000

  func addRoutes(to router: Router<WebContext>) {
    router.get("/actions", use: list)
    router.get("/actions/new", use: new)
    router.post("/actions", use: create)
    router.get("/actions/:id", use: show)
    router.get("/goals/preview", use: preview)
  }

  private var archive: Archive { shared.archive }

  // MARK: The list

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let offset = fields.text("offset").flatMap(Int.init).map { min(max($0, 0), 100_000_000) } ?? 0
    let linked = fields.text("linked") ?? ""
    let text = fields.text("text").map { String($0.prefix(200)) }
    let measured = HasFilter("measured", fields)
    let timed = HasFilter("timed", fields)
    let filter = ActionFilter(
      searchText: text,
      hasMeasurements: measured.isWanted ?? (linked == "no" && timed.isWanted == nil ? true : nil),
      hasDuration: timed.isWanted,
      isLinked: linked == "yes" ? true : linked == "no" ? false : nil, from: try fields.day("from"),
      to: try fields.day("to"), limit: Self.pageSize, offset: offset)
    let today = shared.today
    let (newest, total, rows, notices) = try await offServer {
      let actions = try archive.actions(filter)
      let rows = try actions.map { ($0, try archive.contributions(ofAction: $0.id)) }
      return (
        try archive.newestChange(), try archive.countActions(filter), rows,
        try shared.notices(fields, back: "/actions")
      )
    }
    let query =
      [
        ("text", text), ("from", filter.from?.description), ("to", filter.to?.description),
        ("linked", linked.isEmpty ? nil : linked),
      ].compactMap { name, value in value.map { "\(name)=\(URLText.escaped($0))" } }
      + [measured.query, timed.query].compactMap { $0 }
    func address(_ offset: Int) -> String {
      let all = query + (offset > 0 ? ["offset=\(offset)"] : [])
      return all.isEmpty ? "/actions" : "/actions?" + all.joined(separator: "&")
    }
    let choices = [
      ("", said("All")), ("yes", said("Counts toward a goal")),
      ("no", said("Not linked to a goal")),
    ].map { value, label -> [String: Any] in
      ["value": value, "label": label, "isSelected": value == linked]
    }
    let page: [String: Any] = [
      "hasActions": !rows.isEmpty, "isFiltered": !query.isEmpty, "text": FormValue(text ?? ""),
      "from": filter.from?.description ?? "", "to": filter.to?.description ?? "",
      "linkedChoices": choices,
      "measuredChoices": measured.choices(
        yes: said("With measurements"), no: said("Without measurements")),
      "timedChoices": timed.choices(yes: said("With a duration"), no: said("Without a duration")),
      "totalLine": GoalWords.count(total, "action"),
      "actions": rows.map { row($0, $1, today) },
      "hasMore": offset + rows.count < total && !rows.isEmpty,
      "moreHref": address(offset + Self.pageSize), "hasEarlier": offset > 0,
      "earlierHref": address(max(0, offset - Self.pageSize)),
    ]
    return try shared.page(
      "actions", title: said("Actions"), tab: .actions, known: .some(newest), notices: notices, page
    )
  }

  private func row(
    _ action: Activity, _ links: [(contribution: ActionGoalContribution, goal: Goal)],
    _ today: DayKey
  ) -> [String: Any] {
    let measured = shared.entries.measurements(action).prefix(8)
      .map { ["measure": ClippedText.of($0, limit: 60)] }
    let goals = links.filter { $0.contribution.counts }
    return [
      "actionHref": "/actions/\(action.id.uuidString)", "actionID": action.id.uuidString,
      "actionText": ClippedText.of(action.text, limit: 240),
      "actionDay": GoalWords.day(action.dayKey, today: today),
      "actionDayISO": action.dayKey.description,
      "dayHref": EntryContext.href(action.dayKey, action.id, isLarge: true),
      "hasMeasures": !measured.isEmpty, "measures": measured, "hasGoals": !goals.isEmpty,
      "goals": goals.prefix(5).map {
        [
          "goalHref": "/goals/\($0.goal.id.uuidString)",
          "goalTitle": ClippedText.of($0.goal.title, limit: 60),
        ]
      },
    ]
  }

  // MARK: One action

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    return try await page(id, fields: request.fields)
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - fields: the fields of the form or address.
  ///   - link: the text typed to link the action, and any error in it.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: an error if the action can't be read.
  func page(
    _ id: UUID, fields: FormFields, link: FormTexts? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let today = shared.today
    let href = "/actions/\(id.uuidString)"
    let (newest, found, goals, notices) = try await offServer {
      (
        try archive.newestChange(),
        try archive.activity(id).map { ($0, try archive.contributions(ofAction: id)) },
        try archive.goals(), try shared.notices(fields, back: href)
      )
    }
    guard let (action, links) = found else {
      if let response = shared.gone(fields, to: "/actions") { return response }
      throw ArchiveError.notFound(
        "No action with the ID \(id.uuidString). It may have been deleted.")
    }
    let taken = Set(links.filter { $0.contribution.counts }.map(\.goal.id))
    let free = goals.filter { !taken.contains($0.id) }
    // The goals that fit the day come first.
    let choices =
      (free.filter { $0.accepts(action.dayKey) } + free.filter { !$0.accepts(action.dayKey) })
      .prefix(Self.goalLimit)
    let amount = link?.problem(of: "amount", label: "The amount")
    let missing = link?.problem(of: "goal", label: "The goal")
    var page = row(action, links, today)
    let chosen = link?["goal"] ?? ""
    page["editHref"] = "/activities/\(id.uuidString)/edit"
    page["isLongTitle"] = action.text.count > 80
    page["hasLinks"] = !links.isEmpty
    page["links"] = links.map { self.link($0.contribution, $0.goal, action: id) }
    page["hasChoices"] = !choices.isEmpty
    page["goalChoices"] = choices.map { goal -> [String: Any] in
      let value = goal.id.uuidString
      return [
        "value": value, "label": ClippedText.of(goal.title, limit: 80),
        "isSelected": value == chosen,
      ]
    }
    page["linkAction"] = "\(href)/link"
    page["amount"] = FormValue(link?["amount"] ?? "")
    page["hasAmountError"] = amount != nil
    page["amountError"] = amount ?? ""
    page["hasGoalError"] = missing != nil
    page["goalError"] = missing ?? ""
    return try shared.page(
      "action", title: ClippedText.of(action.text, limit: 60), tab: .actions,
      known: .some(newest), notices: notices, page, status: status)
  }

  private func link(
    _ link: ActionGoalContribution, _ goal: Goal, action: UUID
  ) -> [String: Any] {
    let state =
      link.matchMethod == .userRejected
      ? said("doesn’t count") : link.waits ? said("waiting for review") : said("counts")
    return [
      "linkHref": "/goals/\(goal.id.uuidString)",
      "linkTitle": ClippedText.of(goal.title, limit: 160), "linkState": state,
      "linkGives": "+\(GoalWords.amount(link.contribution, goal.measurementUnit))",
      "linkWhy": GoalWords.why(link), "linkCertainty": GoalWords.certainty(link),
      "isCounting": link.counts, "isWaiting": link.waits,
      "isRejected": link.matchMethod == .userRejected, "isOwners": link.matchMethod.isOwners,
      "unlinkAction": "/actions/\(action.uuidString)/unlink", "linkGoal": goal.id.uuidString,
      "linkID": link.id.uuidString, "linkBack": "/actions/\(action.uuidString)",
    ]
  }

  // MARK: Logging an activity

  @Sendable func new(_ request: Request, context: WebContext) async throws -> Response {
    let day = request.fields.text("day").flatMap(DayKey.init) ?? shared.today
    return try newPage(ActionForm(day: day))
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    let form = ActionForm(fields)
    do {
      let units = try await offServer { try archive.units(in: .current) }
      let activity = try form.activity(
        zone: shared.zone, units: units, id: archive.identities.next(), now: archive.clock.now)
      return try await shared.once(fields, at: "actions") { key in
        try archive.add(activity, once: key) { saved in
          GoalSidePages.redirect("/actions?added=\(saved.value.id.uuidString)", saved.change)
        }
      }
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      return try newPage(wrong, status: .unprocessableContent)
    }
  }

  private func newPage(
    _ form: ActionForm, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    var page = form.context()
    page["idempotencyKey"] = archive.identities.next().uuidString
    return try shared.page(
      "action-edit", title: said("New action"), tab: .actions, page, status: status)
  }

  // MARK: Preview of matches

  /// Returns a fragment for the form: the goals toward which the typed action would count.
  ///
  /// The query has `text`, `day`, `minutes`, and amounts as `amount1` and `unit1` or under the
  /// unit's own name: `km=5`.
  @Sendable func preview(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let form = ActionForm(fields)
    let today = shared.today
    let units = try await offServer { try archive.units(in: .current) }
    // As the form is read when it is saved.
    var amounts: [String: Double] = [:]
    for row in 1...ActionForm.rowCount {
      if let amount = FormNumber.read(form.texts["amount\(row)"]), amount >= 0,
        let unit = form.texts.optional("unit\(row)")
      {
        amounts[units.canonicalName(units.typedName(unit)), default: 0] += amount
      }
    }
    let own = Set(ActionForm.lines + ["text", "notes", "minutes", "idempotencyKey"])
    for (name, value) in fields.all.prefix(40) where !own.contains(name) {
      if let amount = FormNumber.read(value), amount >= 0 {
        amounts[units.canonicalName(units.typedName(name)), default: 0] += amount
      }
    }
    let measurements = amounts.sorted { $0.key < $1.key }
      .map { (unit: $0.key, amount: $0.value) }
    let minutes =
      FormNumber.read(fields["durationMinutes"] ?? fields["minutes"] ?? "")
      ?? Self.minutes(from: form.texts["start"], to: form.texts["end"])
    let facts = ActionFacts(
      day: DayKey(form.texts["day"]) ?? today, measurements: measurements, duration: minutes,
      texts: [String(form.texts["text"].prefix(4_000))] + form.texts.list("tags"))
    let counts = try await offServer {
      try CountsToward.preview(facts, archive: archive, today: today)
    }
    let html =
      counts.isEmpty
      ? "" : try shared.pages.html("counts", ["counts": CountsToward.contexts(counts)])
    return Response(html: html)
  }

  private static func minutes(from start: String, to end: String) -> Double? {
    func minute(_ text: String) -> Int? {
      let parts = text.split(separator: ":").compactMap { Int($0) }
      guard parts.count == 2, (0..<24).contains(parts[0]), (0..<60).contains(parts[1]) else {
        return nil
      }
      return parts[0] * 60 + parts[1]
    }
    guard let start = minute(start), let end = minute(end) else { return nil }
    return Double(end >= start ? end - start : end - start + 1_440)
  }
}
