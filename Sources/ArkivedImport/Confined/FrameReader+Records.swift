package import ArkivedCore
import Foundation

extension FrameReader {
  /// Reads a record.
  ///
  /// - Parameter defaults: the values for fields that an entity omits.
  /// - Returns: the record.
  /// - Throws: `BrokenFrame`; `InvalidRecord` for a record that fails a validation rule while it is
  ///   read, as it would in the archive.
  package mutating func record(_ defaults: EntryDefaults) throws -> ImportedRecord {
    let hasOwnIdentity = try bool()
    let hasOwnVersion = try bool()
    let place = try string()
    let linksPeople = try bool()
    let allowsFirstNames = try bool()
    let folder = try optional { try $0.url() }
    let original = try optional { try $0.row() }
    let isEditedHere = try bool()
    let coveredUntil = try optional { try $0.instant() }
    let value: ImportedRecord.Value
    do {
      value = try self.value(defaults)
    } catch let error as FieldError {
      throw InvalidRecord(place: place, error: error)
    }
    try end()
    var record = ImportedRecord(
      value, hasOwnIdentity: hasOwnIdentity, hasOwnVersion: hasOwnVersion, place: place,
      linksPeople: linksPeople, attachmentsFolder: folder, original: original)
    record.allowsFirstNames = allowsFirstNames
    record.isEditedHere = isEditedHere
    record.coveredUntil = coveredUntil
    return record
  }

  package mutating func diagnostic() throws -> Diagnostic {
    Diagnostic(
      try bool() ? .skipped : .note, place: try string(), message: try string(),
      isCut: try bool(), mayPass: try bool())
  }

  private mutating func value(_ defaults: EntryDefaults) throws -> ImportedRecord.Value {
    switch RecordKind(rawValue: try byte()) {
    case .activity: return .activity(try activity())
    case .event:
      let meeting = try meeting()
      return .event(MeetingEntry(meeting: meeting, activity: try activity()))
    case .day: return .day(try dayEntry())
    case .person: return .person(try person())
    case .tag: return .tag(try tag())
    case .metric: return .metric(try metric())
    case .attachment:
      let attachment = try attachment()
      let owner = try owner()
      return .attachment(attachment, owner: owner, file: try optional { try $0.url() })
    case .history: return .history(try history())
    case .tombstone: return .tombstone(try tombstone())
    case .goalSide: return .goalSide(try entity(defaults))
    case .interchange: return .interchange(try row())
    case nil: throw BrokenFrame()
    }
  }

  private mutating func entity(_ defaults: EntryDefaults) throws -> any RecordedEntity {
    guard let type = GoalSide.type(named: try string()), let object = try json().object else {
      throw BrokenFrame()
    }
    var fields = FieldReader(object)
    return try type.init(&fields, defaults: defaults)
  }

  // MARK: Entities

  private mutating func activity() throws -> Activity {
    Activity(
      id: try uuid(), dayKey: try day(), startAt: try optional { try $0.instant() },
      endAt: try optional { try $0.instant() }, timeZone: try string(),
      kind: ActivityKind(rawValue: try string()), text: try string(),
      description: try text(), notes: try text(), source: ActivitySource(rawValue: try string()),
      isPinned: try bool(), locationLabel: try text(), lat: try number(), lon: try number(),
      measurements: try measurements(), durationMinutes: try number(),
      dayPeriod: try text().flatMap(DayPeriod.init(rawValue:)), weather: try weather(),
      typedText: try text(), tags: try strings(), people: try list { try $0.mention() },
      attachments: try list { try $0.attachment() }, externalRefs: try list { try $0.reference() },
      createdAt: try instant(), updatedAt: try instant())
  }

  private mutating func measurements() throws -> [String: Double] {
    var amounts: [String: Double] = [:]
    for (unit, amount) in try list({ (try $0.string(), try $0.double()) }) {
      amounts[unit] = amount
    }
    return amounts
  }

  private mutating func meeting() throws -> Meeting {
    Meeting(
      id: try uuid(), activityID: try uuid(), eventIdentifier: try string(),
      seriesIdentifier: try text(), organizer: try text(), purpose: try text(),
      outcomes: try text(), summary: try text(), status: MeetingStatus(rawValue: try string()),
      isAllDay: try bool(), isEventDeleted: try bool(),
      attendances: try list { try $0.attendance() }, event: try optional { try $0.event() },
      linkID: try optional { try $0.uuid() }, resource: try text(), createdAt: try instant(),
      updatedAt: try instant())
  }

  private mutating func attendance() throws -> Attendance {
    Attendance(
      name: try string(), address: try text(), personID: try optional { try $0.uuid() },
      role: AttendanceRole(rawValue: try string()),
      reply: AttendanceReply(rawValue: try string()), isOrganizer: try bool())
  }

  private mutating func event() throws -> CalendarEvent {
    CalendarEvent(
      title: try string(), dayKey: try day(), startAt: try optional { try $0.instant() },
      endAt: try optional { try $0.instant() }, timeZone: try string(), isAllDay: try bool(),
      location: try text(), description: try text(), organizer: try text(),
      status: MeetingStatus(rawValue: try string()), tags: try strings(),
      invited: try optional { try $0.strings() }, addedBefore: try strings())
  }

  private mutating func dayEntry() throws -> DayEntry {
    DayEntry(
      id: try uuid(), dayKey: try day(), title: try text(), note: try string(),
      mood: try optional { try $0.int() }, energy: try optional { try $0.int() },
      weather: try weather(), people: try list { try $0.mention() },
      attachments: try list { try $0.attachment() }, externalRefs: try list { try $0.reference() },
      createdAt: try instant(), updatedAt: try instant())
  }

  private mutating func metric() throws -> DayMetric {
    DayMetric(
      id: try uuid(), dayKey: try day(), metric: try string(), unit: try string(),
      value: try double(), minimum: try number(), maximum: try number(), source: try string(),
      createdAt: try instant(), updatedAt: try instant())
  }

  private mutating func person() throws -> Person {
    Person(
      id: try uuid(), name: try text(), email: try text(), furtherAddresses: try strings(),
      aliases: try strings(), relationshipSummary: try text(),
      externalRefs: try list { try $0.reference() }, createdAt: try instant(),
      updatedAt: try instant())
  }

  private mutating func tag() throws -> Tag {
    Tag(
      id: try uuid(), name: try string(), colorHex: try text(), createdAt: try instant(),
      updatedAt: try instant())
  }

  private mutating func attachment() throws -> Attachment {
    Attachment(
      id: try uuid(), type: AttachmentType(rawValue: try string()), caption: try text(),
      relativePath: try text(), externalURL: try text(), contentHash: try text(),
      byteCount: try optional { try $0.int() }, mediaType: try text(), originalName: try text(),
      createdAt: try instant(), updatedAt: try instant())
  }

  private mutating func history() throws -> HistoryRecord {
    HistoryRecord(
      id: try uuid(), sourceTable: EntityType(rawValue: try string()), sourceID: try uuid(),
      record: try json(), reason: HistoryRecord.Reason(rawValue: try string()),
      archivedAt: try instant(), archivedBy: Author(rawValue: try string()))
  }

  private mutating func tombstone() throws -> Tombstone {
    Tombstone(
      sourceTable: EntityType(rawValue: try string()), sourceID: try uuid(), provider: try text(),
      externalID: try text(), deletedAt: try instant())
  }

  // MARK: Parts

  private mutating func text() throws -> String? { try optional { try $0.string() } }
  private mutating func number() throws -> Double? { try optional { try $0.double() } }

  private mutating func owner() throws -> AttachmentOwner {
    switch try byte() {
    case 0: .activity(try uuid())
    case 1: .day(try day())
    case 2: .note(try uuid())
    default: throw BrokenFrame()
    }
  }

  private mutating func mention() throws -> Mention {
    Mention(name: try string(), personID: try optional { try $0.uuid() })
  }

  private mutating func reference() throws -> ExternalRef {
    ExternalRef(
      provider: try string(), externalID: try string(), fetchedAt: try instant(),
      contentHash: try text())
  }

  private mutating func weather() throws -> Weather? {
    try optional { reader in
      Weather(
        conditions: try reader.text(), temperatureCelsius: try reader.number(),
        humidityPercent: try reader.number(), windSpeedKph: try reader.number())
    }
  }

  private mutating func row() throws -> InterchangeRow {
    InterchangeRow(
      table: try string(), key: try string(),
      columns: try list { reader in
        InterchangeRow.Column(name: try reader.string(), value: try reader.column())
      })
  }

  private mutating func column() throws -> InterchangeValue {
    switch try byte() {
    case 0: .null
    case 1: .integer(try int64())
    case 2: .real(try double())
    case 3: .text(try string())
    case 4: .brokenText(try data())
    case 5: .blob(try data())
    default: throw BrokenFrame()
    }
  }
}

/// A record that fails one of its entity's rules.
package struct InvalidRecord: Error, Hashable, Sendable {
  package let place: String
  package let error: FieldError

  package init(place: String, error: FieldError) {
    self.place = place
    self.error = error
  }

  /// The diagnostic, as for any record that the archive rejects.
  package var diagnostic: Diagnostic {
    Diagnostic(
      .skipped, place: "\(place) field “\(error.field)”",
      message: "skipped: \(error.description)", mayPass: true)
  }
}
