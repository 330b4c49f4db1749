/// The entities of the goals side, meetings, notes and conversations, in the order in which one can
/// stand on those before it.
package enum GoalSide {
  package static let types: [any RecordedEntity.Type] = [
    LifeTime.self, PersonalValue.self, Goal.self, Term.self, GoalValueAlignment.self,
    TermGoalAssignment.self, ActionGoalContribution.self, Meeting.self, Note.self,
    ConversationThread.self, ConversationMessage.self,
  ]

  /// The entity that a line of an export calls so.
  package static func type(named name: String) -> (any RecordedEntity.Type)? {
    types.first { $0.typeName == name }
  }
}
