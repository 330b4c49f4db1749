import ArkivedStore
public import Foundation

/// A person with a summary of their appearances in the archive.
public struct PersonProfile: Hashable, Sendable, Identifiable {
  /// The person.
  public var person: Person
  /// The number of past meetings they attended.
  public var meetingCount: Int
  /// The number of entries that mention them.
  public var entryCount: Int
  /// The first day up to today with an entry or a meeting that includes them.
  public var firstSeen: DayKey?
  /// The last day up to today with an entry or a meeting that includes them.
  public var lastSeen: DayKey?

  /// The person's ID.
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
  /// Returns the people whose names or addresses contain a text, most recently seen first;
  /// everybody if the text is empty.
  public func people(
    matching text: String = "", limit: Int = 50, offset: Int = 0
  ) async throws(LibraryError) -> [PersonProfile] {
    try await waiting { [self] in
      try archive.people(
        matching: text, today: today, limit: max(0, limit), offset: max(0, offset)
      ).map(PersonProfile.init)
    }
  }

  /// Returns a person, or nil if there is none with that ID.
  public func person(_ id: Person.ID) async throws(LibraryError) -> PersonProfile? {
    try await waiting { [self] in
      try archive.person(id, today: today).map(PersonProfile.init)
    }
  }

  /// Adds a person.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if somebody already has the address.
  @discardableResult
  public func add(_ person: Person) async throws(LibraryError) -> Person {
    try await waiting { [self] in try archive.create(person).value }
  }

  /// Saves a changed person; the previous version is saved in the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ person: Person) async throws(LibraryError) -> Person {
    try await waiting { [self] in
      try archive.updatePerson(person.id, version: person.updatedAt) { $0 = person }.value
    }
  }

  /// Deletes a person; the entries that mention them keep the name.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ person: Person) async throws(LibraryError) {
    try await waiting { [self] in
      _ = try archive.deletePerson(person.id, version: person.updatedAt)
    }
  }

  /// Merges two people: the second receives the names, addresses, entries and meetings of the
  /// first.
  ///
  /// - Returns: the person who remains.
  /// - Throws: ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue`` if they are
  ///   already the same person.
  @discardableResult
  public func merge(
    _ person: Person, into kept: Person
  ) async throws(LibraryError) -> Person {
    try await waiting { [self] in try archive.merge(person.id, into: kept.id).value }
  }
}
