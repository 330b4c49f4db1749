/// The reminders the owner chose and how they are delivered.
///
/// All are off by default.
package struct NudgeSettings: Hashable, Sendable {
  /// The time at which to ask for the day's note; nil means off, here and below.
  package var evening: ClockTime?
  /// The number of minutes before a meeting at which to announce its brief.
  package var meeting: Int?
  /// The time at which to check for goals behind their pace.
  package var goal: ClockTime?
  /// The time at which to check for an overdue backup.
  package var backup: ClockTime?
  /// The time at which to show entries from earlier years.
  package var onThisDay: ClockTime?
  /// The time at which to mention birthdays.
  package var birthday: ClockTime?
  /// The time at which to check for people who haven't been seen for long.
  package var notSeen: ClockTime?
  package var channels: Set<NudgeChannel> = [.today]
  package var quiet = QuietHours(from: .at(22), to: .at(7))
  /// The largest number of reminders delivered on one day.
  package var mostADay = 3
  /// True if notifications may show titles and names, even on a locked screen.
  package var showsText = false

  package static let minutes = 1...120
  package static let counts = 1...20
  /// The earliest time at which to ask for a day's note.
  package static let earliestEvening = ClockTime.at(12)

  package init() {}

  /// True if any reminder is on.
  package var isOn: Bool { NudgeKind.allCases.contains { isOn($0) } }

  package func isOn(_ kind: NudgeKind) -> Bool {
    kind == .meeting ? meeting != nil : time(of: kind) != nil
  }

  /// Returns the time of day at which a reminder is delivered, or nil if it is off, and for
  /// meetings.
  package func time(of kind: NudgeKind) -> ClockTime? {
    switch kind {
    case .meeting: nil
    case .evening: evening
    case .goal: goal
    case .backup: backup
    case .onThisDay: onThisDay
    case .birthday: birthday
    case .notSeen: notSeen
    }
  }

  /// Returns the default time for a reminder that is turned on without one.
  package static func usual(_ kind: NudgeKind) -> ClockTime {
    switch kind {
    case .meeting, .goal, .notSeen: .at(18)
    case .evening: .at(21)
    case .backup: .at(12)
    case .onThisDay, .birthday: .at(8)
    }
  }

  package static let usualMinutes = 10

  /// Turns a reminder on at a time, or off if the time is nil.
  package mutating func set(_ kind: NudgeKind, at time: ClockTime?) {
    switch kind {
    case .meeting: meeting = time == nil ? nil : Self.usualMinutes
    case .evening: evening = time
    case .goal: goal = time
    case .backup: backup = time
    case .onThisDay: onThisDay = time
    case .birthday: birthday = time
    case .notSeen: notSeen = time
    }
  }

  /// Conflicts between the settings, each as a sentence.
  package var advice: [String] {
    var advice: [String] = []
    if isOn, channels.isEmpty {
      advice.append("You haven’t chosen how to be reminded, so no reminders are sent.")
    }
    for kind in NudgeKind.allCases {
      guard let quiet, let time = self.time(of: kind), isQuiet(quiet, for: kind, at: time) else {
        continue
      }
      advice.append("\(time) is within the quiet hours, so this is never sent: \(Self.noun(kind)).")
    }
    return advice
  }

  /// The number of minutes for which the reminder about earlier years is still delivered late.
  package static let morningMinutes = 4 * 60

  /// Returns true if the whole delivery time of a reminder falls within quiet hours.
  private func isQuiet(_ quiet: QuietHours, for kind: NudgeKind, at time: ClockTime) -> Bool {
    let start = time.minuteOfDay
    let end = kind == .onThisDay ? min(start + Self.morningMinutes, 1_440) : 1_440
    let (from, to) = (quiet.from.minuteOfDay, quiet.to.minuteOfDay)
    return from < to ? from <= start && end <= to : from <= start || end <= to
  }

  private static func noun(_ kind: NudgeKind) -> String {
    switch kind {
    case .meeting: "The brief for a meeting"
    case .evening: "The evening note"
    case .goal: "A goal that’s behind pace"
    case .backup: "An overdue backup"
    case .onThisDay: "A look back at past years"
    case .birthday: "A birthday"
    case .notSeen: "Someone you haven’t seen in a while"
    }
  }
}

extension NudgeSettings {
  /// Reads the form that `json` writes.
  ///
  /// Missing or unknown values keep their defaults, so settings from another version do no harm.
  package init(_ json: JSON) {
    func time(_ key: String) -> ClockTime? { json[key]?.string.flatMap { ClockTime($0) } }
    evening = time("evening")
    goal = time("goal")
    backup = time("backup")
    onThisDay = time("onThisDay")
    birthday = time("birthday")
    notSeen = time("notSeen")
    if let minutes = json["meeting"]?.int, Self.minutes.contains(minutes) { meeting = minutes }
    if let names = json["channels"]?.array {
      channels = Set(names.compactMap { $0.string.flatMap(NudgeChannel.init(rawValue:)) })
    }
    if let text = json["quiet"] { quiet = text.string.flatMap { QuietHours($0) } }
    if let count = json["mostADay"]?.int, Self.counts.contains(count) { mostADay = count }
    showsText = json["showsText"]?.bool ?? false
  }

  package var json: JSON {
    [
      "evening": JSON(evening?.description), "meeting": JSON(meeting),
      "goal": JSON(goal?.description), "backup": JSON(backup?.description),
      "onThisDay": JSON(onThisDay?.description), "birthday": JSON(birthday?.description),
      "notSeen": JSON(notSeen?.description),
      "channels": JSON(NudgeChannel.allCases.filter(channels.contains).map(\.rawValue)),
      "quiet": JSON(quiet?.description), "mostADay": JSON(mostADay), "showsText": .bool(showsText),
    ]
  }

  /// Applies the given settings; null turns a reminder or the quiet hours off.
  ///
  /// - Throws: `FieldError` for an invalid value.
  package mutating func take(_ fields: inout FieldReader) throws(FieldError) {
    if fields.has("evening") {
      evening = try Self.time("evening", &fields)
      guard evening.map({ $0 >= Self.earliestEvening }) ?? true else {
        throw FieldError(
          "evening", "is before noon. Choose a time between \(Self.earliestEvening) and 23:59")
      }
    }
    if fields.has("goal") { goal = try Self.time("goal", &fields) }
    if fields.has("backup") { backup = try Self.time("backup", &fields) }
    if fields.has("onThisDay") { onThisDay = try Self.time("onThisDay", &fields) }
    if fields.has("birthday") { birthday = try Self.time("birthday", &fields) }
    if fields.has("notSeen") { notSeen = try Self.time("notSeen", &fields) }
    if fields.has("meeting") {
      meeting = try Self.number("meeting", in: Self.minutes, &fields)
    }
    if let names = try fields.strings("channels") {
      channels = []
      for name in names {
        guard let channel = NudgeChannel(rawValue: name) else {
          let known = NudgeChannel.allCases.map(\.rawValue).joined(separator: ", ")
          throw FieldError(
            "channels", "contains \(FieldError.shown(name)), but only these are allowed: \(known)")
        }
        channels.insert(channel)
      }
    }
    if fields.has("quiet") {
      let text = try fields.string("quiet")
      quiet = text.flatMap { QuietHours($0) }
      guard text == nil || quiet != nil else {
        throw FieldError(
          "quiet", "is \(FieldError.shown(text ?? "")), but must look like 22:00-07:00")
      }
    }
    if let count = try Self.number("mostADay", in: Self.counts, &fields) { mostADay = count }
    showsText = try fields.bool("showsText") ?? showsText
  }

  private static func time(
    _ key: String, _ fields: inout FieldReader
  ) throws(FieldError) -> ClockTime? {
    guard let text = try fields.string(key) else { return nil }
    guard let time = ClockTime(text) else {
      throw FieldError(key, "is \(FieldError.shown(text)), but must be a time such as 21:00")
    }
    return time
  }

  private static func number(
    _ key: String, in range: ClosedRange<Int>, _ fields: inout FieldReader
  ) throws(FieldError) -> Int? {
    guard let number = try fields.int(key) else { return nil }
    guard range.contains(number) else {
      throw FieldError(
        key, "is \(number), but must be between \(range.lowerBound) and \(range.upperBound)")
    }
    return number
  }
}
