import ArkivedEngine
import ArkivedStore
public import Foundation

extension Library {
  // MARK: Meetings

  /// Returns the meetings of some days, earliest first.
  ///
  /// - Parameters:
  ///   - days: the days to search; all if nil.
  ///   - people: the people who must all take part.
  ///   - limit: the maximum number of meetings.
  ///   - offset: the number of meetings to skip first.
  /// - Returns: the meetings.
  /// - Throws: ``LibraryError``.
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

  /// Returns a meeting, or nil if there is none with that ID.
  public func meeting(_ id: Meeting.ID) async throws(LibraryError) -> MeetingEntry? {
    try await waiting { [self] in try archive.meeting(id) }
  }

  /// Adds one of the owner's own meetings, with its activity on the day.
  ///
  /// - Parameter activity: the title, day, times, place and people, as ``draft(_:)`` parses them
  ///   from `review tomorrow 10:00-11:00 @Priya`. The people take part. It must be unsaved.
  /// - Returns: the meeting as saved.
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

  /// Saves a changed meeting and its activity; later updates from its calendar preserve the
  /// changes.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
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

  /// Returns notes, latest first.
  ///
  /// - Parameters:
  ///   - meeting: the meeting to which the notes must belong.
  ///   - limit: the maximum number of notes.
  ///   - offset: the number of notes to skip first.
  /// - Returns: the notes.
  /// - Throws: ``LibraryError``.
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

  /// Adds a note.
  ///
  /// People mentioned in it are recognised.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func add(_ note: Note) async throws(LibraryError) -> Note {
    try await waiting { [self] in try archive.create(note).value }
  }

  /// Saves a changed note; the previous version is saved in the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
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
