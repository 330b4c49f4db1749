import ArkivedCore
import Foundation

// Entities are written field by field, because their JSON would cost several times as much and is
// designed for other readers. Entities that are never numerous are still written as JSON.
extension FrameWriter {
  package mutating func put(_ record: ImportedRecord) {
    put(record.hasOwnIdentity)
    put(record.hasOwnVersion)
    put(record.place)
    put(record.linksPeople)
    put(record.allowsFirstNames)
    put(record.attachmentsFolder)
    optional(record.original) { $0.put($1) }
    put(record.isEditedHere)
    put(record.coveredUntil)
    put(record.value)
  }

  package mutating func put(_ diagnostic: Diagnostic) {
    put(diagnostic.severity == .skipped)
    put(diagnostic.place)
    put(diagnostic.message)
    put(diagnostic.isCut)
    put(diagnostic.mayPass)
  }

  private mutating func put(_ value: ImportedRecord.Value) {
    switch value {
    case .activity(let activity):
      put(RecordKind.activity.rawValue)
      put(activity)
    case .event(let entry):
      put(RecordKind.event.rawValue)
      put(entry.meeting)
      put(entry.activity)
    case .day(let entry):
      put(RecordKind.day.rawValue)
      put(entry)
    case .person(let person):
      put(RecordKind.person.rawValue)
      put(person)
    case .tag(let tag):
      put(RecordKind.tag.rawValue)
      put(tag)
    case .metric(let metric):
      put(RecordKind.metric.rawValue)
      put(metric)
    case .attachment(let attachment, let owner, let file):
      put(RecordKind.attachment.rawValue)
      put(attachment)
      put(owner)
      put(file)
    case .history(let version):
      put(RecordKind.history.rawValue)
      put(version)
    case .tombstone(let mark):
      put(RecordKind.tombstone.rawValue)
      put(mark)
    case .goalSide(let entity):
      put(RecordKind.goalSide.rawValue)
      put(type(of: entity).typeName)
      put(entity.json)
    case .interchange(let row):
      put(RecordKind.interchange.rawValue)
      put(row)
    }
  }

  // MARK: Entities

  private mutating func put(_ activity: Activity) {
    put(activity.id)
    put(activity.dayKey)
    put(activity.startAt)
    put(activity.endAt)
    put(activity.timeZone)
    put(activity.kind.rawValue)
    put(activity.text)
    put(activity.description)
    put(activity.notes)
    put(activity.source.rawValue)
    put(activity.isPinned)
    put(activity.locationLabel)
    put(activity.lat)
    put(activity.lon)
    list(Array(activity.measurements)) { writer, amount in
      writer.put(amount.key)
      writer.put(amount.value)
    }
    put(activity.durationMinutes)
    put(activity.dayPeriod?.rawValue)
    optional(activity.weather) { $0.put($1) }
    put(activity.typedText)
    put(activity.tags)
    list(activity.people) { $0.put($1) }
    list(activity.attachments) { $0.put($1) }
    list(activity.externalRefs) { $0.put($1) }
    put(activity.createdAt)
    put(activity.updatedAt)
  }

  private mutating func put(_ meeting: Meeting) {
    put(meeting.id)
    put(meeting.activityID)
    put(meeting.eventIdentifier)
    put(meeting.seriesIdentifier)
    put(meeting.organizer)
    put(meeting.purpose)
    put(meeting.outcomes)
    put(meeting.summary)
    put(meeting.status.rawValue)
    put(meeting.isAllDay)
    put(meeting.isEventDeleted)
    list(meeting.attendances) { $0.put($1) }
    optional(meeting.event) { $0.put($1) }
    put(meeting.linkID)
    put(meeting.resource)
    put(meeting.createdAt)
    put(meeting.updatedAt)
  }

  private mutating func put(_ attendance: Attendance) {
    put(attendance.name)
    put(attendance.address)
    put(attendance.personID)
    put(attendance.role.rawValue)
    put(attendance.reply.rawValue)
    put(attendance.isOrganizer)
  }

  private mutating func put(_ event: CalendarEvent) {
    put(event.title)
    put(event.dayKey)
    put(event.startAt)
    put(event.endAt)
    put(event.timeZone)
    put(event.isAllDay)
    put(event.location)
    put(event.description)
    put(event.organizer)
    put(event.status.rawValue)
    put(event.tags)
    optional(event.invited) { $0.put($1) }
    put(event.addedBefore)
  }

  private mutating func put(_ entry: DayEntry) {
    put(entry.id)
    put(entry.dayKey)
    put(entry.title)
    put(entry.note)
    put(entry.mood)
    put(entry.energy)
    optional(entry.weather) { $0.put($1) }
    list(entry.people) { $0.put($1) }
    list(entry.attachments) { $0.put($1) }
    list(entry.externalRefs) { $0.put($1) }
    put(entry.createdAt)
    put(entry.updatedAt)
  }

  private mutating func put(_ metric: DayMetric) {
    put(metric.id)
    put(metric.dayKey)
    put(metric.metric)
    put(metric.unit)
    put(metric.value)
    put(metric.minimum)
    put(metric.maximum)
    put(metric.source)
    put(metric.createdAt)
    put(metric.updatedAt)
  }

  private mutating func put(_ person: Person) {
    put(person.id)
    put(person.name)
    put(person.email)
    put(person.furtherAddresses)
    put(person.aliases)
    put(person.relationshipSummary)
    list(person.externalRefs) { $0.put($1) }
    put(person.createdAt)
    put(person.updatedAt)
  }

  private mutating func put(_ tag: Tag) {
    put(tag.id)
    put(tag.name)
    put(tag.colorHex)
    put(tag.createdAt)
    put(tag.updatedAt)
  }

  private mutating func put(_ attachment: Attachment) {
    put(attachment.id)
    put(attachment.type.rawValue)
    put(attachment.caption)
    put(attachment.relativePath)
    put(attachment.externalURL)
    put(attachment.contentHash)
    put(attachment.byteCount)
    put(attachment.mediaType)
    put(attachment.originalName)
    put(attachment.createdAt)
    put(attachment.updatedAt)
  }

  private mutating func put(_ version: HistoryRecord) {
    put(version.id)
    put(version.sourceTable.rawValue)
    put(version.sourceID)
    put(version.record)
    put(version.reason.rawValue)
    put(version.archivedAt)
    put(version.archivedBy.rawValue)
  }

  private mutating func put(_ mark: Tombstone) {
    put(mark.sourceTable.rawValue)
    put(mark.sourceID)
    put(mark.provider)
    put(mark.externalID)
    put(mark.deletedAt)
  }

  // MARK: Parts

  private mutating func put(_ owner: AttachmentOwner) {
    switch owner {
    case .activity(let id):
      put(UInt8(0))
      put(id)
    case .day(let day):
      put(UInt8(1))
      put(day)
    case .note(let id):
      put(UInt8(2))
      put(id)
    }
  }

  private mutating func put(_ mention: Mention) {
    put(mention.name)
    put(mention.personID)
  }

  private mutating func put(_ ref: ExternalRef) {
    put(ref.provider)
    put(ref.externalID)
    put(ref.fetchedAt)
    put(ref.contentHash)
  }

  private mutating func put(_ weather: Weather) {
    put(weather.conditions)
    put(weather.temperatureCelsius)
    put(weather.humidityPercent)
    put(weather.windSpeedKph)
  }

  private mutating func put(_ row: InterchangeRow) {
    put(row.table)
    put(row.key)
    list(row.columns) { writer, column in
      writer.put(column.name)
      writer.put(column.value)
    }
  }

  private mutating func put(_ value: InterchangeValue) {
    switch value {
    case .null: put(UInt8(0))
    case .integer(let value):
      put(UInt8(1))
      put(value)
    case .real(let value):
      put(UInt8(2))
      put(value)
    case .text(let value):
      put(UInt8(3))
      put(value)
    case .brokenText(let value):
      put(UInt8(4))
      put(value)
    case .blob(let value):
      put(UInt8(5))
      put(value)
    }
  }
}

/// The entity of a record.
enum RecordKind: UInt8 {
  case activity = 1
  case event, day, person, tag, metric, attachment, history, tombstone, goalSide, interchange
}
