import ArkivedCore
import Foundation
import GRDB

/// Reads people with a summary of the archive's data about them.
enum PersonRows {
  static func summary(
    of record: PersonRecord, today: DayKey, now: Instant, owner: Owner? = nil, _ db: Database
  ) throws -> PersonSummary {
    var sightings = try PersonSightings(today, now, db, owner: owner)
    return try summary(of: record, &sightings)
  }

  /// Returns the people whose names or addresses contain a text, regardless of accents.
  ///
  /// - Parameters:
  ///   - text: the text, which isn't empty.
  ///   - db: the database.
  /// - Returns: their rows.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func keys(matching text: String, _ db: Database) throws -> Set<Int64> {
    let wanted = NameFolding.loose(text)
    // Names are folded here because SQLite knows no accents.
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT folded, person_pk FROM person_names JOIN persons ON persons.pk = person_pk")
    var keys: Set<Int64> = []
    while let row = try rows.next() {
      // In scripts such as Devanagari, a letter typed so far is only part of a character.
      if NameFolding.loose(row[0]).utf8.contains(wanted.utf8) { keys.insert(row[1]) }
    }
    return keys
  }

  /// Returns the people whose names or addresses contain a text, in the order of their names.
  ///
  /// - Parameters:
  ///   - folded: the folded text; if it is empty, everybody is returned.
  ///   - db: the database.
  /// - Returns: their rows.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func namesInOrder(matching folded: String, _ db: Database) throws -> [Int64] {
    let keys = folded.isEmpty ? nil : try Self.keys(matching: folded, db)
    let condition = keys == nil ? "1" : "pk IN (\(KeyList.sql))"
    let rows = try Row.fetchCursor(
      db,
      // The same as `Person.displayName`.
      sql: """
        SELECT pk, coalesce(\(PersonRecord.name),
          (SELECT value FROM person_names WHERE person_pk = pk AND role = 'alias'
            ORDER BY position LIMIT 1),
          (SELECT value FROM person_names WHERE person_pk = pk AND role = 'email'), '\(Person.nameless)')
        FROM persons WHERE \(condition) ORDER BY pk
        """, arguments: keys.map { [KeyList.text(Array($0))] } ?? [])
    var named: [(name: String, person: Int64)] = []
    while let row = try rows.next() {
      named.append((NameFolding.loose(row[1]), row[0]))
    }
    return named.sorted { $0.name < $1.name }.map(\.person)
  }

  /// The number of meetings that a person attended, and the first and last day.
  struct Met {
    var count = 0
    var first: DayKey?
    var last: DayKey?

    init() {}

    init(_ row: Row) {
      count = row["count"]
      first = (row["first"] as String?).flatMap(DayKey.init)
      last = (row["last"] as String?).flatMap(DayKey.init)
    }
  }

  /// Returns the summary of a person.
  ///
  /// - Parameters:
  ///   - record: the person.
  ///   - sightings: results for one person may be reused for others.
  ///   - met: the meetings of this person, if they were read for all people; looked up if nil.
  ///   - hasFirst: true if the first day is needed; for a person who is named often, it requires
  ///     every entry of theirs.
  /// - Returns: the summary.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  static func summary(
    of record: PersonRecord, _ sightings: inout PersonSightings, met: Met? = nil,
    hasFirst: Bool = true
  ) throws -> PersonSummary {
    var summary = PersonSummary(person: record.person)
    let met = try met ?? self.met(record.pk, sightings)
    (summary.meetingCount, summary.firstMet, summary.lastMet) = (met.count, met.first, met.last)
    let named = try sightings.sighting(of: record.pk, hasFirst: hasFirst)
    summary.entryCount = named.count
    let days = [summary.firstMet, summary.lastMet, named.first, named.last].compactMap(\.self)
    (summary.firstSeen, summary.lastSeen) = (hasFirst ? days.min() : nil, days.max())
    return summary
  }

  private static func met(_ person: Int64, _ sightings: PersonSightings) throws -> Met {
    try Row.fetchOne(
      sightings.db,
      cached: """
        SELECT count(DISTINCT it.pk) AS count, min(activity.day_key) AS first,
          max(activity.day_key) AS last
        FROM attendance_rows AS one CROSS JOIN meeting_rows AS it ON it.pk = one.meeting_pk
        CROSS JOIN activity_rows AS activity ON activity.pk = it.activity_pk
        WHERE one.person_pk = ?1 AND \(OwnPerson.isPresent)
          AND it.\(MeetingRows.isSeen) AND activity.\(MeetingRows.isSeen)
          AND it.status <> 'cancelled' AND it.is_event_deleted = 0
          AND \(sightings.isHeld(meeting: "it.pk", now: "?2"))
        """, arguments: [person, sightings.now.milliseconds]
    ).map(Met.init) ?? Met()
  }

  /// Returns the number and days of the meetings that everybody attended.
  ///
  /// Each meeting is read once; reading each person's meetings would read most of them several
  /// times.
  static func met(_ sightings: PersonSightings) throws -> [Int64: Met] {
    let rows = try Row.fetchCursor(
      sightings.db,
      sql: """
        SELECT one.person_pk, count(DISTINCT it.pk) AS count, min(activity.day_key) AS first,
          max(activity.day_key) AS last
        FROM meeting_rows AS it
        CROSS JOIN activity_rows AS activity ON activity.pk = it.activity_pk
        CROSS JOIN attendance_rows AS one ON one.meeting_pk = it.pk
        WHERE it.\(MeetingRows.isSeen) AND activity.\(MeetingRows.isSeen)
          AND it.status <> 'cancelled' AND it.is_event_deleted = 0
          AND \(sightings.isHeld(meeting: "it.pk", now: "?1"))
          AND \(OwnPerson.tookPart) AND one.person_pk IS NOT NULL
        GROUP BY 1
        """, arguments: [sightings.now.milliseconds])
    var met: [Int64: Met] = [:]
    while let row = try rows.next() { met[row[0]] = Met(row) }
    return met
  }

  /// Returns the last day on which people were seen, for those seen recently: anyone missing was
  /// seen earlier than all of them, or never.
  static func lastSeen(_ sightings: PersonSightings) throws -> [Int64: String] {
    let named = try sightings.end(.last)
    var days = named.days
    let met = try Row.fetchAll(
      sightings.db,
      cached: """
        SELECT one.person_pk, max(it.day_key) FROM (
          SELECT pk, day_key, start_at FROM activities WHERE day_key <= ?1 ORDER BY day_key DESC
          LIMIT ?3) AS it
        CROSS JOIN meetings ON meetings.activity_pk = it.pk
        CROSS JOIN attendance_rows AS one ON one.meeting_pk = meetings.pk
        WHERE meetings.status <> 'cancelled' AND meetings.is_event_deleted = 0
          AND \(sightings.isHeld(meeting: "meetings.pk", activity: "it", now: "?2"))
          AND \(OwnPerson.tookPart) AND one.person_pk IS NOT NULL
        GROUP BY 1
        """, arguments: [sightings.today.description, sightings.now.milliseconds, sightings.walk])
    for row in met {
      let (person, day) = (row[0] as Int64, row[1] as String)
      days[person] = max(days[person] ?? day, day)
    }
    // On the boundary day itself, somebody may be missing.
    return named.bound.map { bound in days.filter { $0.value > bound } } ?? days
  }
}

/// The order of people by when they were last seen.
extension PersonRows {
  /// A person with the last day on which they were seen; empty if they never were.
  struct Seen<Value> {
    var day: String
    var person: Int64
    var value: Value
  }

  /// Returns people by when they were last seen, most recently first: by day, and within a day by
  /// moment.
  ///
  /// - Parameters:
  ///   - people: the people.
  ///   - part: the required part of the list; days elsewhere don't have to be read.
  ///   - sightings: reads when they were seen.
  /// - Returns: the people in order.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  static func lastSeenFirst<Value>(
    _ people: [Seen<Value>], _ part: Range<Int>, _ sightings: PersonSightings
  ) throws -> [Value] {
    var sorted = people.sorted { $0.day > $1.day }
    var begin = 0
    while begin < min(sorted.count, part.upperBound) {
      let day = sorted[begin].day
      let end = sorted[begin...].firstIndex { $0.day != day } ?? sorted.count
      if end - begin > 1, end > part.lowerBound, !day.isEmpty {
        let times = try moments(on: day, sightings)
        sorted[begin..<end].sort { (times[$0.person] ?? .min) > (times[$1.person] ?? .min) }
      }
      begin = end
    }
    return sorted.map(\.value)
  }

  /// Returns the moments at which people were last seen on a day, for those whose entries or
  /// meetings have a time.
  private static func moments(
    on day: String, _ sightings: PersonSightings
  ) throws -> [Int64: Int64] {
    let rows = try Row.fetchAll(
      sightings.db,
      cached: """
        SELECT person_pk, max(moment) FROM (
          SELECT one.person_pk AS person_pk, it.start_at AS moment FROM activities AS it
          CROSS JOIN mentions AS one ON one.activity_pk = it.pk
          WHERE it.day_key = ?1 AND it.start_at <= ?2
          UNION ALL
          SELECT one.person_pk, it.start_at FROM activities AS it
          CROSS JOIN meetings ON meetings.activity_pk = it.pk
          CROSS JOIN attendance_rows AS one ON one.meeting_pk = meetings.pk
          WHERE it.day_key = ?1 AND meetings.status <> 'cancelled'
            AND meetings.is_event_deleted = 0 AND \(OwnPerson.tookPart)
            AND \(sightings.isHeld(meeting: "meetings.pk", activity: "it", now: "?2")))
        WHERE person_pk IS NOT NULL AND moment IS NOT NULL GROUP BY 1
        """, arguments: [day, sightings.now.milliseconds])
    var times: [Int64: Int64] = [:]
    for row in rows { times[row[0] as Int64] = row[1] as Int64 }
    return times
  }
}

/// The number of entries in which people are named, with the first and last.
///
/// A person who is named many thousands of times is counted in the index of mentions and searched
/// for from both ends of the days, without reading their entries one by one.
struct PersonSightings {
  struct Sighting {
    var count = 0
    var first: DayKey?
    var last: DayKey?
  }

  enum End { case first, last }

  /// The days nearest to one end on which people are named, up to a day on which some may be missing.
  struct Ends {
    var days: [Int64: String] = [:]
    /// The boundary day; nil if all entries were read.
    var bound: String?

    func day(of person: Int64, _ end: End) -> String? {
      guard let day = days[person] else { return nil }
      guard let bound else { return day }
      return (end == .first ? day <= bound : day >= bound) ? day : nil
    }
  }

  /// The number of entries beyond which a person's are not read one by one.
  static let many = 2_000
  /// The same limit if only the last day is needed.
  static let few = 50
  /// The number of entries read from each end.
  static let walk = 5_000

  let today: DayKey
  let db: Database
  let now: Instant
  /// The owner's row; nil if the owner is unknown.
  let own: Int64?
  private let many: Int
  let walk: Int
  private var first: Ends?
  private var last: Ends?
  private var ahead: [Int64: Int] = [:]
  private var isPlain: Bool?

  /// Creates the sightings.
  ///
  /// - Parameters:
  ///   - today: the current day.
  ///   - now: the current time.
  ///   - db: the database.
  ///   - many: the number of entries beyond which a person's are not read one by one.
  ///   - walk: the number of entries read from each end.
  ///   - owner: the owner of the archive, if known.
  /// - Throws: `DatabaseError` if the archive can't be read.
  init(
    _ today: DayKey, _ now: Instant, _ db: Database, many: Int = PersonSightings.many,
    walk: Int = PersonSightings.walk, owner: Owner? = nil
  ) throws {
    self.today = today
    self.now = now
    self.db = db
    self.many = many
    self.walk = walk
    own = try OwnPerson.key(db, known: owner)
  }

  /// Returns the condition that a meeting with its activity has begun, and that the owner has not
  /// declined it.
  ///
  /// One with only a day has begun on that day.
  ///
  /// - Parameters:
  ///   - key: the meeting's key, in SQL.
  ///   - activity: the name of its activity's table in SQL.
  ///   - now: the name of the SQL parameter with the current time.
  /// - Returns: the SQL.
  func isHeld(meeting key: String, activity: String = "activity", now: String) -> String {
    """
    coalesce(\(activity).start_at < \(now), \(activity).day_key <= '\(today)')
      AND \(OwnPerson.isAttended(own, meeting: key))
    """
  }

  /// Returns the sightings of a person.
  ///
  /// - Parameters:
  ///   - person: the person's row.
  ///   - hasFirst: true if the first day is needed too.
  /// - Returns: the sightings.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  mutating func sighting(of person: Int64, hasFirst: Bool = true) throws -> Sighting {
    let count =
      try Int.fetchOne(
        db, cached: "SELECT count(*) FROM mentions WHERE person_pk = ?", arguments: [person]) ?? 0
    guard count > (hasFirst ? many : min(many, Self.few)) else { return try counted(person) }
    if isPlain == nil {
      // The index also includes imported entries that are not visible yet.
      isPlain =
        try Bool.fetchOne(
          db, sql: "SELECT NOT EXISTS (SELECT 1 FROM hidden_changes)") ?? false
    }
    guard isPlain == true else { return try counted(person) }
    if last == nil {
      last = try end(.last)
      ahead = try namedAhead()
    }
    guard let lastDay = last?.day(of: person, .last) else { return try counted(person) }
    var found = Sighting(count: count - (ahead[person] ?? 0), last: DayKey(lastDay))
    guard hasFirst else { return found }
    if first == nil { first = try end(.first) }
    guard let firstDay = first?.day(of: person, .first) else { return try counted(person) }
    found.first = DayKey(firstDay)
    return found
  }

  private func counted(_ person: Int64) throws -> Sighting {
    let row = try Row.fetchOne(
      db,
      cached: """
        SELECT count(*) AS count, min(day) AS first, max(day) AS last FROM (
          SELECT DISTINCT activities.pk, activities.day_key AS day FROM mentions
          JOIN activities ON activities.pk = activity_pk WHERE person_pk = ?1
          UNION ALL SELECT DISTINCT days.pk, days.day_key FROM mentions
          JOIN days ON days.pk = day_pk WHERE person_pk = ?1)
        WHERE day <= ?2
        """, arguments: [person, today.description])
    guard let row else { return Sighting() }
    return Sighting(
      count: row["count"], first: (row["first"] as String?).flatMap(DayKey.init),
      last: (row["last"] as String?).flatMap(DayKey.init))
  }

  /// Reads the entries and day notes nearest to one end of the days up to today.
  func end(_ end: End) throws -> Ends {
    let (order, pick) = end == .first ? ("", "min") : ("DESC", "max")
    var found = Ends()
    for (table, owner) in [("activities", "activity_pk"), ("days", "day_pk")] {
      let part = """
        SELECT pk, day_key FROM \(table) WHERE day_key <= ?1 ORDER BY day_key \(order)
        LIMIT ?2
        """
      let rows = try Row.fetchAll(
        db,
        cached: """
          SELECT one.person_pk, \(pick)(it.day_key) FROM (\(part)) AS it
          CROSS JOIN mentions AS one ON one.\(owner) = it.pk
          WHERE one.person_pk IS NOT NULL GROUP BY 1
          """, arguments: [today.description, walk])
      for row in rows {
        let (person, day) = (row[0] as Int64, row[1] as String)
        let old = found.days[person] ?? day
        found.days[person] = end == .first ? min(old, day) : max(old, day)
      }
      let edge = try Row.fetchOne(
        db,
        cached: """
          SELECT count(*), \(end == .first ? "max" : "min")(day_key) FROM (\(part))
          """, arguments: [today.description, walk])
      if let edge, edge[0] as Int == walk, let day = edge[1] as String? {
        let old = found.bound ?? day
        found.bound = end == .first ? min(old, day) : max(old, day)
      }
    }
    return found
  }

  /// Returns how often people are named on future days.
  private func namedAhead() throws -> [Int64: Int] {
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT one.person_pk, count(*) FROM (
          SELECT pk FROM activities WHERE day_key > ?1) AS it
          CROSS JOIN mentions AS one ON one.activity_pk = it.pk
        WHERE one.person_pk IS NOT NULL GROUP BY 1
        UNION ALL SELECT one.person_pk, count(*) FROM (
          SELECT pk FROM days WHERE day_key > ?1) AS it
          CROSS JOIN mentions AS one ON one.day_pk = it.pk
        WHERE one.person_pk IS NOT NULL GROUP BY 1
        """, arguments: [today.description])
    var counts: [Int64: Int] = [:]
    for row in rows { counts[row[0], default: 0] += row[1] as Int }
    return counts
  }
}
