package import ArkivedCore
package import ArkivedStore
package import Foundation
import Synchronization

/// The people whose birthday it is, which are found again only when a note or a person has changed
/// since.
///
/// Reminders are checked after every change of the archive, and birthdays are in the texts of
/// notes.
package final class BirthdayMemory: Sendable {
  private let known = Mutex<(day: DayKey, mark: String, people: [UUID])?>(nil)

  package init() {}

  package func people(on day: DayKey, in archive: Archive) throws -> [UUID] {
    // Read first, so that anything changed in the meantime has another mark.
    let mark = try archive.birthdayMark()
    if let known = known.withLock({ $0 }), known.day == day, known.mark == mark {
      return known.people
    }
    let people = try archive.birthdays(on: day).map(\.person)
    known.withLock { $0 = (day, mark, people) }
    return people
  }
}
