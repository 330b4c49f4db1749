/// The test for messages that ask for something to be written, in English.
///
/// A model may write only if the owner's own words ask for it, so an instruction inside an entry
/// has no effect when the owner asked a question.
enum WritingIntent {
  /// Words with which an owner asks for something to be written.
  private static let verbs: Set<String> = [
    "add", "log", "note", "record", "write", "put", "create", "make", "enter", "save", "remember",
    "tag", "untag", "label", "mark", "delete", "remove", "erase", "move", "reschedule", "change",
    "rename", "set", "pin", "unpin", "update", "correct", "edit", "book", "schedule", "jot",
  ]

  /// Words before a question that are no part of it.
  private static let fillers: Set<String> = [
    "and", "so", "but", "then", "ok", "okay", "hey", "hi", "hello", "well", "now", "also", "oh",
    "please",
  ]

  /// Words with which a question begins.
  private static let askers: Set<String> = [
    "what", "which", "who", "whom", "whose", "why", "how", "did", "do", "does", "is", "are", "am",
    "was", "were", "has", "have", "had", "should",
  ]

  /// Words that begin a question only if a verb follows: “when I ran it was far” is none.
  private static let adverbs: Set<String> = ["when", "where"]

  /// Returns true if a sentence of the message asks for writing; questions never do, whatever
  /// words they contain.
  static func isStated(in message: String) -> Bool {
    let sentences = message.lowercased().split { ".!?;:".contains($0) || $0.isNewline }
    return sentences.contains { sentence in
      let words = sentence.split { !$0.isLetter }.map(String.init)
        .drop { fillers.contains($0) }
      return !isQuestion(words) && words.contains { verbs.contains($0) }
    }
  }

  private static func isQuestion(_ words: ArraySlice<String>) -> Bool {
    guard let first = words.first else { return false }
    let second = words.dropFirst().first
    // “How about adding lunch” asks for it.
    if first == "how" { return second != "about" }
    if adverbs.contains(first) { return second.map(askers.contains) ?? true }
    return askers.contains(first)
  }
}
