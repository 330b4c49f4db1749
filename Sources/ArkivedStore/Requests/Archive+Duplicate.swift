package import ArkivedCore
package import Foundation

extension Archive {
  /// Adds a copy of an activity: what was done, with whom, where and for how long, at the same
  /// local time.
  ///
  /// Its files and its source stay with the original.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - day: the day of the new one; the original's day if nil.
  ///   - author: who makes the change.
  /// - Returns: the copy as saved.
  /// - Throws: `ArchiveError.notFound` if the entry doesn't exist.
  package func duplicateActivity(
    _ id: UUID, on day: DayKey? = nil, by author: Author = .owner
  ) throws -> Saved<Activity> {
    guard var copy = try activity(id) else {
      throw ArchiveError.notFound("No entry with the ID \(id.uuidString).")
    }
    try ActivityTimes.move(&copy, to: day ?? copy.dayKey, at: nil)
    let now = clock.now
    copy.id = identities.next()
    copy.source = .manual
    copy.isPinned = false
    copy.weather = nil
    copy.typedText = nil
    copy.attachments = []
    copy.externalRefs = []
    copy.createdAt = now
    copy.updatedAt = now
    let (value, change) = try write(
      by: author, "duplicate", "Duplicated “\(copy.text.prefix(120))”"
    ) { scope in
      try scope.insert(copy)
      return copy
    }
    return Saved(value: value, change: change)
  }
}
