package import ArkivedCore
package import Foundation

/// The entity that a row of Ten Week represents.
package enum TenWeekEntity: Sendable {
  case action(Activity)
  case entity(any RecordedEntity)
  case history(HistoryRecord)

  package var id: UUID {
    switch self {
    case .action(let action): action.id
    case .entity(let entity): entity.id
    case .history(let version): version.id
    }
  }

  /// The time of the source's last change, as far as it is known.
  package var version: Instant {
    switch self {
    case .action(let action): action.updatedAt
    case .entity(let entity): entity.updatedAt
    case .history(let version): version.archivedAt
    }
  }
}

/// Converts Ten Week's rows to entities, with any of its column names.
package struct TenWeekReader: Sendable {
  /// The zone of times without a zone.
  package let homeZone: Zone
  let now: Instant
  /// The IDs by the integers with which older versions numbered rows.
  package var identities: [TenWeekTable: [Int64: UUID]] = [:]
  /// The times of rows' last changes, from Ten Week's own archive.
  package var changes: [UUID: Instant] = [:]
  /// The zones of actions that this program wrote there.
  var zones: [UUID: TenWeekZone] = [:]
  /// True if rows with a number but no UUID get one derived from them; records that are written
  /// back there need their own.
  private let makesIdentities: Bool

  package init(homeZone: Zone, now: Instant, makesIdentities: Bool = false) {
    self.homeZone = homeZone
    self.now = now
    self.makesIdentities = makesIdentities
  }

  /// Returns true if a row's time, given without a UTC offset, is home time at an instant.
  package static func shows(
    _ instant: Instant, _ value: InterchangeValue?, homeZone: Zone
  ) -> Bool {
    guard let text = value?.text else { return false }
    return TenWeekTime.shows(
      instant, text.trimmingCharacters(in: .whitespacesAndNewlines), homeZone)
  }

  // MARK: Identifiers

  /// Returns the key that distinguishes a row of a table, or nil if it has none.
  package func key(_ table: TenWeekTable, _ row: InterchangeRow) -> String? {
    switch table {
    case .values, .goals, .terms, .actions: identity(table, row)?.uuidString
    case .assignments: pair("term_uuid", .terms, "goal_uuid", .goals, row)
    case .progress: pair("action_id", .actions, "goal_id", .goals, row)
    case .archive, .conversations:
      switch row["id"] {
      case .text(let text)?: text
      case .integer(let number)?: "\(number)"
      case let value: UUID(foreign: value)?.uuidString
      }
    }
  }

  private func pair(
    _ first: String, _ firstTable: TenWeekTable, _ second: String, _ secondTable: TenWeekTable,
    _ row: InterchangeRow
  ) -> String? {
    guard let first = reference(row[first], firstTable),
      let second = reference(row[second], secondTable)
    else { return nil }
    return "\(first.uuidString)/\(second.uuidString)"
  }

  /// Returns the UUID of a row, in any of its columns.
  package func identity(_ row: InterchangeRow) -> UUID? {
    for name in ["uuid_id", "id"] {
      if let id = UUID(foreign: row[name]) { return id }
    }
    return nil
  }

  /// Returns the UUID of a row, either its own or a derived one.
  private func identity(_ table: TenWeekTable, _ row: InterchangeRow) -> UUID? {
    if let id = identity(row) { return id }
    guard makesIdentities, case .integer(let number)? = row["id"] else { return nil }
    return identities[table]?[number]
  }

  /// Returns the row to which a column refers.
  func reference(_ value: InterchangeValue?, _ table: TenWeekTable) -> UUID? {
    switch value {
    case .text(let text)?:
      UUID(foreign: text) ?? Int64(text).flatMap { identities[table]?[$0] }
    case .integer(let number)?: identities[table]?[number]
    default: UUID(foreign: value)
    }
  }

  // MARK: Rows

  /// Stores how other rows may refer to a row.
  package mutating func learn(_ table: TenWeekTable, _ row: InterchangeRow) {
    if table == .archive {
      guard let witness = witness(row), witness.reason == .change,
        case .row(let id) = witness.subject
      else { return }
      changes[id] = max(changes[id] ?? witness.at, witness.at)
    } else if case .integer(let number)? = row["id"] {
      if let id = identity(row) {
        identities[table, default: [:]][number] = id
      } else if makesIdentities, identities[table]?[number] == nil {
        // Numbers repeat in every file; the creation time distinguishes rows from different files.
        let made = row["log_time"]?.text ?? row["created_at"]?.text ?? ""
        identities[table, default: [:]][number] = DerivedIdentity.of(
          "ten week", table.rawValue, "\(number)", made)
      }
    }
  }

  /// Stores a UUID that Ten Week recorded for a row with a number (its table `uuid_mappings`).
  package mutating func learnMapping(_ row: InterchangeRow) {
    guard let table = row["entity_type"]?.text.flatMap(TenWeekTable.init(archived:)),
      case .integer(let number)? = row["database_id"],
      let id = UUID(foreign: row["uuid"])
    else { return }
    identities[table, default: [:]][number] = id
  }

  /// Converts a row to an entity.
  ///
  /// - Throws: `FieldError` with the first invalid column.
  package func read(
    _ table: TenWeekTable, _ row: InterchangeRow
  ) throws(FieldError) -> TenWeekEntity? {
    var fields = TenWeekFields(table, row, homeZone)
    switch table {
    case .actions: return .action(try action(&fields))
    case .goals: return .entity(try goal(&fields))
    case .values: return .entity(try value(&fields))
    case .terms: return .entity(try term(&fields))
    case .assignments: return .entity(try assignment(&fields))
    case .progress: return .entity(try contribution(&fields))
    case .archive: return .history(try history(&fields))
    case .conversations: return nil
    }
  }

  private func version(_ id: UUID, _ own: Instant) -> Instant { max(own, changes[id] ?? own) }

  private func requiredIdentity(_ fields: TenWeekFields) throws(FieldError) -> UUID {
    guard let id = identity(fields.table, fields.row) else {
      throw FieldError(
        fields.name("key"), "contains no UUID. Open the database in its own program once")
    }
    return id
  }

  private func action(_ fields: inout TenWeekFields) throws(FieldError) -> Activity {
    let id = try requiredIdentity(fields)
    let known = zones[id].flatMap { $0.matches(fields.row) ? Zone($0.zone) : nil }
    if let known { fields = TenWeekFields(.actions, fields.row, known) }
    let homeZone = known ?? self.homeZone
    guard let logged = try fields.time("log_time") else {
      throw FieldError("log_time", "is missing")
    }
    let start = try fields.time("start_time")
    let measurements = try fields.measurements()
    let length = try fields.number("duration_minutes")
    let description = try fields.text("description")
    let notes = try fields.text("notes")
    let amounts = measurements.sorted { $0.key < $1.key }
      .map { "\(AmountText.plain($0.value)) \($0.key)" }.joined(separator: ", ")
    // Ten Week accepts an action without a name, with only a duration and a start.
    let duration = length.map { "\(AmountText.plain($0)) min" }
    let clock = start.map {
      String(TenWeekTime.text($0.instant, $0.zone ?? homeZone).dropFirst(11).prefix(5))
    }
    let words = [try fields.text("title"), description, notes, amounts, duration, clock]
      .compactMap { $0 }
      .map { String($0.prefix { !$0.isNewline }) }.first { !$0.allSatisfy(\.isWhitespace) }
    let title = try fields.text("title")
    guard let words else {
      throw FieldError(
        fields.name("title"),
        "is empty, and so are the "
          + "other fields")
    }
    let hasTitle = title.map { !$0.allSatisfy(\.isWhitespace) } ?? false
    let moment = start ?? logged
    let action = Activity(
      id: id, dayKey: moment.day, startAt: start?.instant,
      timeZone: (moment.zone ?? homeZone).identifier, text: hasTitle ? title ?? words : words,
      description: description, notes: notes, source: .tenWeekImport, measurements: measurements,
      durationMinutes: length, createdAt: logged.instant,
      updatedAt: version(id, logged.instant))
    try action.validate()
    return action
  }

  private func goal(_ fields: inout TenWeekFields) throws(FieldError) -> Goal {
    let id = try requiredIdentity(fields)
    let logged = try fields.time("log_time")?.instant ?? now
    var goal = Goal(
      id: id, title: try fields.text("title") ?? "", description: try fields.text("description"),
      notes: try fields.text("notes"), logTime: logged, goalType: try fields.goalType(),
      measurementUnit: try fields.text("measurement_unit"),
      // Its goals have the target 0.0 until somebody sets one.
      measurementTarget: try fields.number("measurement_target").flatMap { $0 == 0 ? nil : $0 },
      startDate: try fields.time("start_date")?.day,
      targetDate: try fields.time("target_date")?.day,
      howGoalIsRelevant: try fields.text("how_goal_is_relevant"),
      howGoalIsActionable: try fields.text("how_goal_is_actionable"),
      expectedTermLength: try fields.whole("expected_term_length"), createdAt: logged,
      updatedAt: version(id, logged))
    do throws(FieldError) {
      try goal.validate()
    } catch {
      // Ten Week accepts incomplete SmartGoals; these are imported as goals.
      guard goal.goalType == .smartGoal else { throw error }
      goal.goalType = .goal
      try goal.validate()
    }
    return goal
  }

  private func value(_ fields: inout TenWeekFields) throws(FieldError) -> PersonalValue {
    let id = try requiredIdentity(fields)
    let logged = try fields.time("log_time")?.instant ?? now
    let type = try fields.text("incentive_type") ?? IncentiveType.general.rawValue
    let value = PersonalValue(
      id: id, title: try fields.text("title") ?? "", description: try fields.text("description"),
      notes: try fields.text("notes"), logTime: logged,
      incentiveType: IncentiveType(rawValue: type), priority: try fields.whole("priority"),
      lifeDomain: try fields.text("life_domain") ?? PersonalValue.defaultDomain,
      alignmentGuidance: try fields.text("alignment_guidance"), createdAt: logged,
      updatedAt: version(id, logged))
    try value.validate()
    return value
  }

  private func term(_ fields: inout TenWeekFields) throws(FieldError) -> Term {
    let id = try requiredIdentity(fields)
    guard let number = try fields.whole("term_number") else {
      throw FieldError("term_number", "is missing")
    }
    guard let start = try fields.time("start_date")?.day else {
      throw FieldError("start_date", "is missing")
    }
    guard let target = try fields.time("target_date")?.day else {
      throw FieldError("target_date", "is missing")
    }
    let made = try fields.time("created_at")?.instant ?? now
    let title = try fields.text("title")
    let theme = try fields.text("theme") ?? TenWeekReader.theme(title, number)
    let term = Term(
      id: id, termNumber: number, startDate: start, targetDate: target, theme: theme,
      reflection: try fields.text("reflection"), description: try fields.text("description"),
      notes: try fields.text("notes"), logTime: made, createdAt: made,
      updatedAt: version(id, try fields.time("updated_at")?.instant ?? made))
    try term.validate()
    return term
  }

  /// Returns the part of a term's title besides its number: "Health" for "Term 3: Health".
  private static func theme(_ title: String?, _ number: Int) -> String? {
    guard var rest = title?.trimmingCharacters(in: .whitespaces) else { return nil }
    if rest.lowercased().hasPrefix("term \(number)") {
      rest = String(rest.dropFirst("term \(number)".count))
        .trimmingCharacters(in: CharacterSet(charactersIn: " :-–—"))
    }
    return rest.isEmpty ? nil : rest
  }

  private func assignment(
    _ fields: inout TenWeekFields
  ) throws(FieldError) -> TermGoalAssignment {
    guard let term = reference(fields.row["term_uuid"], .terms) else {
      throw FieldError("term_uuid", "doesn’t name a term")
    }
    guard let goal = reference(fields.row["goal_uuid"], .goals) else {
      throw FieldError("goal_uuid", "doesn’t name a goal")
    }
    let made = try fields.time("created_at")?.instant ?? now
    let assignment = TermGoalAssignment(
      id: DerivedIdentity.of("term_goal_assignments", term.uuidString, goal.uuidString),
      termID: term, goalID: goal, order: try fields.whole("assignment_order") ?? 0,
      createdAt: made, updatedAt: made)
    try assignment.validate()
    return assignment
  }

  /// Returns the goals of an older version's term, which stores the list itself, in order.
  package func assignments(of row: InterchangeRow) -> [TermGoalAssignment] {
    guard let term = identity(.terms, row), let text = row["term_goals_by_id"]?.text,
      let list = (try? JSON(parsing: text))?.array
    else { return [] }
    let made =
      row["created_at"]?.text.flatMap { TenWeekTime($0, homeZone, isStamp: true) }?.instant ?? now
    var goals: Set<UUID> = []
    return list.enumerated().compactMap { place, value in
      let column: InterchangeValue =
        value.int.map { .integer(Int64($0)) } ?? value.string.map { .text($0) } ?? .null
      guard let goal = reference(column, .goals), goals.insert(goal).inserted else { return nil }
      return TermGoalAssignment(
        id: DerivedIdentity.of("term_goal_assignments", term.uuidString, goal.uuidString),
        termID: term, goalID: goal, order: place, createdAt: made, updatedAt: made)
    }
  }

  private func contribution(
    _ fields: inout TenWeekFields
  ) throws(FieldError) -> ActionGoalContribution {
    guard let action = reference(fields.row["action_id"], .actions) else {
      throw FieldError("action_id", "doesn’t name an action")
    }
    guard let goal = reference(fields.row["goal_id"], .goals) else {
      throw FieldError("goal_id", "doesn’t name a goal")
    }
    guard let amount = try fields.number("contribution") else {
      throw FieldError("contribution", "is missing")
    }
    let made = try fields.time("created_at")?.instant ?? now
    let method = MatchMethod(
      rawValue: try fields.text("match_method") ?? MatchMethod.manual.rawValue)
    let contribution = ActionGoalContribution(
      id: identity(fields.row)
        ?? DerivedIdentity.of("action_goal_progress", action.uuidString, goal.uuidString),
      actionID: action, goalID: goal, contribution: amount, matchMethod: method,
      confidence: try fields.number("confidence") ?? 1, matchedOn: try fields.list("matched_on"),
      createdAt: made, updatedAt: made)
    try contribution.validate()
    return contribution
  }
}
