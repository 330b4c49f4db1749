import ArkivedCore

/// The effect of places on the words next to them.
extension ConceptResolver {
  /// Returns true if a word states the time of day at a place: "evenings at the Anchor".
  func isHourOfPlace(_ term: AskQuestion.Term, _ terms: [AskQuestion.Term]) -> Bool {
    ["evening", "night", "morning", "afternoon"].contains(term.key) && !term.isExcluded
      && term.preposition == nil && tags(for: term.key).isEmpty
      && terms.contains { other in
        ["at", "in"].contains(other.preposition ?? "") && other.isCapitalised
          && timeline.names.placeKeys.contains(other.key)
      }
  }

  /// Returns true if a word states the kind of a named place: "the Persian restaurant", whose name
  /// may not contain its kind.
  func isKindOfHouse(_ term: AskQuestion.Term, _ terms: [AskQuestion.Term]) -> Bool {
    FrameNouns.meals.contains(term.key)
      && terms.contains { other in
        other.isCapitalised && !other.isExcluded && timeline.names.isPartOfPlace(other.key)
      }
  }

  /// Returns true if a term means a bike ride, which entries may express with "cycled" alone.
  func isRide(_ position: Int, _ terms: [AskQuestion.Term]) -> Bool {
    position > 0 && !terms[position].isExcluded && terms[position].key == Lemma.key("ride")
      && ["bike", "bicycle", "cycle"].contains { Lemma.key($0) == terms[position - 1].key }
  }

  /// Returns true for lists of a kind, as in "which toiletries did I buy": two-word names aren't in
  /// the index, so the purchase lists are read instead.
  func isListed(_ term: AskQuestion.Term, _ terms: [AskQuestion.Term]) -> Bool {
    term.isHole && Ontology.hasNames(term.key) && tags(for: term.key).isEmpty
      && terms.contains { $0.key == "buy" && !$0.isExcluded }
      && ["groceries", "shopping"].contains { !tags(for: Lemma.key($0)).isEmpty }
  }
}
