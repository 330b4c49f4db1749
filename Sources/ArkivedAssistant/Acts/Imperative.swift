package import ArkivedCore
import Foundation

/// An instruction as stated in a plain sentence.
package enum Imperative: Hashable, Sendable {
  /// An entry to add, given as a quick-add line.
  case add(line: String)
  /// Text to add to a day's note.
  case note(String, day: DayKey)
  case tag(ImperativeTarget, add: [String], remove: [String])
  /// An entry to move; `to` contains the words for the new time.
  case move(ImperativeTarget, to: String)
  case delete(ImperativeTarget)
  case pin(ImperativeTarget, isPinned: Bool)
  case rename(ImperativeTarget, text: String)
  case mood(Int, day: DayKey)
  case energy(Int, day: DayKey)
  /// Both in one instruction.
  case feelings(mood: Int, energy: Int, day: DayKey)
  case title(String, day: DayKey)
  /// An instruction to undo the last change.
  case undo
  /// An instruction that would affect many entries at once, with the words that describe them.
  case many(verb: String, words: String)
}

/// The entry that an instruction refers to.
package enum ImperativeTarget: Hashable, Sendable {
  /// The entry mentioned last: “that”, “it”.
  case spokenOf
  /// An entry described in words: “the dentist entry”, “yesterday's lunch”.
  case described(String)
}
