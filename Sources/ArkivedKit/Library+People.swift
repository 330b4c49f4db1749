import ArkivedStore
public import Foundation

/// A person with what the archive tells of them.
public struct PersonProfile: Hashable, Sendable, Identifiable {
  /// The person.
  public var person: Person
  /// Meetings that they took part in until now.
  public var meetingCount: Int
  /// Entries that name them.
  public var entryCount: Int
  /// The first day up to today on which an entry or a meeting has them.
  public var firstSeen: DayKey?
  /// The last day up to today on which an entry or a meeting has them.
  public var lastSeen: DayKey?

  /// The person's identity.
  public var id: UUID { person.id }

  init(_ summary: PersonSummary) {
    person = summary.person
    meetingCount = summary.meetingCount
    entryCount = summary.entryCount
    firstSeen = summary.firstSeen
    lastSeen = summary.lastSeen
  }
}

extension Library {
  /// Returns the people whose names or addresses hold a text, those seen last first; everybody where the
  /// text is empty.
  public func people(
    matching text: String = "", limit: Int = 50, offset: Int = 0
  ) async throws(LibraryError) -> [PersonProfile] {
    try await waiting { [self] in
      try archive.people(
        matching: text, today: today, limit: max(0, limit), offset: max(0, offset)
      ).map(PersonProfile.init)
    }
  }

  /// Returns a person, or nil if there is none of that identity.
  public func person(_ id: Person.ID) async throws(LibraryError) -> PersonProfile? {
    try await waiting { [self] in
      try archive.person(id, today: today).map(PersonProfile.init)
    }
  }

  /// Adds a person.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if somebody has the address already.
  @discardableResult
  public func add(_ person: Person) async throws(LibraryError) -> Person {
    try await waiting { [self] in try archive.create(person).value }
  }

  /// Saves a changed person; the version before goes to the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere meanwhile,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ person: Person) async throws(LibraryError) -> Person {
    try await waiting { [self] in
      try archive.updatePerson(person.id, version: person.updatedAt) { $0 = person }.value
    }
  }

  /// Deletes a person; the entries that name them keep the name.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ person: Person) async throws(LibraryError) {
    try await waiting { [self] in
      _ = try archive.deletePerson(person.id, version: person.updatedAt)
    }
  }

  /// Makes two people one: the second gets the names, addresses, entries and meetings of the first.
  ///
  /// - Returns: who stays.
  /// - Throws: ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue`` if both are one
  ///   already.
  @discardableResult
  public func merge(
    _ person: Person, into kept: Person
  ) async throws(LibraryError) -> Person {
    try await waiting { [self] in try archive.merge(person.id, into: kept.id).value }
  }
}
