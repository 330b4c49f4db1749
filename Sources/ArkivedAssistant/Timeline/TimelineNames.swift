import ArkivedCore
import Foundation
import Synchronization

/// Data derived from an archive's names for parsing questions, computed on first use and kept for
/// the next question.
package final class TimelineNames: Sendable {
  let persons: PersonReader
  /// The words in all names of people, in lower case.
  let personWords: Set<String>
  /// The tags by the keys of their names.
  let tagsByKey: [String: [String]]
  /// The tags by their names in lower case, without hyphens.
  private let joinedTags: [String: String]
  /// The people by name.
  let people: [String: TimelinePerson]
  private let places: [String]
  private let parts: [TimelineTable]
  private let lazy = Mutex(Lazy())

  private struct Lazy {
    var vocabulary: [String: Int]?
    var placeKeys: Set<String>?
    /// The keys of single-word places, and of those with several words.
    var wholePlaces: Set<String> = []
    var placeParts: Set<String> = []
    var lowerPlaces: [String: String]?
    var meanings: ArchiveVocabulary??
  }

  init(people: [TimelinePerson], tags: [String], places: [String], tables: [TimelineTable]) {
    persons = PersonReader(people: people.map { KnownPerson(name: $0.name, aliases: $0.aliases) })
    var words: Set<String> = []
    for person in people {
      for name in [person.name] + person.aliases {
        for word in WordCutter.words(of: name) { words.insert(word.lower) }
      }
    }
    personWords = words
    tagsByKey = Dictionary(grouping: tags.sorted()) { Lemma.key($0) }
    joinedTags = Dictionary(
      tags.sorted().map { ($0.lowercased().replacing("-", with: ""), $0) },
      uniquingKeysWith: { first, _ in first })
    self.people = Dictionary(people.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.places = places
    parts = tables
  }

  /// The words written in the archive, in lower case, with the number of entries that contain each.
  var vocabulary: [String: Int] {
    lazy.withLock { lazy in
      if let known = lazy.vocabulary { return known }
      var all: [String: Int] = [:]
      for table in parts {
        for index in 0..<table.written.count {
          all[table.written[index], default: 0] += Int(table.writtenCounts[index])
        }
      }
      for place in places {
        for word in WordCutter.words(of: place) { all[word.lower, default: 0] += 1 }
      }
      for tag in tagsByKey.values.joined() { all[tag.lowercased(), default: 0] += 1 }
      lazy.vocabulary = all
      return all
    }
  }

  /// The written words by meaning; nil if the program contains no word vectors.
  var meanings: ArchiveVocabulary? {
    let words = vocabulary
    return lazy.withLock { lazy in
      if let known = lazy.meanings { return known }
      let made = ArchiveVocabulary(words)
      lazy.meanings = .some(made)
      return made
    }
  }

  /// Returns the written words with a prefix, in lower case.
  func words(startingWith prefix: String) -> [String] {
    var found: Set<String> = []
    for table in parts {
      for index in table.written.range(startingWith: Array(prefix.utf8)) {
        found.insert(table.written[index])
      }
    }
    return found.sorted()
  }

  /// The keys of the words in the names of places.
  var placeKeys: Set<String> {
    lazy.withLock { lazy in
      if let known = lazy.placeKeys { return known }
      return readPlaces(&lazy)
    }
  }

  /// Returns true if names of places contain a key, and no place is called by it alone.
  func isPartOfPlace(_ key: String) -> Bool {
    lazy.withLock { lazy in
      if lazy.placeKeys == nil { _ = readPlaces(&lazy) }
      return lazy.placeParts.contains(key) && !lazy.wholePlaces.contains(key)
    }
  }

  private func readPlaces(_ lazy: inout Lazy) -> Set<String> {
    var all: Set<String> = []
    for place in places {
      let keys = WordCutter.words(of: place).map(\.key)
      all.formUnion(keys)
      if keys.count > 1 { lazy.placeParts.formUnion(keys) }
      lazy.wholePlaces.insert(Lemma.key(place))
    }
    lazy.placeKeys = all
    return all
  }

  /// Returns the multi-word names of places in a text, as spelled there.
  func placesOfSeveralWords(in text: String) -> [String] {
    let folded: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
    return places.filter { $0.contains(" ") }.compactMap { place in
      text.range(of: place, options: folded).map { String(text[$0]) }
    }
  }

  /// Returns the tag for two words written together.
  func tag(joined: String) -> String? { joinedTags[joined] }

  /// Returns the place with a name, regardless of case.
  func place(called name: String) -> String? {
    lazy.withLock { lazy in
      if lazy.lowerPlaces == nil {
        lazy.lowerPlaces = Dictionary(
          places.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
      }
      return lazy.lowerPlaces?[name.lowercased()]
    }
  }
}
