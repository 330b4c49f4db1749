package import ArkivedCore
package import Foundation
import GRDB

/// Short identities: the beginning of an identity that no other entry shares.
extension Archive {
  /// The number of characters of an identity that are shown if they distinguish it from all others.
  package static let shortLength = 8

  /// Returns the shortest prefixes of entries' identities that match only them, at least eight
  /// digits long.
  ///
  /// - Parameters:
  ///   - ids: the identities.
  ///   - shared: the result of `sharedBeginnings`, if many pages of entries are shown.
  /// - Returns: the prefixes.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
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

  /// The kinds of things other than entries that can be referred to by the beginning of their
  /// identity.
  package enum Named: String, Sendable {
    case changes
    case oldVersions = "history"
    case importRuns = "import_runs"
  }

  /// Returns the shortest prefixes that match only one thing of a kind.
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
    // A hyphen at the end would add no information.
    if text.utf8.dropFirst(length - 1).first == UInt8(ascii: "-") { length += 1 }
    return String(text.prefix(length))
  }

  /// The number of identities beyond which it is quicker to search for all shared prefixes at once.
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

  /// Returns the first eight digits that several entries share.
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

  /// Returns the activity or day with an identity or the beginning of one (at least four digits).
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` with the candidates if several match.
  package func entryReference(matching text: String) throws -> (type: HitType, id: UUID) {
    guard let digits = Archive.identityDigits(text) else {
      throw ArchiveError.notFound(
        "No entry named “\(text.prefix(60))”. Use its ID, or at least the first four digits.")
    }
    let found = try read { db in
      try Archive.things(digits, of: Archive.entries, limit: 6, db)
    }
    guard let first = found.first else {
      if let other = try things(beginningWith: text, limit: 1).first(where: {
        $0.kind != .attachment
      }) {
        throw ArchiveError.notFound(
          """
          No entry with the ID \(text.prefix(60)). That ID belongs to a \(other.kind.rawValue). \
          Use the command for \(other.kind == .person ? "people" : other.kind.rawValue + "s").
          """
        )
      }
      throw ArchiveError.notFound("No entry with the ID \(text.prefix(60)).")
    }
    guard found.count == 1 else {
      let short = try shortIDs(found.map(\.id))
      let lines = found.prefix(5).map { candidate in
        "\n  \(short[candidate.id] ?? candidate.id.uuidString)  \(candidate.label)"
      }
      throw ArchiveError.ambiguous(
        "Several entries have IDs that start with \(text.prefix(60)). Enter more digits:"
          + lines.joined() + (found.count > 5 ? "\n  …" : ""))
    }
    return (first.kind == .day ? .day : .activity, first.id)
  }

  private static let entries: [NamedThing.Kind] = [.activity, .day]

  /// Returns the entry that shows a meeting on its day, if an identity or the beginning of one
  /// matches one meeting and no entry.
  private func entryOfMeeting(matching text: String) throws -> UUID? {
    let found = try things(beginningWith: text, of: Archive.entries + [.meeting], limit: 2)
    return found.count == 1 ? found.first?.entry : nil
  }

  /// Returns the activity with an identity or the beginning of one; for a meeting's identity, the
  /// entry that shows it on its day.
  package func activityID(matching text: String) throws -> UUID {
    if let entry = try entryOfMeeting(matching: text) { return entry }
    let (type, id) = try entryReference(matching: text)
    guard type == .activity else {
      throw ArchiveError.notFound(
        "No entry with the ID \(text.prefix(60)). That ID belongs to a day note.")
    }
    return id
  }

  /// The target to which a person attaches something.
  package enum AttachmentTarget: Hashable, Sendable {
    case owner(AttachmentOwner)
    /// An attachment itself, whose caption is to be changed.
    case attachment(UUID)
  }

  /// Returns the entry, day, meeting, note or attachment with an identity or the beginning of one
  /// (at least four digits).
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` if several match.
  package func attachmentTarget(matching text: String) throws -> AttachmentTarget {
    guard Archive.identityDigits(text) != nil else {
      throw ArchiveError.notFound(
        "No entry named “\(text.prefix(60))”. Use its ID, or at least the first four digits.")
    }
    let found = try things(
      beginningWith: text, of: [.activity, .day, .note, .meeting, .attachment], limit: 3
    ).compactMap { thing -> AttachmentTarget? in
      switch thing.kind {
      case .day: thing.day.map { .owner(.day($0)) }
      case .note: .owner(.note(thing.id))
      case .attachment: try owner(ofAttachment: thing.id).map { _ in .attachment(thing.id) }
      default: .owner(.activity(thing.entry ?? thing.id))
      }
    }
    guard let first = found.first else {
      throw ArchiveError.notFound("No entry with the ID \(text.prefix(60)).")
    }
    guard Set(found).count == 1 else {
      throw ArchiveError.ambiguous(
        "Several entries begin with \(text.prefix(60)); give more digits.")
    }
    return first
  }

  /// Returns IDs with a prefix, for completing them during typing.
  package func identities(beginningWith text: String, limit: Int) throws -> [String] {
    let digits = text.isEmpty ? "" : Archive.identityDigits(text, atLeast: 1)
    guard let digits else { return [] }
    let found = try read { db in
      try Archive.things(digits, of: Archive.entries, limit: limit, db)
    }
    let short = try shortIDs(found.map(\.id))
    return found.compactMap { short[$0.id] }
  }

  /// Returns the digits of an identity in their stored form: in upper case, with hyphens.
  static func identityDigits(_ text: String, atLeast count: Int = 4) -> String? {
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
