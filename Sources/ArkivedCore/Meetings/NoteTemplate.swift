/// The templates for a meeting's note.
package enum NoteTemplate: String, CaseIterable {
  case agenda, oneToOne = "one-to-one", retrospective

  /// The name in the current language.
  package var label: String {
    switch self {
    case .agenda: said("Agenda and notes")
    case .oneToOne: said("One-to-one")
    case .retrospective: said("Retrospective")
    }
  }

  /// The text in the current language.
  package var text: String {
    switch self {
    case .agenda:
      """
      ## Agenda

      1.\u{20}

      ## \(said("Notes"))

      ## \(said("Decisions"))

      ## \(said("Next steps"))

      - [ ]\u{20}

      """
    case .oneToOne:
      """
      ## \(said("How are you?"))

      ## \(said("Since last time"))

      ## \(said("What’s in the way"))

      ## \(said("What comes next"))

      - [ ]\u{20}

      """
    case .retrospective:
      """
      ## \(said("What went well"))

      -\u{20}

      ## \(said("What didn’t go well"))

      -\u{20}

      ## \(said("Decisions"))

      ## \(said("What we’ll change"))

      - [ ]\u{20}

      """
    }
  }
}
