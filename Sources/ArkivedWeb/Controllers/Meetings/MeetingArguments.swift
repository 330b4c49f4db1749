import ArkivedCore
import ArkivedStore
import Foundation

/// Creates and changes meetings from named fields.
enum MeetingArguments {
  /// Creates a meeting; `title` and either `startDate` or `dayKey` are required.
  static func create(
    _ object: JSONObject, defaults: EntryDefaults
  ) throws(FieldError) -> MeetingEntry {
    try WriteAnswer.refuseGiven(object, ["id", "activityId", "createdAt", "updatedAt"])
    var fields = FieldReader(object)
    let title = try fields.required("title")
    guard object["startDate"] != nil || object["dayKey"] != nil else {
      throw FieldError("startDate", "is missing. Give startDate or dayKey")
    }
    var entry = new(
      title, on: defaults.homeZone.dayKey(at: defaults.now), zone: defaults.homeZone,
      defaults: defaults)
    try apply(&fields, to: &entry)
    try fields.refuseUnknown()
    try validate(entry)
    return entry
  }

  /// Changes only the given fields; null clears an optional one.
  ///
  /// Attendees aren't optional: an empty list means that there are none.
  static func change(_ entry: inout MeetingEntry, _ object: JSONObject) throws(FieldError) {
    for key in ["title", "timeZone", "status", "dayKey"] where object[key] == .null {
      throw FieldError(key, "can’t be null")
    }
    var fields = FieldReader(object)
    if let title = try fields.string("title") { entry.activity.text = title }
    try apply(&fields, to: &entry)
    try fields.refuseUnknown()
    try validate(entry)
  }

  /// Creates the owner's own meeting, which is in no calendar.
  static func new(
    _ title: String, on day: DayKey, zone: Zone, defaults: EntryDefaults
  ) -> MeetingEntry {
    let activity = Activity(
      id: defaults.identities.next(), dayKey: day, timeZone: zone.identifier, kind: .work,
      text: title, createdAt: defaults.now, updatedAt: defaults.now)
    return MeetingEntry.own(activity, id: defaults.identities.next())
  }

  private static func apply(
    _ fields: inout FieldReader, to entry: inout MeetingEntry
  ) throws(FieldError) {
    try applyTimes(&fields, to: &entry)
    if fields.has("location") { entry.activity.locationLabel = try text(&fields, "location") }
    if fields.has("description") { entry.activity.description = try text(&fields, "description") }
    if fields.has("tags") { entry.activity.tags = Tag.names(try fields.strings("tags") ?? []) }
    if fields.has("organizer") { entry.meeting.organizer = try text(&fields, "organizer") }
    if fields.has("purpose") { entry.meeting.purpose = try text(&fields, "purpose") }
    if fields.has("outcomes") { entry.meeting.outcomes = try text(&fields, "outcomes") }
    if fields.has("summary") { entry.meeting.summary = try text(&fields, "summary") }
    if let status = try fields.string("status") {
      entry.meeting.status = MeetingStatus(rawValue: status)
    }
    if fields.has("attendees") {
      entry.setAttendees(try attendees(&fields, known: entry.meeting.attendances))
    }
  }

  private static func applyTimes(
    _ fields: inout FieldReader, to entry: inout MeetingEntry
  ) throws(FieldError) {
    if let name = try fields.string("timeZone") {
      guard let zone = Zone(name) else {
        throw FieldError(
          "timeZone",
          "is \(FieldError.shown(name)), but must be an IANA time zone such as Europe/Rome")
      }
      entry.setZone(zone)
    }
    let zone = entry.activity.zone
    let wasAllDay = entry.meeting.isAllDay
    let givesTimes = fields.has("startDate") || fields.has("endDate")
    let day = try fields.day("dayKey")
    if fields.has("startDate") {
      entry.activity.startAt = try fields.instant("startDate")
    } else if let day, entry.activity.startAt != nil {
      try ActivityTimes.change(&entry.activity, day: day, start: nil, end: nil)
    }
    if fields.has("endDate") { entry.activity.endAt = try fields.instant("endDate") }
    if let day {
      entry.activity.dayKey = day
    } else if fields.has("startDate") || fields.has("timeZone"),
      let start = entry.activity.startAt
    {
      entry.activity.dayKey = zone.dayKey(at: start)
    }
    guard entry.activity.startAt != nil || entry.activity.endAt == nil else {
      throw FieldError("endDate", "needs a startDate")
    }
    guard let isAllDay = try fields.bool("isAllDay") else { return }
    entry.meeting.isAllDay = isAllDay
    // One that already fills its days keeps their number.
    guard isAllDay, !wasAllDay || givesTimes || entry.activity.startAt == nil else { return }
    if givesTimes { setWholeDays(&entry) } else { setWholeDay(&entry) }
  }

  /// Extends the times of a meeting to whole days.
  private static func setWholeDays(_ entry: inout MeetingEntry) {
    let last = entry.activity.lastDay
    let zone = entry.activity.zone
    entry.activity.startAt = zone.start(of: entry.activity.dayKey)
    entry.activity.endAt = zone.start(of: last.advanced(by: 1))
  }

  /// Makes a meeting fill its day.
  static func setWholeDay(_ entry: inout MeetingEntry) {
    let zone = entry.activity.zone
    entry.activity.startAt = zone.start(of: entry.activity.dayKey)
    entry.activity.endAt = zone.start(of: entry.activity.dayKey.advanced(by: 1))
  }

  /// Parses the attendees.
  ///
  /// - Parameters:
  ///   - fields: the fields.
  ///   - known: the current attendees; those from a calendar are kept unchanged, and all keep the
  ///     role and reply that aren't given.
  /// - Returns: the attendees.
  /// - Throws: `FieldError` with the name of the invalid field.
  private static func attendees(
    _ fields: inout FieldReader, known: [Attendance]
  ) throws(FieldError) -> [Attendance] {
    guard let value = fields.value("attendees") else {
      throw FieldError(
        "attendees", "can’t be null. Send [] for nobody, or omit it")
    }
    guard let array = value.array else {
      throw FieldError("attendees", "must be a list, not \(value.typeName)")
    }
    var found: [Attendance] = []
    var left = known
    for (index, element) in array.enumerated() {
      if let line = element.string {
        guard let attendance = AttendeeLine.read(line) else {
          throw FieldError("attendees[\(index)]", "is empty, but must be a name or an address")
        }
        try check(attendance, known, at: "attendees[\(index)]")
        let same = left.takeFirst(like: attendance) ?? known.first(like: attendance)
        found.append(keeping(attendance, same, given: [:]))
        continue
      }
      guard let object = element.object else {
        throw FieldError(
          "attendees[\(index)]", "must be a name or an object, not \(element.typeName)")
      }
      var reader = FieldReader(object)
      do throws(FieldError) {
        found.append(try Attendance(&reader))
        try reader.refuseUnknown()
      } catch {
        throw FieldError("attendees[\(index)].\(error.field)", error.problem)
      }
      if let attendance = found.last {
        let field = attendance.address == nil ? "name" : "address"
        try check(attendance, known, at: "attendees[\(index)].\(field)")
        let same = left.takeFirst(like: attendance) ?? known.first(like: attendance)
        found[found.count - 1] = keeping(attendance, same, given: object)
      }
    }
    return found
  }

  /// Returns an attendee with what is known about them and not given.
  private static func keeping(
    _ one: Attendance, _ same: Attendance?, given: JSONObject
  ) -> Attendance {
    guard let same else { return one }
    var kept = one
    if given["role"] == nil { kept.role = same.role }
    if given["reply"] == nil { kept.reply = same.reply }
    if given["isOrganizer"] == nil { kept.isOrganizer = same.isOrganizer }
    if given["address"] == nil { kept.address = same.address }
    if given["personId"] == nil { kept.personID = same.personID }
    return kept
  }

  /// Checks the attendees.
  ///
  /// - Throws: `FieldError` for this field if somebody's entry is clearly wrong.
  static func check(
    _ attendance: Attendance, _ known: [Attendance], at field: String
  ) throws(FieldError) {
    guard let mistake = AttendeeLine.mistake(in: attendance),
      !known.contains(where: { $0.name == attendance.name && $0.address == attendance.address })
    else { return }
    throw FieldError(field, mistake)
  }

  private static func text(
    _ fields: inout FieldReader, _ name: String
  ) throws(FieldError) -> String? {
    let text = try fields.string(name)
    return text?.isEmpty == true ? nil : text
  }

  /// Validates a meeting.
  ///
  /// - Throws: `FieldError` with the names of a meeting's fields.
  static func validate(_ entry: MeetingEntry) throws(FieldError) {
    try entry.meeting.validate()
    do throws(FieldError) { try entry.activity.validate() } catch {
      let names = [
        "text": "title", "startAt": "startDate", "endAt": "endDate", "locationLabel": "location",
      ]
      throw FieldError(names[error.field] ?? error.field, error.problem)
    }
  }
}

extension [Attendance] {
  /// Returns the first attendee that is the same as a typed one.
  func first(like typed: Attendance) -> Attendance? { place(of: typed).map { self[$0] } }

  /// Removes and returns the first attendee that is the same as a typed one, so that each of
  /// several namesakes is found once.
  mutating func takeFirst(like typed: Attendance) -> Attendance? {
    place(of: typed).map { remove(at: $0) }
  }

  /// Returns the place of the person that a typed attendee is, otherwise that of the first namesake
  /// who may be meant.
  private func place(of typed: Attendance) -> Int? {
    firstIndex { $0.personID != nil && $0.personID == typed.personID }
      ?? firstIndex { $0.isWritten(as: typed) }
  }
}

extension Attendance {
  /// Returns true if a typed attendee is this one: the same person or, unless both are known, the
  /// same line.
  fileprivate func isWritten(as typed: Attendance) -> Bool {
    if let own = personID, let other = typed.personID { return own == other }
    return AttendeeLine.write(self) == AttendeeLine.write(typed)
  }
}

extension Archive {
  /// Returns the fields of a meeting, with attendees linked to people whose address is known.
  func linkingAttendees(_ object: JSONObject) throws -> JSONObject {
    guard let list = object["attendees"]?.array else { return object }
    var linked = object
    linked["attendees"] = .array(
      try list.map { element in
        guard let line = element.string else {
          guard var one = element.object, one["personId"]?.string == nil,
            let address = one["address"]?.string,
            let known = try people(named: address).first
          else { return element }
          one["personId"] = JSON(known.id?.uuidString)
          return .object(one)
        }
        guard let one = AttendeeLine.read(line) else { return element }
        var linked = try linking(one).json.object ?? JSONObject()
        // A line says nothing about these.
        for name in ["role", "reply", "isOrganizer"] { linked[name] = nil }
        for name in ["address", "personId"] where linked[name] == .null { linked[name] = nil }
        return .object(linked)
      })
    return linked
  }
}
