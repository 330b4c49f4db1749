package import ArkivedCore
package import Foundation
import GRDB

/// A person with a summary of the archive's data about them.
package struct PersonSummary: Hashable, Sendable, Identifiable {
  package var person: Person
  /// The number of meetings they took part in so far, excluding those that they or the owner
  /// declined and those that were cancelled or dropped.
  package var meetingCount = 0
  /// The number of entries of the journal that name them.
  package var entryCount = 0
  /// The first and the last day up to today on which an entry or a meeting includes them.
  package var firstSeen: DayKey?
  package var lastSeen: DayKey?
  package var firstMet: DayKey?
  package var lastMet: DayKey?

  package init(person: Person) { self.person = person }

  package var id: UUID { person.id }

  package var json: JSON {
    var object = person.json.object ?? JSONObject()
    object["displayName"] = .string(person.displayName)
    object["meetingCount"] = JSON(meetingCount)
    object["entryCount"] = JSON(entryCount)
    object["firstSeen"] = JSON(firstSeen)
    object["lastSeen"] = JSON(lastSeen)
    object["firstMet"] = JSON(firstMet)
    object["lastMet"] = JSON(lastMet)
    return .object(object)
  }
}

/// Reading and writing people.
extension Archive {
  package enum PersonOrder: Sendable { case name, lastSeen, meetings }

  /// The number of people beyond which they are not looked up one by one.
  private static let manyPeople = 60

  /// Returns a person.
  ///
  /// - Parameters:
  ///   - id: the ID of the person.
  ///   - today: the current day.
  ///   - owner: the owner of the archive, if known.
  /// - Returns: the person; nil if there is none.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func person(_ id: UUID, today: DayKey, owner: Owner? = nil) throws -> PersonSummary? {
    try read { db in
      try PersonRecord.fetch(db, where: "id = ?", arguments: [id.uuidString]).first
        .map { try PersonRows.summary(of: $0, today: today, now: clock.now, owner: owner, db) }
    }
  }

  /// Returns several people at once, which is faster than one after the other.
  ///
  /// - Parameters:
  ///   - ids: their IDs.
  ///   - today: the current day.
  ///   - owner: the owner of the archive, if known.
  /// - Returns: the people by ID.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func people(
    _ ids: [UUID], today: DayKey, owner: Owner? = nil
  ) throws -> [UUID: PersonSummary] {
    try read { db in
      let records = try PersonRecord.fetch(
        db, where: "id IN (SELECT value FROM json_each(?))",
        arguments: [JSON(ids.map(\.uuidString)).text()])
      var sightings = try PersonSightings(today, clock.now, db, owner: owner)
      var found: [UUID: PersonSummary] = [:]
      for record in records {
        let summary = try PersonRows.summary(of: record, &sightings)
        found[summary.id] = summary
      }
      return found
    }
  }

  /// Returns the people whose names or addresses contain a text; all if it is empty.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - order: how they are sorted.
  ///   - today: the current day.
  ///   - limit: the maximum number of people.
  ///   - offset: how many results to skip.
  ///   - hasFirst: true if the first day of each is needed; without it, a list of people who are
  ///     named often is faster.
  /// - Returns: the people.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func people(
    matching text: String = "", order: PersonOrder = .lastSeen, today: DayKey, limit: Int = .max,
    offset: Int = 0, hasFirst: Bool = true
  ) throws -> [PersonSummary] {
    try read { db in
      // Only names are read for people who are not shown.
      let named = try PersonRows.namesInOrder(matching: NameFolding.key(text), db)
      var sightings = try PersonSightings(today, clock.now, db)
      var met = order == .meetings ? try PersonRows.met(sightings) : nil
      func summaries(_ people: some Collection<Int64>) throws -> [PersonSummary] {
        // For many people, it is faster to read every meeting once.
        if met == nil, people.count > Self.manyPeople { met = try PersonRows.met(sightings) }
        let records = try PersonRecord.fetch(
          db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(Array(people))])
        let known = Dictionary(records.map { ($0.pk, $0) }) { first, _ in first }
        return try people.compactMap { known[$0] }.map { record in
          try PersonRows.summary(
            of: record, &sightings, met: met.map { $0[record.pk] ?? PersonRows.Met() },
            hasFirst: hasFirst)
        }
      }
      func page<One>(_ all: [One]) -> ArraySlice<One> {
        all.dropFirst(max(0, offset)).prefix(max(0, limit))
      }
      switch order {
      case .name: return try summaries(page(named))
      case .meetings:
        func count(_ person: Int64) -> Int { met?[person]?.count ?? 0 }
        return try summaries(page(named.sorted { count($0) > count($1) }))
      case .lastSeen:
        let days = limit < named.count ? try PersonRows.lastSeen(sightings) : [:]
        let recent = named.compactMap { one in
          days[one].map { PersonRows.Seen(day: $0, person: one, value: one) }
        }
        let begin = max(0, offset)
        let part = begin..<(begin + min(max(0, limit), named.count))
        if limit >= 0, recent.count - limit >= begin {
          return try summaries(page(PersonRows.lastSeenFirst(recent, part, sightings)))
        }
        let all = zip(named, try summaries(named)).map { one, summary in
          PersonRows.Seen(day: summary.lastSeen?.description ?? "", person: one, value: summary)
        }
        return Array(page(try PersonRows.lastSeenFirst(all, part, sightings)))
      }
    }
  }

  /// Returns the number of people whose names or addresses contain a text.
  package func countPeople(matching text: String = "") throws -> Int {
    try read { db in
      let folded = NameFolding.key(text)
      guard folded.isEmpty else { return try PersonRows.keys(matching: folded, db).count }
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM persons") ?? 0
    }
  }

  @discardableResult
  package func create(_ person: Person, by author: Author = .owner) throws -> Saved<Person> {
    let (value, change) = try write(
      by: author, "add", "Added \(person.displayName.prefix(120))"
    ) { scope in try scope.add(person) }
    return Saved(value: value, change: change)
  }

  /// Changes a person; the previous version is added to the history.
  ///
  /// Links by a name that they no longer have get the new one.
  ///
  /// - Parameters:
  ///   - id: the ID of the person.
  ///   - version: if given, the `updatedAt` the caller last saw.
  ///   - author: the author of the change.
  ///   - edit: makes the changes.
  /// - Returns: the person as saved, and the change; nil for the change if nothing is different.
  /// - Throws: `ArchiveError.notFound`, `.conflict`, `FieldError`.
  package func updatePerson(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner,
    _ edit: (inout Person) throws -> Void
  ) throws -> Saved<Person> {
    try transact { db in
      var scope = try openScope(db, by: author, "edit", "")
      guard let old = try PersonRecord.fetchOne(db, id: id)?.person else {
        throw ArchiveError.notFound("No person with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This person")
      var new = old
      try edit(&new)
      new.removeBlankNames()
      guard new != old || Archive.differ(new.json, old.json) else {
        try scope.forget()
        return Saved(value: old, change: nil)
      }
      try scope.summarise("Changed \(old.displayName.prefix(120))")
      new.updatedAt = max(scope.now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
      try scope.refuseTakenAddresses(of: new)
      try scope.update(new)
      try scope.followNames(of: new, from: old)
      return Saved(value: new, change: scope.change)
    }
  }

  /// Deletes a person; the entries that name them keep the name.
  ///
  /// Undo links them again.
  @discardableResult
  package func deletePerson(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<Person> {
    let (value, change) = try write(by: author, "delete", "") { scope in
      guard let old = try PersonRecord.fetchOne(scope.db, id: id)?.person else {
        throw ArchiveError.notFound("No person with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This person")
      try scope.summarise("Deleted \(old.displayName.prefix(120))")
      try scope.deletePerson(id)
      return old
    }
    return Saved(value: value, change: change)
  }

  /// Merges two people: the one who stays gets the other's names, addresses, entries and meetings.
  ///
  /// Undo separates them again.
  ///
  /// - Throws: `ArchiveError.notFound`, `FieldError` if both are the same person.
  package func merge(
    _ id: UUID, into kept: UUID, by author: Author = .owner
  ) throws -> Saved<Person> {
    let (value, change) = try write(by: author, "merge", "") { scope in
      try scope.mergePerson(id, into: kept)
    }
    return Saved(value: value, change: change)
  }

  /// Merges two people and stores the answer in the same transaction.
  ///
  /// - Parameters:
  ///   - id: the person who is merged.
  ///   - kept: the one who stays.
  ///   - author: who makes the change.
  ///   - today: the current day.
  ///   - request: nil if it may not be repeated.
  ///   - answer: receives the person who stays, and the change.
  /// - Returns: the answer to this request or, if it was made before, to the first one.
  /// - Throws: `RequestKeyTaken`, and what the other `merge` throws.
  package func merge(
    _ id: UUID, into kept: UUID, by author: Author = .owner, today: DayKey,
    once request: RequestKey?, answer: (PersonSummary, Change) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, "merge", "", once: request) { scope in
      _ = try scope.mergePerson(id, into: kept)
      guard let record = try PersonRecord.fetchOne(scope.db, id: kept) else {
        throw ArchiveError.notFound("The person to merge wasn’t found.")
      }
      return try answer(
        try PersonRows.summary(of: record, today: today, now: clock.now, scope.db), scope.change)
    }
  }

  /// Returns the people who are likely the same.
  package func personMergeProposals(today: DayKey) throws -> [PersonMergeProposal] {
    try read { db in
      let records = try PersonRecord.fetch(db, where: "1")
      let keys = Dictionary(records.map { ($0.person.id, $0.pk) }) { first, _ in first }
      // Few people are like another one, so the mentions of the others aren't counted.
      let count = try db.cachedStatement(
        sql: "SELECT count(*) FROM mentions WHERE person_pk = ?")
      var weights: [UUID: Int] = [:]
      return try PersonLikeness.proposals(among: records.map(\.person)) { person in
        if let known = weights[person.id] { return known }
        let named = try keys[person.id].flatMap { try Int.fetchOne(count, arguments: [$0]) } ?? 0
        let weight = named * 2 + (person.name == nil ? 0 : 1)
        weights[person.id] = weight
        return weight
      }
    }
  }
}

extension ChangeScope {
  /// Merges a person into another.
  fileprivate mutating func mergePerson(_ id: UUID, into kept: UUID) throws -> Person {
    guard id != kept else { throw FieldError("into", "is the same person") }
    guard let old = try PersonRecord.fetchOne(db, id: id)?.person,
      var person = try PersonRecord.fetchOne(db, id: kept)?.person
    else { throw ArchiveError.notFound("The person to merge wasn’t found.") }
    try summarise("Merged \(old.displayName) into \(person.displayName)")
    // Texts are changed while both are there, so their old versions tell who is who.
    try followMerge(of: id, into: kept)
    // Removed before the one who stays changes, so undo, which goes backwards, finds the addresses
    // available.
    try deletePerson(id, mergedInto: kept)
    person.take(over: old)
    person.updatedAt = max(now, Instant(milliseconds: person.updatedAt.milliseconds + 1))
    try update(person)
    return person
  }
}

extension Person {
  /// Adopts another person's names and addresses.
  fileprivate mutating func take(over other: Person) {
    var names = Set(([name].compactMap { $0 } + aliases).map(NameFolding.key))
    if name == nil { name = other.name }
    if let name { names.insert(NameFolding.key(name)) }
    for alias in [other.name].compactMap({ $0 }) + other.aliases
    where names.insert(NameFolding.key(alias)).inserted { aliases.append(alias) }
    var addresses = Set(([email].compactMap { $0 } + furtherAddresses).map(NameFolding.key))
    if email == nil { email = other.email }
    if let email { addresses.insert(NameFolding.key(email)) }
    for address in [other.email].compactMap({ $0 }) + other.furtherAddresses
    where addresses.insert(NameFolding.key(address)).inserted { furtherAddresses.append(address) }
    switch (relationshipSummary, other.relationshipSummary) {
    case (nil, let theirs): relationshipSummary = theirs
    case (let own?, let theirs?) where !own.contains(theirs):
      relationshipSummary = "\(own)\n\(theirs)"
    default: break
    }
    externalRefs += other.externalRefs
  }
}

extension ChangeScope {
  /// Adds a person whose addresses nobody else has.
  func add(_ person: Person) throws -> Person {
    var person = person
    person.removeBlankNames()
    try refuseTakenAddresses(of: person)
    try insert(person)
    return person
  }

  /// Reports, in terms the owner understands, an address that belongs to somebody else.
  fileprivate func refuseTakenAddresses(of person: Person) throws {
    let addresses = [person.email].compactMap { $0 } + person.furtherAddresses
    for (index, address) in addresses.enumerated() {
      let other = try String.fetchOne(
        db,
        cached: """
          SELECT persons.id FROM person_names JOIN persons ON persons.pk = person_pk
          WHERE folded = ? AND role IN ('email', 'address') AND persons.id <> ?
          """, arguments: [NameFolding.key(address), person.id.uuidString])
      guard let id = other.flatMap({ UUID(uuidString: $0) }), let name = try personName(id) else {
        continue
      }
      throw FieldError(
        index == 0 && person.email != nil ? "email" : "furtherAddresses",
        """
        is \(FieldError.shown(address)), which belongs to \(name). If they are the same person, \
        merge them
        """
      )
    }
  }
}
