import ArkivedCore

extension ToolTable {
  private static let recapOutputs = [
    Tool.Output("text", "string", "The recap as prose."),
    Tool.Output("statements", "array", "Its statements with the entries that prove them."),
  ]

  static let lookingBack: [Tool] = [
    Tool(
      name: "summarizeDay", title: "Look back on a day",
      summary: "A day in prose, computed from its entries, each statement with its citations.",
      parameters: [.required("dayDate", .day, "The day.")], outputs: recapOutputs,
      run: { try $0.summarizeDay() }),
    Tool(
      name: "weeklyRecap", title: "Look back on a week",
      summary: "A week in prose against the usual, each statement with its citations.",
      parameters: [ToolParameter("weekOf", .day, "A day of the week; today where left out.")],
      outputs: recapOutputs, run: { try $0.weeklyRecap() }),
  ]

  private static func listed(_ name: String, _ summary: String) -> [Tool.Output] {
    [
      Tool.Output(name, "array", summary),
      Tool.Output("total", "integer", "How many there are altogether."),
    ]
  }

  static let goals: [Tool] = [
    Tool(
      name: "getGoals", title: "List goals", summary: "Goals with their progress and pace.",
      parameters: [
        ToolParameter("searchText", .text(most: 1_000), "Stands in title, notes or relevance."),
        ToolParameter("goalType", .text(most: 60, least: 1), "Goal, SmartGoal or Milestone."),
        ToolParameter("hasDates", .flag, "Only with a first or a last day, or only without both."),
        ToolParameter("hasTarget", .flag, "Only with a target, or only without."),
        ToolParameter("startDate", .day, "Goals that can be worked on from this day."),
        ToolParameter("endDate", .day, "Goals that can be worked on until this day."),
        limit(1...100, usual: 50),
      ], outputs: listed("goals", "Goals with progress."), run: { try $0.goals() }),
    Tool(
      name: "getActions", title: "List actions",
      summary: "Activities seen from the goals' side: with measurements or linked to a goal.",
      parameters: [
        ToolParameter("searchText", .text(most: 1_000), "Stands in the text."),
        ToolParameter("hasMeasurements", .flag, "Only with measurements, or only without."),
        ToolParameter("hasDuration", .flag, "Only with how long it took, or only without."),
        ToolParameter("startDate", .day, "The first day."),
        ToolParameter("endDate", .day, "The last day."), limit(1...100, usual: 50),
      ], outputs: listed("actions", "Actions."), run: { try $0.actions() }),
    Tool(
      name: "getTerms", title: "List terms", summary: "Ten-week terms with their status.",
      parameters: [
        ToolParameter("termNumber", .integer(-1_000_000...1_000_000), "The number of one."),
        ToolParameter(
          "status", .choice(TermStatus.filters), "Which; all if left out."),
        ToolParameter("startDate", .day, "Terms with a day from here on."),
        ToolParameter("endDate", .day, "Terms with a day until here."), limit(1...20, usual: 20),
      ], outputs: listed("terms", "Terms."), run: { try $0.terms() }),
    Tool(
      name: "getValues", title: "List values",
      summary: "Personal values and areas of life, most important first.",
      parameters: [
        ToolParameter(
          "valueType", .text(most: 60, least: 1), "general, life_area, major or highest_order."),
        ToolParameter("lifeDomain", .text(most: 200, least: 1), "The domain of life."),
        ToolParameter("minPriority", .integer(1...100), "1 is the highest."),
        ToolParameter("maxPriority", .integer(1...100), "100 is the lowest."),
        limit(1...50, usual: 50),
      ], outputs: listed("values", "Values."), run: { try $0.values() }),
    Tool(
      name: "getProgress", title: "Progress of a goal or a term",
      summary: "How far a goal or a term is; name one of the two.",
      parameters: [
        ToolParameter("goal", .text(most: 1_000, least: 1), "A goal, by identity or title."),
        ToolParameter("term", .text(most: 1_000, least: 1), "A term, by identity or number."),
      ], outputs: [Tool.Output("progress", "object", "How it stands.", isCertain: false)],
      run: { try $0.standing() }),
  ]

  static let meetings: [Tool] = [
    Tool(
      name: "findMeetings", title: "Find meetings",
      summary: "Meetings by subject, time and people, the latest or best first.",
      parameters: [
        ToolParameter("query", .text(), "Words or a subject."),
        ToolParameter("from", .day, "The first day."), ToolParameter("to", .day, "The last day."),
        ToolParameter("people", .texts(most: 50), "Who takes part, all of them."),
        limit(1...100, usual: 20),
      ],
      outputs: listed("meetings", "Meetings.") + [
        Tool.Output(
          "namesakes", "array", "Names that several people have, all of whom were looked for.",
          isCertain: false)
      ], run: { try $0.findMeetings() }),
    Tool(
      name: "findPeople", title: "Find people",
      summary: "People by a part of a name or address, with counts and when they were last seen.",
      parameters: [
        .required("query", .text(most: 1_000), "A part of a name; empty for all."),
        limit(1...100, usual: 20),
      ], outputs: listed("people", "People."), run: { try $0.findPeople() }),
    Tool(
      name: "searchNotes", title: "Search notes",
      summary: "Find notes and days' notes by words and meaning, with snippets.",
      parameters: [
        .required("query", .text(), "Words or a phrase."),
        ToolParameter("from", .day, "The first day."), ToolParameter("to", .day, "The last day."),
        people, limit(1...100, usual: 20),
      ], outputs: [Tool.Output("notes", "array", "Notes with snippets.")],
      run: { try $0.searchNotes() }),
    Tool(
      name: "prepareBrief", title: "Brief for a meeting",
      summary: "What to know before a meeting: who comes, what was said, decided and promised.",
      parameters: [
        .required(
          "meeting", .text(most: 1_000, least: 1), "next, an identity, or a title or part of one.")
      ],
      outputs: [
        Tool.Output("meeting", "object", "The meeting."),
        Tool.Output("attendees", "array", "Who comes."),
      ], run: { try $0.prepareBrief() }),
  ]

  static let asking: [Tool] = [
    Tool(
      name: "ask", title: "Ask the archive",
      summary: "Answer a question in plain language by computation, with the entries that prove "
        + "it. Best for counts, sums, averages, first, last, most, when, where and with whom.",
      parameters: [
        .required("question", .text(most: 10_000, least: 1), "The question."),
        ToolParameter("now", .instant, "The moment that “last month” is seen from."),
        limit(0...200, usual: 50),
      ],
      outputs: [
        Tool.Output("answer", "string", "A sentence."),
        Tool.Output("kind", "string", "What sort of answer it is; none where there is none."),
        Tool.Output("citations", "array", "The entries that prove it."),
      ], run: { try $0.ask() }),
    Tool(
      name: "query", title: "Compute a query",
      summary: "Exact figures from a query as JSON, with the entries that prove them. Use it where "
        + "you can say what is to be computed: counts, sums, averages, extremes, first and last, "
        + "streaks, gaps, trends, comparisons and groups. Runs by month: {\"source\":{\"entries\":"
        + "{\"concept\":\"run\",\"time\":\"2025\"}},\"fold\":\"sum\",\"unit\":\"km\","
        + "\"group\":\"month\"}. An error names the place in the query as a JSON pointer.",
      ownSchema: QueryEngine.schema,
      outputs: [
        Tool.Output("answer", "string", "A sentence, with at most one caveat."),
        Tool.Output("unit", "string", "Of the values.", isCertain: false),
        Tool.Output("query", "object", "The query as it was read, with times as days."),
        Tool.Output("rows", "array", "Values, each with its label, days and count."),
        Tool.Output("rowCount", "integer", "How many there are altogether."),
        Tool.Output("items", "integer", "How many items the source has."),
        Tool.Output("measured", "integer", "How many of them say how much.", isCertain: false),
        Tool.Output("grounded", "array", "What each phrase was taken for."),
        Tool.Output("caveat", "string", "What to know about the answer.", isCertain: false),
        Tool.Output("citations", "array", "The entries that prove it."),
        Tool.Output("citationCount", "integer", "How many prove it altogether."),
      ], run: { try $0.query() }),
  ]
}
