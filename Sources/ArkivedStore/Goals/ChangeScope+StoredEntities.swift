package import ArkivedCore
package import Foundation
import GRDB

/// Writing goals and related entities.
///
/// Their matches are updated with them.
extension ChangeScope {
  func insertEntity<Entity: StoredEntity>(_ entity: Entity) throws {
    try entity.validate()
    if decidesAnew, let alignment = entity as? GoalValueAlignment {
      try PersonalValue.fetchOne(db, id: alignment.valueID)?.checkIsValue()
    }
    let columns = try entity.columns(self)
    try clear(Entity.self, columns, for: entity.id)
    let all: [Column] =
      [("id", entity.id.uuidString)] + columns + [
        ("change_pk", changeKey), ("changed_pk", changeKey),
        ("created_at", entity.createdAt.milliseconds),
        ("updated_at", entity.updatedAt.milliseconds),
      ]
    let names = all.map(\.name).joined(separator: ", ")
    try refusingTaken(entity, columns) {
      try db.cachedStatement(
        sql: """
          INSERT INTO \(Entity.entityType.rowsTable) (\(names))
          VALUES (\(placeholders(all.count)))
          """
      ).execute(arguments: StatementArguments(all.map(\.value)))
    }
    let key = db.lastInsertedRowID
    try adoptOrphans(of: entity.id, key: key)
    try entity.writeParts(self, key: key, before: nil)
    try settle(entity, key: key, before: nil)
  }

  /// Replaces an entity's content; the previous version is added to the history.
  func updateEntity<Entity: StoredEntity>(
    _ entity: Entity, reason: HistoryRecord.Reason = .update
  ) throws {
    try entity.validate()
    let before = keys.termsLettingGo.removeValue(forKey: entity.id) as? Entity
    guard let old = try before ?? Entity.fetchOne(db, id: entity.id),
      let key = try Entity.key(entity.id, db)
    else { throw Self.notFound(Entity.self, entity.id) }
    if decidesAnew { try checkStaysServable(entity, before: old, key: key) }
    try keep(Entity.entityType, entity.id, old.json, reason: reason)
    let columns = try entity.columns(self)
    try clear(Entity.self, columns, for: entity.id)
    let all: [Column] =
      columns + [
        ("changed_pk", changeKey), ("created_at", entity.createdAt.milliseconds),
        ("updated_at", entity.updatedAt.milliseconds),
      ]
    let list = all.map { "\($0.name) = ?" }.joined(separator: ", ")
    try refusingTaken(entity, columns) {
      try db.cachedStatement(
        sql: "UPDATE \(Entity.entityType.rowsTable) SET \(list) WHERE pk = ?"
      ).execute(arguments: StatementArguments(all.map(\.value) + [key]))
    }
    try entity.writeParts(self, key: key, before: old)
    try settle(entity, key: key, before: old)
  }

  /// False for imported content, for what another device wrote, and for earlier states, which are
  /// stored unchanged.
  private var decidesAnew: Bool {
    ![Author.importer, ReplicaMerge.author].contains(change.author)
      && !["undo", "redo", "restore"].contains(change.action)
  }

  /// Checks that a value doesn't become a life area while goals serve it.
  private func checkStaysServable<Entity: StoredEntity>(
    _ entity: Entity, before old: Entity, key: Int64
  ) throws {
    guard let value = entity as? PersonalValue, let old = old as? PersonalValue,
      old.incentiveType.isValue, !value.incentiveType.isValue
    else { return }
    let isServed = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM goal_value_alignments WHERE value_pk = ?)",
      arguments: [key])
    guard isServed != true else {
      throw FieldError(
        "incentiveType", "can’t be a life area while goals are linked to it. Unlink the goals first"
      )
    }
  }

  /// Releases the numbers of terms, so they can be swapped.
  ///
  /// Each of them must be updated in the same change; its previous version has its previous number.
  package func letGo(ofNumbersOf ids: [UUID]) throws {
    let last = try Int.fetchOne(db, sql: "SELECT max(term_number) FROM term_rows") ?? 0
    for (place, id) in ids.enumerated() {
      guard let term = try Term.fetchOne(db, id: id) else { continue }
      keys.termsLettingGo[id] = term
      try db.execute(
        sql: "UPDATE term_rows SET term_number = ? WHERE id = ?",
        arguments: [last + 1 + place, id.uuidString])
    }
  }

  /// Removes an entity and its relations; all of it is added to the history.
  @discardableResult
  func deleteEntity<Entity: StoredEntity>(
    _ type: Entity.Type, _ id: UUID, reason: HistoryRecord.Reason = .delete
  ) throws -> Entity {
    guard let old = try Entity.fetchOne(db, id: id), let key = try Entity.key(id, db) else {
      throw Self.notFound(type, id)
    }
    try deleteRelations(of: Entity.entityType, key: key)
    try keep(Entity.entityType, id, old.json, reason: reason)
    try bury(Entity.entityType, id, [])
    if let kind = SearchDocument.Kind.ofRows[Entity.entityType] { try removeDocument(kind, key) }
    if let owner = EntityType.attachmentOwner[Entity.entityType] {
      try removeAttachmentDocuments(owner: owner, key: key)
    }
    try db.cachedStatement(sql: "DELETE FROM \(Entity.entityType.rowsTable) WHERE pk = ?")
      .execute(arguments: [key])
    if type == Goal.self { keys.forgetGoals() }
    return old
  }

  /// Removes the relations of an entity that is about to be removed; the owner's are added to the
  /// history.
  ///
  /// Matches found by the rules are found again if it is restored.
  func deleteRelations(of type: EntityType, key: Int64) throws {
    func remove<Relation: StoredEntity>(
      _ relation: Relation.Type, where condition: String
    ) throws {
      let ids = try String.fetchAll(
        db,
        // In reverse order, so undo, which goes backwards, restores them in their order.
        cached:
          "SELECT id FROM \(relation.entityType.rawValue) WHERE \(condition) ORDER BY pk DESC",
        arguments: [key])
      for id in ids.compactMap(UUID.init(uuidString:)) { try deleteEntity(relation, id) }
    }
    let isOwners = "match_method <> '\(MatchMethod.autoInferred.rawValue)'"
    switch type {
    case .activity:
      try remove(ActionGoalContribution.self, where: "activity_pk = ? AND \(isOwners)")
      try remove(Meeting.self, where: "activity_pk = ?")
    case .meeting: try remove(Note.self, where: "meeting_pk = ?")
    case .thread: try remove(ConversationMessage.self, where: "thread_pk = ?")
    case .goal:
      try remove(ActionGoalContribution.self, where: "goal_pk = ? AND \(isOwners)")
      try remove(GoalValueAlignment.self, where: "goal_pk = ?")
      try remove(TermGoalAssignment.self, where: "goal_pk = ?")
    case .personalValue: try remove(GoalValueAlignment.self, where: "value_pk = ?")
    case .term: try remove(TermGoalAssignment.self, where: "term_pk = ?")
    default: break
    }
  }

  /// Removes hidden rows with the same unique values, and an inferred match that is replaced by an
  /// imported one.
  private func clear<Entity: StoredEntity>(
    _ type: Entity.Type, _ columns: [Column], for id: UUID
  ) throws {
    let unique = columns.filter { Entity.uniqueColumns.contains($0.name) }
    var conditions = ["it.id = ?"]
    var arguments: [(any DatabaseValueConvertible)?] = [id.uuidString]
    if !unique.isEmpty {
      let pair = unique.map { "it.\($0.name) = ?" }.joined(separator: " AND ")
      conditions.append("(\(pair))")
      arguments += unique.map(\.value)
      if type == ActionGoalContribution.self {
        try db.cachedStatement(
          sql: """
            DELETE FROM contribution_rows AS it
            WHERE \(pair) AND match_method = 'auto_inferred' AND id <> ?
            """
        ).execute(arguments: StatementArguments(unique.map(\.value) + [id.uuidString]))
      }
    }
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT it.pk, hidden_changes.state FROM \(Entity.entityType.rowsTable) AS it
        JOIN hidden_changes ON hidden_changes.change_pk = it.changed_pk
        WHERE \(conditions.joined(separator: " OR "))
        """, arguments: StatementArguments(arguments))
    for row in rows {
      try makeWay(for: Entity.entityType, key: row["pk"], state: row["state"])
    }
  }

  /// Reports values that the schema refuses as duplicates in terms the owner understands.
  private func refusingTaken<Entity: StoredEntity>(
    _ entity: Entity, _ columns: [Column], _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      switch entity {
      case let term as Term:
        throw FieldError(
          "termNumber", "is \(term.termNumber), but another term already has that number")
      case is LifeTime:
        throw FieldError("birthDate", "is already set. Change the existing dates of your life")
      case is ActionGoalContribution:
        throw FieldError("goalId", "is already linked to this action. Edit that link")
      case is GoalValueAlignment:
        throw FieldError("valueId", "is already linked to this goal. Edit that link")
      case is TermGoalAssignment:
        throw FieldError("goalId", "is already part of this term")
      case is Meeting:
        throw FieldError("eventIdentifier", "already belongs to another meeting or its entry")
      default: throw FieldError("id", "already belongs to something else")
      }
    }
  }

  /// Updates the matches after a write.
  private func settle<Entity: StoredEntity>(
    _ entity: Entity, key: Int64, before old: Entity?
  ) throws {
    guard let goal = entity as? Goal else { return }
    keys.forgetGoals()
    guard matchesGoals else { return }
    let before = old as? Goal
    if let before, GoalMatcher.isSame(before, goal) { return }
    try inferContributions(ofGoal: goal, key: key, unit: before?.measurementUnit)
  }

  static func notFound<Entity: StoredEntity>(_ type: Entity.Type, _ id: UUID) -> ArchiveError {
    .notFound("No \(Entity.typeName) with the ID \(id.uuidString).")
  }
}

/// Writes and queries of an import run that concern goals.
extension ChangeScope {
  package func insert(_ entity: any RecordedEntity) throws {
    guard let entity = entity as? any StoredEntity else { return }
    try insertEntity(entity)
  }

  package func update(_ entity: any RecordedEntity, reason: HistoryRecord.Reason) throws {
    guard let entity = entity as? any StoredEntity else { return }
    try updateEntity(entity, reason: reason)
  }

  package func entity(_ type: EntityType, _ id: UUID) throws -> (any RecordedEntity)? {
    func fetch<Entity: StoredEntity>(_ type: Entity.Type) throws -> (any RecordedEntity)? {
      try Entity.fetchOne(db, id: id)
    }
    return try StoredEntities.type(type).flatMap { try fetch($0) }
  }

  /// Returns the existing entity that corresponds to another: the term with the same number, or the
  /// relation between the same two entities.
  package func entity(like entity: any RecordedEntity) throws -> (any RecordedEntity)? {
    func fetch<Entity: StoredEntity>(_ entity: Entity) throws -> (any RecordedEntity)? {
      let unique = try entity.columns(self).filter { Entity.uniqueColumns.contains($0.name) }
      guard !unique.isEmpty else { return nil }
      return try Entity.fetch(
        db, where: unique.map { "it.\($0.name) = ?" }.joined(separator: " AND "),
        arguments: StatementArguments(unique.map(\.value))
      ).first
    }
    guard let entity = entity as? any StoredEntity else { return nil }
    return try fetch(entity)
  }

  /// Returns the entities with the same title; empty for an entity without its own title.
  package func entities(titledAs entity: any RecordedEntity) throws -> [any RecordedEntity] {
    switch entity {
    case let goal as Goal:
      try Goal.fetch(db, where: "it.title = ?", arguments: [goal.title])
    case let value as PersonalValue:
      try PersonalValue.fetch(db, where: "it.title = ?", arguments: [value.title])
    default: []
    }
  }

  /// Removes a goal or related entity with its relations; all of it is added to the history.
  package func delete(_ type: EntityType, _ id: UUID) throws {
    guard let entity = StoredEntities.type(type) else { return }
    try deleteEntity(entity, id)
  }
}
