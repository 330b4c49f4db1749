import Foundation

/// Sentences that are made in English and kept or handed on so, because programs read them too: the
/// summaries of changes, and what is wrong with a value. Pages and the terminal say them again in
/// their language.
enum KeptSentences {
  /// The forms of such sentences, one a line, with what is put in as `{1}`, `{2}`.
  static let table = """
    Added “{1}”
    Changed “{1}”
    Deleted “{1}”
    Deleted {1} activities
    Deleted an activity
    Deleted the day {1}
    Wrote the day {1}
    Moved “{1}” to {2}
    Moved “{1}” up
    Moved “{1}” down
    Took the time from “{1}”
    Pinned “{1}”
    Unpinned “{1}”
    Attached “{1}”
    Attached {1} files
    Added the note “{1}”
    Changed the note “{1}”
    Deleted the note “{1}”
    Added the meeting “{1}”
    Changed the meeting “{1}”
    Deleted the meeting “{1}”
    Added the goal “{1}”
    Changed the goal “{1}”
    Deleted the goal “{1}”
    Added the value “{1}”
    Changed the value “{1}”
    Deleted the value “{1}”
    Added the term “{1}”
    Changed the term “{1}”
    Deleted the term “{1}”
    Committed to “{1}” in {2}
    No longer committed to “{1}”
    Changed what the goal “{1}” serves
    Changed which goals serve “{1}”
    Linked “{1}” with “{2}”
    Unlinked “{1}” from “{2}”
    Renamed #{1} to #{2} in {3}
    Merged #{1} into #{2} in {3}
    Merged {1} into {2}
    Deleted #{1} from {2}
    Synced with {1}
    Filled in the sample life
    Restored an old version of the {1}
    Imported {1}
    Undid: {1}
    Added {1}
    Changed {1}
    Deleted {1}
    A backup was made and read back: {1}.
    The last backup is unaltered.
    It was not asked: {1}
    is missing
    is missing; choose one
    is missing; write how much it was
    is missing; write one, such as km
    is missing; a target needs a unit, such as km
    is missing; a SmartGoal leaves nothing open
    is missing; a milestone is reached on a day
    is missing; write a name or an address
    is missing; a person needs a name, an alias or an address
    is missing; write where the calendar is
    is missing; write the address of the server
    is missing; write which tag stays
    is missing; write who this is
    is empty
    is empty; write what was done
    is empty; write what it is called
    is empty; name the value
    is empty; say what is to be reached
    is empty; name the program
    There is no link between this action and “{1}”; --add makes one.
    There is no commitment to “{1}” in term {2}.
    There is no alignment of “{1}” with “{2}”.
    There is no waiting match “{1}”.
    Several matches begin with {1}; give more digits.
    There is no note of {1}, present or past.
    There is no entry, goal, value, term, note, meeting or person “{1}”, present or past.
    There is no old version of “{1}”; it was never changed.
    There is no present version; it was deleted. arkived history restore brings it back.
    The present {1} cannot be compared here; name a second old version.
    {1} fits {2} acts; write more of the identity.
    There is no lifetime; no birth date is set.
    Edited entries: {1}
    Changed what serves “{1}”
    Took {1} off term {2}
    the file is not the one that was made on {1}
    Unknown option '{1}'
    Unknown option '{1}'. Did you mean '{2}'?
    Missing value for '{1}'
    Missing expected argument '{1}'
    Missing one of: '{1}'
    Missing required subcommand.
    Unexpected argument '{1}'
    {1} unexpected arguments: '{2}'
    The option '{1}' does not take any value, but '{2}' was specified.
    The value '{1}' is invalid for '{2}'
    The value '{1}' is invalid for '{2}': {3}
    The value '{1}' is invalid for '{2}'. Please provide one of {3}.
    The value '{1}' is invalid for '{2}'. Please provide one of the following:
    is empty; leave it out or name one, such as km
    is below 0
    is below 0; write how much it gives
    is negative
    is longer than one line
    is longer than 60 characters
    is longer than 4 MB
    is longer than 20 MB; attach it as a file
    is not there any more; choose another
    is given; a milestone has none, it is a point in time
    is {1}; it must be a day such as 2026-03-14
    is {1}; it must be a day of the calendar such as 2026-03-14
    is {1}; it must be a number such as 12.5
    is {1}; it must be a whole number
    is {1}; it must be a time such as 09:30
    is {1}; it must be a zone such as Europe/Rome
    is {1}; it must be one of {2}
    is {1}; it must be 1 to 5
    is {1}; it must be 1 to 10
    is {1}; it must be 1 (highest) to 100
    is {1}; it must be true or false
    is {1}; it must come after the start {2}
    is {1}; it must not lie ahead
    is {1}; choose 1 to 10
    is {1}; write days, or nothing for ever
    is {1}; there is no such tag
    holds {1}; write an amount and a unit: 5 km
    holds an empty name
    there is none yet
    the last one was made today: {1}
    the last one was made yesterday: {1}
    the last one was made {1} days ago: {2}
    the last one was made {1} days ago
    the last one by plan failed: {1}
    {1} is no day of the calendar; write it like 2026-03-14.
    There is no such page.
    This address does not take that method.
    The request is too large.
    The request could not be read.
    """

  private struct Form: Sendable {
    let key: String
    /// What stands between the places.
    let pieces: [String]
    var weight: Int { pieces.reduce(0) { $0 + $1.count } }
  }

  /// The forms, those that say most first.
  private static let forms: [Form] = table.split(separator: "\n").map { line in
    let pieces = line.split(separator: "{", omittingEmptySubsequences: false)
    return Form(
      key: String(line),
      pieces: [String(pieces.first ?? "")]
        + pieces.dropFirst().map { String($0.drop { $0 != "}" }.dropFirst()) })
  }.sorted { $0.weight > $1.weight }

  /// The phrase that a sentence is; nil for one of another form.
  static func phrase(_ sentence: String) -> Phrase? {
    for form in forms {
      if let arguments = arguments(of: sentence, form) {
        return Phrase(key: form.key, arguments: arguments)
      }
    }
    return nil
  }

  /// A sentence of a known form in the language of the work at hand.
  static func again(_ sentence: String) -> String? {
    guard let phrase = phrase(sentence) else { return nil }
    guard phrase.key == "Undid: {1}" else { return phrase.text() }
    return said("Undid: \(saidAgain(String(sentence.dropFirst("Undid: ".count))))")
  }

  private static func arguments(of sentence: String, _ form: Form) -> [String]? {
    guard let first = form.pieces.first, let last = form.pieces.last else { return nil }
    guard form.pieces.count > 1 else { return sentence == first ? [] : nil }
    guard sentence.hasPrefix(first), sentence.hasSuffix(last) else { return nil }
    guard sentence.count >= first.count + last.count else { return nil }
    var rest = sentence.dropFirst(first.count).dropLast(last.count)
    var found: [String] = []
    for piece in form.pieces.dropFirst().dropLast() {
      guard let place = rest.firstRange(of: piece) else { return nil }
      found.append(String(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return found + [String(rest)]
  }
}

/// An English sentence that was kept or handed on, in the language of the work at hand; as it is
/// where its form is not known.
package func saidAgain(_ sentence: String) -> String {
  guard Catalogue.of(.current) != nil else { return sentence }
  guard sentence.hasSuffix(".") else { return KeptSentences.again(sentence) ?? saidWhole(sentence) }
  // A form that ends so itself comes before one to which a full stop was put.
  if let phrase = KeptSentences.phrase(sentence), phrase.key.hasSuffix(".") {
    return phrase.text()
  }
  return KeptSentences.again(String(sentence.dropLast())).map { $0 + "." } ?? saidWhole(sentence)
}
