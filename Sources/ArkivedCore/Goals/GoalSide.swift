/// The entities of goals, meetings, notes and conversations, ordered so that each depends only on
/// those before it.
package enum GoalSide {
  package static let types: [any RecordedEntity.Type] = [
    LifeTime.self, PersonalValue.self, Goal.self, Term.self, GoalValueAlignment.self,
    TermGoalAssignment.self, ActionGoalContribution.self, Meeting.self, Note.self,
    ConversationThread.self, ConversationMessage.self,
  ]

  /// Returns the entity type with this name in an export, or nil if there is none.
  package static func type(named name: String) -> (any RecordedEntity.Type)? {
    types.first { $0.typeName == name }
  }
}
