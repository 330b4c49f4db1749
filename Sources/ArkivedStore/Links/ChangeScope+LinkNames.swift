import ArkivedCore
import Foundation
import GRDB

/// Links by a name that a person, a note or a tag no longer has.
///
/// They are rewritten in the change that renames it, so undo reverts both. A name that also belongs
/// to somebody or something else is not changed.
extension ChangeScope {
  /// Rewrites links to a person by their former names.
  func followNames(of person: Person, from old: Person) throws {
    let names = Set(
      ([person.name, person.email].compactMap(\.self) + person.aliases
        + person.furtherAddresses).map(NameFolding.key))
    let former = ([old.name].compactMap(\.self) + old.aliases)
      .filter { !names.contains(NameFolding.key($0)) }
    try follow(
      former, to: (.person, person.id), name: person.name ?? person.aliases.first,
      keepsWords: { $0 != old.name })
  }

  /// Rewrites links to a note by its former title.
  func followTitle(of note: Note, from old: Note) throws {
    guard let former = old.title, NameFolding.key(former) != NameFolding.key(note.title ?? "")
    else {
      return
    }
    try follow(
      [former], to: (.note, note.id), name: note.title,
      keepsWords: { _ in note.title == nil })
  }

  /// Rewrites links to a tag by its former name, or to one that was merged into it.
  ///
  /// Tags have no links by ID, so links stay if the new name isn't unique.
  func followName(of tag: Tag, from old: Tag) throws {
    guard NameFolding.key(old.name) != NameFolding.key(tag.name) else { return }
    try follow([old.name], to: (.tag, tag.id), name: tag.name, keepsWords: { _ in false })
  }

  /// Something that links can name, before a change of its name.
  enum LinkNamed {
    case person(Person)
    case note(Note)
    case tag(Tag)
  }

  /// Returns a person, a note or a tag as it is now; nil for anything else.
  func linkNamed(_ type: EntityType, _ id: UUID) throws -> LinkNamed? {
    switch type {
    case .person: try PersonRecord.fetchOne(db, id: id).map { LinkNamed.person($0.person) }
    case .note: try Note.fetchOne(db, id: id).map { LinkNamed.note($0) }
    case .tag: try tagByIdentity(id).map { LinkNamed.tag($0) }
    default: nil
    }
  }

  /// Rewrites links by a name that something had before this change.
  func followNames(from old: LinkNamed) throws {
    switch old {
    case .person(let old):
      if let person = try PersonRecord.fetchOne(db, id: old.id)?.person {
        try followNames(of: person, from: old)
      }
    case .note(let old):
      if let note = try Note.fetchOne(db, id: old.id) { try followTitle(of: note, from: old) }
    case .tag(let old):
      if let tag = try tagByIdentity(old.id) { try followName(of: tag, from: old) }
    }
  }

  /// Rewrites links by the ID of an entry that was merged into another one, or of a person who is
  /// about to be.
  func followMerge(of id: UUID, into kept: UUID) throws {
    let keys = [id.uuidString, String(id.uuidString.prefix(Archive.shortLength))]
      .map { LinkKey.entry($0).stored }
    let documents = try Int64.fetchSet(
      db, sql: "SELECT document FROM text_links WHERE target IN (?, ?)",
      arguments: StatementArguments(keys))
    for document in documents.sorted() {
      try rewrite(document) { link in
        // Other links with the ID name a day or a page, which they still lead to.
        guard case .entry(let digits)? = link.keys.first, id.uuidString.hasPrefix(digits),
          try Archive.targets(of: [.entry(digits)], db).allSatisfy({ $0.id == id }),
          try Archive.targets(of: Array(link.keys.dropFirst()), db).isEmpty
        else { return nil }
        return link.renamed(TextLink.entryPrefix + kept.uuidString)
      }
    }
  }

  /// Changes the links that use a former name.
  ///
  /// They get the new name, or the ID if `name` is nil or isn't unique. `keepsWords` returns true
  /// for a former name that its links still show.
  private func follow(
    _ former: [String], to target: (kind: LinkTarget.Kind, id: UUID), name: String?,
    keepsWords: (String) -> Bool
  ) throws {
    var new: String?
    if let name, TextLink.canName(name), let link = TextLink.links(in: "[[\(name)]]").first {
      let found = try Archive.targets(of: link.keys, db)
      if found.count == 1, found[0].id == target.id, found[0].kind == target.kind { new = name }
    }
    guard new != nil || target.kind != .tag else { return }
    // Several names may be in one text, which is changed only once.
    var words: [LinkKey: Bool] = [:]
    var documents: Set<Int64> = []
    for former in former {
      let key = LinkKey.name(NameFolding.key(former))
      guard try Archive.targets(of: [key], db).isEmpty else { continue }
      words[key] = keepsWords(former) || new == nil
      documents.formUnion(
        try Int64.fetchAll(
          db, sql: "SELECT document FROM text_links WHERE target = ?", arguments: [key.stored]))
    }
    let page = new ?? TextLink.entryPrefix + target.id.uuidString
    for document in documents.sorted() {
      try rewrite(document) { link in
        // Folders may come before the name, and a link with an ID is still good.
        guard let keepsWords = link.keys.lazy.compactMap({ words[$0] }).first,
          try Archive.targets(of: link.keys, db).isEmpty
        else { return nil }
        return link.renamed(page, showing: link.label ?? (keepsWords ? link.shown : nil))
      }
    }
  }

  /// Replaces links in all texts of an entry.
  private func rewrite(_ document: Int64, _ replacement: (TextLink) throws -> String?) throws {
    let pk = document / 8
    func new(_ text: String) throws -> String {
      try TextLink.replacing(in: text, with: replacement)
    }
    func later(_ old: Instant) -> Instant {
      max(now, Instant(milliseconds: old.milliseconds + 1))
    }
    switch SearchDocument.Kind(rawValue: document % 8) {
    case .activity:
      guard
        let old = try ActivityRecord.fetch(db, where: "pk = ?", arguments: [pk]).first?.activity
      else { return }
      var activity = old
      activity.text = try new(old.text)
      activity.description = try old.description.map(new)
      activity.notes = try old.notes.map(new)
      let id = try String.fetchOne(
        db, cached: "SELECT id FROM meetings WHERE activity_pk = ?", arguments: [pk])
      if let meeting = try id.flatMap(UUID.init(uuidString:)).flatMap({ try self.meeting($0) }) {
        var entry = meeting
        entry.activity = activity
        entry.meeting.purpose = try entry.meeting.purpose.map(new)
        entry.meeting.outcomes = try entry.meeting.outcomes.map(new)
        entry.meeting.summary = try entry.meeting.summary.map(new)
        if entry != meeting { _ = try update(entry, over: meeting, reason: .update) }
      } else if activity != old {
        activity.updatedAt = later(old.updatedAt)
        try update(activity)
      }
    case .day:
      guard let old = try DayRecord.fetch(db, where: "pk = ?", arguments: [pk]).first?.entry else {
        return
      }
      var entry = old
      entry.note = try new(old.note)
      guard entry != old else { return }
      entry.updatedAt = later(old.updatedAt)
      try update(entry)
    case .note:
      guard
        let id = try String.fetchOne(
          db, cached: "SELECT id FROM notes WHERE pk = ?", arguments: [pk]
        ).flatMap(UUID.init(uuidString:)), let old = try Note.fetchOne(db, id: id)
      else { return }
      var note = old
      note.text = try new(old.text)
      guard note != old else { return }
      note.updatedAt = later(old.updatedAt)
      try updateEntity(note)
    case .attachment, nil: return
    }
  }
}
