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
  ///     stay.
  /// - Returns: the people.
  package func mentions(in note: String, before: [Mention] = []) -> [Mention] {
    var mentions = before.filter { mention in
      let first = mention.name.split(separator: " ").first.map(String.init) ?? mention.name
      return !first.isEmpty && note.contains(first)
    }
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
      } else {
        add(Mention(name: name))
      }
    }
    for match in reader.mentions(in: note) where match.candidates.count == 1 {
      if let person = match.candidates.first {
        add(Mention(name: person.name, personID: person.id))
      }
    }
    return mentions
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
      let bare = name.trimmingCharacters(in: CharacterSet(charactersIn: "._-'’"))
      guard bare.first?.isLetter == true else { continue }
      names.append(
        bare.replacingOccurrences(of: ".", with: " ").replacingOccurrences(of: "_", with: " "))
    }
    return names
  }
}
