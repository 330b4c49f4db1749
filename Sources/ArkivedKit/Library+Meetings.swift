import ArkivedEngine
import ArkivedStore
public import Foundation

extension Library {
  // MARK: Meetings

  /// Returns the meetings of some days, the earliest first.
  ///
  /// - Parameters:
  ///   - days: the days; all of them where nil.
  ///   - people: people who all take part.
  ///   - limit: how many at most.
  ///   - offset: how many to pass over first.
  public func meetings(
    on days: ClosedRange<DayKey>? = nil, with people: [Person.ID] = [], limit: Int = 50,
    offset: Int = 0
  ) async throws(LibraryError) -> [MeetingEntry] {
    try await waiting { [self] in
      var filter = MeetingFilter()
      filter.from = days?.lowerBound
      filter.to = days?.upperBound
      filter.people = people
      filter.order = .oldest
      filter.limit = max(0, limit)
      filter.offset = max(0, offset)
      return try archive.meetings(filter)
    }
  }

  /// Returns the next meeting with others that hasn't ended, or nil.
  public func nextMeeting() async throws(LibraryError) -> MeetingEntry? {
    try await waiting { [self] in try archive.nextMeeting(at: archive.clock.now) }
  }

  /// Returns a meeting, or nil if there is none of that identity.
  public func meeting(_ id: Meeting.ID) async throws(LibraryError) -> MeetingEntry? {
    try await waiting { [self] in try archive.meeting(id) }
  }

  /// Adds a meeting of the owner's own, with the activity by which it shows on its day.
  ///
  /// - Parameter activity: title, day, times, place and people, such as ``draft(_:)`` reads them from
  ///   `review tomorrow 10:00-11:00 @Priya`. The people take part. It must not be saved yet.
  /// - Throws: ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func addMeeting(_ activity: Activity) async throws(LibraryError) -> MeetingEntry {
    try await waiting { [self] in
      let id = archive.identities.next()
      let meeting = Meeting(
        id: id, activityID: activity.id, eventIdentifier: id.uuidString,
        isAllDay: activity.startAt == nil,
        attendances: activity.people.map {
          Attendance(name: $0.name, personID: $0.personID, reply: .accepted)
        }, createdAt: activity.createdAt, updatedAt: activity.updatedAt)
      return try archive.create(MeetingEntry(meeting: meeting, activity: activity)).value
    }
  }

  /// Saves a changed meeting and its activity; a calendar that it came from leaves that alone.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere meanwhile,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ meeting: MeetingEntry) async throws(LibraryError) -> MeetingEntry {
    try await waiting { [self] in
      try archive.updateMeeting(meeting.id, version: meeting.updatedAt) { $0 = meeting }.value
    }
  }

  /// Deletes a meeting with its activity and its notes.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ meeting: MeetingEntry) async throws(LibraryError) {
    try await waiting { [self] in
      _ = try archive.deleteMeeting(meeting.id, version: meeting.updatedAt)
    }
  }

  // MARK: Notes

  /// Returns notes, the latest first.
  ///
  /// - Parameters:
  ///   - meeting: only those of this meeting.
  ///   - limit: how many at most.
  ///   - offset: how many to pass over first.
  public func notes(
    of meeting: Meeting.ID? = nil, limit: Int = 50, offset: Int = 0
  ) async throws(LibraryError) -> [Note] {
    try await waiting { [self] in
      var filter = NoteFilter()
      filter.meeting = meeting
      filter.limit = max(0, limit)
      filter.offset = max(0, offset)
      return try archive.notes(filter)
    }
  }

  /// Adds a note. Who is named in it is recognised.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func add(_ note: Note) async throws(LibraryError) -> Note {
    try await waiting { [self] in try archive.create(note).value }
  }

  /// Saves a changed note; the version before goes to the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere meanwhile,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ note: Note) async throws(LibraryError) -> Note {
    try await waiting { [self] in
      try archive.updateNote(note.id, version: note.updatedAt) { $0 = note }.value
    }
  }

  /// Deletes a note.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ note: Note) async throws(LibraryError) {
    try await waiting { [self] in
      _ = try archive.deleteNote(note.id, version: note.updatedAt)
    }
  }
}
