package import ArkivedCore
package import Foundation
import GRDB

/// A filter for a list of meetings.
package struct MeetingFilter: Hashable, Sendable {
  package enum Order: Sendable { case oldest, newest }

  /// The first and last day, inclusive.
  package var from: DayKey?
  package var to: DayKey?
  /// The people who all take part and have not declined.
  package var people: [UUID] = []
  /// Groups of people, from each of which at least one person takes part and has not declined.
  ///
  /// A group contains the people that one name may refer to.
  package var anyOf: [[UUID]] = []
  /// True to include only meetings with others.
  package var isWithOthers = false
  /// True if cancelled meetings and those that their calendar has dropped are included.
  package var includesDropped = true
  /// A moment, usually the current or the beginning of `from`.
  ///
  /// A meeting in progress at this moment belongs to the days from `from` on, and to no day up to
  /// `to`, whenever it began.
  package var now: Instant?
  package var order = Order.newest
  package var limit = 50
  package var offset = 0

  package init() {}
}

/// Reading and writing meetings.
extension Archive {
  package func meeting(_ id: UUID) throws -> MeetingEntry? {
    try read { db in try MeetingRows.fetch(db, where: "it.id = ?", arguments: [id.uuidString]).first
    }
  }

  /// Returns the meeting that an activity represents on its day.
  package func meeting(ofActivity id: UUID) throws -> MeetingEntry? {
    try read { db in
      try MeetingRows.fetch(db, where: "activity.id = ?", arguments: [id.uuidString]).first
    }
  }

  package func meeting(ofEvent identifier: String) throws -> MeetingEntry? {
    try read { db in
      try MeetingRows.fetch(db, where: "it.event_identifier = ?", arguments: [identifier]).first
    }
  }

  package func meetings(_ filter: MeetingFilter) throws -> [MeetingEntry] {
    try read { db in
      // The index of days is used if many of its entries are meetings; otherwise meetings are
      // sorted.
      let day = try filter.from == nil && Self.hasManyMeetings(db) ? "" : "+"
      let (condition, arguments) = try filter.sql(db, day: day)
      let direction = filter.order == .newest ? "DESC" : ""
      return try MeetingRows.fetch(
        db, where: condition, arguments: arguments,
        order:
          "\(day)activity.day_key \(direction), activity.start_at \(direction), it.pk \(direction)",
        limit: filter.limit, offset: filter.offset, join: day.isEmpty ? "JOIN" : "CROSS JOIN")
    }
  }

  private static func hasManyMeetings(_ db: Database) throws -> Bool {
    let limit = 20_000
    let count =
      try Int.fetchOne(
        db, cached: "SELECT count(*) FROM (SELECT 1 FROM meeting_rows LIMIT \(limit))") ?? 0
    return count == limit
  }

  package func countMeetings(_ filter: MeetingFilter) throws -> Int {
    try read { db in
      let (condition, arguments) = try filter.sql(db)
      return try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM meetings AS it
          CROSS JOIN activity_rows AS activity ON activity.pk = it.activity_pk WHERE \(condition)
          """, arguments: arguments) ?? 0
    }
  }

  /// Returns the next meeting with others that has not ended at `now`, excluding all-day meetings
  /// and those that the owner declined.
  package func nextMeeting(at now: Instant) throws -> MeetingEntry? {
    try read { db in
      let own = try OwnPerson.key(db)
      return try MeetingRows.fetch(
        db,
        where: """
          activity.start_at >= ?1 AND coalesce(activity.end_at, activity.start_at) > ?2
          AND activity.day_key >= ?3 AND it.status <> 'cancelled' AND it.is_event_deleted = 0
          AND it.is_all_day = 0 AND \(OwnPerson.isWithOthers(own))
          AND \(OwnPerson.isAttended(own, meeting: "it.pk"))
          """,
        // A meeting that began more than a day ago is not upcoming.
        arguments: [
          now.milliseconds - 86_400_000, now.milliseconds,
          Zone.utc.dayKey(at: now).advanced(by: -2).description,
        ], order: "activity.day_key, activity.start_at, it.pk", limit: 1
      ).first
    }
  }

  /// Adds the owner's own meeting, with the activity that shows it on its day.
  ///
  /// - Throws: `FieldError` if either is not valid.
  @discardableResult
  package func create(
    _ entry: MeetingEntry, by author: Author = .owner
  ) throws -> Saved<MeetingEntry> {
    let (value, change) = try write(
      by: author, "add", "Added the meeting “\(entry.title.prefix(120))”"
    ) { scope in try scope.add(entry) }
    return Saved(value: value, change: change)
  }

  /// Changes a meeting and its entry; the previous versions are added to the history.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - version: if given, the `updatedAt` the caller last saw; another one is a conflict.
  ///   - author: who makes the change.
  ///   - edit: receives the current meeting and changes it.
  /// - Returns: the meeting as saved.
  /// - Throws: `ArchiveError.notFound`, `.conflict`, `FieldError`.
  package func updateMeeting(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner,
    _ edit: (inout MeetingEntry) throws -> Void
  ) throws -> Saved<MeetingEntry> {
    try writer.write { db in
      var scope = try openScope(db, by: author, "edit", "")
      guard let old = try scope.meeting(id) else {
        throw ArchiveError.notFound("No meeting with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This meeting")
      var new = old
      try edit(&new)
      if new.meeting.attendances != old.meeting.attendances {
        try scope.resolvePeople(of: &new, keeping: old.meeting.attendances)
      }
      guard new != old else {
        try scope.forget()
        return Saved(value: old, change: nil)
      }
      try scope.summarise("Changed the meeting “\(old.title.prefix(120))”")
      let saved = try scope.update(new, over: old, reason: .update)
      return Saved(value: saved, change: scope.change)
    }
  }

  /// Deletes a meeting with its entry and its notes; undo restores all of it.
  @discardableResult
  package func deleteMeeting(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<MeetingEntry> {
    let (value, change) = try write(by: author, "delete", "") { scope in
      guard let old = try scope.meeting(id) else {
        throw ArchiveError.notFound("No meeting with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This meeting")
      try scope.summarise("Deleted the meeting “\(old.title.prefix(120))”")
      _ = try scope.deleteActivity(old.activity.id)
      return old
    }
    return Saved(value: value, change: change)
  }
}

extension ChangeScope {
  /// Adds a meeting with its entry; participants are found or created.
  func add(_ entry: MeetingEntry) throws -> MeetingEntry {
    var entry = entry
    try resolvePeople(of: &entry)
    try insert(entry.activity)
    try insertEntity(entry.meeting)
    return try meeting(entry.id) ?? entry
  }

  package func meeting(_ id: UUID) throws -> MeetingEntry? {
    try MeetingRows.fetch(db, where: "it.id = ?", arguments: [id.uuidString]).first
  }

  /// Returns the meeting of an event, if it is visible.
  package func meeting(ofEvent identifier: String) throws -> MeetingEntry? {
    try MeetingRows.fetch(db, where: "it.event_identifier = ?", arguments: [identifier]).first
  }

  package func meeting(ofActivity id: UUID) throws -> Meeting? {
    try Meeting.fetch(db, where: "activity.id = ?", arguments: [id.uuidString]).first
  }

  /// Returns the meetings from a resource of a link, except those of some events, which are nearly
  /// all of them for a calendar in one file.
  package func meetings(
    ofLink link: UUID, resource: String, besides events: Set<String>
  ) throws -> [Meeting] {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT id, event_identifier FROM meetings WHERE link_id = ? AND resource = ?",
      arguments: [link.uuidString, resource])
    var identities: [String] = []
    while let row = try rows.next() {
      if !events.contains(row[1]) { identities.append(row[0]) }
    }
    return try identities.flatMap { try Meeting.fetch(db, where: "it.id = ?", arguments: [$0]) }
  }

  /// Writes the differences of a meeting and its entry.
  ///
  /// - Returns: the meeting as saved.
  @discardableResult
  package func update(
    _ new: MeetingEntry, over old: MeetingEntry, reason: HistoryRecord.Reason
  ) throws -> MeetingEntry {
    var new = new
    let version = max(now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
    if new.activity != old.activity {
      new.activity.updatedAt = version
      try update(new.activity, reason: reason)
    }
    if new.meeting != old.meeting {
      new.meeting.updatedAt = version
      try updateEntity(new.meeting, reason: reason)
    }
    return new
  }

  /// Finds the person for an attendance: the one with the address, otherwise the only person with
  /// that full name and no address, who gets this one.
  ///
  /// If there is none, a person is created with name and address; this also applies if only a first
  /// name matches, because it may be a namesake.
  ///
  /// - Parameters:
  ///   - attendance: the attendance.
  ///   - present: the existing participants; for them a first name is enough.
  /// - Returns: the attendance with its person.
  /// - Throws: `FieldError` for an ID that does not exist here.
  package func resolve(
    _ attendance: Attendance, among present: Set<UUID> = []
  ) throws -> Attendance {
    var attendance = attendance
    if let id = attendance.personID {
      guard try hasPerson(id) else {
        throw FieldError(
          "attendees", "includes the person \(id.uuidString), but no such person exists")
      }
      return attendance
    }
    guard let address = attendance.address, Person.isAddress(address) else {
      return link(
        attendance, try resolve(Mention(name: attendance.name), allowsFirstName: true))
    }
    if let id = try personID(withAddress: [address]) {
      let name = try personName(id) ?? attendance.name
      return link(attendance, Mention(name: name, personID: id))
    }
    let isNamed = NameFolding.key(attendance.name) != NameFolding.key(address)
    if isNamed, var known = try person(named: attendance.name), known.email == nil,
      known.furtherAddresses.isEmpty,
      NameFolding.key(attendance.name).contains(" ") || present.contains(known.id)
    {
      known.email = address
      known.updatedAt = max(now, Instant(milliseconds: known.updatedAt.milliseconds + 1))
      try update(known)
      return link(attendance, Mention(name: known.displayName, personID: known.id))
    }
    let person = Person(
      id: identities.next(), name: isNamed ? attendance.name : nil, email: address,
      createdAt: change.at, updatedAt: change.at)
    try insert(person)
    attendance.personID = person.id
    return attendance
  }

  private func link(_ attendance: Attendance, _ mention: Mention) -> Attendance {
    var attendance = attendance
    (attendance.personID, attendance.name) = (mention.personID, mention.name)
    return attendance
  }

  /// Links the participants, each once, and makes the entry name the same people.
  ///
  /// - Parameters:
  ///   - entry: the meeting to change.
  ///   - old: the previous participants; they remain the same people, linked or not.
  /// - Throws: `FieldError` for an ID that does not exist here.
  func resolvePeople(of entry: inout MeetingEntry, keeping old: [Attendance] = []) throws {
    let present = Set(old.compactMap(\.personID))
    var places: [String: Int] = [:]
    // Two people may be written with the same name.
    var named: [String: [Mention]] = [:]
    var attendances: [Attendance] = []
    for attendance in entry.meeting.attendances {
      let linked =
        old.contains(attendance) ? attendance : try resolve(attendance, among: present)
      named[NameFolding.key(attendance.name), default: []].append(
        Mention(name: linked.name, personID: linked.personID))
      let key = linked.personID?.uuidString ?? NameFolding.key(linked.name)
      if let place = places[key] {
        attendances[place].address = attendances[place].address ?? linked.address
      } else {
        places[key] = attendances.count
        attendances.append(linked)
      }
    }
    entry.meeting.attendances = attendances
    var people: [Mention] = []
    for mention in entry.activity.people {
      var linked = mention
      if mention.personID == nil {
        let key = NameFolding.key(mention.name)
        let meant = named[key]?.first
        if let count = named[key]?.count, count > 1 { named[key]?.removeFirst() }
        linked = try meant ?? resolve(mention, allowsFirstName: true)
      }
      if !people.contains(linked) { people.append(linked) }
    }
    entry.activity.people = people
  }
}

extension MeetingFilter {
  /// The number of entries up to which they are examined instead of all meetings.
  private static let fewEntries = 2_000

  /// Returns the filter's SQL.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - day: "+" if no index of days is to be used.
  /// - Returns: the condition and its arguments.
  /// - Throws: `DatabaseError` if the archive can't be read.
  func sql(_ db: Database, day: String = "+") throws -> (String, StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    if let from {
      // Meetings that began earlier and continue; midnight in any zone is at most a day away.
      let midnight =
        (now ?? Zone.utc.start(of: from).adding(seconds: 14 * 3600)).milliseconds
      let near: StatementArguments = [
        from.advanced(by: -2).description, (to ?? .latest).description,
      ]
      let among = "activity_rows WHERE day_key BETWEEN ? AND ?"
      let isShort =
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM (SELECT 1 FROM \(among) LIMIT \(Self.fewEntries + 1))",
          arguments: near) ?? 0 <= Self.fewEntries
      if isShort {
        // There are few entries in the range, so their index and that of long ones are used instead
        // of all meetings.
        conditions.append(
          """
          it.activity_pk IN (SELECT pk FROM \(among)
            UNION ALL SELECT pk FROM activity_rows
            WHERE end_at - start_at > 86400000 AND end_at > ?)
          """)
        arguments += near + [midnight]
      }
      conditions.append("(\(day)activity.day_key >= ? OR activity.end_at > ?)")
      arguments += [from.description, midnight]
    }
    if let to {
      conditions.append("\(day)activity.day_key <= ?")
      arguments += [to.description]
      if from == nil, let now {
        conditions.append("(activity.end_at IS NULL OR activity.end_at <= ?)")
        arguments += [now.milliseconds]
      }
    }
    for group in (people.map { [$0] } + anyOf).prefix(SearchFilter.listLimit) {
      let named = group.prefix(SearchFilter.listLimit).map(\.uuidString)
      conditions.append(
        """
        it.pk IN (SELECT meeting_pk FROM attendance_rows
          WHERE person_pk IN (SELECT pk FROM person_rows WHERE id IN (\(placeholders(named.count))))
            AND reply <> 'declined')
        """)
      arguments += StatementArguments(named)
    }
    if isWithOthers { conditions.append(OwnPerson.isWithOthers(try OwnPerson.key(db))) }
    if !includesDropped {
      conditions.append("it.status <> 'cancelled' AND it.is_event_deleted = 0")
    }
    return (conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), arguments)
  }
}

/// Reads meetings together with their entries.
enum MeetingRows {
  /// The condition of the views for a row of a meeting or an entry: no import hides it.
  static let isSeen = "changed_pk NOT IN (SELECT change_pk FROM hidden_changes)"

  /// Fetches meetings.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - condition: about the meeting `it` and its `activity`.
  ///   - arguments: the statement's arguments.
  ///   - order: the SQL after ORDER BY.
  ///   - limit: the maximum number of meetings.
  ///   - offset: how many results to skip.
  ///   - join: the SQL between both tables.
  /// - Returns: the meetings.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func fetch(
    _ db: Database, where condition: String, arguments: StatementArguments,
    order: String = "it.pk", limit: Int = .max, offset: Int = 0, join: String = "JOIN"
  ) throws -> [MeetingEntry] {
    let rows = try Row.fetchAll(
      db,
      cached: """
        \(Meeting.selection(from: "meetings", join: join)) WHERE \(condition) ORDER BY \(order)
        LIMIT ? OFFSET ?
        """, arguments: arguments + [max(0, limit), max(0, offset)])
    guard !rows.isEmpty else { return [] }
    var activities: [Int64: Activity] = [:]
    for slice in rows.map({ $0["activity_pk"] as Int64 }).slices() {
      for record in try ActivityRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(slice)])
      { activities[record.pk] = record.activity }
    }
    return try rows.compactMap { row in
      try activities[row["activity_pk"]].map {
        MeetingEntry(meeting: try Meeting.read(row), activity: $0)
      }
    }
  }
}
