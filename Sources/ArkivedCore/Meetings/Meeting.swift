public import Foundation

/// The status of a meeting according to its organiser (RFC 5545 §3.8.1.11).
public struct MeetingStatus: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The meeting takes place.
  public static let confirmed: MeetingStatus = "confirmed"
  /// The meeting may take place.
  public static let tentative: MeetingStatus = "tentative"
  /// The meeting doesn't take place.
  public static let cancelled: MeetingStatus = "cancelled"
}

/// An attendee's role in a meeting (RFC 5545 §3.2.16).
public struct AttendanceRole: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Chairs the meeting.
  public static let chair: AttendanceRole = "chair"
  /// Must attend.
  public static let required: AttendanceRole = "required"
  /// May attend.
  public static let optional: AttendanceRole = "optional"
  /// Is only informed.
  public static let informed: AttendanceRole = "informed"
}

/// An attendee's reply to an invitation (RFC 5545 §3.2.12).
public struct AttendanceReply: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Will attend.
  public static let accepted: AttendanceReply = "accepted"
  /// Will not attend.
  public static let declined: AttendanceReply = "declined"
  /// May attend.
  public static let tentative: AttendanceReply = "tentative"
  /// Has not replied.
  public static let waiting: AttendanceReply = "needsAction"
  /// Sends someone else.
  public static let delegated: AttendanceReply = "delegated"
}

/// The attendance of a person at a meeting.
public struct Attendance: Hashable, Sendable {
  /// The name or address given by the event; for a linked person, the person's name.
  public var name: String
  /// The address given by the event.
  public var address: String?
  /// The linked person, or nil if unknown.
  public var personID: UUID?
  /// The role in the meeting.
  public var role: AttendanceRole
  /// The reply to the invitation.
  public var reply: AttendanceReply
  /// True for the person who called the meeting.
  public var isOrganizer: Bool

  package init(
    name: String, address: String? = nil, personID: UUID? = nil,
    role: AttendanceRole = .required, reply: AttendanceReply = .waiting, isOrganizer: Bool = false
  ) {
    self.name = name
    self.address = address
    self.personID = personID
    self.role = role
    self.reply = reply
    self.isOrganizer = isOrganizer
  }

  /// True if they attended, as far as the invitation shows.
  public var isPresent: Bool { reply != .declined && role != .informed }
}

/// The details of a meeting in addition to its entry on the day: the attendees, the purpose and the
/// outcomes.
///
/// Title, times, zone, place and description are those of the activity that represents it on its
/// day.
public struct Meeting: Hashable, Sendable {
  /// The ID, which never changes.
  public var id: UUID
  /// The ID of the activity that represents it on its day.
  public var activityID: UUID
  /// The event's UID with, for an event of a series, its recurrence id; unique.
  ///
  /// A meeting created by the owner has its own identity here.
  public var eventIdentifier: String
  /// The UID shared by all meetings of a series, or nil without a calendar.
  public var seriesIdentifier: String?
  /// The person who called it.
  public var organizer: String?
  /// The purpose, in the owner's words.
  public var purpose: String?
  /// The outcomes, in the owner's words.
  public var outcomes: String?
  /// A short summary.
  public var summary: String?
  /// The status of the meeting.
  public var status: MeetingStatus
  /// True if it takes up whole days.
  public var isAllDay: Bool
  /// True if its calendar has dropped it; the meeting and its notes stay.
  public var isEventDeleted: Bool
  /// The attendees.
  public var attendances: [Attendance]
  /// The calendar's last version, or nil without a calendar.
  package var event: CalendarEvent?
  /// The linked calendar it came from, with the resource there.
  package var linkID: UUID?
  package var resource: String?
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  package init(
    id: UUID, activityID: UUID, eventIdentifier: String, seriesIdentifier: String? = nil,
    organizer: String? = nil, purpose: String? = nil, outcomes: String? = nil,
    summary: String? = nil, status: MeetingStatus = .confirmed, isAllDay: Bool = false,
    isEventDeleted: Bool = false, attendances: [Attendance] = [], event: CalendarEvent? = nil,
    linkID: UUID? = nil, resource: String? = nil, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.activityID = activityID
    self.eventIdentifier = eventIdentifier
    self.seriesIdentifier = seriesIdentifier
    self.organizer = organizer
    self.purpose = purpose
    self.outcomes = outcomes
    self.summary = summary
    self.status = status
    self.isAllDay = isAllDay
    self.isEventDeleted = isEventDeleted
    self.attendances = attendances
    self.event = event
    self.linkID = linkID
    self.resource = resource
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// True if it counts as held: neither cancelled nor dropped from its calendar.
  public var counts: Bool { status != .cancelled && !isEventDeleted }
}

extension Meeting: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(
      ("organizer", organizer), ("purpose", purpose), ("outcomes", outcomes),
      ("summary", summary), ("eventIdentifier", eventIdentifier))
    guard !isBlank(eventIdentifier) else { throw FieldError("eventIdentifier", "is empty") }
    guard !isBlank(status.rawValue) else { throw FieldError("status", "is empty") }
    for (index, attendance) in attendances.enumerated() {
      guard !isBlank(attendance.name), !attendance.name.contains("\0") else {
        throw FieldError("attendees[\(index)].name", "is empty or contains a NUL character")
      }
      guard attendance.address?.contains("\0") != true else {
        throw FieldError("attendees[\(index)].address", "contains a NUL character")
      }
    }
  }
}

/// A meeting together with the activity that represents it on its day.
public struct MeetingEntry: Hashable, Sendable, Identifiable {
  /// The meeting's own details.
  public var meeting: Meeting
  /// The activity that represents it on its day.
  public var activity: Activity

  package init(meeting: Meeting, activity: Activity) {
    self.meeting = meeting
    self.activity = activity
  }

  /// The meeting's ID.
  public var id: UUID { meeting.id }
  /// The activity's text.
  public var title: String { activity.text }
  /// The later version of the two.
  public var updatedAt: Instant { max(meeting.updatedAt, activity.updatedAt) }

  /// Returns true if it has begun but not ended, and is neither cancelled nor dropped.
  public func goesOn(at now: Instant) -> Bool {
    guard meeting.counts, let start = activity.startAt, let end = activity.endAt else {
      return false
    }
    return start <= now && now < end
  }

  /// The invited attendees, each person once, because two people merged into one may both have been
  /// invited.
  public var invited: [Attendance] {
    var places: [UUID: Int] = [:]
    var found: [Attendance] = []
    for one in meeting.attendances {
      if let id = one.personID {
        if let place = places[id] {
          // The merged person attended if either of the two did, regardless of the other's reply.
          if !found[place].isPresent { found[place] = one }
          continue
        }
        places[id] = found.count
      }
      found.append(one)
    }
    return found
  }

  /// Returns true if a person declined and didn't accept under another address.
  package func isDeclined(by person: UUID?) -> Bool {
    guard let person else { return false }
    let replies = meeting.attendances.filter { $0.personID == person }.map(\.reply)
    return replies.contains(.declined)
      && !replies.contains { $0 == .accepted || $0 == .tentative }
  }

  /// The attendees who were present, as far as the invitation shows.
  public var present: [Attendance] { invited.filter(\.isPresent) }

  /// Creates the owner's own meeting, which is in no calendar, with the people of its entry.
  package static func own(_ activity: Activity, id: UUID) -> MeetingEntry {
    MeetingEntry(
      meeting: Meeting(
        id: id, activityID: activity.id, eventIdentifier: id.uuidString,
        attendances: activity.people.map { Attendance(name: $0.name, personID: $0.personID) },
        createdAt: activity.createdAt, updatedAt: activity.updatedAt), activity: activity)
  }

  /// Sets the attendees, and enters those who haven't declined in the activity.
  public mutating func setAttendees(_ attendees: [Attendance]) {
    let before = meeting.attendances.filter { $0.reply != .declined }
    let now = attendees.filter { $0.reply != .declined }
    func isOne(of list: [Attendance], _ mention: Mention) -> Bool {
      list.contains { one in
        one.personID.map { $0 == mention.personID } ?? (one.name == mention.name)
      }
    }
    meeting.attendances = attendees
    // Other people whom the owner mentioned are kept.
    activity.people =
      now.map { Mention(name: $0.name, personID: $0.personID) }
      + activity.people.filter { !isOne(of: before + now, $0) }
  }

  /// Changes the zone; a meeting that takes up whole days keeps its days.
  package mutating func setZone(_ zone: Zone) {
    guard meeting.isAllDay, activity.startAt != nil else {
      activity.timeZone = zone.identifier
      return
    }
    activity.keepDays(in: zone)
  }

  package var json: JSON {
    var object = meeting.json.object ?? JSONObject()
    object["title"] = .string(activity.text)
    object["dayKey"] = JSON(activity.dayKey)
    object["startDate"] = JSON(activity.startAt)
    object["endDate"] = JSON(activity.endAt)
    object["timeZone"] = .string(activity.timeZone)
    object["location"] = JSON(activity.locationLabel)
    object["description"] = JSON(activity.description)
    object["tags"] = JSON(activity.tags)
    object["attachments"] = .array(activity.attachments.map(\.json))
    object["updatedAt"] = JSON(updatedAt)
    return .object(object)
  }
}
