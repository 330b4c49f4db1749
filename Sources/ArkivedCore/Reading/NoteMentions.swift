import Foundation

/// Finds who is named in a note: written `@name`, or known by name or alias.
package struct NoteMentions: Sendable {
  private let reader: PersonReader

  package init(people: [KnownPerson]) { reader = PersonReader(people: people) }

  /// The people of a note, in the order they occur; a name that fits several people links none.
  ///
  /// - Parameter before: the people of the note before it was changed; those whose first name
  ///   still stands in it stay.
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

  /// The names written with an @ at the beginning of a word: `@Sam`, `@Sam.Lee`.
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
