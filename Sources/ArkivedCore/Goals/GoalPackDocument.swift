import Foundation

/// A goal or term with everything that belongs to it, as a document for keeping and sharing.
package struct GoalPackDocument: Hashable, Sendable {
  /// The type name in the document.
  package static let typeName = "arkived-goal-pack"
  /// The newest document version that this program reads.
  package static let version = 1

  package var title: String
  package var terms: [Term]
  package var values: [PersonalValue]
  package var goals: [Goal]
  package var alignments: [GoalValueAlignment]
  package var assignments: [TermGoalAssignment]
  package var actions: [Activity]
  /// The contributions the owner decided; those found by rules are computed again.
  package var contributions: [ActionGoalContribution]

  package init(
    title: String, terms: [Term] = [], values: [PersonalValue] = [], goals: [Goal] = [],
    alignments: [GoalValueAlignment] = [], assignments: [TermGoalAssignment] = [],
    actions: [Activity] = [], contributions: [ActionGoalContribution] = []
  ) {
    self.title = title
    self.terms = terms.sorted {
      ($0.termNumber, $0.id.uuidString) < ($1.termNumber, $1.id.uuidString)
    }
    self.values = values.byPriority()
    self.goals = goals.sorted { ($0.title, $0.id.uuidString) < ($1.title, $1.id.uuidString) }
    self.alignments = alignments.sorted { $0.id.uuidString < $1.id.uuidString }
    self.assignments = assignments.sorted {
      ($0.order, $0.id.uuidString) < ($1.order, $1.id.uuidString)
    }
    self.actions = actions.sorted {
      ($0.dayKey, $0.createdAt, $0.id.uuidString) < ($1.dayKey, $1.createdAt, $1.id.uuidString)
    }
    self.contributions = contributions.sorted { $0.id.uuidString < $1.id.uuidString }
  }

  /// The lists of entities, ordered so that each depends only on those before it.
  package var entities: [(list: String, entities: [any RecordedEntity])] {
    [
      ("values", values), ("goals", goals), ("terms", terms), ("alignments", alignments),
      ("assignments", assignments),
    ]
  }
}

extension GoalPackDocument {
  /// The document as JSON, without empty fields, identical for identical content.
  package var json: JSON {
    var object: JSONObject = [
      "type": .string(GoalPackDocument.typeName), "version": JSON(GoalPackDocument.version),
      "title": .string(title),
    ]
    func add(_ name: String, _ list: [JSON]) {
      if !list.isEmpty { object[name] = .array(list.map(GoalPackDocument.filled)) }
    }
    add("terms", terms.map(\.json))
    add("goals", goals.map(\.json))
    add("values", values.map(\.json))
    add("alignments", alignments.map(\.json))
    add("assignments", assignments.map(\.json))
    add("actions", actions.map(GoalPackDocument.json))
    add("contributions", contributions.map(\.json))
    return .object(object)
  }

  /// Returns an action without its files and the IDs of people, which cannot be shared.
  private static func json(_ action: Activity) -> JSON {
    guard var object = action.record.object else { return .null }
    for key in ["attachments", "mentions"] { object[key] = nil }
    for key in ["tags", "people", "externalRefs", "measurements"] {
      if object[key]?.array?.isEmpty == true || object[key]?.object?.isEmpty == true {
        object[key] = nil
      }
    }
    return .object(object)
  }

  private static func filled(_ json: JSON) -> JSON {
    guard let members = json.object?.members else { return json }
    var object = JSONObject()
    for (key, value) in members where value != .null { object[key] = value }
    return .object(object)
  }

  // MARK: Reading

  /// Reads and checks a whole document.
  ///
  /// - Throws: `FieldError` with the path in the document: `goals[2].measurementTarget`.
  package init(_ json: JSON, defaults: EntryDefaults) throws(FieldError) {
    guard let object = json.object else {
      throw FieldError("the file", "must contain an object, not \(json.typeName)")
    }
    var fields = FieldReader(object)
    guard try fields.string("type") == GoalPackDocument.typeName else {
      throw FieldError("type", "must be “\(GoalPackDocument.typeName)”. This isn’t a goal pack")
    }
    guard let version = try fields.int("version") else {
      throw FieldError("version", "is missing")
    }
    guard version == GoalPackDocument.version else {
      throw FieldError(
        "version",
        "is \(version), but this version of Arkived reads version \(GoalPackDocument.version)"
          + (version > GoalPackDocument.version ? ". Update Arkived to open it" : ""))
    }
    let title = try fields.string("title") ?? ""
    self.init(
      title: title, terms: try GoalPackDocument.read(Term.self, "terms", &fields, defaults),
      values: try GoalPackDocument.read(PersonalValue.self, "values", &fields, defaults),
      goals: try GoalPackDocument.read(Goal.self, "goals", &fields, defaults),
      alignments: try GoalPackDocument.read(
        GoalValueAlignment.self, "alignments", &fields, defaults),
      assignments: try GoalPackDocument.read(
        TermGoalAssignment.self, "assignments", &fields, defaults),
      actions: try GoalPackDocument.objects("actions", &fields) { reader throws(FieldError) in
        try Activity(&reader, defaults: defaults)
      },
      contributions: try GoalPackDocument.read(
        ActionGoalContribution.self, "contributions", &fields, defaults))
    if let key = fields.unknownKeys.first {
      throw FieldError(String(key.prefix(60)), "isn’t a field of a goal pack")
    }
    try check(object)
  }

  private static func read<Entity: RecordedEntity>(
    _ type: Entity.Type, _ list: String, _ fields: inout FieldReader, _ defaults: EntryDefaults
  ) throws(FieldError) -> [Entity] {
    try objects(list, &fields) { reader throws(FieldError) in
      try Entity(&reader, defaults: defaults)
    }
  }

  private static func objects<Element>(
    _ list: String, _ fields: inout FieldReader,
    _ read: (inout FieldReader) throws(FieldError) -> Element
  ) throws(FieldError) -> [Element] {
    try fields.objects(list) { reader throws(FieldError) in
      guard try reader.uuid("id") != nil else { throw FieldError("id", "is missing") }
      let element = try read(&reader)
      if let key = reader.unknownKeys.first {
        throw FieldError(String(key.prefix(60)), "isn’t a field that this version of Arkived knows")
      }
      return element
    } ?? []
  }

  // MARK: Relations

  /// Checks that every ID is used only once and every relation refers to something in the pack.
  private func check(_ object: JSONObject) throws(FieldError) {
    var kinds: [UUID: String] = [:]
    func note(_ list: String) throws(FieldError) {
      for (index, element) in (object[list]?.array ?? []).enumerated() {
        guard let id = element["id"]?.string.flatMap(UUID.init(identity:)) else { continue }
        if let other = kinds[id] {
          throw FieldError("\(list)[\(index)].id", "is used twice; \(other) has it too")
        }
        kinds[id] = "\(list)[\(index)]"
      }
    }
    for list in GoalPackDocument.lists { try note(list) }
    guard !(terms.isEmpty && goals.isEmpty) else {
      throw FieldError("goals", "is missing. A pack contains a goal or a term")
    }
    for (list, field, target) in GoalPackDocument.links {
      for (index, element) in (object[list]?.array ?? []).enumerated() {
        guard let id = element[field]?.string.flatMap(UUID.init(identity:)) else { continue }
        let path = "\(list)[\(index)].\(field)"
        guard let kind = kinds[id] else {
          throw FieldError(path, "is \(id.uuidString), which isn’t among the pack’s \(target)")
        }
        guard kind.hasPrefix("\(target)[") else {
          throw FieldError(
            path,
            kind == "\(list)[\(index)]"
              ? "points to the relation itself, but must point to one of the pack’s \(target)"
              : "points to \(kind), but must point to one of the pack’s \(target)")
        }
      }
    }
    var pairs: Set<[String?]> = []
    for list in ["alignments", "assignments", "contributions"] {
      for (index, element) in (object[list]?.array ?? []).enumerated() {
        let ends = GoalPackDocument.links.filter { $0.list == list }.map {
          element[$0.field]?.string?.uppercased()
        }
        guard pairs.insert([list] + ends).inserted else {
          throw FieldError("\(list)[\(index)]", "is a duplicate; these two are already linked")
        }
      }
    }
  }

  private static let lists = [
    "terms", "goals", "values", "alignments", "assignments", "actions", "contributions",
  ]
  private static let links: [(list: String, field: String, target: String)] = [
    ("alignments", "goalId", "goals"), ("alignments", "valueId", "values"),
    ("assignments", "termId", "terms"), ("assignments", "goalId", "goals"),
    ("contributions", "actionId", "actions"), ("contributions", "goalId", "goals"),
  ]

  // MARK: Renewal

  /// The day on which the pack begins: the first day of its first term, or of its first goal if it
  /// has no term.
  package var firstDay: DayKey? {
    terms.map(\.startDate).min() ?? goals.compactMap(\.startDate).min()
      ?? goals.compactMap(\.targetDate).min()
  }

  /// Returns a copy of the pack with new IDs.
  ///
  /// - Parameters:
  ///   - identities: creates new IDs.
  ///   - now: the current time.
  ///   - start: the new first day; all dates are shifted accordingly.
  ///   - termNumber: the number of its first term.
  /// - Returns: the copy.
  /// - Throws: `FieldError` if a date would fall outside the calendar or the pack contains no date
  ///   to move.
  package func renewed(
    _ identities: any IdentitySource, now: Instant, from start: DayKey?, termNumber: Int
  ) throws(FieldError) -> GoalPackDocument {
    guard start == nil || firstDay != nil else {
      throw FieldError("goals", "have no dates to move. Omit --from")
    }
    let days = start.flatMap { start in firstDay?.distance(to: start) } ?? 0
    var fresh: [UUID: UUID] = [:]
    func id(_ old: UUID) -> UUID {
      if let known = fresh[old] { return known }
      let new = identities.next()
      fresh[old] = new
      return new
    }
    var pack = self
    for index in pack.terms.indices {
      pack.terms[index].id = id(terms[index].id)
      pack.terms[index].termNumber = termNumber + index
      pack.terms[index].startDate = terms[index].startDate.advanced(by: days)
      pack.terms[index].targetDate = terms[index].targetDate.advanced(by: days)
      pack.terms[index].reflection = nil
      pack.terms[index].logTime = now
    }
    for index in pack.values.indices {
      pack.values[index].id = id(values[index].id)
      pack.values[index].logTime = now
    }
    for index in pack.goals.indices {
      pack.goals[index].id = id(goals[index].id)
      pack.goals[index].startDate = goals[index].startDate?.advanced(by: days)
      pack.goals[index].targetDate = goals[index].targetDate?.advanced(by: days)
      pack.goals[index].logTime = now
    }
    for index in pack.alignments.indices {
      pack.alignments[index].id = id(alignments[index].id)
      pack.alignments[index].goalID = id(alignments[index].goalID)
      pack.alignments[index].valueID = id(alignments[index].valueID)
    }
    for index in pack.assignments.indices {
      pack.assignments[index].id = id(assignments[index].id)
      pack.assignments[index].termID = id(assignments[index].termID)
      pack.assignments[index].goalID = id(assignments[index].goalID)
    }
    for index in pack.actions.indices {
      pack.actions[index].id = id(actions[index].id)
      pack.actions[index].move(byDays: days)
      // External references identify the original, not the copy.
      pack.actions[index].externalRefs = []
    }
    for index in pack.contributions.indices {
      pack.contributions[index].id = id(contributions[index].id)
      pack.contributions[index].actionID = id(contributions[index].actionID)
      pack.contributions[index].goalID = id(contributions[index].goalID)
    }
    for (path, day) in pack.terms.map({ ("terms", $0.targetDate) })
      + pack.goals.compactMap({ goal in goal.targetDate.map { ("goals", $0) } })
    where day == .latest || day == .earliest {
      throw FieldError(path, "would be outside the supported range of dates")
    }
    pack.stamp(now)
    return pack
  }

  private mutating func stamp(_ now: Instant) {
    for index in terms.indices { (terms[index].createdAt, terms[index].updatedAt) = (now, now) }
    for index in values.indices { (values[index].createdAt, values[index].updatedAt) = (now, now) }
    for index in goals.indices { (goals[index].createdAt, goals[index].updatedAt) = (now, now) }
    for index in alignments.indices {
      (alignments[index].createdAt, alignments[index].updatedAt) = (now, now)
    }
    for index in assignments.indices {
      (assignments[index].createdAt, assignments[index].updatedAt) = (now, now)
    }
    for index in actions.indices {
      (actions[index].createdAt, actions[index].updatedAt) = (now, now)
    }
    for index in contributions.indices {
      (contributions[index].createdAt, contributions[index].updatedAt) = (now, now)
    }
  }
}

extension Activity {
  /// Moves the entry by whole days, keeping its local time of day and its length, or the days that
  /// it fills.
  fileprivate mutating func move(byDays days: Int) {
    guard days != 0 else { return }
    guard !isAllDay else { return moveWholeDays(by: days) }
    dayKey = dayKey.advanced(by: days)
    func moved(_ instant: Instant) -> Instant {
      let wall = zone.wallTime(at: instant)
      return zone.instant(
        of: WallTime(day: wall.day.advanced(by: days), secondOfDay: wall.secondOfDay))
    }
    let length = startAt.flatMap { start in
      endAt.map { $0.milliseconds - start.milliseconds }
    }
    let period = dayPeriod
    startAt = startAt.map(moved)
    endAt = startAt.flatMap { start in
      length.map { Instant(milliseconds: start.milliseconds + $0) }
    }
    // Another start gives a clock time, which is still not known.
    dayPeriod = period
  }
}
