import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

extension PendingRecord {
  /// Creates a deferred record from an entry whose people and files have already been resolved.
  init(_ record: ImportedRecord, overridesOwner: Bool) {
    let (type, entity): (String, JSON) =
      switch record.value {
      case .activity(let activity): ("activity", activity.record)
      case .day(let entry): ("day", entry.json)
      case .person(let person): ("person", person.json)
      case .tag(let tag): ("tag", tag.json)
      case .metric(let metric): ("metric", metric.json)
      case .history(let version): ("history", version.json)
      case .tombstone(let mark): ("tombstone", mark.json)
      case .attachment(let attachment, let owner, _):
        ("attachment", ["owner": owner.json, "attachment": attachment.json])
      case .interchange(let row): ("interchange", row.line)
      case .event(let entry):
        ("event", ["activity": entry.activity.record, "meeting": entry.meeting.json])
      case .goalSide(let entity): (Swift.type(of: entity).typeName, entity.json)
      }
    self.init(
      type: type, entity: entity, hasOwnIdentity: record.hasOwnIdentity,
      hasOwnVersion: record.hasOwnVersion, overridesOwner: overridesOwner, place: record.place,
      original: record.original)
    isEditedHere = record.isEditedHere
  }

  /// Returns the entry again; nil for a type that this version does not know.
  ///
  /// - Throws: `FieldError` if a stored value is invalid.
  func imported(_ defaults: EntryDefaults) throws -> ImportedRecord? {
    var fields = FieldReader(entity.object ?? JSONObject())
    let value: ImportedRecord.Value
    switch type {
    case "activity": value = .activity(try Activity(&fields, defaults: defaults))
    case "day": value = .day(try DayEntry(&fields, defaults: defaults))
    case "person": value = .person(try Person(&fields, defaults: defaults))
    case "tag": value = .tag(try Tag(&fields, defaults: defaults))
    case "metric": value = .metric(try DayMetric(&fields, defaults: defaults))
    case "history": value = .history(try HistoryRecord(&fields, defaults: defaults))
    case "tombstone": value = .tombstone(try Tombstone(&fields, defaults: defaults))
    case "event":
      var activity = FieldReader(entity["activity"]?.object ?? JSONObject())
      var meeting = FieldReader(entity["meeting"]?.object ?? JSONObject())
      value = .event(
        MeetingEntry(
          meeting: try Meeting(&meeting, defaults: defaults),
          activity: try Activity(&activity, defaults: defaults)))
    case "interchange":
      guard let row = InterchangeRow(line: entity) else { return nil }
      value = .interchange(row)
    case "attachment":
      var attachment = FieldReader(entity["attachment"]?.object ?? JSONObject())
      guard let owner = AttachmentOwner(entity["owner"]) else { return nil }
      value = .attachment(
        try Attachment(&attachment, typeKey: "type", now: defaults.now, defaults: defaults),
        owner: owner, file: nil)
    default:
      guard let type = GoalSide.type(named: type) else { return nil }
      value = .goalSide(try type.init(&fields, defaults: defaults))
    }
    var record = ImportedRecord(
      value, hasOwnIdentity: hasOwnIdentity, hasOwnVersion: hasOwnVersion, place: place,
      linksPeople: false, original: original)
    record.isEditedHere = isEditedHere
    return record
  }
}

extension AttachmentOwner {
  fileprivate var json: JSON {
    switch self {
    case .activity(let id): ["activityId": .string(id.uuidString)]
    case .day(let day): ["dayKey": JSON(day)]
    case .note(let id): ["noteId": .string(id.uuidString)]
    }
  }

  fileprivate init?(_ json: JSON?) {
    if let id = json?["activityId"]?.string.flatMap(UUID.init(uuidString:)) {
      self = .activity(id)
    } else if let day = json?["dayKey"]?.string.flatMap(DayKey.init) {
      self = .day(day)
    } else if let id = json?["noteId"]?.string.flatMap(UUID.init(uuidString:)) {
      self = .note(id)
    } else {
      return nil
    }
  }
}
