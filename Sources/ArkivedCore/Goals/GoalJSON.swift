import Foundation

extension FieldReader {
  /// Reads a day, or the local day of an instant in `zone`.
  package mutating func dayOrInstant(_ key: String, in zone: Zone) throws(FieldError) -> DayKey? {
    guard let text = try string(key) else { return nil }
    switch TimeBound(text) {
    case .day(let day): return day
    case .instant(let instant): return zone.dayKey(at: instant)
    case nil:
      throw FieldError(
        key, "is \(FieldError.shown(text)), but must be a day such as 2026-03-14")
    }
  }

  /// Reads the text of a field; null or an empty text clears it.
  fileprivate mutating func optionalText(_ key: String) throws(FieldError) -> String? {
    let text = try string(key)
    return text?.isEmpty == true ? nil : text
  }

  /// Reads the text of a field, if the field is given.
  fileprivate mutating func take(_ key: String, _ text: inout String?) throws(FieldError) {
    if has(key) { text = try optionalText(key) }
  }

  /// Reads the day of a field, if the field is given.
  fileprivate mutating func take(
    _ key: String, _ day: inout DayKey?, in zone: Zone
  ) throws(FieldError) {
    if has(key) { day = try dayOrInstant(key, in: zone) }
  }

  /// Rejects null for fields that cannot be empty.
  fileprivate func refuseNull(_ keys: String...) throws(FieldError) {
    for key in keys where object[key] == .null { throw FieldError(key, "can’t be null") }
  }

  fileprivate mutating func stamps(
    _ defaults: EntryDefaults
  ) throws(FieldError) -> (created: Instant, updated: Instant) {
    let created = try instant("createdAt") ?? defaults.now
    return (created, try instant("updatedAt") ?? created)
  }

  /// Rejects unknown fields.
  package func refuseUnknown() throws(FieldError) {
    if let key = unknownKeys.first {
      throw FieldError(String(key.prefix(60)), "isn’t an argument here. See the API description")
    }
  }
}

/// An entity whose fields can be set one by one, on creation and on later changes.
package protocol Editable: RecordedEntity, Persistable {
  /// Changes the given fields; null clears an optional one.
  ///
  /// The result is not validated.
  mutating func apply(_ fields: inout FieldReader, homeZone: Zone) throws(FieldError)
}

extension Editable {
  /// Changes only the fields that an object contains.
  ///
  /// - Throws: `FieldError`, also for unknown fields.
  package mutating func change(_ object: JSONObject, homeZone: Zone) throws(FieldError) {
    var fields = FieldReader(object)
    try apply(&fields, homeZone: homeZone)
    try fields.refuseUnknown()
    try validate()
  }
}

extension Goal: Editable {
  package static let entityType = EntityType.goal
  package static let typeName = "goal"

  package var json: JSON {
    [
      "id": .string(id.uuidString), "title": .string(title), "description": JSON(description),
      "notes": JSON(notes), "logTime": JSON(logTime), "goalType": .string(goalType.rawValue),
      "measurementUnit": JSON(measurementUnit), "measurementTarget": JSON(measurementTarget),
      "startDate": JSON(startDate), "targetDate": JSON(targetDate),
      "howGoalIsRelevant": JSON(howGoalIsRelevant),
      "howGoalIsActionable": JSON(howGoalIsActionable),
      "expectedTermLength": JSON(expectedTermLength), "createdAt": JSON(createdAt),
      "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let (createdAt, updatedAt) = try fields.stamps(defaults)
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(),
      title: try fields.required("title"), createdAt: createdAt, updatedAt: updatedAt)
    try apply(&fields, homeZone: defaults.homeZone)
    try validate()
  }

  package mutating func apply(
    _ fields: inout FieldReader, homeZone: Zone
  ) throws(FieldError) {
    try fields.refuseNull("title", "goalType", "logTime")
    if let text = try fields.string("title") { title = text }
    try fields.take("description", &description)
    try fields.take("notes", &notes)
    if let instant = try fields.instant("logTime") { logTime = instant }
    if let type = try fields.string("goalType") { goalType = GoalType(rawValue: type) }
    try fields.take("measurementUnit", &measurementUnit)
    if fields.has("measurementTarget") {
      measurementTarget = try fields.double("measurementTarget")
    }
    try fields.take("startDate", &startDate, in: homeZone)
    try fields.take("targetDate", &targetDate, in: homeZone)
    try fields.take("howGoalIsRelevant", &howGoalIsRelevant)
    if fields.has("howGoalIsActionable") {
      // The hints may also be given as an object instead of text.
      howGoalIsActionable =
        if case .object(let hints)? = fields.value("howGoalIsActionable") {
          JSON.object(hints).text()
        } else {
          try fields.optionalText("howGoalIsActionable")
        }
    }
    if fields.has("expectedTermLength") {
      expectedTermLength = try fields.int("expectedTermLength")
    }
  }
}

extension PersonalValue: Editable {
  package static let entityType = EntityType.personalValue
  package static let typeName = "value"

  package var json: JSON {
    [
      "id": .string(id.uuidString), "title": .string(title), "description": JSON(description),
      "notes": JSON(notes), "logTime": JSON(logTime),
      "incentiveType": .string(incentiveType.rawValue), "priority": JSON(priority),
      "lifeDomain": .string(lifeDomain), "alignmentGuidance": JSON(alignmentGuidance),
      "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let (createdAt, updatedAt) = try fields.stamps(defaults)
    let type = IncentiveType(
      rawValue: try fields.string("incentiveType") ?? IncentiveType.general.rawValue)
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(),
      title: try fields.required("title"), incentiveType: type, createdAt: createdAt,
      updatedAt: updatedAt)
    try apply(&fields, homeZone: defaults.homeZone)
    try validate()
  }

  /// Applies the given fields.
  ///
  /// A new type brings its own default priority, unless the priority was changed before or is also
  /// given.
  package mutating func apply(
    _ fields: inout FieldReader, homeZone: Zone
  ) throws(FieldError) {
    try fields.refuseNull("title", "incentiveType", "logTime")
    if let text = try fields.string("title") { title = text }
    try fields.take("description", &description)
    try fields.take("notes", &notes)
    if let instant = try fields.instant("logTime") { logTime = instant }
    if let name = try fields.string("incentiveType") {
      let type = IncentiveType(rawValue: name)
      if priority == incentiveType.defaultPriority { priority = type.defaultPriority }
      incentiveType = type
    }
    if fields.has("priority") {
      priority = try fields.int("priority") ?? incentiveType.defaultPriority
    }
    if fields.has("lifeDomain") {
      lifeDomain = try fields.optionalText("lifeDomain") ?? PersonalValue.defaultDomain
    }
    try fields.take("alignmentGuidance", &alignmentGuidance)
  }
}

extension Term: Editable {
  package static let entityType = EntityType.term
  package static let typeName = "term"

  package var json: JSON {
    [
      "id": .string(id.uuidString), "termNumber": JSON(termNumber), "startDate": JSON(startDate),
      "targetDate": JSON(targetDate), "theme": JSON(theme), "reflection": JSON(reflection),
      "description": JSON(description), "notes": JSON(notes), "logTime": JSON(logTime),
      "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let (createdAt, updatedAt) = try fields.stamps(defaults)
    guard let number = try fields.int("termNumber") else {
      throw FieldError("termNumber", "is missing")
    }
    guard let start = try fields.dayOrInstant("startDate", in: defaults.homeZone) else {
      throw FieldError("startDate", "is missing")
    }
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), termNumber: number,
      startDate: start, createdAt: createdAt, updatedAt: updatedAt)
    try apply(&fields, homeZone: defaults.homeZone)
    try validate()
  }

  /// Applies the given fields.
  ///
  /// Changing the start shifts the target date by as many days, unless the target date is also
  /// given.
  package mutating func apply(
    _ fields: inout FieldReader, homeZone: Zone
  ) throws(FieldError) {
    try fields.refuseNull("termNumber", "startDate", "logTime")
    if let number = try fields.int("termNumber") { termNumber = number }
    if let start = try fields.dayOrInstant("startDate", in: homeZone) {
      targetDate = targetDate.advanced(by: startDate.distance(to: start))
      startDate = start
    }
    if fields.has("targetDate") {
      targetDate =
        try fields.dayOrInstant("targetDate", in: homeZone)
        ?? startDate.advanced(by: Term.defaultDays)
    }
    try fields.take("theme", &theme)
    try fields.take("reflection", &reflection)
    try fields.take("description", &description)
    try fields.take("notes", &notes)
    if let instant = try fields.instant("logTime") { logTime = instant }
  }
}

extension LifeTime: Editable {
  package static let entityType = EntityType.lifeTime
  package static let typeName = "lifetime"

  package var json: JSON {
    [
      "id": .string(id.uuidString), "birthDate": JSON(birthDate),
      "expectedYears": JSON(expectedYears), "description": JSON(description),
      "notes": JSON(notes), "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let (createdAt, updatedAt) = try fields.stamps(defaults)
    guard let birth = try fields.dayOrInstant("birthDate", in: defaults.homeZone) else {
      throw FieldError("birthDate", "is missing")
    }
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), birthDate: birth,
      createdAt: createdAt, updatedAt: updatedAt)
    try apply(&fields, homeZone: defaults.homeZone)
    try validate()
  }

  package mutating func apply(
    _ fields: inout FieldReader, homeZone: Zone
  ) throws(FieldError) {
    try fields.refuseNull("birthDate")
    if let birth = try fields.dayOrInstant("birthDate", in: homeZone) { birthDate = birth }
    if fields.has("expectedYears") {
      expectedYears = try fields.double("expectedYears") ?? LifeTime.defaultYears
    }
    try fields.take("description", &description)
    try fields.take("notes", &notes)
  }
}

extension ActionGoalContribution: RecordedEntity {
  package static let entityType = EntityType.contribution
  package static let typeName = "contribution"

  package var json: JSON {
    [
      "id": .string(id.uuidString), "actionId": .string(actionID.uuidString),
      "goalId": .string(goalID.uuidString), "contribution": JSON(contribution),
      "matchMethod": .string(matchMethod.rawValue), "confidence": JSON(confidence),
      "matchedOn": JSON(matchedOn), "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let (createdAt, updatedAt) = try fields.stamps(defaults)
    let method = MatchMethod(
      rawValue: try fields.string("matchMethod") ?? MatchMethod.manual.rawValue)
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(),
      actionID: try fields.identity("actionId"), goalID: try fields.identity("goalId"),
      contribution: try fields.double("contribution") ?? 1, matchMethod: method,
      confidence: try fields.double("confidence") ?? 1,
      matchedOn: try fields.strings("matchedOn") ?? [], createdAt: createdAt,
      updatedAt: updatedAt)
    try validate()
  }
}

extension GoalValueAlignment: RecordedEntity {
  package static let entityType = EntityType.alignment
  package static let typeName = "alignment"

  package var json: JSON {
    [
      "id": .string(id.uuidString), "goalId": .string(goalID.uuidString),
      "valueId": .string(valueID.uuidString), "strength": JSON(strength), "notes": JSON(notes),
      "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let (createdAt, updatedAt) = try fields.stamps(defaults)
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(),
      goalID: try fields.identity("goalId"), valueID: try fields.identity("valueId"),
      strength: try fields.int("strength"), notes: try fields.optionalText("notes"),
      createdAt: createdAt, updatedAt: updatedAt)
    try validate()
  }
}

extension TermGoalAssignment: RecordedEntity {
  package static let entityType = EntityType.assignment
  package static let typeName = "assignment"

  package var json: JSON {
    [
      "id": .string(id.uuidString), "termId": .string(termID.uuidString),
      "goalId": .string(goalID.uuidString), "order": JSON(order), "createdAt": JSON(createdAt),
      "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let (createdAt, updatedAt) = try fields.stamps(defaults)
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(),
      termID: try fields.identity("termId"), goalID: try fields.identity("goalId"),
      order: try fields.int("order") ?? 0, createdAt: createdAt, updatedAt: updatedAt)
    try validate()
  }
}

extension FieldReader {
  /// Reads a required ID.
  fileprivate mutating func identity(_ key: String) throws(FieldError) -> UUID {
    guard let id = try uuid(key) else { throw FieldError(key, "is missing") }
    return id
  }
}
