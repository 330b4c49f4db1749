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

  /// Words with which an owner asks to be shown something.
  private static let readers: Set<String> = [
    "show", "list", "find", "search", "summarise", "summarize", "describe", "explain", "compare",
    "recap",
  ]

  /// Words after which a verb is a noun: “the note”.
  private static let articles: Set<String> = [
    "the", "a", "an", "my", "our", "this", "that", "every", "each", "any", "last",
  ]

  /// Returns true if a sentence of the message asks for writing; questions never do, whatever
  /// words they contain, nor does “show me the note”.
  static func isStated(in message: String) -> Bool {
    let sentences = message.lowercased().split { ".!?;:".contains($0) || $0.isNewline }
    return sentences.contains { sentence in
      let words = sentence.replacing(",", with: " and ").split { !$0.isLetter }.map(String.init)
      return asks(words[...])
    }
  }

  private static func asks(_ sentence: ArraySlice<String>) -> Bool {
    var words = sentence.drop { fillers.contains($0) }
    if isQuestion(words) { return false }
    if ["can", "could", "would", "will"].contains(words.first), words.dropFirst().first == "you" {
      words = words.dropFirst(2).drop { fillers.contains($0) }
    }
    guard isReading(words) else { return words.contains { verbs.contains($0) } }
    // “Find the run and tag it” asks for both.
    let rest = words.drop { !["and", "then"].contains($0) }
    return zip(rest, rest.dropFirst()).contains { before, word in
      verbs.contains(word) && !articles.contains(before)
    }
  }

  private static func isReading(_ words: ArraySlice<String>) -> Bool {
    guard let first = words.first else { return false }
    if ["tell", "give"].contains(first) {
      return words.dropFirst().first.map { ["me", "us"].contains($0) } ?? false
    }
    return readers.contains(first)
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
