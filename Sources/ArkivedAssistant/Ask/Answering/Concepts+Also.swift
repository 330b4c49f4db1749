/// Support for questions in a language other than the archive's.
extension ConceptResolver {
  /// Resolves a word, including the archive's matches for it in another language.
  func resolve(_ term: AskQuestion.Term) -> Concept {
    var concept = ownConcept(term)
    let known = ConceptResolver.tags(concept.atoms)
    let tags = term.also.flatMap { self.tags(for: $0) }.filter { !known.contains($0) }.sorted()
    let words = term.also.filter { timeline.frequency(of: $0) > 0 }.map {
      IndexCondition.Atom.word($0)
    }
    if !tags.isEmpty {
      // Use only the tag, as if the archive had a tag with the question's own word.
      if known.isEmpty { concept.atoms = [] }
      concept.atoms += tags.map { .tag($0) }
      concept.read(as: known.sorted() + tags)
    } else if known.isEmpty {
      concept.atoms += words.filter { !concept.atoms.contains($0) }
    }
    return concept
  }
}
