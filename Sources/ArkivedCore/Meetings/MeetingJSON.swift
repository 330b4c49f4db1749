import Foundation

extension EntityType {
  package static let meeting: EntityType = "meetings"
  package static let note: EntityType = "notes"
}

extension Attendance {
  package var json: JSON {
    [
      "name": .string(name), "address": JSON(address), "personId": JSON(personID?.uuidString),
      "role": .string(role.rawValue), "reply": .string(reply.rawValue),
      "isOrganizer": .bool(isOrganizer),
    ]
  }

  package init(_ fields: inout FieldReader) throws(FieldError) {
    let name = try fields.required("name")
    let personID = try fields.uuid("personId")
    self.init(
      // Earlier versions let a person lose their name; the link still says who they are.
      name: personID != nil && isBlank(name) ? Person.nameless : name,
      address: try fields.string("address"), personID: personID,
      role: AttendanceRole(rawValue: try fields.string("role") ?? "required"),
      reply: AttendanceReply(rawValue: try fields.string("reply") ?? "needsAction"),
      isOrganizer: try fields.bool("isOrganizer") ?? false)
  }
}

extension Meeting: RecordedEntity {
  package static let entityType = EntityType.meeting
  package static let typeName = "meeting"

  /// The meeting's own fields; title and times are those of its activity.
  package var json: JSON {
    [
      "id": .string(id.uuidString), "activityId": .string(activityID.uuidString),
      "eventIdentifier": .string(eventIdentifier), "seriesIdentifier": JSON(seriesIdentifier),
      "organizer": JSON(organizer), "purpose": JSON(purpose), "outcomes": JSON(outcomes),
      "summary": JSON(summary), "status": .string(status.rawValue), "isAllDay": .bool(isAllDay),
      "isEventDeleted": .bool(isEventDeleted), "attendees": .array(attendances.map(\.json)),
      "event": event?.json ?? .null, "linkId": JSON(linkID?.uuidString),
      "resource": JSON(resource), "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    guard let activityID = try fields.uuid("activityId") else {
      throw FieldError("activityId", "is missing")
    }
    let id = try fields.uuid("id") ?? defaults.identities.next()
    var event: CalendarEvent?
    if let object = try fields.object("event") {
      var reader = FieldReader(object)
      do throws(FieldError) {
        event = try CalendarEvent(&reader)
      } catch {
        throw FieldError("event.\(error.field)", error.problem)
      }
    }
    self.init(
      id: id, activityID: activityID,
      eventIdentifier: try fields.string("eventIdentifier") ?? id.uuidString,
      seriesIdentifier: try fields.string("seriesIdentifier"),
      organizer: try fields.string("organizer"), purpose: try fields.string("purpose"),
      outcomes: try fields.string("outcomes"), summary: try fields.string("summary"),
      status: MeetingStatus(rawValue: try fields.string("status") ?? "confirmed"),
      isAllDay: try fields.bool("isAllDay") ?? false,
      isEventDeleted: try fields.bool("isEventDeleted") ?? false,
      attendances: try fields.objects("attendees") { fields throws(FieldError) in
        try Attendance(&fields)
      } ?? [],
      event: event, linkID: try fields.uuid("linkId"), resource: try fields.string("resource"),
      createdAt: createdAt, updatedAt: try fields.instant("updatedAt") ?? createdAt)
    try validate()
  }
}
