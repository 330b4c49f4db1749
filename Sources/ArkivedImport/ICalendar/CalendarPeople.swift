import ArkivedCore
import Foundation

/// The people of a file: those already seen, and the ID under which each was passed on.
struct CalendarPeople {
  private struct Known {
    let id: UUID
    let name: String
  }

  /// An attendee who can be distinguished from others.
  private struct Somebody {
    let key: String
    let name: String?
    let email: String?
  }

  /// The name and address with which an attendee is written.
  private struct Writing: Hashable {
    let address: String
    let name: String?
  }

  private var known: [String: Known] = [:]
  private var read: [Writing: Somebody] = [:]

  /// Converts the attendees of an event to mentions and attendances, and passes on people who
  /// appear for the first time.
  ///
  /// Those who declined (including the organiser) get an attendance instead of a mention. Rooms and
  /// equipment are skipped, and so are the addresses that Google gives to calendars themselves.
  mutating func mentions(
    _ attendees: [CalendarAttendee], context: ImportContext, tell: (Person) throws -> Void
  ) rethrows -> (mentions: [Mention], attendances: [Attendance]) {
    var declined: Set<String> = []
    var present: [Somebody] = []
    var attending: [(somebody: Somebody, attendance: Attendance)] = []
    var places: [String: Int] = [:]
    for attendee in attendees where !attendee.isThing {
      let writing = Writing(address: attendee.address, name: attendee.name)
      guard let somebody = read[writing] ?? Self.identify(writing) else { continue }
      read[writing] = somebody
      if attendee.hasDeclined { declined.insert(somebody.key) }
      present.append(somebody)
      let attendance = Attendance(
        name: somebody.name ?? somebody.email ?? "Somebody", address: somebody.email,
        role: attendee.role, reply: attendee.reply, isOrganizer: attendee.isOrganizer)
      if let place = places[somebody.key] {
        attending[place].attendance.join(attendance)
      } else {
        places[somebody.key] = attending.count
        attending.append((somebody, attendance))
      }
    }
    var mentions: [Mention] = []
    var seen: Set<String> = []
    for somebody in present
    where !declined.contains(somebody.key) && seen.insert(somebody.key).inserted {
      if let person = known[somebody.key] {
        mentions.append(Mention(name: person.name, personID: person.id))
        continue
      }
      let person = Person(
        id: context.identities.next(), name: somebody.name, email: somebody.email,
        createdAt: context.now, updatedAt: context.now)
      try tell(person)
      known[somebody.key] = Known(id: person.id, name: person.displayName)
      mentions.append(Mention(name: person.displayName, personID: person.id))
    }
    let attendances = attending.map { somebody, attendance in
      var attendance = attendance
      attendance.personID = known[somebody.key]?.id
      return attendance
    }
    return (mentions, attendances)
  }

  /// Returns the organiser's name and address as written, or nil if there is none.
  static func organizer(of attendees: [CalendarAttendee]) -> String? {
    attendees.first { $0.isOrganizer }
      .flatMap { identify(Writing(address: $0.address, name: $0.name)) }
      .flatMap { $0.name ?? $0.email }
  }

  /// Identifies an attendee; returns nil without a name and address, or for a calendar's own
  /// address.
  private static func identify(_ attendee: Writing) -> Somebody? {
    let email = address(attendee.address)
    if let email, email.hasSuffix(".calendar.google.com") { return nil }
    var name = attendee.name?.trimmingCharacters(
      in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "'\"")))
    if name?.isEmpty == true || name?.lowercased() == email?.lowercased() { name = nil }
    guard let label = email ?? name else { return nil }
    return Somebody(
      key: (email == nil ? "name " : "") + NameFolding.key(label), name: name, email: email)
  }

  /// Returns the address of a `mailto:` URI or a bare address, or nil for anything else.
  private static func address(_ text: String) -> String? {
    var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.prefix(7).lowercased() == "mailto:" {
      text.removeFirst(7)
      if let end = text.firstIndex(of: "?") { text = String(text[..<end]) }
      if text.contains("%") { text = text.removingPercentEncoding ?? text }
      text = text.trimmingCharacters(in: CharacterSet(charactersIn: "<> \t"))
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
      !text.contains(where: { $0.isWhitespace || $0 == ":" || $0 == "/" })
    else { return nil }
    return text
  }
}

extension Attendance {
  /// Merges a second listing of the same person, as an organiser and as an invitee.
  fileprivate mutating func join(_ other: Attendance) {
    isOrganizer = isOrganizer || other.isOrganizer
    if other.reply != .waiting { reply = other.reply }
    if role == .required { role = other.role }
  }
}
