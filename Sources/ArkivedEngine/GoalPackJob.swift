package import ArkivedCore
import ArkivedImport
package import ArkivedStore
package import Foundation

/// A job that packs a goal or a term with everything that belongs to it, and opens such packs.
package struct GoalPackJob: Sendable {
  package let archive: Archive
  package let homeZone: Zone

  package init(archive: Archive, homeZone: Zone) {
    self.archive = archive
    self.homeZone = homeZone
  }

  // MARK: Packing

  package func pack(_ goal: Goal, withActions: Bool) throws -> GoalPackDocument {
    let assignments = try archive.assignments().filter { $0.goalID == goal.id }
    let terms = Set(assignments.map(\.termID))
    return try pack(
      goal.title, [goal], try archive.terms().filter { terms.contains($0.id) }, assignments,
      withActions)
  }

  package func pack(_ term: Term, withActions: Bool) throws -> GoalPackDocument {
    let assignments = try archive.assignments().filter { $0.termID == term.id }
    let ids = Set(assignments.map(\.goalID))
    return try pack(
      term.title, try archive.goals().filter { ids.contains($0.id) }, [term], assignments,
      withActions)
  }

  private func pack(
    _ title: String, _ goals: [Goal], _ terms: [Term], _ assignments: [TermGoalAssignment],
    _ withActions: Bool
  ) throws -> GoalPackDocument {
    let ids = Set(goals.map(\.id))
    let alignments = try archive.alignments().filter { ids.contains($0.goalID) }
    let values = Set(alignments.map(\.valueID))
    var actions: [UUID: Activity] = [:]
    var contributions: [ActionGoalContribution] = []
    if withActions {
      for goal in goals {
        for link in try archive.contributions(toGoal: goal.id, limit: 1_000_000) {
          actions[link.action.id] = link.action
        }
        contributions += try archive.decisions(aboutGoal: goal.id)
      }
      // An action of one goal may be refused for another one of the pack.
      contributions.removeAll { actions[$0.actionID] == nil }
    }
    return GoalPackDocument(
      title: title, terms: terms, values: try archive.values().filter { values.contains($0.id) },
      goals: goals, alignments: alignments, assignments: assignments,
      actions: Array(actions.values), contributions: contributions)
  }

  /// Writes a pack to a file; an existing file is replaced only if it is a pack.
  package func write(_ pack: GoalPackDocument, to file: URL) throws {
    if FileManager.default.fileExists(atPath: file.path) {
      let old = (try? Data(contentsOf: file)).flatMap { try? JSON(parsing: [UInt8]($0)) }
      guard old?["type"]?.string == GoalPackDocument.typeName else {
        throw ArchiveError.refused(
          "\(file.path) already exists and isn’t a goal pack. Choose another file.")
      }
    }
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    try DurableFile.write(Data(GoalPackJob.text(pack).utf8), to: file)
  }

  package static func text(_ pack: GoalPackDocument) -> String {
    pack.json.text(indented: true) + "\n"
  }

  // MARK: Opening

  /// The result of opening a pack.
  package struct Opened: Sendable {
    package var title = ""
    /// The number of new items by list, such as goals or values.
    package var created: [String: Int] = [:]
    package var updated = 0
    package var unchanged = 0
    /// The items that are newer here and stayed unchanged.
    package var kept: [String] = []
    /// The change; nil if nothing was new.
    package var change: Change?

    package var json: JSON {
      var object = JSONObject()
      for (list, count) in created.sorted(by: { $0.key < $1.key }) { object[list] = JSON(count) }
      return [
        "title": .string(title), "created": .object(object), "updated": JSON(updated),
        "unchanged": JSON(unchanged), "kept": JSON(kept),
      ]
    }
  }

  /// Reads a pack and validates it as a whole.
  ///
  /// - Throws: `FieldError` with the path in the file.
  package func read(_ file: URL) throws -> GoalPackDocument {
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ImportRefusal(
        place: file.path,
        message: "no such file. Make one with: arkived goal pack GOAL -o FILE")
    }
    return try read([UInt8](try Data(contentsOf: file)), named: file.lastPathComponent)
  }

  /// Reads the bytes of a pack and validates it as a whole.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - name: the file's name, for errors.
  /// - Returns: the pack.
  /// - Throws: `FieldError` with the path in the file.
  package func read(_ bytes: [UInt8], named name: String) throws -> GoalPackDocument {
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch let error as JSONSyntaxError {
      throw FieldError(name, "isn’t valid JSON: \(error)")
    }
    return try GoalPackDocument(
      json,
      defaults: EntryDefaults(
        now: archive.clock.now, homeZone: homeZone, identities: archive.identities))
  }

  /// Opens a pack as one change, completely or not at all.
  ///
  /// - Parameters:
  ///   - pack: the pack.
  ///   - asNew: gives everything a new ID.
  ///   - start: with `asNew`, the new first day.
  /// - Returns: the created and changed entities.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func open(_ pack: GoalPackDocument, asNew: Bool = false, from start: DayKey? = nil) throws
    -> Opened
  {
    let content = try asNew ? renewed(pack, from: start) : pack
    return try archive.write(by: .owner, Self.action, Self.summary(content)) { scope in
      try Self.open(content, &scope)
    }.value
  }

  /// Opens a pack in the same way and stores the answer in the same transaction, so a repeated
  /// request opens it only once.
  ///
  /// - Throws: `RequestKeyTaken`, and what the other `open` throws.
  package func open(
    _ pack: GoalPackDocument, asNew: Bool = false, from start: DayKey? = nil,
    once request: RequestKey?, answer: (Opened) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let content = try asNew ? renewed(pack, from: start) : pack
    return try archive.write(
      by: .owner, Self.action, Self.summary(content), once: request
    ) { scope in try answer(try Self.open(content, &scope)) }
  }

  private static let action = "unpack"

  private static func summary(_ pack: GoalPackDocument) -> String {
    "Opened the goal pack “\(pack.title.prefix(120))”"
  }

  private func renewed(
    _ pack: GoalPackDocument, from start: DayKey?
  ) throws -> GoalPackDocument {
    let number = (try archive.terms().map(\.termNumber).max() ?? 0) + 1
    return try pack.renewed(
      archive.identities, now: archive.clock.now, from: start, termNumber: number)
  }

  private static func open(
    _ content: GoalPackDocument, _ scope: inout ChangeScope
  ) throws -> Opened {
    var opened = Opened()
    opened.title = content.title
    func take(_ list: String, _ entities: [any RecordedEntity]) throws {
      for (index, entity) in entities.enumerated() {
        do {
          try GoalPackJob.take(entity, list, scope, &opened)
        } catch let error as FieldError {
          throw FieldError("\(list)[\(index)].\(error.field)", error.problem)
        }
      }
    }
    for (list, entities) in content.entities { try take(list, entities) }
    for (index, action) in content.actions.enumerated() {
      do {
        try GoalPackJob.take(action, scope, &opened)
      } catch let error as FieldError {
        throw FieldError("actions[\(index)].\(error.field)", error.problem)
      }
    }
    try take("contributions", content.contributions)
    if opened.created.isEmpty, opened.updated == 0 {
      try scope.forget()
    } else {
      opened.change = scope.change
    }
    return opened
  }

  private static func take(
    _ entity: any RecordedEntity, _ list: String, _ scope: ChangeScope, _ opened: inout Opened
  ) throws {
    let type = type(of: entity).entityType
    guard let old = try scope.entity(type, entity.id) else {
      // Two that are already linked need no second link.
      if !(entity is any Persistable), let like = try scope.entity(like: entity),
        (like as? ActionGoalContribution)?.matchMethod.isOwners ?? true
      {
        opened.unchanged += 1
        return
      }
      try scope.forgetDeletion(of: entity.id, [])
      try scope.attempt { try scope.insert(entity) }
      opened.created[list, default: 0] += 1
      return
    }
    guard old.json != entity.json else {
      opened.unchanged += 1
      return
    }
    guard entity.updatedAt > old.updatedAt else {
      opened.kept.append((old as? any Persistable)?.title ?? type.singular)
      return
    }
    try scope.attempt { try scope.update(entity, reason: .update) }
    opened.updated += 1
  }

  private static func take(
    _ action: Activity, _ scope: ChangeScope, _ opened: inout Opened
  ) throws {
    if let old = try scope.activity(action.id) {
      // A pack has less about an action than the archive, so it only adds missing actions.
      if action.updatedAt > old.updatedAt { opened.kept.append(old.text) }
      opened.unchanged += 1
      return
    }
    var new = action
    // An entry from the same source already exists under another ID.
    for ref in action.externalRefs where try scope.known(ref) != nil {
      new.externalRefs.removeAll { $0 == ref }
    }
    new.people = try new.people.map { try scope.resolve($0, allowsFirstName: false) }
    try scope.forgetDeletion(of: new.id, [])
    try scope.attempt { try scope.insert(new) }
    opened.created["actions", default: 0] += 1
  }
}
