package import ArkivedCore
package import Foundation
import GRDB

/// Reading and writing goals, values, terms, the lifetime and their relations.
extension Archive {
  // MARK: Reading

  /// Returns every goal, those with the nearest target date first, those without one last.
  package func goals() throws -> [Goal] {
    try read { db in
      try Goal.fetch(db, order: "it.target_date IS NULL, it.target_date, it.title, it.pk")
    }
  }

  /// Returns every value and life area, the highest priority first.
  package func values() throws -> [PersonalValue] {
    try read { db in try PersonalValue.fetch(db, order: "it.priority, it.title, it.pk") }
  }

  /// Returns every term, the latest first.
  package func terms() throws -> [Term] {
    try read { db in try Term.fetch(db, order: "it.start_date DESC, it.term_number DESC") }
  }

  package func lifeTime() throws -> LifeTime? { try read { db in try LifeTime.fetch(db).first } }

  package func entity<Entity: RecordedEntity>(_ type: Entity.Type, _ id: UUID) throws -> Entity? {
    func fetch<Stored: StoredEntity>(_ type: Stored.Type) throws -> Entity? {
      try read { db in try Stored.fetchOne(db, id: id) } as? Entity
    }
    return try (type as? any StoredEntity.Type).flatMap { try fetch($0) }
  }

  /// Returns the relations between goals and the values they serve.
  package func alignments() throws -> [GoalValueAlignment] {
    try read { db in try GoalValueAlignment.fetch(db) }
  }

  /// Returns the commitments to goals in each term, in the term's order.
  package func assignments() throws -> [TermGoalAssignment] {
    try read { db in
      try TermGoalAssignment.fetch(db, order: "it.term_pk, it.assignment_order, it.pk")
    }
  }

  /// Passes on every entity of a type, for exports.
  static func forEach(
    _ type: any StoredEntity.Type, _ db: Database,
    _ body: (_ type: String, JSON) throws -> Void
  ) throws {
    func each<Entity: StoredEntity>(_ type: Entity.Type) throws {
      let source =
        type == ConversationThread.self ? ConversationThread.exported : type.entityType.rawValue
      let rows = try Row.fetchCursor(
        db, sql: "\(type.selection(from: source)) ORDER BY it.pk")
      while let row = try rows.next() { try body(type.typeName, Entity.read(row).json) }
    }
    try each(type)
  }

  // MARK: Writing

  /// Adds an entity related to goals.
  ///
  /// - Throws: `FieldError` if it is not valid, already exists, or links something missing.
  @discardableResult
  package func create<Entity: RecordedEntity>(
    _ entity: Entity, by author: Author = .owner
  ) throws -> Saved<Entity> {
    let (value, change) = try write(
      by: author, "add", "Added \(Self.name(of: entity))"
    ) { scope in
      try scope.insert(entity as any RecordedEntity)
      return entity
    }
    return Saved(value: value, change: change)
  }

  /// Changes an entity related to goals; the previous version is added to the history.
  ///
  /// - Parameters:
  ///   - type: the type of the entity.
  ///   - id: its ID.
  ///   - version: if given, the `updatedAt` the caller last saw; another one is a conflict.
  ///   - author: who makes the change.
  ///   - edit: receives the current entity and changes it.
  /// - Returns: the entity as saved.
  /// - Throws: `ArchiveError.notFound`, `.conflict`, `FieldError`.
  package func update<Entity: RecordedEntity>(
    _ type: Entity.Type, _ id: UUID, version: Instant? = nil, by author: Author = .owner,
    _ edit: (inout Entity) throws -> Void
  ) throws -> Saved<Entity> {
    try transact { db in
      let scope = try openScope(db, by: author, "edit", "")
      guard let old = try scope.entity(type.entityType, id) as? Entity else {
        throw ArchiveError.notFound("No \(type.typeName) with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This \(type.typeName)")
      var new = old
      try edit(&new)
      guard new != old || Archive.differ(new.json, old.json) else {
        try scope.forget()
        return Saved(value: old, change: nil)
      }
      var named = scope
      try named.summarise("Changed \(Self.name(of: old))")
      new.updatedAt = max(scope.now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
      try scope.update(new as any RecordedEntity, reason: .update)
      return Saved(value: new, change: named.change)
    }
  }

  /// Deletes an entity related to goals with its relations; undo restores all of it.
  ///
  /// - Parameters:
  ///   - type: the type of the entity.
  ///   - id: its ID.
  ///   - version: if given, the `updatedAt` the caller last saw.
  ///   - author: who makes the change.
  /// - Returns: the entity as deleted.
  /// - Throws: `ArchiveError.notFound`, `.conflict`.
  @discardableResult
  package func delete<Entity: RecordedEntity>(
    _ type: Entity.Type, _ id: UUID, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<Entity> {
    let (value, change) = try write(by: author, "delete", "") { scope in
      guard let old = try scope.entity(type.entityType, id) as? Entity else {
        throw ArchiveError.notFound("No \(type.typeName) with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This \(type.typeName)")
      try scope.summarise("Deleted \(Self.name(of: old))")
      try scope.delete(type.entityType, id)
      return old
    }
    return Saved(value: value, change: change)
  }

  /// Returns a name such as "the goal “Run 120 km”".
  static func name(of entity: some RecordedEntity) -> String {
    let type = type(of: entity).entityType.singular
    guard let titled = entity as? any Persistable else { return "a \(type)" }
    return "the \(type) “\(titled.title.prefix(120))”"
  }
}

extension ChangeScope {
  /// Removes a change without effect from the list of changes.
  package func forget() throws {
    try db.execute(sql: "DELETE FROM change_rows WHERE pk = ?", arguments: [changeKey])
  }
}
