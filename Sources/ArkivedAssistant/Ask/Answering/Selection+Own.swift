import ArkivedCore
import Foundation

/// Filters by whose things and actions the sentences describe: the writer's or somebody else's.
extension Selector {
  private static let others: Set<String> = ["her", "his", "their"]

  /// Keeps the writer's own occasions if there are any: "My eye test" and "when did I have a
  /// physical" exclude those of others that the writer only attended.
  func ownThings(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> [TimelineEntry] {
    if let named = ofNamedOwner(entries, question, concepts, &selection) { return named }
    guard entries.count > 1, entries.count <= 5_000,
      question.people.allSatisfy(\.isExcluded),
      question.text.range(
        of:
          #"\bmy\b|\b(?:did|do|have|had|has) i (?:\w+ )?(?:have|had|get|got|need)\b|\bi (?:\w+ )?(?:had|got|went for)\b"#,
        options: [.regularExpression, .caseInsensitive]) != nil
    else { return entries }
    let keys = Set(
      concepts.filter { concept in
        !concept.term.isVerb && !concept.term.isExcluded && !concept.term.isQuoted
      }.flatMap { concept in
        // A tagged thing belongs to the writer only if the question says "my".
        (isMine(concept.term, question) ? [concept.term.key] : [])
          + concept.atoms.compactMap { if case .word(let key) = $0 { key } else { nil } }
      })
    guard !keys.isEmpty else { return entries }
    var sayings = Sayings<Bool>()
    var own = entries.filter { entry in
      sayings.of(entry) { !Selector.isOfOthers($0.words, keys, self.names(in: $0)) }
    }
    // Everybody has a birthday, so if some entries say "my", only those are the writer's.
    let occasions = keys.intersection(Selector.occasions)
    var mine = Sayings<Bool>()
    let owned = entries.filter { entry in
      mine.of(entry) { entry in
        let words = entry.words
        return words.indices.dropFirst().contains { index in
          occasions.contains(words[index].key) && words[index - 1].lower == "my"
        }
      }
    }
    if !owned.isEmpty { own = owned }
    guard !own.isEmpty, own.count < entries.count else { return entries }
    selection.doubts.append(
      Doubts.further(entries.count - own.count, said("about somebody else")))
    return own
  }

  /// Occasions that everybody has.
  private static let occasions = QuestionWords.keys(
    "birthday anniversary wedding graduation christening")

  /// Returns true if the question says "my" before a thing.
  private func isMine(_ term: AskQuestion.Term, _ question: AskQuestion) -> Bool {
    let word = NSRegularExpression.escapedPattern(for: term.text)
    return question.text.range(
      of: "\\bmy (?:\\w+ )?\(word)\\b", options: [.regularExpression, .caseInsensitive]) != nil
  }

  /// Keeps only the entries that contain the question's possessive, such as "Jonas's birthday", if
  /// there are any.
  private func ofNamedOwner(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> [TimelineEntry]? {
    guard entries.count > 1, entries.count <= 5_000,
      let owner = question.people.first(where: { $0.role == "owner" && !$0.isExcluded })
    else { return nil }
    let names = Set(owner.names.flatMap { words(of: $0) })
    let keys = Set(concepts.filter { !$0.term.isExcluded && !$0.term.isVerb }.map(\.term.key))
    var sayings = Sayings<Bool>()
    let own = entries.filter { entry in
      sayings.of(entry) { entry in
        let words = entry.words
        return words.indices.dropFirst().contains { index in
          keys.contains(words[index].key)
            && (words[index - 1].isPossessive && names.contains(words[index - 1].key)
              || index > 1 && words[index - 2].isPossessive && names.contains(words[index - 2].key))
        }
      }
    }
    guard !own.isEmpty, own.count < entries.count else { return nil }
    selection.doubts.append(
      Doubts.further(entries.count - own.count, said("in which that person has a different role")))
    return own
  }

  /// Returns the first words of the names of an entry's people.
  private func names(in entry: TimelineEntry) -> Set<String> {
    Set(entry.people.flatMap { words(of: $0) })
  }

  /// Returns true if a sentence attributes a thing to somebody else: "for her eye test", "Mum's
  /// birthday".
  private static func isOfOthers(
    _ words: [Word], _ keys: Set<String>, _ names: Set<String>
  ) -> Bool {
    guard let place = words.firstIndex(where: { keys.contains($0.key) }) else { return false }
    for back in 1...3 where place - back >= 0 {
      let word = words[place - back]
      if word.lower == "my" { return false }
      if others.contains(word.lower) { return true }
      // "at Julia's pottery" is a place.
      if word.isPossessive, word.isCapitalised {
        return place - back == 0 || !["at", "in"].contains(words[place - back - 1].lower)
      }
      if FrameReader.prepositions.contains(word.lower) || words[place - back + 1].sign != nil {
        return false
      }
      // "Pickle had a vaccination"
      if word.lower == "had", place - back == 1, names.contains(words[0].key) { return true }
    }
    return false
  }

  /// Excludes what other people did alone if other entries match: "What did Jonas and I cook",
  /// "since I cooked gnocchi with Jonas".
  func ownDeeds(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> [TimelineEntry] {
    let verbs = Set(
      concepts.filter { $0.term.isVerb && !$0.term.isExcluded }.map(\.term.key))
    let people = question.people.filter { !$0.isExcluded && $0.role == "with" }
    guard entries.count > 1, entries.count <= 5_000, !verbs.isEmpty, !people.isEmpty,
      question.text.range(
        of: #"\b(?:i|we)\b"#, options: [.regularExpression, .caseInsensitive]) != nil
    else { return entries }
    let names = Set(people.flatMap(\.names))
    var sayings = Sayings<Bool>()
    let own = entries.filter { entry in
      sayings.of(entry) { entry in
        let frame = frames.frame(of: entry, timeline)
        guard !frame.subjects.isEmpty, names.isSuperset(of: frame.subjects),
          let verb = frame.verb, verbs.contains(verb)
        else { return true }
        return entry.words.contains { ["i", "we", "me", "us"].contains($0.lower) }
      }
    }
    guard !own.isEmpty, own.count < entries.count else { return entries }
    selection.doubts.append(
      Doubts.further(entries.count - own.count, said("about what they did without you")))
    return own
  }

  /// Excludes entries with a different verb, such as baking when the question asks for cooking; a
  /// tag may cover both, so the entry's own verb decides.
  func otherVerbs(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> [TimelineEntry] {
    let asked = Set(question.terms.filter { !$0.isExcluded }.map(\.key))
    guard asked.contains("cook"), asked.isDisjoint(with: ["bak", "bake"]), entries.count > 1 else {
      return entries
    }
    var sayings = Sayings<Bool>()
    let own = entries.filter { entry in
      sayings.of(entry) { entry in
        guard let verb = frames.frame(of: entry, timeline).verb ?? entry.words.first?.key,
          ["bak", "bake"].contains(verb)
        else {
          return
            !(entry.says(["bak", "bake"]) && entry.words.contains { $0.lower == "baked" }
            && !entry.says(["cook", "mak"]))
        }
        return false
      }
    }
    guard !own.isEmpty, own.count < entries.count else { return entries }
    selection.doubts.append(Doubts.further(entries.count - own.count, said("about baking")))
    return own
  }

  /// Excludes from figures anything that was only discussed: a talk "about the garden wall" isn't
  /// gardening.
  func withoutTopics(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> [TimelineEntry] {
    let keys = Set(
      concepts.filter { concept in
        !concept.term.isExcluded && !concept.term.isQuoted
          && !FrameWords.meals.contains(concept.term.key)
          && ConceptResolver.tags(concept.atoms).isEmpty
          && !["about", "of", "on"].contains(concept.term.preposition ?? "")
      }.flatMap { concept in
        concept.atoms.compactMap { if case .word(let key) = $0 { key } else { nil } }
      })
    guard entries.count > 1, entries.count <= 5_000, !keys.isEmpty,
      question.text.range(
        of:
          #"\b(?:about|talk\w*|chat\w*|discuss\w*|mention\w*|topics?|subjects?|said|say|told|tell|spoke|speak|call\w*|conversation\w*|phone|wrote|write|read|film\w*|book\w*)\b"#,
        options: [.regularExpression, .caseInsensitive]) == nil
    else { return entries }
    var sayings = Sayings<Bool>()
    let own = entries.filter { entry in
      sayings.of(entry) { entry in
        let words = entry.words
        guard let about = words.firstIndex(where: { $0.lower == "about" }) else { return true }
        let places = words.indices.filter { keys.contains(words[$0].key) }
        return places.isEmpty || places.contains { $0 < about }
      }
    }
    guard !own.isEmpty, own.count < entries.count else { return entries }
    selection.doubts.append(
      Doubts.further(entries.count - own.count, said("in which it’s only mentioned")))
    return own
  }

  /// Returns only the entries that contain a quoted title verbatim, if there are any.
  func quoting(_ entries: [TimelineEntry], _ question: AskQuestion) -> [TimelineEntry] {
    let keys = question.terms.filter { $0.isQuoted && !$0.isExcluded }.map(\.key)
    guard keys.count > 1, entries.count > 1, entries.count <= 5_000 else { return entries }
    var sayings = Sayings<Bool>()
    let exact = entries.filter { entry in
      sayings.of(entry) { entry in
        let said = entry.words.map(\.key)
        return said.indices.contains { start in
          said[start...].starts(with: keys)
        }
      }
    }
    return exact.isEmpty ? entries : exact
  }
}
