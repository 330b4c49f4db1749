package import ArkivedCore
import Foundation

/// Something that is to be done, as a plain sentence tells it.
package enum Imperative: Hashable, Sendable {
  /// An entry, as the line that quick add reads.
  case add(line: String)
  /// More text for a day's note.
  case note(String, day: DayKey)
  case tag(ImperativeTarget, add: [String], remove: [String])
  /// The words that say to when.
  case move(ImperativeTarget, to: String)
  case delete(ImperativeTarget)
  case pin(ImperativeTarget, isPinned: Bool)
  case rename(ImperativeTarget, text: String)
  case mood(Int, day: DayKey)
  case energy(Int, day: DayKey)
  case title(String, day: DayKey)
  /// Taking back what was done last.
  case undo
  /// What would touch many entries at once; the words that name them.
  case many(verb: String, words: String)
}

/// Which entry is meant.
package enum ImperativeTarget: Hashable, Sendable {
  /// “that”, “it”: the one last spoken of.
  case spokenOf
  /// Words that describe it: “the dentist entry”, “yesterday's lunch”.
  case described(String)
}
