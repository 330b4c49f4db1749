import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Import of goals and everything related.
extension ImportWriter {
  /// Imports an entity.
  ///
  /// Links have to wait until both of their ends exist, so everything is decided when the run is
  /// published.
  func take(_ told: any RecordedEntity, _ record: ImportedRecord) throws {
    try told.validate()
    let settled = try withFiles(told, record)
    guard !isStaging else { return try putOff(.goalSide(settled), record) }
    let imported =
      try record.hasOwnIdentity ? withImportedPeople(settled) : withKnownPeople(settled)
    let type = type(of: imported)
    var scope = scope
    scope.matchesGoals = false
    let old =
      try scope.entity(type.entityType, imported.id) ?? scope.entity(like: imported)
    guard let old else {
      // Without an ID, equal content means the same entity.
      if !record.hasOwnIdentity,
        try scope.entities(titledAs: imported).contains(where: {
          isSame(imported, $0)
        })
      {
        return leave(record)
      }
      // A card's note is nothing without the person, whom the owner deleted.
      let isUnwanted = (told as? Note)?.people.contains { mention in
        mention.personID.map { state.unwantedPeople.contains($0) } ?? false
      }
      guard try isUnwanted != true && !isDoubleCardNote(imported) else { return leave(record) }
      guard try mayCreate(imported.id, [], .goalSide(imported), record) else { return }
      try create(type.typeName) { try scope.insert(imported) }
      if imported is Goal { state.goals.new.append(imported.id) }
      return
    }
    // Two sources number terms independently, so statements about one don't apply to the other.
    if let term = imported as? Term, old.id != term.id, record.hasOwnIdentity {
      throw FieldError(
        "termNumber", "is \(term.termNumber), but another term already has that number")
    }
    if old.id != imported.id, let old = old as? ActionGoalContribution,
      old.matchMethod == .autoInferred
    {
      // A match that the rules found when the run imported its two ends gives way to the imported
      // one; an earlier match is not older than the imported one.
      let isDecided = (imported as? ActionGoalContribution)?.matchMethod.isOwners == true
      guard isDecided || old.createdAt >= scope.now else { return leave(record) }
      return try create(type.typeName) { try scope.insert(imported) }
    }
    guard !isSame(imported, old) else { return leave(record) }
    if try updateCardNote(imported, over: old, record) { return }
    guard try isNewer(imported.updatedAt, than: old.updatedAt, type.entityType, old.id, record)
    else {
      return leave(record, "your version of the \(type.typeName) is as new or newer and was kept")
    }
    var new = imported
    new.id = old.id
    new.createdAt = record.hasOwnIdentity ? imported.createdAt : old.createdAt
    if !record.hasOwnVersion { new.updatedAt = later(than: old.updatedAt) }
    try scope.attempt { try scope.update(new, reason: .import) }
    state.account.updated += 1
    if new is Goal { state.goals.changed.append(new.id) }
  }

  /// Stores the files of a note, before the note itself is deferred.
  private func withFiles(
    _ imported: any RecordedEntity, _ record: ImportedRecord
  ) throws -> any RecordedEntity {
    guard var note = imported as? Note, !note.attachments.isEmpty else { return imported }
    note.attachments = try note.attachments.map { try stored($0, record) }
    return note
  }

  /// Links the people mentioned in a note by the IDs that the importer gave them.
  private func withImportedPeople(_ imported: any RecordedEntity) throws -> any RecordedEntity {
    guard var note = imported as? Note, note.people.contains(where: { $0.personID != nil }) else {
      return imported
    }
    note.people = try note.people.map { mention in
      guard let told = mention.personID, let id = state.peopleByImportedID[told] else {
        return mention
      }
      guard let name = try scope.personName(id) else { return Mention(name: mention.name) }
      return Mention(name: name, personID: id)
    }
    return note
  }

  /// Links invited people whose address belongs to a person here, if another program wrote the
  /// meeting.
  private func withKnownPeople(_ imported: any RecordedEntity) throws -> any RecordedEntity {
    guard var meeting = imported as? Meeting else { return imported }
    for (index, one) in meeting.attendances.enumerated() where one.personID == nil {
      guard let address = one.address,
        let id = try scope.personID(withAddress: [address])
      else { continue }
      meeting.attendances[index].personID = id
      meeting.attendances[index].name = try scope.personName(id) ?? one.name
    }
    return meeting
  }

  func isSame(_ imported: any RecordedEntity, _ old: any RecordedEntity) -> Bool {
    func content(_ entity: any RecordedEntity) -> JSON {
      guard var object = entity.json.object else { return .null }
      for key in ["id", "createdAt", "updatedAt", "logTime"] { object[key] = nil }
      // An existing tag keeps its spelling.
      if let tags = object["tags"]?.array {
        object["tags"] = JSON(tags.compactMap(\.string).map { NameFolding.key($0) })
      }
      // IDs of attachments differ between archives; their content doesn't.
      if let attachments = object["attachments"]?.array {
        object["attachments"] = .array(
          attachments.map { JSON.array([$0["contentHash"] ?? .null, $0["externalURL"] ?? .null]) })
      }
      return .object(object)
    }
    return content(imported) == content(old)
  }
}
