import ArkivedCore
import Foundation
import GRDB

/// A request's filters as SQL over the entries' own tables, without the full-text index.
struct EntryFilter {
  /// Conditions on one table, which is called `entry`.
  struct Conditions {
    /// The bounds of the days that can pass.
    var first = DayKey.earliest
    var last = DayKey.latest
    var sql: [String] = []
    var arguments: StatementArguments = []

    /// Returns SQL for the rows of the table that pass, with further bounds of their day.
    func whereClause(
      from first: DayKey? = nil, to last: DayKey? = nil
    ) -> (sql: String, arguments: StatementArguments) {
      let range: StatementArguments = [
        max(first ?? self.first, self.first).description,
        min(last ?? self.last, self.last).description,
      ]
      return (
        (["entry.day_key >= ?", "entry.day_key <= ?"] + sql).joined(separator: "\n  AND "),
        range + arguments
      )
    }

    fileprivate mutating func begin(_ day: DayKey) { first = max(first, day) }
    fileprivate mutating func finish(_ day: DayKey) { last = min(last, day) }

    fileprivate mutating func add(_ condition: String, _ values: StatementArguments = []) {
      sql.append(condition)
      arguments += values
    }
  }

  var activities = Conditions()
  /// The conditions on days' own entries; nil if none can pass.
  var days: Conditions? = Conditions()
  /// True if only a part of all days can pass.
  var isBounded: Bool { activities.first > .earliest || activities.last < .latest }

  /// A short list of candidates: a query for the keys of activities that uses an index.
  var candidates: (sql: String, arguments: StatementArguments)?
  /// Short descriptions of why an entry passes.
  var labels: [String] = []

  init(_ request: SearchRequest, _ db: Database) throws {
    if let from = request.from { require(from: from, request.homeZone) }
    if let to = request.to { require(to: to, request.homeZone) }
    if !request.kinds.isEmpty {
      requireActivity(
        "entry.kind IN (\(placeholders(request.kinds.count)))",
        StatementArguments(request.kinds.map(\.rawValue)),
        label: "kind: " + request.kinds.map(\.rawValue).joined(separator: " or "))
    }
    if let source = request.source {
      requireActivity("entry.source = ?", [source.rawValue], label: "source: \(source)")
    }
    if request.isPinned { requireActivity("entry.is_pinned = 1", [], label: "pinned") }
    let groups = request.tags.map { [$0] } + request.tagGroups
    for group in groups.prefix(SearchFilter.listLimit) {
      let (sql, values) = EntryFilter.tagged(group)
      requireActivity(
        "EXISTS (\(sql) AND activity_pk = entry.pk)", values,
        label: "tag: " + group.joined(separator: " or "))
      candidates = candidates ?? (sql, values)
    }
    if !request.excludedTags.isEmpty {
      let (sql, values) = EntryFilter.tagged(request.excludedTags)
      activities.add("NOT EXISTS (\(sql) AND activity_pk = entry.pk)", values)
      labels.append("without the tag: " + request.excludedTags.joined(separator: " or "))
    }
    for (column, values) in request.excludedValues {
      activities.add(
        "entry.\(column) NOT IN (\(placeholders(values.count)))", StatementArguments(values))
      labels.append("any \(column) except: " + values.joined(separator: " or "))
    }
    if !request.excludedPeople.isEmpty || !request.excludedNames.isEmpty {
      let (named, values) = SearchFilter.named(request.excludedPeople, request.excludedNames)
      func unnamed(_ owner: String) -> String {
        "NOT EXISTS (SELECT 1 FROM \(EntryTables.mentions) WHERE \(owner) = entry.pk AND \(named))"
      }
      activities.add(unnamed("activity_pk"), values)
      days?.add(unnamed("day_pk"), values)
    }
    if request.isUnpinned {
      activities.add("entry.is_pinned = 0")
      labels.append("not pinned")
    }
    for name in request.people.prefix(SearchFilter.listLimit) {
      let keys = try SearchFilter.personKeys(named: name, db)
      require(personKeys: keys, orName: name)
      labels.append("person: \(name)")
    }
    for group in request.personGroups where !group.isEmpty {
      let keys = try Int64.fetchAll(
        db,
        sql: """
          SELECT pk FROM \(EntryTables.persons) WHERE id IN (\(placeholders(group.count)))
          """, arguments: StatementArguments(group.map(\.uuidString)))
      require(personKeys: keys, orName: nil)
    }
    for piece in request.pieces {
      let columns = ["entry.text", "entry.description", "entry.notes", "entry.location_label"]
      let (sql, values) = TextPiece.condition(piece, in: columns)
      activities.add(sql, values)
      let (daySQL, dayValues) = TextPiece.condition(piece, in: ["entry.title", "entry.note"])
      days?.add(daySQL, dayValues)
      labels.append("contains: \(piece)")
    }
    if let anniversary = request.anniversary { try require(anniversary, db) }
    if let meetings = request.meetings {
      let (sql, values) = try MeetingFilter.isMeeting("entry.pk", meetings, db)
      activities.add(sql, values)
      days = nil
      let none = StatementArguments()
      candidates = candidates ?? ("SELECT activity_pk FROM meeting_rows", none)
    }
    if !request.types.isEmpty {
      if !request.types.contains(.activity) { activities.add("0") }
      if !request.types.contains(.day) { days = nil }
    }
  }

  private mutating func requireActivity(
    _ condition: String, _ values: StatementArguments, label: String
  ) {
    activities.add(condition, values)
    days = nil
    labels.append(label)
  }

  private static func tagged(_ names: [String]) -> (String, StatementArguments) {
    (
      """
      SELECT activity_pk FROM \(EntryTables.activityTags) WHERE tag_pk IN (
        SELECT pk FROM \(EntryTables.tags) WHERE folded IN (\(placeholders(names.count))))
      """, StatementArguments(names.map(NameFolding.key))
    )
  }

  private mutating func require(from bound: TimeBound, _ zone: Zone) {
    switch bound {
    case .day(let day):
      activities.begin(day)
      days?.begin(day)
      labels.append("from: \(day)")
    case .instant(let instant):
      // An entry without a time counts by whole days, in the home zone. An activity's day may
      // differ by one from the day on which it started, both there and in another zone.
      let local = zone.dayKey(at: instant)
      let day = zone.start(of: local) == instant ? local : local.advanced(by: 1)
      activities.begin(local.advanced(by: -3))
      activities.add(
        "CASE WHEN entry.start_at IS NULL THEN entry.day_key >= ? ELSE entry.start_at >= ? END",
        [day.description, instant.milliseconds])
      days?.begin(day)
      labels.append("from: \(instant)")
    }
  }

  private mutating func require(to bound: TimeBound, _ zone: Zone) {
    switch bound {
    case .day(let day):
      activities.finish(day)
      days?.finish(day)
      labels.append("to: \(day)")
    case .instant(let instant):
      let day = zone.dayKey(at: instant)
      activities.finish(day.advanced(by: 3))
      activities.add(
        "CASE WHEN entry.start_at IS NULL THEN entry.day_key < ? ELSE entry.start_at < ? END",
        [day.description, instant.milliseconds])
      days?.finish(day.advanced(by: -1))
      labels.append("to: \(instant)")
    }
  }

  private mutating func require(personKeys keys: [Int64], orName name: String?) {
    let list = keys.map(String.init).joined(separator: ", ")
    var named = "person_pk IN (\(list))"
    var values: StatementArguments = []
    if let name {
      // A name that matches several people is stored as a name.
      named = "(\(named) OR (person_pk IS NULL AND folded = ?))"
      values = [NameFolding.key(name)]
    }
    // For one entry, its few mentions are read using its own index: the plus keeps SQLite from
    // scanning all the entries that name a person.
    func names(_ owner: String) -> String {
      let mentions = EntryTables.mentions
      let own = named.replacing("person_pk", with: "+person_pk").replacing(
        "folded", with: "+folded")
      return "EXISTS (SELECT 1 FROM \(mentions) WHERE \(owner) = entry.pk AND \(own))"
    }
    activities.add(names("activity_pk"), values)
    days?.add(names("day_pk"), values)
    let all =
      "SELECT activity_pk FROM \(EntryTables.mentions) WHERE activity_pk IS NOT NULL AND \(named)"
    candidates = candidates ?? (all, values)
  }

  private mutating func require(_ anniversary: Anniversary, _ db: Database) throws {
    let first = try String.fetchOne(
      db,
      sql: """
        SELECT min(day_key) FROM (
          SELECT min(day_key) AS day_key FROM \(EntryTables.activities)
          UNION ALL SELECT min(day_key) FROM \(EntryTables.days))
        """
    ).flatMap(DayKey.init)
    let keys = first.map { anniversary.days(since: $0).map(\.description) } ?? []
    // The last days first, because an archive may have a day of the year 1 by mistake.
    let list = Array(keys.prefix(2_000))
    let sql = "entry.day_key IN (\(placeholders(list.count)))"
    activities.add(sql, StatementArguments(list))
    days?.add(sql, StatementArguments(list))
    labels.append("on this day: \(anniversary.name)")
  }
}
