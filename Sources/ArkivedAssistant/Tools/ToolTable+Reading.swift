import ArkivedCore

extension ToolTable {
  private static let recapOutputs = [
    Tool.Output("text", "string", "The recap as text."),
    Tool.Output("statements", "array", "The statements, each with the entries that prove it."),
  ]

  static let lookingBack: [Tool] = [
    Tool(
      name: "summarizeDay", title: "Look back on a day",
      summary: "Describes a day in sentences computed from its entries, each with citations.",
      parameters: [.required("dayDate", .day, "The day.")], outputs: recapOutputs,
      run: { try $0.summarizeDay() }),
    Tool(
      name: "weeklyRecap", title: "Look back on a week",
      summary: "Describes a week in sentences and compares it with usual weeks, with citations.",
      parameters: [ToolParameter("weekOf", .day, "A day in the week. Default: today.")],
      outputs: recapOutputs, run: { try $0.weeklyRecap() }),
  ]

  private static func listed(_ name: String, _ summary: String) -> [Tool.Output] {
    [
      Tool.Output(name, "array", summary),
      Tool.Output("total", "integer", "The total number."),
    ]
  }

  static let goals: [Tool] = [
    Tool(
      name: "getGoals", title: "List goals", summary: "Lists goals with their progress and pace.",
      parameters: [
        ToolParameter(
          "searchText", .text(most: 1_000),
          "Only goals whose title, notes or relevance contain this."),
        ToolParameter("goalType", .text(most: 60, least: 1), "Goal, SmartGoal or Milestone."),
        ToolParameter("hasDates", .flag, "true: with a first or last day. false: with neither."),
        ToolParameter("hasTarget", .flag, "true: with a target. false: without."),
        ToolParameter("startDate", .day, "Goals that can be worked on on this day or later."),
        ToolParameter("endDate", .day, "Goals that can be worked on on this day or earlier."),
        limit(1...100, usual: 50),
      ], outputs: listed("goals", "Goals with their progress."), run: { try $0.goals() }),
    Tool(
      name: "getActions", title: "List actions",
      summary: "Lists entries that have measurements or are linked to a goal.",
      parameters: [
        ToolParameter("searchText", .text(most: 1_000), "Only actions whose text contains this."),
        ToolParameter("hasMeasurements", .flag, "true: with measurements. false: without."),
        ToolParameter("hasDuration", .flag, "true: with a duration. false: without."),
        ToolParameter("startDate", .day, "The first day."),
        ToolParameter("endDate", .day, "The last day."), limit(1...100, usual: 50),
      ], outputs: listed("actions", "Actions."), run: { try $0.actions() }),
    Tool(
      name: "getTerms", title: "List terms", summary: "Lists ten-week terms with their status.",
      parameters: [
        ToolParameter("termNumber", .integer(-1_000_000...1_000_000), "The number of a term."),
        ToolParameter(
          "status", .choice(TermStatus.filters), "The status. Default: all."),
        ToolParameter("startDate", .day, "Terms that end on this day or later."),
        ToolParameter("endDate", .day, "Terms that start on this day or earlier."),
        limit(1...20, usual: 20),
      ], outputs: listed("terms", "Terms."), run: { try $0.terms() }),
    Tool(
      name: "getValues", title: "List values",
      summary: "Lists personal values and life areas, most important first.",
      parameters: [
        ToolParameter(
          "valueType", .text(most: 60, least: 1), "general, life_area, major or highest_order."),
        ToolParameter(
          "lifeDomain", .text(most: 200, least: 1), "The area of life, such as Health."),
        ToolParameter(
          "minPriority", .integer(1...100), "The highest priority to include; 1 is the top."),
        ToolParameter(
          "maxPriority", .integer(1...100), "The lowest priority to include; 100 is the bottom."),
        limit(1...50, usual: 50),
      ], outputs: listed("values", "Values."), run: { try $0.values() }),
    Tool(
      name: "getProgress", title: "Read the progress of a goal or term",
      summary: "Returns the progress of a goal or a term. Give exactly one of them.",
      parameters: [
        ToolParameter("goal", .text(most: 1_000, least: 1), "The ID or title of a goal."),
        ToolParameter("term", .text(most: 1_000, least: 1), "The ID or number of a term."),
      ], outputs: [Tool.Output("progress", "object", "The progress.", isCertain: false)],
      run: { try $0.standing() }),
  ]

  static let meetings: [Tool] = [
    Tool(
      name: "findMeetings", title: "Find meetings",
      summary: "Finds meetings by subject, time and people, best or newest first.",
      parameters: [
        ToolParameter("query", .text(), "Words or a subject."),
        ToolParameter("from", .day, "The first day."), ToolParameter("to", .day, "The last day."),
        ToolParameter("people", .texts(most: 50), "Only meetings with all of these people."),
        limit(1...100, usual: 20),
      ],
      outputs: listed("meetings", "Meetings, each with the texts that link to it.") + [
        Tool.Output(
          "namesakes", "array",
          "Names shared by several people; meetings with any of them are returned.",
          isCertain: false)
      ], run: { try $0.findMeetings() }),
    Tool(
      name: "findPeople", title: "Find people",
      summary: "Finds people by part of a name or address, with counts and the date last seen.",
      parameters: [
        .required("query", .text(most: 1_000), "Part of a name; empty for everyone."),
        limit(1...100, usual: 20),
      ], outputs: listed("people", "People, each with the texts that link to them."),
      run: { try $0.findPeople() }),
    Tool(
      name: "searchNotes", title: "Search notes",
      summary: "Finds notes and day notes by words and meaning, with snippets.",
      parameters: [
        .required("query", .text(), "Words or a phrase."),
        ToolParameter("from", .day, "The first day."), ToolParameter("to", .day, "The last day."),
        people, limit(1...100, usual: 20),
      ],
      outputs: [
        Tool.Output("notes", "array", "Notes with snippets, and the texts that link to each.")
      ],
      run: { try $0.searchNotes() }),
    Tool(
      name: "prepareBrief", title: "Prepare a brief for a meeting",
      summary:
        "Returns what to know before a meeting: who is coming, what was decided and promised.",
      parameters: [
        .required(
          "meeting", .text(most: 1_000, least: 1), "next, an ID, or a title or part of it.")
      ],
      outputs: [
        Tool.Output("meeting", "object", "The meeting."),
        Tool.Output("attendees", "array", "The attendees."),
      ], run: { try $0.prepareBrief() }),
  ]

  static let asking: [Tool] = [
    Tool(
      name: "ask", title: "Ask the archive",
      summary: "Answers a question in plain language by computing it from entries, with citations. "
        + "Best for counts, sums, averages, first, last, most, when, where and with whom.",
      parameters: [
        .required("question", .text(most: 10_000, least: 1), "The question."),
        ToolParameter("now", .instant, "The moment that phrases such as “last month” refer to."),
        limit(0...200, usual: 50),
      ],
      outputs: [
        Tool.Output("answer", "string", "The answer as a sentence."),
        Tool.Output("kind", "string", "The kind of answer; none if there is none."),
        Tool.Output("citations", "array", "The entries that prove it."),
      ], run: { try $0.ask() }),
    Tool(
      name: "query", title: "Run a query",
      summary:
        "Computes exact figures from a JSON query, with the entries that prove them. Use it if "
        + "you know what to compute: counts, sums, averages, extremes, first and last, streaks, "
        + "gaps, trends, comparisons and groups. Example, runs by month: {\"source\":{\"entries\":"
        + "{\"concept\":\"run\",\"time\":\"2025\"}},\"fold\":\"sum\",\"unit\":\"km\","
        + "\"group\":\"month\"}. An error names its place as a JSON Pointer.",
      ownSchema: QueryEngine.schema,
      outputs: [
        Tool.Output("answer", "string", "A sentence, with at most one caveat."),
        Tool.Output("unit", "string", "The unit of the values.", isCertain: false),
        Tool.Output("query", "object", "The query as it was read, with times resolved to days."),
        Tool.Output("rows", "array", "The values, each with a label, days and a count."),
        Tool.Output("rowCount", "integer", "The total number of rows."),
        Tool.Output("items", "integer", "The number of items in the source."),
        Tool.Output(
          "measured", "integer", "The number of items that have an amount.", isCertain: false),
        Tool.Output("grounded", "array", "How each phrase was understood."),
        Tool.Output("caveat", "string", "A limitation of the answer.", isCertain: false),
        Tool.Output("citations", "array", "The entries that prove it."),
        Tool.Output("citationCount", "integer", "The total number of citations."),
      ], run: { try $0.query() }),
  ]
}
