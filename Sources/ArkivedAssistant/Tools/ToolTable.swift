import ArkivedCore

/// The table of all tools.
enum ToolTable {
  static let all: [Tool] = journal + lookingBack + goals + meetings + asking + attaching + syncing

  static let named: [String: Tool] = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  static let longText = 100_000
  static let longNote = 1_000_000

  static func limit(_ range: ClosedRange<Int>, usual: Int) -> ToolParameter {
    ToolParameter("limit", .integer(range), "How many at most; \(usual) where it is left out.")
  }

  static let tags = ToolParameter("tags", .texts(most: 50), "Tags, all of which it must carry.")
  static let people = ToolParameter(
    "people", .texts(most: 50), "People, all of whom must be named.")

  /// An act lists every entry that it affects, so their number is limited.
  static let further = ToolParameter(
    "ids", .identities(most: 49), "Further activities, for which the same is done as one act.")

  /// Returns the fields of an activity except its identity.
  ///
  /// - Parameter isNew: true for a new activity; in a change, null clears an optional field.
  static func activityFields(isNew: Bool) -> [ToolParameter] {
    [
      ToolParameter(
        "text", .text(most: longText, least: 1), "What was done, in the owner's words.",
        isRequired: isNew, isNullable: false),
      ToolParameter("dayDate", .day, "The day; today where neither it nor a start is told."),
      ToolParameter("startAt", .instant, "When it began."),
      ToolParameter("endAt", .instant, "When it ended; not before the start."),
      ToolParameter(
        "kind", .text(most: 60, least: 1),
        "One of \(ActivityKind.known.map(\.rawValue).joined(separator: ", ")).",
        isNullable: isNew),
      ToolParameter("tags", .texts(most: 50), "Its tags, without the number sign."),
      ToolParameter("people", .texts(most: 50), "Who is named in it."),
      ToolParameter(
        "source", .text(most: 60, least: 1), "Where it comes from; best left out.",
        isNullable: isNew),
      ToolParameter("isPinned", .flag, "Whether it is pinned.", isNullable: isNew),
      ToolParameter("locationLabel", .text(most: 500), "The name of the place."),
      ToolParameter("lat", .number(-90...90), "Degrees north; stands together with lon."),
      ToolParameter("lon", .number(-180...180), "Degrees east; stands together with lat."),
      ToolParameter(
        "weather", .text(most: 300), "The weather, such as light rain, 12 °C, 80 %, 20 km/h."),
      ToolParameter("measurements", .amounts, "Amounts by unit, such as {\"km\": 5}."),
      ToolParameter("durationMinutes", .number(0...10_000_000), "How long it took, in minutes."),
      ToolParameter("notes", .text(most: longText), "Notes on it."),
    ]
  }

  private static let journal: [Tool] = [
    Tool(
      name: "searchActivities", title: "Search activities",
      summary: "Find activities by words, meaning and filters, best first. Use it for what was "
        + "done, when and with whom.",
      parameters: [
        .required("query", .text(), "Words or a phrase; may be empty beside filters."),
        ToolParameter("startDate", .day, "The first day."),
        ToolParameter("endDate", .day, "The last day."), tags, people,
        ToolParameter("kind", .text(most: 60, least: 1), "The kind, such as work or health."),
        ToolParameter("source", .text(most: 60, least: 1), "Where it came from, such as manual."),
        limit(1...100, usual: 20),
      ],
      outputs: [
        Tool.Output("results", "array", "Activities with snippet and score."),
        Tool.Output("otherEntries", "array", "Notes, goals and others that were found too."),
      ], run: { try $0.searchActivities() }),
    Tool(
      name: "getDay", title: "Read a day",
      summary: "All of one day: note, mood, energy, activities, meetings and metrics.",
      parameters: [.required("dayDate", .day, "The day.")],
      outputs: [
        Tool.Output("dayKey", "string", "The day."),
        Tool.Output("activities", "array", "What you did."),
        Tool.Output("meetings", "array", "Meetings of the day."),
      ], run: { try $0.day() }),
    Tool(
      name: "createActivity", title: "Add an activity",
      summary: "Write down something that was done. It is added at once and can be undone.",
      effect: .adds, parameters: activityFields(isNew: true),
      outputs: [
        Tool.Output("created", "object", "The activity."),
        Tool.Output("changeId", "string", "By which it is undone.", isCertain: false),
      ], run: { try $0.createActivity() }),
    Tool(
      name: "updateActivity", title: "Change an activity",
      summary: "Propose to change fields of an activity; nothing changes until the owner "
        + "confirms it. Null empties a field.",
      effect: .proposes,
      parameters: [.required("id", .identity, "The activity.")] + activityFields(isNew: false),
      outputs: [Tool.Output("updated", "object", "The activity, where nothing differs.")],
      run: { try $0.updateActivity() }),
    Tool(
      name: "deleteActivity", title: "Delete an activity",
      summary: "Propose to delete an activity, or several as one act; nothing is deleted until the "
        + "owner, who is shown each of them, confirms it.",
      effect: .proposes, parameters: [.required("id", .identity, "The activity."), further],
      run: { try $0.deleteActivity() }),
    Tool(
      name: "upsertDayEntry", title: "Write a day's page",
      summary: "Write title, note, mood, energy and weather of a day. What is empty is filled and "
        + "appendNote is added at once; what stands there is replaced only once the owner confirms.",
      effect: .proposes,
      parameters: [
        .required("dayDate", .day, "The day."),
        ToolParameter("title", .text(most: 500), "A title."),
        ToolParameter("note", .text(most: longNote), "The whole note, in Markdown."),
        ToolParameter("appendNote", .text(most: longNote), "A paragraph to add to the note."),
        ToolParameter("mood", .integer(1...5), "1 (low) to 5 (high)."),
        ToolParameter("energy", .integer(1...5), "1 (low) to 5 (high)."),
        ToolParameter(
          "weather", .text(most: 300), "The weather, such as light rain, 12 °C, 80 %, 20 km/h."),
      ],
      outputs: [
        Tool.Output("day", "object", "The day."),
        Tool.Output("before", "object", "The page before.", isCertain: false),
        Tool.Output("after", "object", "The page now."),
      ], run: { try $0.upsertDay() }),
    Tool(
      name: "listTags", title: "List tags",
      summary: "Tags with the number of activities that carry them, most used first.",
      parameters: [
        ToolParameter("prefix", .text(most: 200), "How they begin."), limit(1...1_000, usual: 100),
      ],
      outputs: [Tool.Output("tags", "array", "Tags with counts.")], run: { try $0.tags() }),
    Tool(
      name: "tagActivity", title: "Tag an activity",
      summary: "Add tags to an activity, meeting or note, or to several activities, or take some "
        + "away. Adding happens at once; taking away waits for the owner.",
      effect: .proposes,
      parameters: [
        .required("id", .identity, "The activity, meeting or note."), further,
        ToolParameter("add", .texts(most: 50), "Tags to add."),
        ToolParameter("remove", .texts(most: 50), "Tags to take away."),
      ],
      outputs: [
        Tool.Output("updated", "object", "The activity or note."),
        Tool.Output("others", "array", "The further ones that changed.", isCertain: false),
      ],
      run: { try $0.tagActivity() }),
  ]

  private static let attaching: [Tool] = [
    Tool(
      name: "attachLink", title: "Attach a link",
      summary:
        "Attach an address of the web to an activity, a day, a note or a meeting: name one of "
        + "them. It is added at once, never fetched, and can be undone.",
      effect: .adds,
      parameters: [
        .required("url", .text(most: 4_000, least: 1), "An http or https address."),
        ToolParameter("caption", .text(most: 1_000), "What is shown for it."),
        ToolParameter("activity", .identity, "The activity."),
        ToolParameter("dayDate", .day, "The day."),
        ToolParameter("note", .identity, "The note."),
        ToolParameter("meeting", .identity, "The meeting."),
      ],
      outputs: [
        Tool.Output("created", "object", "The attachment."),
        Tool.Output("changeId", "string", "By which it is undone.", isCertain: false),
      ], run: { try $0.attachLink() }),
    Tool(
      name: "captionAttachment", title: "Caption an attachment",
      summary:
        "Write what is shown below an attachment that has no caption; it is added at once and "
        + "can be undone. A caption that is there is the owner’s to change.",
      effect: .adds,
      parameters: [
        .required("id", .identity, "The attachment."),
        .required("caption", .text(most: 1_000, least: 1), "The caption."),
      ],
      outputs: [
        Tool.Output("updated", "object", "The attachment."),
        Tool.Output("changeId", "string", "By which it is undone.", isCertain: false),
      ], run: { try $0.captionAttachment() }),
  ]
}
