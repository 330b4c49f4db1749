import ArkivedCore

/// What places tell of the words beside them.
extension ConceptResolver {
  /// Whether a word tells the time of day of what was at a place: "evenings at the Anchor".
  func isHourOfPlace(_ term: AskQuestion.Term, _ terms: [AskQuestion.Term]) -> Bool {
    ["evening", "night", "morning", "afternoon"].contains(term.key) && !term.isExcluded
      && term.preposition == nil && tags(for: term.key).isEmpty
      && terms.contains { other in
        ["at", "in"].contains(other.preposition ?? "") && other.isCapitalised
          && timeline.names.placeKeys.contains(other.key)
      }
  }

  /// "the Persian restaurant": a house may be called otherwise than what it is.
  func isKindOfHouse(_ term: AskQuestion.Term, _ terms: [AskQuestion.Term]) -> Bool {
    FrameNouns.meals.contains(term.key)
      && terms.contains { other in
        other.isCapitalised && !other.isExcluded && timeline.names.isPartOfPlace(other.key)
      }
  }

  /// A bike ride is told by "cycled" alone.
  func isRide(_ position: Int, _ terms: [AskQuestion.Term]) -> Bool {
    position > 0 && !terms[position].isExcluded && terms[position].key == Lemma.key("ride")
      && ["bike", "bicycle", "cycle"].contains { Lemma.key($0) == terms[position - 1].key }
  }

  /// "which toiletries did I buy": their names may be of two words, which no index knows; the list of
  /// what was bought tells them.
  func isListed(_ term: AskQuestion.Term, _ terms: [AskQuestion.Term]) -> Bool {
    term.isHole && Ontology.hasNames(term.key) && tags(for: term.key).isEmpty
      && terms.contains { $0.key == "buy" && !$0.isExcluded }
      && ["groceries", "shopping"].contains { !tags(for: Lemma.key($0)).isEmpty }
  }
}
