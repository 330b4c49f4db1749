import Foundation

/// The calendar's version of a meeting.
///
/// It is stored with the meeting so that the next sync can distinguish changes by the calendar from
/// changes by the owner: a field that differs from the calendar's last value belongs to the owner
/// and is kept.
package struct CalendarEvent: Hashable, Sendable {
  package var title: String
  package var dayKey: DayKey
  package var startAt: Instant?
  package var endAt: Instant?
  package var timeZone: String
  package var isAllDay: Bool
  package var location: String?
  package var description: String?
  package var organizer: String?
  package var status: MeetingStatus
  package var tags: [String]
  /// The attendees, each by `Attendance.key`; nil if they were not recorded.
  package var invited: [String]?
  /// The invited attendees whom the owner had added before, each by `Attendance.key`; they are kept
  /// if the calendar drops them.
  package var addedBefore: [String]

  package init(
    title: String, dayKey: DayKey, startAt: Instant?, endAt: Instant?, timeZone: String,
    isAllDay: Bool = false, location: String? = nil, description: String? = nil,
    organizer: String? = nil, status: MeetingStatus = .confirmed, tags: [String] = [],
    invited: [String]? = nil, addedBefore: [String] = []
  ) {
    self.title = title
    self.dayKey = dayKey
    self.startAt = startAt
    self.endAt = endAt
    self.timeZone = timeZone
    self.isAllDay = isAllDay
    self.location = location
    self.description = description
    self.organizer = organizer
    self.status = status
    self.tags = tags
    self.invited = invited
    self.addedBefore = addedBefore
  }

  /// Creates the calendar's version from the current fields of an entry and its meeting.
  package init(_ entry: MeetingEntry) {
    let activity = entry.activity
    self.init(
      title: activity.text, dayKey: activity.dayKey, startAt: activity.startAt,
      endAt: activity.endAt, timeZone: activity.timeZone, isAllDay: entry.meeting.isAllDay,
      location: activity.locationLabel, description: activity.description,
      organizer: entry.meeting.organizer, status: entry.meeting.status, tags: activity.tags,
      invited: entry.meeting.attendances.map(\.key))
  }
}

extension Attendance {
  /// The key that identifies an attendee in later versions of an event: the address, otherwise the
  /// person, otherwise the name.
  package var key: String {
    address.map(NameFolding.key) ?? personID?.uuidString ?? NameFolding.key(name)
  }

  /// Returns true if two attendances are the same attendee, by key or by person.
  package func isSame(as other: Attendance) -> Bool {
    key == other.key || personID != nil && personID == other.personID
  }
}

extension CalendarEvent {
  package var json: JSON {
    var object: JSONObject = [
      "title": .string(title), "dayKey": JSON(dayKey), "startAt": JSON(startAt),
      "endAt": JSON(endAt), "timeZone": .string(timeZone), "isAllDay": .bool(isAllDay),
      "location": JSON(location), "description": JSON(description), "organizer": JSON(organizer),
      "status": .string(status.rawValue), "tags": JSON(tags),
      "invited": invited.map { JSON($0) } ?? .null,
    ]
    // Usually there are none, and every meeting stores this object.
    if !addedBefore.isEmpty { object["addedBefore"] = JSON(addedBefore) }
    return .object(object)
  }

  package init(_ fields: inout FieldReader) throws(FieldError) {
    guard let day = try fields.day("dayKey") else { throw FieldError("dayKey", "is missing") }
    self.init(
      title: try fields.required("title"), dayKey: day, startAt: try fields.instant("startAt"),
      endAt: try fields.instant("endAt"), timeZone: try fields.required("timeZone"),
      isAllDay: try fields.bool("isAllDay") ?? false, location: try fields.string("location"),
      description: try fields.string("description"), organizer: try fields.string("organizer"),
      status: MeetingStatus(rawValue: try fields.string("status") ?? "confirmed"),
      tags: try fields.strings("tags") ?? [], invited: try fields.strings("invited"),
      addedBefore: try fields.strings("addedBefore") ?? [])
  }
}

extension MeetingEntry {
  /// A field that the owner changed, shown together with the calendar's value.
  package struct OwnField: Hashable, Sendable {
    package var name: String
    /// The calendar's value as text; for attendees, their number.
    package var eventValue: String
  }

  /// Returns the meeting updated to the calendar's version: fields the owner has not changed follow
  /// the calendar, and the owner's changes stay.
  ///
  /// Day, start, end and zone count as one field, because adopting only some of them would produce
  /// a time that nobody set.
  ///
  /// - Parameters:
  ///   - new: the calendar's current version.
  ///   - attendances: the people invited now; the calendar decides who attends.
  /// - Returns: the meeting.
  package func following(_ new: CalendarEvent, attendances: [Attendance]) -> MeetingEntry {
    let own = CalendarEvent(self)
    let last = meeting.event ?? own
    var entry = self
    func follow<Value: Equatable>(_ field: KeyPath<CalendarEvent, Value>) -> Bool {
      own[keyPath: field] == last[keyPath: field]
    }
    if follow(\.title) { entry.activity.text = new.title }
    if follow(\.time) {
      entry.activity.dayKey = new.dayKey
      entry.activity.startAt = new.startAt
      entry.activity.endAt = new.endAt
      entry.activity.timeZone = new.timeZone
      entry.meeting.isAllDay = new.isAllDay
    }
    if follow(\.location) { entry.activity.locationLabel = new.location }
    if follow(\.description) { entry.activity.description = new.description }
    if follow(\.tags) { entry.activity.tags = new.tags }
    if follow(\.organizer) { entry.meeting.organizer = new.organizer }
    // The owner's change cannot override a cancellation.
    if follow(\.status) || new.status == .cancelled { entry.meeting.status = new.status }
    let followed = following(attendances)
    entry.meeting.attendances = followed.attendances
    entry.meeting.event = new
    entry.meeting.event?.invited = attendances.map(\.key)
    entry.meeting.event?.addedBefore = followed.addedBefore
    entry.meeting.isEventDeleted = false
    return entry
  }

  /// Adopts the coordinates of the calendar's version if the place followed the calendar, because
  /// the former ones belong to the former place.
  ///
  /// - Parameters:
  ///   - calendar: the entry as the calendar has it.
  ///   - old: the entry before it followed.
  package mutating func followCoordinates(of calendar: Activity, from old: Activity) {
    guard activity.locationLabel != old.locationLabel else { return }
    (activity.lat, activity.lon) = (calendar.lat, calendar.lon)
  }

  /// Returns the calendar's current attendees without those the owner removed and with those the
  /// owner added, each once, together with the invited ones whom the owner had added before.
  private func following(
    _ attendances: [Attendance]
  ) -> (attendances: [Attendance], addedBefore: [String]) {
    guard let event = meeting.event, let invited = event.invited.map(Set.init) else {
      return (attendances, [])
    }
    let removed = invited.subtracting(meeting.attendances.map(\.key))
    let added = meeting.attendances.filter {
      !invited.contains($0.key) || event.addedBefore.contains($0.key)
    }
    let followed = attendances.filter { !removed.contains($0.key) }
    let alone = added.filter { one in !followed.contains { $0.isSame(as: one) } }
    let both = followed.filter { one in added.contains { $0.isSame(as: one) } }
    return (followed + alone, both.map(\.key))
  }

  /// The fields that the owner changed.
  package var ownFields: [OwnField] {
    guard let event = meeting.event else { return [] }
    let own = CalendarEvent(self)
    var fields: [OwnField] = []
    func compare<Value: Equatable>(
      _ name: String, _ field: KeyPath<CalendarEvent, Value>, _ text: (Value) -> String
    ) {
      if own[keyPath: field] != event[keyPath: field] {
        fields.append(OwnField(name: name, eventValue: text(event[keyPath: field])))
      }
    }
    compare("title", \.title) { $0 }
    compare("time", \.time) { $0.text }
    compare("location", \.location) { $0 ?? "" }
    compare("description", \.description) { $0 ?? "" }
    compare("tags", \.tags) { $0.joined(separator: ", ") }
    compare("organizer", \.organizer) { $0 ?? "" }
    compare("status", \.status) { $0.rawValue }
    if let invited = event.invited, Set(invited) != Set(own.invited ?? []) {
      fields.append(OwnField(name: "attendees", eventValue: "\(invited.count)"))
    }
    return fields
  }
}

extension CalendarEvent {
  /// Keeps the time of the last version if the meeting is over and only the zone differs.
  ///
  /// Times in UTC and whole days have the home zone, which may have changed since: that must not
  /// move a past meeting to another day.
  ///
  /// - Parameters:
  ///   - last: the calendar's last version, if there is one.
  ///   - now: the current time.
  package mutating func keepTime(of last: CalendarEvent?, endedBy now: Instant) {
    guard let last, timeZone != last.timeZone, isAllDay == last.isAllDay,
      let start = last.startAt, last.endAt ?? start <= now,
      isAllDay ? days == last.days : startAt == last.startAt && endAt == last.endAt
    else { return }
    (dayKey, startAt, endAt, timeZone) = (last.dayKey, last.startAt, last.endAt, last.timeZone)
  }

  /// The first day, and the day after the last one if an end is known.
  private var days: [DayKey] {
    let zone = Zone(timeZone) ?? .utc
    return [dayKey] + [endAt].compactMap { $0.map(zone.dayKey(at:)) }
  }

  /// The time of a meeting.
  struct Time: Hashable {
    var dayKey: DayKey
    var startAt: Instant?
    var endAt: Instant?
    var timeZone: String
    var isAllDay: Bool

    var text: String {
      guard !isAllDay, let startAt else { return dayKey.description }
      let zone = Zone(timeZone) ?? .utc
      let start = zone.wallTime(at: startAt)
      let end = endAt.map { "–\(zone.wallTime(at: $0).clockText)" } ?? ""
      return "\(start.day) \(start.clockText)\(end) \(timeZone)"
    }
  }

  var time: Time {
    Time(
      dayKey: dayKey, startAt: startAt, endAt: endAt, timeZone: timeZone, isAllDay: isAllDay)
  }
}
