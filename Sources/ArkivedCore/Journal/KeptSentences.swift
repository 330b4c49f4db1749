import CTexts
import Foundation

/// Translates sentences that are generated in English and stored or passed on in that form, because
/// programs read them too: summaries of changes and errors about values.
///
/// Pages and the terminal show them in their own language.
enum KeptSentences {
  /// The templates of such sentences, one per line, with placeholders `{1}`, `{2}`, or `{1*}` for a
  /// part that is such a sentence itself.
  ///
  /// The templates of other modules are in `Resources/kept.txt`.
  static let table = """
    Added “{1}”
    Changed “{1}”
    Deleted “{1}”
    Deleted {1} entries
    Deleted an entry
    Deleted the day {1}
    Edited the day {1}
    Moved “{1}” to {2}
    Moved “{1}” up
    Moved “{1}” down
    Removed the time from “{1}”
    Changed the time of “{1}” to {2}
    no mood
    mood very low
    mood low
    mood okay
    mood good
    mood very good
    no energy
    energy very low
    energy low
    energy okay
    energy good
    energy very good
    Pinned “{1}”
    Unpinned “{1}”
    Attached “{1}”
    Attached {1} files
    Added the note “{1}”
    Changed the note “{1}”
    Deleted the note “{1}”
    Let go of “{1}”
    Let go of {1} promises
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
    Changed the values of the goal “{1}”
    Changed the goals of the value “{1}”
    Linked “{1}” with “{2}”
    Unlinked “{1}” from “{2}”
    Renamed #{1} to #{2} in {3*}
    Merged #{1} into #{2} in {3*}
    Merged {1} into {2}
    Deleted #{1} from {2*}
    Deleted #{1} from {2} entries
    Coloured #{1}
    Removed the colour from #{1}
    Added the lifetime “Life since {1}”
    Changed the lifetime “Life since {1}”
    Deleted the lifetime “Life since {1}”
    Synced with {1}
    Added the sample life
    Restored an earlier version of the {1*}
    Imported {1}
    Undid: {1*}
    Added {1}
    Changed {1}
    Deleted {1}
    A backup was created and checked: {1}.
    The last backup is unchanged.
    The language model wasn’t asked: {1*}
    is missing
    is missing. Choose one
    is missing. Enter how much it was
    is missing. Enter one, such as km
    is missing. A target needs a unit, such as km
    is missing. A SMART goal needs it
    is missing. A milestone needs a day
    is missing. Enter a name or an address
    is missing. A person needs a name, an alias or an address
    is missing. Enter where the calendar is
    is missing. Enter the address of the server
    is missing. Enter the tag to keep
    is missing. Enter the other person
    is empty
    is empty. Enter what you did
    is empty. Enter a name
    is empty. Name the value
    is empty. Enter what you want to reach
    is empty. Name the program
    No link between this action and “{1}”. To create one, use --add.
    “{1}” isn’t part of term {2}.
    No link from “{1}” to “{2}”.
    No entry with the ID {1}.
    No match with the ID “{1}” is waiting for review.
    Several matches have IDs that start with {1}. Enter more digits.
    No current or earlier note for {1}.
    No current or earlier entry, goal, value, term, note, meeting or person named “{1}”.
    No earlier version of “{1}”; it was never changed.
    No current version: it was deleted. To bring it back, run arkived history restore.
    The current {1} can’t be compared here. Give a second earlier version.
    {1} matches {2} changes. Enter more of the ID.
    No lifetime; no birth date is set.
    Edited entries: {1}
    Removed {1} from term {2}
    the file isn’t the one created on {1}
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
    is empty. Leave it out or enter one, such as km
    is below 0
    is below 0. Enter how much it contributes
    is negative
    is longer than one line
    is longer than 60 characters
    is larger than 4 MB
    is nested too deeply
    is larger than 20 MB. Attach it as a file
    is too large. Attach it as a file
    no longer exists. Choose another
    is given, but a milestone has no first day
    is {1}, but must be a day such as 2026-03-14
    is {1}, but must be a number such as 12.5
    is {1}, but must be a whole number
    is {1}, but must be a time such as 09:30
    is {1}, but must be a time zone such as Europe/Rome
    is {1}, but must be one of {2}
    is {1}, but must be between 1 and 5
    is {1}, but must be between 1 and 10
    is {1}, but must be between 1 (highest) and 100
    is {1}, but must be true or false
    is {1}, but must be after the start {2}
    is {1}, but must not be in the future
    is {1}. Choose 1 to 10
    is {1}. Enter a number of days, or leave it empty for no limit
    is {1}, which isn’t a tag
    contains {1}. Enter an amount and a unit: 5 km
    contains an empty name
    must be one line of at most 300 characters
    is {1}, but must be greater than 0 and at most {2}
    is {1}, but must be between 1 and 5200 weeks
    is {1}, but must be between 1 and {2}
    is {1}, but must be between 0 and {2}
    is {1}, but must be between 0 and 1
    is {1}, but must be between 0 and 1000000
    is {1}, but must be above 0 and at most 150
    is {1}. Enter 0 or more
    names {1}, which is a life area. Life areas say where a goal belongs, not why you pursue it. Choose a value
    is empty. Leave it out or enter one, such as Health
    is {1}, but must be a day such as 2026-03-14 or a date and time
    is {1}, but must be a weekday such as monday
    contains a NUL character. Remove it
    is empty or contains a NUL character
    is empty, but must be an IANA time zone such as Europe/Rome
    {1} is before the start {2}
    is {1}, but the start is on {2} in {3}
    has an amount without a unit
    is {1}, but a latitude must be between -90 and 90
    is {1}, but a longitude must be between -180 and 180
    is missing. A place needs both lat and lon
    isn’t a finite number
    is greater than max
    is {1}, but must look like #1A7F4B
    contains a name of more than 200 bytes
    contains a control character in {1}
    contains a control character
    is {1}, but must look like name@example.org
    contains {1}, but an address must look like name@example.org
    needs a file or an address
    is {1}, but must stay inside the attachments folder
    is {1}, but only http, https, mailto, geo and tel are allowed
    is empty, and so is the title
    is empty. Name the device
    must contain an object, not {1}
    must be “{1}”. This isn’t a goal pack
    isn’t a field of a goal pack
    isn’t a field that this version of Arkived knows
    is used twice; {1} has it too
    is missing. A pack contains a goal or a term
    is {1}, which isn’t among the pack’s {2}
    is a duplicate; these two are already linked
    would be outside the supported range of dates
    is {1}, which isn’t a day
    is {1}, but must be a year such as 2026
    is “days”. Give the first and last day with from and to
    is {1}, but must be 30, 90, 365, all or a year such as 2025
    can’t be combined with from and to. Give either those or {1}
    is before “from”
    is {1}, but must be a year (2025), a month (2025-03) or days (2025-03-01..2025-03-14)
    is empty or too long. Enter the name that the server uses for the model
    is {1}, but must be at least {2}
    can’t be used: {1}
    is not set, and {1} is another computer. Nothing is sent there until you allow it
    is not set, and http:// is unencrypted: anyone along the way can read what is sent. Use https:// or allow it
    can’t be used over http://, where anyone along the way can read the key. Use https://
    The model didn’t answer.
    The model’s answer was too long and was cut off.
    The model kept calling tools and was stopped.
    The model didn’t finish and was stopped.
    there is none yet
    the last one failed its test: {1}
    the last one was created today: {1}
    the last one was created yesterday: {1}
    the last one was created {1} days ago: {2}
    the last one was created {1} days ago
    the last scheduled one failed: {1*}
    the last one is from {1}, when the clock was ahead
    {1} isn’t a valid day. Write it like 2026-03-14.
    This page doesn’t exist.
    This address doesn’t accept that method.
    The request is too large.
    The request couldn’t be read.
    """

  struct Form: Sendable {
    let key: String
    /// The text between the placeholders.
    let pieces: [String]
    /// For each placeholder, true if its content is such a sentence itself.
    let isAgain: [Bool]
    let weight: Int
    /// True if the template contains words; one without words matches only if the parts it joins
    /// are known.
    let hasWords: Bool

    /// Parses a template.
    ///
    /// - Parameter line: a line of the table.
    init(_ line: Substring) {
      let parts = line.split(separator: "{", omittingEmptySubsequences: false)
      pieces =
        [String(parts.first ?? "")]
        + parts.dropFirst().map { String($0.drop { $0 != "}" }.dropFirst()) }
      isAgain = parts.dropFirst().map { $0.prefix { $0 != "}" }.hasSuffix("*") }
      key = String(line).replacing("*}", with: "}")
      weight = pieces.reduce(0) { $0 + $1.count }
      hasWords = pieces.contains { $0.contains(where: \.isLetter) }
    }
  }

  /// The templates, indexed by the beginnings and ends of sentences.
  private struct Forms: Sendable {
    /// The number of characters used as the index key.
    static let width = 4

    var whole: Set<String> = []
    var forms: [Form] = []
    private var beginnings: [String: [Int]] = [:]
    private var endings: [String: [Int]] = [:]
    private var others: [Int] = []

    init(_ lines: [Substring]) {
      // The most specific templates come first.
      let all = lines.map(Form.init).sorted { $0.weight > $1.weight }
      for form in all {
        guard form.pieces.count > 1, let first = form.pieces.first, let last = form.pieces.last
        else {
          whole.insert(form.key)
          continue
        }
        if first.count >= Self.width {
          beginnings[String(first.prefix(Self.width)), default: []].append(forms.count)
        } else if last.count >= Self.width {
          endings[String(last.suffix(Self.width)), default: []].append(forms.count)
        } else {
          others.append(forms.count)
        }
        forms.append(form)
      }
    }

    /// Returns the templates that may match a sentence, the most specific first.
    func candidates(_ sentence: String) -> [Form] {
      let places =
        (beginnings[String(sentence.prefix(Self.width))] ?? [])
        + (endings[String(sentence.suffix(Self.width))] ?? []) + others
      return places.sorted().map { forms[$0] }
    }
  }

  /// Returns the lines of a table without its headings.
  static func lines(_ table: String) -> [Substring] {
    table.split(separator: "\n").filter { !$0.hasPrefix("## ") }
  }

  /// The templates of other modules, under headings.
  static var otherRooms: String { String(ctx_kept()) }

  private static let forms = Forms(lines(table) + lines(otherRooms))

  /// The deepest nesting and the greatest length of sentences that are translated.
  private static let depthLimit = 4
  private static let sizeLimit = 4_000

  /// Returns the phrase for a sentence, or nil if no template matches.
  private static func phrase(_ sentence: String, depth: Int) -> Phrase? {
    if forms.whole.contains(sentence) { return Phrase(key: sentence, arguments: []) }
    for form in forms.candidates(sentence) {
      guard let found = arguments(of: sentence, form) else { continue }
      let said = zip(found, form.isAgain).map { $1 ? again($0, depth: depth + 1) : nil }
      guard form.hasWords || said.contains(where: { $0 != nil }) else { continue }
      let arguments = found.indices.map { place in
        // The owner's own words are in quotation marks.
        let isQuoted = form.pieces[place].hasSuffix("“")
        return said[place] ?? (isQuoted ? nil : withDay(found[place])) ?? found[place]
      }
      return Phrase(key: form.key, arguments: arguments)
    }
    return nil
  }

  /// Translates the day with which a part begins: "14 March 2026" or "14 March 2026, 09:00".
  private static func withDay(_ part: String) -> String? {
    guard part.first?.isNumber == true else { return nil }
    let name = part.prefix { $0 != "," }
    let words = name.split(separator: " ")
    guard words.count == 3, let month = MonthName.full.firstIndex(of: String(words[1])),
      let number = Int(words[0]), let year = Int(words[2]),
      let day = DayKey(year: year, month: month + 1, day: number), day.plainName == name
    else { return nil }
    return day.shownPlainName + part[name.endIndex...]
  }

  /// Returns a sentence in the current language, or nil if no template matches.
  static func again(_ sentence: String, depth: Int = 0) -> String? {
    guard depth <= depthLimit, sentence.utf8.count <= sizeLimit else { return nil }
    if let said = asItIs(sentence, depth) { return said }
    // A sentence that became the beginning of a line was capitalised.
    guard let first = sentence.first, first.isUppercase else { return nil }
    return asItIs(first.lowercased() + sentence.dropFirst(), depth).map {
      $0.prefix(1).uppercased() + $0.dropFirst()
    }
  }

  private static func asItIs(_ sentence: String, _ depth: Int) -> String? {
    if let said = Catalogue.of(.current)?.pattern(sentence, count: nil) { return said }
    // A template that ends with a full stop takes precedence over one to which a full stop was
    // added.
    if sentence.hasSuffix(".") {
      let unended = String(sentence.dropLast())
      return ended(sentence, depth) ?? phrase(unended, depth: depth).map { $0.text() + "." }
        ?? ofField(unended, depth).map { $0 + "." }
    }
    // Within another sentence, the final full stop has been removed.
    return phrase(sentence, depth: depth)?.text()
      ?? ended(sentence + ".", depth).map { String($0.dropLast()) } ?? ofField(sentence, depth)
  }

  /// Translates a sentence whose template ends with a full stop.
  private static func ended(_ sentence: String, _ depth: Int) -> String? {
    guard let phrase = phrase(sentence, depth: depth), phrase.key.hasSuffix(".") else { return nil }
    return phrase.text()
  }

  /// Translates an error about a field that begins with the field's name: "dayKey is missing".
  private static func ofField(_ sentence: String, _ depth: Int) -> String? {
    guard let gap = sentence.firstIndex(of: " ") else { return nil }
    let name = sentence[..<gap]
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".[]_-".contains($0)) })
    else { return nil }
    return phrase(String(sentence[sentence.index(after: gap)...]), depth: depth).map {
      "\(name) \($0.text())"
    }
  }

  private static func arguments(of sentence: String, _ form: Form) -> [String]? {
    guard let first = form.pieces.first, let last = form.pieces.last else { return nil }
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

/// Returns a stored English sentence in the current language, or unchanged if no template matches.
package func saidAgain(_ sentence: String) -> String {
  guard Catalogue.of(.current) != nil else { return sentence }
  return KeptSentences.again(sentence) ?? sentence
}
