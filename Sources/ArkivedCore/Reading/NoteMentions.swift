import Foundation

/// Finds the people named in a note, written as `@name` or known by name or alias.
package struct NoteMentions: Sendable {
  private let reader: PersonReader

  package init(people: [KnownPerson]) { reader = PersonReader(people: people) }

  /// Returns the people in a note: those kept from `before`, then those written with an @, then
  /// those recognised by name; a name that fits several people links to none.
  ///
  /// - Parameters:
  ///   - note: the text of the note.
  ///   - before: the people of the note before it was changed; those whose first name still occurs
  ///     as a word stay, unless it is only part of somebody else's full name.
  /// - Returns: the people.
  package func mentions(in note: String, before: [Mention] = []) -> [Mention] {
    let matches = reader.mentions(in: note)
    var mentions = before.filter { Self.isNamed($0, in: note, matches) }
    func add(_ mention: Mention) {
      let isThere = mentions.contains {
        $0.personID != nil && $0.personID == mention.personID
          || NameFolding.key($0.name) == NameFolding.key(mention.name)
      }
      if !isThere { mentions.append(mention) }
    }
    for name in NoteMentions.marked(in: note) {
      let candidates = reader.candidates(named: name)
      if candidates.count == 1, let person = candidates.first {
        add(Mention(name: person.name, personID: person.id))
      } else if !PromiseReader.isOwner(name) {
        // The owner of the archive isn't somebody new.
        add(Mention(name: name))
      }
    }
    for match in matches where match.candidates.count == 1 {
      if let person = match.candidates.first {
        add(Mention(name: person.name, personID: person.id))
      }
    }
    return mentions
  }

  /// Returns true if a note still contains a person's first name as a word.
  ///
  /// If it is part of a longer name that this person doesn't have, it refers to somebody else.
  ///
  /// - Parameters:
  ///   - mention: the person.
  ///   - note: the text of the note.
  ///   - matches: the names in the note, in order.
  /// - Returns: true if the person is still named.
  private static func isNamed(
    _ mention: Mention, in note: String, _ matches: [PersonReader.NameMatch]
  ) -> Bool {
    let words = mention.name.split(separator: " ")
    // Of “Dr. Möller” and “The Millers”, the first word names nobody.
    guard let first = words.first(where: { !PersonReader.isNoFirstName($0) }) ?? words.first
    else { return false }
    var following = matches[...]
    var start = note.startIndex
    while let range = note[start...].firstRange(of: first) {
      start = range.upperBound
      guard isWord(range, of: note) else { continue }
      following = following.drop { $0.range.upperBound <= range.lowerBound }
      guard let match = following.first, match.range.lowerBound <= range.lowerBound,
        match.range.upperBound > range.upperBound
      else { return true }
      if match.candidates.contains(where: { $0.id == mention.personID }) { return true }
    }
    return false
  }

  /// Returns true if a range of a text isn't inside a longer word, except for a German genitive.
  private static func isWord(_ range: Range<String.Index>, of text: String) -> Bool {
    // Scripts without capitals may have no spaces between words.
    func joins(_ character: Character) -> Bool {
      character.isCased || character.isASCII && character.isNumber
    }
    if range.lowerBound > text.startIndex, joins(text[text.index(before: range.lowerBound)]) {
      return false
    }
    let rest = text[range.upperBound...].prefix(while: joins)
    return rest.isEmpty || rest == "s"
  }

  /// Returns the words of a note that names of people in it can begin with, in the form compared by
  /// `PersonReader.begins`.
  ///
  /// Names with an @ are found in the whole of a long note, others only near its beginning.
  package static func words(in note: String) -> Set<String> {
    PersonReader.words(in: note)
      .union(PersonReader.words(in: marked(in: note).joined(separator: ", ")))
  }

  /// Returns the names written with an @ at the beginning of a word: `@Sam`, `@Sam.Lee`.
  private static func marked(in note: String) -> [String] {
    var names: [String] = []
    for word in note.split(whereSeparator: { $0.isWhitespace || "([{\"“‘".contains($0) })
    where word.first == "@" && names.count < 1_000 {
      let name = word.dropFirst().prefix {
        $0.isLetter || $0.isNumber || "._-'’".contains($0)
      }
      var bare = name.trimmingCharacters(in: CharacterSet(charactersIn: "._-'’"))
      // “@Sam's” refers to Sam.
      if bare.count > 2, bare.hasSuffix("'s") || bare.hasSuffix("’s") { bare.removeLast(2) }
      guard bare.first?.isLetter == true else { continue }
      names.append(
        bare.replacingOccurrences(of: ".", with: " ").replacingOccurrences(of: "_", with: " "))
    }
    return names
  }
}
