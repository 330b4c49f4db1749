package import ArkivedCore
import Foundation
import GRDB

/// The owner's templates and prompts.
extension Archive {
  static let writingName = "writing"

  /// Returns the templates and prompts; a new archive has one example.
  package func writingSettings() throws -> WritingSettings {
    try read { db in try Self.writingSettings(db) }
  }

  /// Changes the templates and prompts; what is replaced or removed is added to the history.
  ///
  /// - Parameters:
  ///   - author: who makes the change.
  ///   - edit: receives the current templates and prompts and changes them.
  /// - Returns: the templates and prompts as saved.
  /// - Throws: what `edit` throws, and `DatabaseError` if the archive can't be written.
  @discardableResult
  package func updateWritingSettings(
    by author: Author = .owner, _ edit: (inout WritingSettings) throws -> Void
  ) throws -> Saved<WritingSettings> {
    try transact { db in
      let old = try Self.writingSettings(db)
      var new = old
      try edit(&new)
      guard new != old else { return Saved(value: old, change: nil) }
      let (action, summary) = WritingSettings.change(from: old, to: new)
      let scope = try openScope(db, by: author, action, summary)
      try scope.put(new, over: old)
      return Saved(value: new, change: scope.change)
    }
  }

  /// Sets the templates and prompts of an archive that is being restored, without recording a
  /// change.
  package func setWritingSettings(_ settings: WritingSettings) throws {
    try transact { db in
      try StoredSetting.set(Self.writingName, to: settings.json, at: clock.now, db)
    }
  }

  static func writingSettings(_ db: Database) throws -> WritingSettings {
    guard let json = try StoredSetting.value(writingName, db) else { return WritingSettings() }
    return WritingSettings(json)
  }

  /// Returns the values that fill in a template for a day.
  package func templateValues(of day: DayKey, in zone: Zone) throws -> TemplateValues {
    var values = TemplateValues(day: day)
    let now = zone.wallTime(at: clock.now)
    if now.day == day { values.time = now }
    values.weather = try dayPart(day, limit: 1).entry?.weather
    let before = day.advanced(by: -1)
    var notes = NoteFilter()
    (notes.from, notes.to, notes.limit) = (before, before, 20)
    // Items may be anywhere in a long note, so a page's part of it isn't enough.
    let texts = [try dayEntry(before)?.note ?? ""] + (try self.notes(notes).map(\.text))
    values.openItems = Array(texts.flatMap(TemplateValues.openItems).prefix(100))
    values.prompt = try prompt(of: day, isAsked: true)
    return values
  }

  /// Returns the prompt of a day.
  ///
  /// If prompts about the owner's past are switched on, every second day's prompt asks about an
  /// earlier year, if something was written then.
  ///
  /// - Parameters:
  ///   - day: the day.
  ///   - isAsked: true if the owner asked for a prompt, in which case there is one even if prompts
  ///     are off.
  /// - Returns: the prompt; nil if the owner wants none.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func prompt(of day: DayKey, isAsked: Bool = false) throws -> String? {
    let settings = try writingSettings()
    guard isAsked || settings.showsPrompts || settings.usesPast else { return nil }
    let isListed = isAsked || settings.showsPrompts
    if settings.usesPast, !isListed || day.daysSinceEpoch.isMultiple(of: 2),
      let past = try pastPrompt(of: day)
    {
      return past
    }
    return isListed ? settings.prompt(of: day) : nil
  }

  /// The number of earlier years that are considered.
  private static let pastYears = 30

  private func pastPrompt(of day: DayKey) throws -> String? {
    let days = try dayKeys(of: Anniversary(of: day, before: day), years: Self.pastYears)
    for past in days.prefix(3) {
      let part = try dayPart(past, limit: 1)
      let note = part.entry.map { MarkdownText.plain($0.note) } ?? ""
      let lines = [part.entry?.title ?? "", note, part.activities.first?.text ?? ""]
        .flatMap { $0.split(whereSeparator: \.isNewline).prefix(1) }
      guard
        let line = lines.map({ $0.trimmingCharacters(in: .whitespaces) })
          .first(where: { !$0.isEmpty })
      else { continue }
      let words = line.count > 140 ? line.prefix(139) + "…" : Substring(line)
      return WritingSettings.pastPrompt(years: day.year - past.year, String(words))
    }
    return nil
  }
}
