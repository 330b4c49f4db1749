/// The templates for a meeting's note.
package enum NoteTemplate: String, CaseIterable {
  case agenda, oneToOne = "one-to-one", retrospective

  package var label: String {
    switch self {
    case .agenda: "Agenda"
    case .oneToOne: "One-to-one"
    case .retrospective: "Retrospective"
    }
  }

  package var text: String {
    switch self {
    case .agenda:
      "## Agenda\n\n1. \n\n## Notes\n\n## Decisions\n\n## Next steps\n\n- [ ] \n"
    case .oneToOne:
      "## How are you?\n\n## Since the last time\n\n## What is in the way\n\n"
        + "## What comes next\n\n- [ ] \n"
    case .retrospective:
      "## What went well\n\n- \n\n## What did not\n\n- \n\n## Decisions\n\n"
        + "## What we change\n\n- [ ] \n"
    }
  }
}
