extension QueryView {
  /// The views of goals and related entities.
  static let goalSide: [QueryView] = [
    QueryView(
      "goals", "Goals.", from: "main.goals AS it", hasTimes: true,
      [
        .own("id"), .own("title"), .own("goalType", "goal_type"), .own("description"),
        .own("notes"), .own("measurementUnit", "measurement_unit"),
        .own("measurementTarget", "measurement_target"), .own("startDate", "start_date"),
        .own("targetDate", "target_date"), .own("howGoalIsRelevant", "how_goal_is_relevant"),
        .own("howGoalIsActionable", "how_goal_is_actionable"),
        .own("expectedTermLength", "expected_term_length"),
        .instant("logTime", "it.log_time"),
      ]),
    QueryView(
      "personal_values", "Values and life areas; “values” is a reserved word in SQL.",
      from: "main.personal_values AS it", hasTimes: true,
      [
        .own("id"), .own("title"), .own("incentiveType", "incentive_type"), .own("priority"),
        .own("lifeDomain", "life_domain"), .own("alignmentGuidance", "alignment_guidance"),
        .own("description"), .own("notes"), .instant("logTime", "it.log_time"),
      ]),
    QueryView(
      "terms", "Terms.", from: "main.terms AS it", hasTimes: true,
      [
        .own("id"), .own("termNumber", "term_number"), .own("startDate", "start_date"),
        .own("targetDate", "target_date"), .own("theme"), .own("reflection"),
        .own("description"), .own("notes"), .instant("logTime", "it.log_time"),
      ]),
    QueryView(
      "lifetimes", "Your birth date and life expectancy, if set.", from: "main.lifetimes AS it",
      hasTimes: true,
      [
        .own("id"), .own("birthDate", "birth_date"), .own("expectedYears", "expected_years"),
        .own("description"), .own("notes"),
      ]),
    QueryView(
      "contributions",
      """
      What an action contributes to a goal; isCounted is 1 if it counts, 0 if it is waiting or was \
      refused.
      """,
      from: """
        main.action_goal_contributions AS it
        JOIN main.activities AS entry ON entry.pk = it.activity_pk
        JOIN main.goals AS goal ON goal.pk = it.goal_pk
        """, hasTimes: true,
      [
        .own("id"), .init("actionId", "entry.id"), .init("goalId", "goal.id"),
        .init("dayKey", "entry.day_key"), .own("contribution"),
        .own("matchMethod", "match_method"), .own("confidence"), .own("matchedOn", "matched_on"),
        .init(
          "isCounted", "it.confidence >= 0.7 AND it.match_method <> 'user_rejected'"),
      ]),
    QueryView(
      "alignments", "Which goal is linked to which value.",
      from: """
        main.goal_value_alignments AS it JOIN main.goals AS goal ON goal.pk = it.goal_pk
        JOIN main.personal_values AS motive ON motive.pk = it.value_pk
        """, hasTimes: true,
      [
        .own("id"), .init("goalId", "goal.id"), .init("valueId", "motive.id"), .own("strength"),
        .own("notes"),
      ]),
    QueryView(
      "assignments", "Which goal belongs to which term, and its position.",
      from: """
        main.term_goal_assignments AS it JOIN main.goals AS goal ON goal.pk = it.goal_pk
        JOIN main.terms AS term ON term.pk = it.term_pk
        """, hasTimes: true,
      [
        .own("id"), .init("termId", "term.id"), .init("goalId", "goal.id"),
        .own("assignmentOrder", "assignment_order"),
      ]),
  ]
}
