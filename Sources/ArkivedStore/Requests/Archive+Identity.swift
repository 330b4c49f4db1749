package import ArkivedCore
package import Foundation
import GRDB

/// Short identities: the beginning of an identity that no other entry shares.
extension Archive {
  /// How many characters of an identity are shown where they tell it from all others.
  package static let shortLength = 8

  /// The shortest beginnings of entries' identities that mean only them, eight digits at least.
  ///
  /// - Parameter shared: what `sharedBeginnings` found, where many pages of entries are shown.
  package func shortIDs(
    _ ids: some Collection<UUID>, shared: Set<String>? = nil
  ) throws -> [UUID: String] {
    let shared = try shared ?? (ids.count > Archive.neighbourLimit ? sharedBeginnings() : nil)
    return try read { db in
      var short: [UUID: String] = [:]
      for id in ids {
        let beginning = String(id.uuidString.prefix(Archive.shortLength))
        short[id] =
          shared?.contains(beginning) ?? true
          ? try Archive.shortID(id, among: Archive.identified, db) : beginning
      }
      return short
    }
  }

  /// What is named by the beginning of its identity beside entries.
  package enum Named: String, Sendable {
    case changes
    case oldVersions = "history"
    case importRuns = "import_runs"
  }

  /// The shortest beginnings that mean only one of what is named so.
  package func shortIDs(
    _ ids: some Collection<UUID>, of named: Named
  ) throws -> [UUID: String] {
    try read { db in
      var short: [UUID: String] = [:]
      for id in ids { short[id] = try Archive.shortID(id, among: [named.rawValue], db) }
      return short
    }
  }

  static func shortID(_ id: UUID, among tables: [String], _ db: Database) throws -> String {
    let text = id.uuidString
    var length = Archive.shortLength
    for neighbour in try neighbours(of: text, among: tables, db) {
      let common = zip(neighbour.utf8, text.utf8).prefix { $0 == $1 }.count
      length = max(length, common + 1)
    }
    // A hyphen at the end would tell nothing.
    if text.utf8.dropFirst(length - 1).first == UInt8(ascii: "-") { length += 1 }
    return String(text.prefix(length))
  }

  /// For more identities it is quicker to look for all shared beginnings at once.
  package static let neighbourLimit = 2_000

  private static let identified = [EntryTables.activities, EntryTables.days]

  private static func neighbours(
    of text: String, among tables: [String], _ db: Database
  ) throws -> [String] {
    var found: [String] = []
    for table in tables {
      for side in ["max(id) FROM \(table) WHERE id <", "min(id) FROM \(table) WHERE id >"] {
        let statement = try db.cachedStatement(sql: "SELECT \(side) ?")
        if let id = try String.fetchOne(statement, arguments: [text]) { found.append(id) }
      }
    }
    return found
  }

  /// The first eight digits that several entries share.
  package func sharedBeginnings() throws -> Set<String> {
    let length = Archive.shortLength
    let all = Archive.identified.map { "SELECT substr(id, 1, \(length)) AS beginning FROM \($0)" }
    return try read { db in
      try String.fetchSet(
        db,
        sql: """
          SELECT beginning FROM (\(all.joined(separator: " UNION ALL ")))
          GROUP BY beginning HAVING count(*) > 1
          """)
    }
  }

  /// The activity or day that an identity or the beginning of one (at least four digits) means.
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` with the candidates when several begin so.
  package func entryReference(matching text: String) throws -> (type: HitType, id: UUID) {
    guard let digits = Archive.identityDigits(text) else {
      throw ArchiveError.notFound(
        "entry “\(text.prefix(60))”; name it by its identity or at least four digits of it")
    }
    let found = try read { db in try Archive.beginning(with: digits, limit: 6, db) }
    guard let first = found.first else {
      if let kind = try kind(beginningWith: digits) {
        throw ArchiveError.notFound(
          "entry \(text.prefix(60)); that ID belongs to a \(kind), which has its own command")
      }
      throw ArchiveError.notFound("entry \(text.prefix(60))")
    }
    guard found.count == 1 else {
      let short = try shortIDs(found.map(\.id))
      let lines = found.prefix(5).map { candidate in
        "\n  \(short[candidate.id] ?? candidate.id.uuidString)  \(candidate.label)"
      }
      throw ArchiveError.ambiguous(
        "Several entries begin with \(text.prefix(60)); give more digits:"
          + lines.joined() + (found.count > 5 ? "\n  …" : ""))
    }
    return (first.type, first.id)
  }

  /// What else an identity or the beginning of one names: a meeting, a note, a person, a goal, a value or
  /// a term.
  private func kind(beginningWith digits: String) throws -> String? {
    try read { db in
      for (kind, table) in [
        ("meeting", "meetings"), ("note", "notes"), ("person", "persons"), ("goal", "goals"),
        ("value", "personal_values"), ("term", "terms"),
      ] {
        let isNamed = try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id >= ? AND id < ?)",
          arguments: [digits, digits + "Z"])
        if isNamed == true { return kind }
      }
      return nil
    }
  }

  /// The entry by which a meeting shows on its day, where an identity or the beginning of one means one
  /// meeting and no entry.
  private func entryOfMeeting(matching text: String) throws -> UUID? {
    guard let digits = Archive.identityDigits(text) else { return nil }
    let found = try read { db in
      guard try Archive.beginning(with: digits, limit: 1, db).isEmpty else { return [String]() }
      return try String.fetchAll(
        db,
        sql: """
          SELECT activities.id FROM meetings JOIN activities ON activities.pk = activity_pk
          WHERE meetings.id >= ? AND meetings.id < ? LIMIT 2
          """, arguments: [digits, digits + "Z"])
    }
    return found.count == 1 ? found.first.flatMap { UUID(uuidString: $0) } : nil
  }

  /// The activity that an identity or the beginning of one means; a meeting's means the entry by which
  /// it shows on its day.
  package func activityID(matching text: String) throws -> UUID {
    if let entry = try entryOfMeeting(matching: text) { return entry }
    let (type, id) = try entryReference(matching: text)
    guard type == .activity else {
      throw ArchiveError.notFound("activity \(text.prefix(60)); it names a day's note")
    }
    return id
  }

  /// What a person means who attaches something.
  package enum AttachmentTarget: Hashable, Sendable {
    case owner(AttachmentOwner)
    /// An attachment itself, whose caption is to be changed.
    case attachment(UUID)
  }

  /// What an identity or the beginning of one (at least four digits) means among entries, days,
  /// meetings, notes and attachments.
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` when several begin so.
  package func attachmentTarget(matching text: String) throws -> AttachmentTarget {
    guard let digits = Archive.identityDigits(text) else {
      throw ArchiveError.notFound(
        "entry “\(text.prefix(60))”; name it by its identity or at least four digits of it")
    }
    var found: [AttachmentTarget] = try read { db in
      func ids(_ sql: String) throws -> [Row] {
        try Row.fetchAll(
          db, sql: "\(sql) WHERE id >= ? AND id < ? ORDER BY id LIMIT 3",
          arguments: [digits, digits + "Z"])
      }
      var found: [AttachmentTarget] = []
      found += try ids("SELECT id FROM activities").map {
        .owner(.activity(try $0.identity("id")))
      }
      found += try ids("SELECT id, day_key FROM days").map { .owner(.day(try $0.day("day_key"))) }
      found += try ids("SELECT id FROM notes").map { .owner(.note(try $0.identity("id"))) }
      found += try ids(
        "SELECT id, (SELECT id FROM activities WHERE pk = activity_pk) AS entry FROM meetings"
      ).compactMap { row in
        (row["entry"] as String?) == nil ? nil : .owner(.activity(try row.identity("entry")))
      }
      return found
    }
    let files = try read { db in
      try Row.fetchAll(
        db, sql: "SELECT id FROM attachments WHERE id >= ? AND id < ? ORDER BY id LIMIT 3",
        arguments: [digits, digits + "Z"]
      ).map { try $0.identity("id") }
    }
    for id in files where try owner(ofAttachment: id) != nil { found.append(.attachment(id)) }
    guard let first = found.first else { throw ArchiveError.notFound("entry \(text.prefix(60))") }
    guard Set(found).count == 1 else {
      throw ArchiveError.ambiguous(
        "Several entries begin with \(text.prefix(60)); give more digits.")
    }
    return first
  }

  /// Identities that begin so, for completing them as they are typed.
  package func identities(beginningWith text: String, limit: Int) throws -> [String] {
    let digits = text.isEmpty ? "" : Archive.identityDigits(text, atLeast: 1)
    guard let digits else { return [] }
    let found = try read { db in try Archive.beginning(with: digits, limit: limit, db) }
    let short = try shortIDs(found.map(\.id))
    return found.compactMap { short[$0.id] }
  }

  private typealias Candidate = (type: HitType, id: UUID, label: String)

  private static func beginning(
    with digits: String, limit: Int, _ db: Database
  ) throws -> [Candidate] {
    var found: [Candidate] = []
    for (type, table, label) in [
      (HitType.activity, EntryTables.activities, "substr(text, 1, 80)"),
      (.day, EntryTables.days, "'note of the day'"),
    ] {
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, day_key || ' ' || \(label) AS label FROM \(table)
          WHERE id >= ? AND id < ? ORDER BY id LIMIT \(limit)
          """, arguments: [digits, digits + "Z"])
      found += try rows.map { row in
        let label: String = row["label"]
        return (type, try row.identity("id"), label.split(whereSeparator: \.isNewline).joined())
      }
    }
    return found
  }

  /// The digits of an identity as it is kept: in upper case, with its hyphens.
  private static func identityDigits(_ text: String, atLeast count: Int = 4) -> String? {
    let digits = text.uppercased().filter { $0 != "-" }
    guard (count...32).contains(digits.utf8.count),
      digits.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x46).contains($0)
      })
    else { return nil }
    var result = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}
