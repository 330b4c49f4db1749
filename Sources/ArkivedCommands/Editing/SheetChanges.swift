import ArkivedCore
import ArkivedStore
import Foundation

/// The changes made in an edited sheet: only the differences from the sheet as opened.
struct SheetChanges {
  var edits = Archive.EntryEdits()

  /// Compares a sheet with its original.
  ///
  /// - Parameters:
  ///   - opened: the sheet as the editor received it.
  ///   - edited: the sheet as the editor left it.
  ///   - entries: the current entries, by their IDs in the sheet.
  ///   - makeNew: creates an empty activity on a day.
  /// - Throws: `EntrySheet.Problem` with the invalid line.
  init(
    from opened: EntrySheet, to edited: EntrySheet, entries: [String: JournalEntry],
    makeNew: (DayKey) -> Activity
  ) throws {
    var before: [String: EntrySheet.Block] = [:]
    for block in opened.blocks { block.id.map { before[$0] = block } }
    var seen: [String: Int] = [:]
    for block in edited.blocks {
      guard let id = block.id else {
        edits.added.append(try SheetChanges.new(block, makeNew(block.day)))
        continue
      }
      let key = id.uppercased()
      guard let old = before[key] else {
        throw EntrySheet.Problem(
          line: block.line,
          message:
            said(
              "entry \(id.prefix(40)) wasn’t opened here. For a new one, write “=== new \(block.day)”"
            ))
      }
      if let first = seen.updateValue(block.line, forKey: key) {
        throw EntrySheet.Problem(
          line: block.line, message: said("\(id.prefix(40)) already appears in line \(first)"))
      }
      guard let entry = entries[key] else {
        guard SheetChanges.differs(old, block) else { continue }
        throw EntrySheet.Problem(
          line: block.line, message: said("this entry was deleted elsewhere in the meantime"))
      }
      if let changed = try SheetChanges.changed(entry, from: old, to: block) {
        edits.changed.append(changed)
      }
    }
    edits.deleted = opened.blocks.compactMap { block in
      block.id.flatMap { seen[$0] == nil ? entries[$0]?.id : nil }
    }
  }

  private static func differs(_ old: EntrySheet.Block, _ new: EntrySheet.Block) -> Bool {
    var old = old
    old.line = new.line
    old.id = new.id
    return old != new
  }

  private static func changed(
    _ entry: JournalEntry, from old: EntrySheet.Block, to new: EntrySheet.Block
  ) throws -> JournalEntry? {
    guard differs(old, new) else { return nil }
    guard old.isNote == new.isNote else {
      throw EntrySheet.Problem(
        line: new.line, message: said("an entry can’t become a day note, or a day note an entry"))
    }
    return try located(new.line) {
      switch entry {
      case .activity(var activity):
        try change(&activity, from: old, to: new)
        try activity.validate()
        return .activity(activity)
      case .day(var day):
        try change(&day, from: old, to: new)
        try day.validate()
        return .day(day)
      }
    }
  }

  private static func new(
    _ block: EntrySheet.Block, _ activity: Activity
  ) throws -> Activity {
    guard !block.isNote else {
      throw EntrySheet.Problem(
        line: block.line,
        message:
          said(
            "a day note can’t be added here. Write it with `arkived note --day \(block.day) --edit`"
          )
      )
    }
    var activity = activity
    return try located(block.line) {
      try change(&activity, from: EntrySheet.Block(line: 0, day: block.day), to: block)
      try activity.validate()
      return activity
    }
  }

  /// Adds the entry's line to errors about its fields.
  private static func located<Value>(_ line: Int, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as FieldError {
      throw EntrySheet.Problem(line: line, message: error.description)
    }
  }

  private static func change(
    _ activity: inout Activity, from old: EntrySheet.Block, to new: EntrySheet.Block
  ) throws {
    for (name, value) in [("mood", new.mood), ("energy", new.energy)] where value != nil {
      throw FieldError(name, said("is only for day notes"))
    }
    if new.day != old.day {
      try ActivityTimes.change(&activity, day: new.day, start: nil, end: nil)
    }
    try SheetTime.apply(new.time, before: old.time, to: &activity)
    if new.kind != old.kind {
      activity.kind = new.kind.map(ActivityKind.init(rawValue:)) ?? .other
    }
    if new.tags != old.tags { activity.tags = new.tags }
    if new.isPinned != old.isPinned { activity.isPinned = new.isPinned }
    if new.text(.body) != old.text(.body) { activity.text = new.text(.body) }
    if new.text(.description) != old.text(.description) {
      activity.description = new.sections[.description]
    }
    if new.text(.notes) != old.text(.notes) { activity.notes = new.sections[.notes] }
  }

  private static func change(
    _ day: inout DayEntry, from old: EntrySheet.Block, to new: EntrySheet.Block
  ) throws {
    guard new.day == old.day else {
      throw FieldError("day", said("can’t be changed, because a day note stays with its day"))
    }
    if new.time != nil { throw FieldError("time", said("is only for entries")) }
    if new.kind != nil { throw FieldError("kind", said("is only for entries")) }
    if !new.tags.isEmpty { throw FieldError("tags", said("are only for entries")) }
    if new.isPinned { throw FieldError("*", said("is only for entries")) }
    if new.mood != old.mood { day.mood = try level(new.mood, "mood") }
    if new.energy != old.energy { day.energy = try level(new.energy, "energy") }
    if new.text(.body) != old.text(.body) { day.note = new.text(.body) }
    if new.text(.title) != old.text(.title) { day.title = new.sections[.title] }
  }

  private static func level(_ text: String?, _ field: String) throws -> Int? {
    guard let text else { return nil }
    guard let value = Int(text), (1...5).contains(value) else {
      throw FieldError(field, said("is \(FieldError.shown(text)), but must be between 1 and 5"))
    }
    return value
  }
}
