import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Import of calendar events, which become meetings.
extension ImportWriter {
  /// Imports an event.
  ///
  /// A known one follows its calendar field by field, except for fields that the owner edited; a
  /// new one becomes a meeting with its entry.
  func take(_ imported: MeetingEntry, _ record: ImportedRecord) throws {
    var entry = imported
    ImportedContent.settle(&entry, of: record)
    let isReduced = reduces(entry.activity)
    if isReduced {
      state.places.reduce(&entry.activity, hash: "")
      if state.places.choice == .none { entry.meeting.event?.location = nil }
    }
    try entry.activity.validate()
    try entry.meeting.validate()
    let key = "event\u{0}\(entry.meeting.eventIdentifier)"
    if let known = try scope.meeting(ofEvent: entry.meeting.eventIdentifier) {
      guard state.isFirst([key]) else { return isSecond(record) }
      return try follow(entry, from: known, record)
    }
    if entry.meeting.status == .cancelled { state.tellCancelled(record.place) }
    // Cancelled before it was first read, or too far in the past or future.
    guard entry.meeting.status != .cancelled,
      state.window?.contains(entry.activity.dayKey) ?? true
    else { return }
    guard let ref = entry.activity.externalRefs.first else { return }
    if let known = try scope.known(ref) {
      switch known.standing {
      case .own: return isSecond(record)
      case .hidden: try scope.makeWay(for: known.type, known.id)
      case .shown, .absent:
        guard state.isFirst([key]) else { return isSecond(record) }
        return try join(entry, known, record)
      }
    }
    let linked = {
      var linked = entry
      linked.meeting.attendances = try attendances(entry.meeting.attendances)
      linked.activity.people = try people(of: entry, linked.meeting.attendances, record)
      linked.meeting.event?.invited = linked.meeting.attendances.map(\.key)
      return linked
    }
    guard
      try mayCreate(entry.activity.id, entry.activity.externalRefs, .event(linked()), record)
    else { return }
    try create("activity") {
      let linked = try linked()
      try scope.insert(linked.activity)
      try scope.insert(linked.meeting as any RecordedEntity)
    }
    state.account.created["meeting", default: 0] += 1
    if isReduced, PlaceReduction.hasCoordinates(imported.activity) { state.account.reduced += 1 }
  }

  /// Updates a meeting from its calendar.
  private func follow(
    _ entry: MeetingEntry, from known: MeetingEntry, _ record: ImportedRecord
  ) throws {
    guard var event = entry.meeting.event else { return }
    var entry = entry
    let isCancelled = entry.meeting.status == .cancelled
    if isCancelled {
      // A cancellation contains little else, and often omits the title and the people.
      event = known.meeting.event ?? CalendarEvent(known)
      event.status = .cancelled
      entry.meeting.attendances = known.meeting.attendances
    } else {
      let linked = try attendances(entry.meeting.attendances)
      entry.activity.people = try people(of: entry, linked, record)
      entry.meeting.attendances = linked
      event.keepTime(of: known.meeting.event, endedBy: scope.now)
    }
    if state.places.choice == .none { event.location = known.meeting.event?.location }
    var new = known.following(event, attendances: entry.meeting.attendances)
    if isCancelled {
      // The earlier invitations still show which people the owner added or removed.
      new.meeting.event?.invited = event.invited
      new.meeting.event?.addedBefore = event.addedBefore
    }
    if overridesOwner { new.takeBackOwnFields(entry.meeting.attendances) }
    if !isCancelled { new.followCoordinates(of: entry.activity, from: known.activity) }
    if new.meeting.attendances != known.meeting.attendances {
      let present = new.meeting.attendances
      let own = present.filter { one in
        !entry.meeting.attendances.contains { $0.key == one.key }
      }
      let removed = entry.meeting.attendances.filter { one in
        !present.contains { $0.key == one.key }
      }
      new.activity.people =
        (entry.activity.people.without(removed)
        + own.filter { $0.reply != .declined }
        .map { Mention(name: $0.name, personID: $0.personID) })
        .joining(known.activity.people.without(known.meeting.attendances))
    }
    if let link = entry.meeting.linkID {
      (new.meeting.linkID, new.meeting.resource) = (link, entry.meeting.resource)
    }
    new.meeting.seriesIdentifier = entry.meeting.seriesIdentifier
    // Location data that an earlier import dropped.
    if PlaceReduction.isReduced(known.activity), !PlaceReduction.isReduced(entry.activity) {
      PlaceReduction.carry(&new.activity, from: entry.activity)
      new.activity.externalRefs = known.activity.externalRefs.map { ref in
        entry.activity.externalRefs.first {
          $0.provider == ref.provider && $0.externalID == ref.externalID
        } ?? ref
      }
    }
    guard new != known else { return leave(record) }
    try update(.event(entry), record) { try scope.update(new, over: known, reason: .import) }
  }

  /// Adds the meeting to an entry from an earlier import.
  private func join(
    _ entry: MeetingEntry, _ known: ChangeScope.Known, _ record: ImportedRecord
  ) throws {
    guard known.type == .activity, let activity = try scope.activity(known.id) else {
      throw FieldError("externalId", "is already used by another item (\(known.type.singular))")
    }
    guard try scope.meeting(ofActivity: known.id) == nil else { return leave(record) }
    guard !isStaging else { return try putOff(.event(entry), record) }
    var meeting = entry.meeting
    meeting.activityID = activity.id
    meeting.attendances = try attendances(meeting.attendances)
    meeting.event?.invited = meeting.attendances.map(\.key)
    try create("meeting") { try scope.insert(meeting as any RecordedEntity) }
  }

  /// Returns the participants as people of this archive.
  private func attendances(_ imported: [Attendance]) throws -> [Attendance] {
    var found = try known(imported)
    let addressed = Set(found.filter { $0.address != nil }.compactMap(\.personID))
    for index in found.indices where found[index].address == nil {
      // A different person with the same name as someone invited by address.
      if let id = found[index].personID, addressed.contains(id) {
        found[index].personID = nil
        found[index].name = imported[index].name
      }
    }
    return found
  }

  /// Returns the people mentioned in an event's entry; those who have to be distinguished from a
  /// namesake are not linked.
  private func people(
    of entry: MeetingEntry, _ linked: [Attendance], _ record: ImportedRecord
  ) throws -> [Mention] {
    let apart = Set(
      zip(entry.meeting.attendances, linked).compactMap { told, found in
        found.personID == nil ? told.personID : nil
      })
    return zip(entry.activity.people, try people(entry.activity.people, record)).map {
      told, found in
      told.personID.map(apart.contains) == true ? Mention(name: told.name) : found
    }
  }

  private func known(_ imported: [Attendance]) throws -> [Attendance] {
    var found = try imported.map { attendance in
      var attendance = attendance
      if let person = attendance.personID {
        let id = state.peopleByImportedID[person] ?? person
        try link(&attendance, to: scope.hasPerson(id) ? id : nil)
      }
      return attendance
    }
    // No person is passed on for someone who declined, but they may be known by their address.
    for index in found.indices where imported[index].personID == nil {
      guard let address = found[index].address,
        let id = try scope.personID(withAddress: [address]),
        !found.contains(where: { $0.personID == id })
      else { continue }
      try link(&found[index], to: id)
    }
    return found
  }

  private func link(_ attendance: inout Attendance, to person: UUID?) throws {
    attendance.personID = person
    if let person, let name = try scope.personName(person) { attendance.name = name }
  }
}

extension MeetingEntry {
  /// Lets the calendar's values replace the owner's if they differ.
  fileprivate mutating func takeBackOwnFields(_ invited: [Attendance]) {
    guard let event = meeting.event else { return }
    meeting.attendances = invited
    meeting.event?.addedBefore = []
    activity.text = event.title
    (activity.dayKey, activity.startAt, activity.endAt) = (event.dayKey, event.startAt, event.endAt)
    activity.timeZone = event.timeZone
    activity.locationLabel = event.location
    activity.description = event.description
    activity.tags = event.tags
    (meeting.organizer, meeting.status, meeting.isAllDay) =
      (event.organizer, event.status, event.isAllDay)
  }
}

extension [Mention] {
  private func contains(_ mention: Mention) -> Bool {
    contains { one in
      // Two people may share a name.
      if let person = one.personID, let other = mention.personID { return person == other }
      return one.name == mention.name
    }
  }

  fileprivate func without(_ attendances: [Attendance]) -> [Mention] {
    let out = attendances.map { Mention(name: $0.name, personID: $0.personID) }
    return filter { !out.contains($0) }
  }

  /// Returns these mentions, followed by the other mentions that are not among them.
  fileprivate func joining(_ others: [Mention]) -> [Mention] {
    self + others.filter { !contains($0) }
  }
}
