public import Foundation

/// Whether a meeting takes place, as its organiser says (RFC 5545 §3.8.1.11).
public struct MeetingStatus: OpenString {
  /// The text as it is stored.
  public let rawValue: String
  /// Makes the value of a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It takes place.
  public static let confirmed: MeetingStatus = "confirmed"
  /// It may take place.
  public static let tentative: MeetingStatus = "tentative"
  /// It doesn't take place.
  public static let cancelled: MeetingStatus = "cancelled"
}

/// How somebody takes part in a meeting (RFC 5545 §3.2.16).
public struct AttendanceRole: OpenString {
  /// The text as it is stored.
  public let rawValue: String
  /// Makes the value of a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Leads it.
  public static let chair: AttendanceRole = "chair"
  /// Has to take part.
  public static let required: AttendanceRole = "required"
  /// May take part.
  public static let optional: AttendanceRole = "optional"
  /// Is told of it only.
  public static let informed: AttendanceRole = "informed"
}

/// What somebody answered to an invitation (RFC 5545 §3.2.12).
public struct AttendanceReply: OpenString {
  /// The text as it is stored.
  public let rawValue: String
  /// Makes the value of a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Comes.
  public static let accepted: AttendanceReply = "accepted"
  /// Doesn't come.
  public static let declined: AttendanceReply = "declined"
  /// May come.
  public static let tentative: AttendanceReply = "tentative"
  /// Hasn't answered.
  public static let waiting: AttendanceReply = "needsAction"
  /// Sends somebody else.
  public static let delegated: AttendanceReply = "delegated"
}

/// That somebody takes part in a meeting.
public struct Attendance: Hashable, Sendable {
  /// The name or address as the event tells it; for a linked person, the person's name.
  public var name: String
  /// The address that the event names.
  public var address: String?
  /// nil where it is not known who is meant.
  public var personID: UUID?
  /// How they take part.
  public var role: AttendanceRole
  /// What they answered.
  public var reply: AttendanceReply
  /// Whether they called the meeting.
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

  /// Whether they were there, as far as the invitation tells.
  public var isPresent: Bool { reply != .declined && role != .informed }
}

/// What a meeting is beside its entry on the day's timeline: who took part, what it was for and what
/// came of it.
///
/// Title, times, zone, place and description are those of the activity by which it shows on its day.
public struct Meeting: Hashable, Sendable {
  /// The identity, which never changes.
  public var id: UUID
  /// The identity of the activity by which it shows on its day.
  public var activityID: UUID
  /// The event's UID and, for one of a series, its recurrence id; unique. A meeting that its owner
  /// made has its own identity here.
  public var eventIdentifier: String
  /// The UID that all meetings of a series share; nil where there is no calendar.
  public var seriesIdentifier: String?
  /// Who called it.
  public var organizer: String?
  /// What it is for, in the owner's words.
  public var purpose: String?
  /// What came of it, in the owner's words.
  public var outcomes: String?
  /// A short account of it.
  public var summary: String?
  /// Whether it takes place.
  public var status: MeetingStatus
  /// Whether it takes up whole days rather than hours.
  public var isAllDay: Bool
  /// Whether its calendar has dropped it. The meeting and what was written to it stay.
  public var isEventDeleted: Bool
  /// Who takes part.
  public var attendances: [Attendance]
  /// What the calendar last said of it; nil where there is no calendar.
  package var event: CalendarEvent?
  /// The link through which it came, and the resource there.
  package var linkID: UUID?
  package var resource: String?
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
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

  /// Whether it counts as held: neither cancelled nor dropped from its calendar.
  public var counts: Bool { status != .cancelled && !isEventDeleted }
}

extension Meeting: Validatable {
  /// Checks the structure; throws a `FieldError` that names the first wrong field.
  public func validate() throws(FieldError) {
    try refuseNUL(
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

/// A meeting together with the activity by which it shows on its day.
public struct MeetingEntry: Hashable, Sendable, Identifiable {
  /// What it is beside its activity.
  public var meeting: Meeting
  /// The activity by which it shows on its day.
  public var activity: Activity

  package init(meeting: Meeting, activity: Activity) {
    self.meeting = meeting
    self.activity = activity
  }

  /// The meeting's identity.
  public var id: UUID { meeting.id }
  /// The activity's text.
  public var title: String { activity.text }
  /// The version of both.
  public var updatedAt: Instant { max(meeting.updatedAt, activity.updatedAt) }

  /// Whether it has begun and not ended, and is neither cancelled nor dropped.
  public func goesOn(at now: Instant) -> Bool {
    guard meeting.counts, let start = activity.startAt, let end = activity.endAt else {
      return false
    }
    return start <= now && now < end
  }

  /// Who is invited, each person once: two who were merged may both have been.
  public var invited: [Attendance] {
    var places: [UUID: Int] = [:]
    var found: [Attendance] = []
    for one in meeting.attendances {
      if let id = one.personID {
        if let place = places[id] {
          // Who came as one of them was there, whatever the other answered.
          if !found[place].isPresent { found[place] = one }
          continue
        }
        places[id] = found.count
      }
      found.append(one)
    }
    return found
  }

  /// Who takes part, as far as the invitation tells.
  public var present: [Attendance] { invited.filter(\.isPresent) }

  /// Sets who takes part, with the entry on the day naming the same people.
  public mutating func setAttendees(_ attendees: [Attendance]) {
    let before = meeting.attendances
    func isOne(of list: [Attendance], _ mention: Mention) -> Bool {
      list.contains { one in
        one.personID.map { $0 == mention.personID } ?? (one.name == mention.name)
      }
    }
    meeting.attendances = attendees
    // Whom the owner named besides stays named.
    activity.people =
      attendees.map { Mention(name: $0.name, personID: $0.personID) }
      + activity.people.filter { !isOne(of: before + attendees, $0) }
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
