import Foundation

/// The arguments with which a program creates or changes an activity.
package enum ActivityArguments {
  /// Creates an activity.
  ///
  /// Only `text` is required; without a day or a time, the activity is today's. One that has only an
  /// end is on the day of that.
  ///
  /// - Parameters:
  ///   - object: the arguments.
  ///   - source: the activity's `source` if the arguments give none.
  ///   - defaults: the values for missing fields.
  /// - Returns: the activity.
  /// - Throws: `FieldError`, also for unknown arguments.
  package static func create(
    _ object: JSONObject, source: ActivitySource, defaults: EntryDefaults
  ) throws(FieldError) -> Activity {
    var fields = FieldReader(object)
    var activity = Activity(
      id: defaults.identities.next(), dayKey: defaults.homeZone.dayKey(at: defaults.now),
      timeZone: defaults.homeZone.identifier, text: try fields.required("text"), source: source,
      createdAt: defaults.now, updatedAt: defaults.now)
    try apply(&fields, to: &activity, homeZone: defaults.homeZone)
    try refuseUnknown(fields.unknownKeys)
    let isDated = ["dayDate", "dayKey"].contains { (object[$0] ?? .null) != .null }
    if !isDated, activity.startAt == nil, let end = activity.endAt {
      activity.dayKey = activity.zone.dayKey(at: end.adding(seconds: -1))
    }
    try activity.validate()
    return activity
  }

  /// Changes the fields named by the arguments; null clears an optional one.
  package static func change(
    _ activity: inout Activity, _ object: JSONObject, homeZone: Zone
  ) throws(FieldError) {
    var fields = FieldReader(object)
    for key in ["text", "kind", "source", "timeZone", "isPinned"] where object[key] == .null {
      throw FieldError(key, "can’t be null")
    }
    if let text = try fields.string("text") { activity.text = text }
    try apply(&fields, to: &activity, homeZone: homeZone)
    try refuseUnknown(fields.unknownKeys)
    try activity.validate()
  }

  private static func refuseUnknown(_ keys: [String]) throws(FieldError) {
    if let key = keys.first {
      throw FieldError(String(key.prefix(60)), "isn’t an argument here. See the API description")
    }
  }

  private static func apply(
    _ fields: inout FieldReader, to activity: inout Activity, homeZone: Zone
  ) throws(FieldError) {
    if let name = try fields.string("timeZone") {
      guard let zone = Zone(name) else {
        throw FieldError(
          "timeZone",
          "is \(FieldError.shown(name)), but must be an IANA time zone such as Europe/Rome")
      }
      if activity.isAllDay {
        activity.keepDays(in: zone)
      } else if activity.dayPeriod != nil {
        activity.keepPartOfDay(in: zone)
      } else {
        setZone(name, of: &activity)
      }
    }
    let old = activity
    let period = try DayPeriod.read("dayPeriod", &fields)
    if fields.has("startAt") { activity.startAt = try fields.instant("startAt") }
    if let day = try day(&fields, homeZone: homeZone) {
      if fields.has("startAt") {
        activity.dayKey = day
      } else {
        try ActivityTimes.change(&activity, day: day, start: nil, end: nil)
      }
    } else if let start = activity.startAt, start != old.startAt {
      activity.dayKey = activity.zone.dayKey(at: start)
    }
    // A given end is exact: it doesn't move with the day.
    if fields.has("endAt") {
      let end = try fields.instant("endAt")
      // The beginning of a part of the day isn't a start that anybody gave.
      if end != nil, activity.dayPeriod != nil, !fields.has("startAt") { activity.startAt = nil }
      activity.endAt = end
    }
    if fields.has("dayPeriod") || fields.has("startAt") { activity.dayPeriod = period }
    if let kind = try fields.string("kind") { activity.kind = ActivityKind(rawValue: kind) }
    if let source = try fields.string("source") {
      activity.source = ActivitySource(rawValue: source)
    }
    if let isPinned = try fields.bool("isPinned") { activity.isPinned = isPinned }
    if fields.has("description") { activity.description = try fields.string("description") }
    if fields.has("notes") { activity.notes = try fields.string("notes") }
    if fields.has("locationLabel") { activity.locationLabel = try fields.string("locationLabel") }
    if fields.has("lat") { activity.lat = try fields.double("lat") }
    if fields.has("lon") { activity.lon = try fields.double("lon") }
    if fields.has("weather") { activity.weather = try Weather.argument("weather", &fields) }
    if fields.has("durationMinutes") {
      activity.durationMinutes = try fields.double("durationMinutes")
    } else if fields.has("startAt") || fields.has("endAt") {
      ActivityTimes.dropOldLength(of: &activity, from: old)
    }
    if fields.has("tags") { activity.tags = Tag.names(try fields.strings("tags") ?? []) }
    if fields.has("people") {
      let people = try fields.strings("people") ?? []
      activity.people = people.map { name in
        activity.people.first { $0.name == name } ?? Mention(name: name)
      }
    }
    if fields.has("measurements") {
      var amounts: [String: Double] = [:]
      for (unit, value) in try fields.object("measurements")?.members ?? [] {
        guard let amount = value.double else {
          throw FieldError("measurements.\(unit)", "must be a number, not \(value.typeName)")
        }
        amounts[unit] = amount
      }
      activity.measurements = amounts
    }
  }

  /// Sets the zone, and moves an activity to the day that the zone's clocks show at its start.
  ///
  /// One that was on a neighbouring day, such as a night that is dated to the day of waking, stays
  /// as far from the day of its start.
  private static func setZone(_ name: String, of activity: inout Activity) {
    let former = Zone(activity.timeZone)
    activity.timeZone = name
    guard let start = activity.startAt, former?.identifier != name else { return }
    let shift = former.map { $0.dayKey(at: start).distance(to: activity.dayKey) } ?? 0
    activity.dayKey = activity.zone.dayKey(at: start).advanced(by: shift)
  }

  /// Reads a day, or the local day of an instant; `dayKey` and `dayDate` are synonyms.
  private static func day(
    _ fields: inout FieldReader, homeZone: Zone
  ) throws(FieldError) -> DayKey? {
    for key in ["dayDate", "dayKey"] {
      guard let text = try fields.string(key) else { continue }
      switch TimeBound(text) {
      case .day(let day): return day
      case .instant(let instant): return homeZone.dayKey(at: instant)
      case nil:
        throw FieldError(
          key,
          "is \(FieldError.shown(text)), but must be a day such as 2026-03-14 or a date and time")
      }
    }
    return nil
  }
}
