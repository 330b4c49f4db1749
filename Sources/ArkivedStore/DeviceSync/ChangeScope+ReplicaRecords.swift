import ArkivedCore
import Foundation
import GRDB

extension ChangeScope {
  /// Makes a record the current version of its entity.
  ///
  /// - Throws: `FieldError` if it is not a valid entity.
  func put(_ record: JSONObject, _ type: EntityType, isThere: Bool) throws {
    var fields = FieldReader(record)
    let defaults = EntryDefaults(now: now, homeZone: .utc, identities: identities)
    if !isThere, type != .tag, type != .person,
      let id = record["id"]?.string.flatMap({ UUID(uuidString: $0) })
    {
      try makeWay(for: type, id)
    }
    switch type {
    case .activity:
      let activity = try Activity(&fields, defaults: defaults)
      if isThere { try update(activity) } else { try insert(activity) }
    case .day:
      let entry = try DayEntry(&fields, defaults: defaults)
      if isThere { try update(entry) } else { try insert(entry) }
    case .person:
      let person = try Person(&fields, defaults: defaults)
      if isThere { try update(person) } else { try insert(person) }
    case .tag:
      let tag = try Tag(&fields, defaults: defaults)
      if isThere { try update(tag) } else { try insert(tag) }
    case .metric:
      let metric = try DayMetric(&fields, defaults: defaults)
      if isThere { try update(metric) } else { try insert(metric) }
    default:
      guard let stored = StoredEntities.type(type) else {
        throw FieldError("type", "is \(type.rawValue), which this version doesn’t know")
      }
      try put(stored, &fields, defaults, isThere: isThere)
    }
    if let id = record["id"]?.string.flatMap({ UUID(uuidString: $0) }) { try exhume(id) }
  }

  private func put<Entity: StoredEntity>(
    _ type: Entity.Type, _ fields: inout FieldReader, _ defaults: EntryDefaults, isThere: Bool
  ) throws {
    var entity = try Entity(&fields, defaults: defaults)
    // The source of a calendar's event belongs to the computer that fetches it.
    if var meeting = entity as? Meeting, let old = try Meeting.fetchOne(db, id: meeting.id) {
      (meeting.linkID, meeting.resource) = (old.linkID, old.resource)
      entity = meeting as? Entity ?? entity
    }
    if isThere { try updateEntity(entity) } else { try insertEntity(entity) }
  }
}
