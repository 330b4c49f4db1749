import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// Passages about the subject of a meeting.
extension BriefEngine {
  func near(
    _ entry: MeetingEntry, with others: [Attendance], by cut: Cut, besides known: Set<UUID>
  ) throws -> [Brief.Line] {
    let subject = [entry.title, entry.meeting.purpose].compactMap { $0 }.joined(separator: " ")
    let namesakes = try Namesakes(in: subject, of: others, archive)
    let hits = try retriever.passages(
      about: subject, before: cut.day, limit: Self.noteLimit * (namesakes.isEmpty ? 3 : 12))
    return try hits.filter { hit in
      guard hit.id != entry.activity.id, !known.contains(hit.id), hit.title != entry.title,
        try !namesakes.areMeant(in: hit)
      else {
        return false
      }
      guard hit.dayKey >= cut.day else { return true }
      if hit.type == .note {
        return try archive.note(hit.id).map { cut.holds(hit.dayKey, createdAt: $0.createdAt) }
          ?? false
      }
      return hit.startAt.map { $0 < cut.moment } ?? false
    }.prefix(Self.noteLimit).compactMap { hit in
      guard let kind = Brief.Source.Kind(hit.type) else { return nil }
      var reasons: [String] = []
      if !hit.why.words.isEmpty {
        reasons.append(said("contains \(hit.why.words.joined(separator: ", "))"))
      }
      if hit.why.similarity != nil { reasons.append(said("similar in meaning")) }
      return Brief.Line(
        "\(hit.dayKey.shownName): \(hit.excerpt)",
        Brief.Source(kind, hit.id, day: hit.dayKey, title: hit.title),
        why: reasons.isEmpty ? said("related to the topic") : reasons.joined(separator: "; "))
    }
  }

  /// People with the same name as an attendee who don't attend.
  private struct Namesakes {
    private let archive: Archive
    private let present: Set<UUID>
    private let people: [Person]

    var isEmpty: Bool { people.isEmpty }

    /// Finds the namesakes of attendees.
    ///
    /// - Parameters:
    ///   - subject: the subject of the meeting; only names in it can be ambiguous.
    ///   - others: the attendees.
    ///   - archive: the archive.
    /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
    init(in subject: String, of others: [Attendance], _ archive: Archive) throws {
      self.archive = archive
      let present = Set(others.compactMap(\.personID))
      self.present = present
      let names = Set(others.filter { $0.personID != nil }.flatMap { Self.words($0.name) })
      let told = Set(Self.words(subject)).intersection(names)
      var found: [UUID: Person] = [:]
      for word in told.sorted() {
        for person in try archive.people(called: word) where !present.contains(person.id) {
          found[person.id] = person
        }
      }
      people = found.values.sorted { $0.id.uuidString < $1.id.uuidString }
    }

    /// Returns true if an entry is about a namesake and not about an attendee.
    func areMeant(in hit: SearchHit) throws -> Bool {
      guard !people.isEmpty else { return false }
      var ids: Set<UUID> = []
      var mentions: [Mention] = []
      switch hit.type {
      case .activity:
        mentions = try archive.activities([hit.id]).flatMap(\.people)
        if let meeting = try archive.meeting(ofActivity: hit.id) {
          ids.formUnion(meeting.meeting.attendances.compactMap(\.personID))
        }
      case .day:
        mentions = try archive.day(hit.dayKey).entry?.people ?? []
      case .note:
        let note = try archive.note(hit.id)
        mentions = note?.people ?? []
        if let id = note?.meetingID, let meeting = try archive.meeting(id) {
          ids.formUnion(meeting.meeting.attendances.compactMap(\.personID))
        }
      default: break
      }
      ids.formUnion(mentions.compactMap(\.personID))
      guard ids.isDisjoint(with: present) else { return false }
      if people.contains(where: { ids.contains($0.id) }) { return true }
      // A namesake with a full name, without a link.
      let words = Self.words(
        ([hit.title, hit.snippet.text] + mentions.map(\.name)).joined(separator: " · "))
      return people.contains { person in
        let name = Self.words(person.displayName)
        return name.count > 1 && words.firstRange(of: name) != nil
      }
    }

    private static func words(_ text: String) -> [String] {
      NameFolding.key(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
  }
}

extension Brief.Source.Kind {
  fileprivate init?(_ type: HitType) {
    switch type {
    case .note: self = .note
    case .activity: self = .activity
    case .day: self = .day
    default: return nil
    }
  }
}
