package import ArkivedCore
package import Foundation

/// Finding the people who take part in a meeting.
extension ChangeScope {
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
      let isKnown = old.contains(attendance)
      let linked = isKnown ? attendance : try resolve(attendance, among: present)
      named[NameFolding.key(attendance.name), default: []].append(
        Mention(name: linked.name, personID: linked.personID))
      let key = linked.personID?.uuidString ?? NameFolding.key(linked.name)
      // Somebody may be invited under two addresses, and a calendar's next version has both.
      if let place = places[key], !isKnown || attendances[place].key == linked.key {
        attendances[place].address = attendances[place].address ?? linked.address
        // Someone takes part if one of two people merged into one does.
        if !attendances[place].isPresent, linked.isPresent {
          (attendances[place].reply, attendances[place].role) = (linked.reply, linked.role)
        }
      } else {
        places[key] = places[key] ?? attendances.count
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
