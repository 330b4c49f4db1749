import ArkivedCore

/// The table of all tools.
enum ToolTable {
  static let all: [Tool] = journal + lookingBack + goals + meetings + asking + attaching + syncing

  static let named: [String: Tool] = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  static let longText = 100_000
  static let longNote = 1_000_000

  static func limit(_ range: ClosedRange<Int>, usual: Int) -> ToolParameter {
    ToolParameter("limit", .integer(range), "How many to return. Default: \(usual).")
  }

  static let tags = ToolParameter(
    "tags", .texts(most: 50), "Only items that have all of these tags.")
  static let people = ToolParameter(
    "people", .texts(most: 50), "Only items that name all of these people.")

  /// An act lists every entry that it affects, so their number is limited.
  static let further = ToolParameter(
    "ids", .identities(most: 49), "Further entries to change in the same way, as one action.")

  /// Returns the fields of an activity except its ID.
  ///
  /// - Parameter isNew: true for a new activity; in a change, null clears an optional field.
  /// - Returns: the fields.
  static func activityFields(isNew: Bool) -> [ToolParameter] {
    [
      ToolParameter(
        "text", .text(most: longText, least: 1), "What was done, in the owner's words.",
        isRequired: isNew, isNullable: false),
      ToolParameter("dayDate", .day, "The day. Default: the day of startAt, or today."),
      ToolParameter("startAt", .instant, "When it started."),
      ToolParameter("endAt", .instant, "When it ended; not before startAt."),
      ToolParameter(
        "kind", .text(most: 60, least: 1),
        "One of \(ActivityKind.known.map(\.rawValue).joined(separator: ", ")).",
        isNullable: isNew),
      ToolParameter("tags", .texts(most: 50), "Tags, without #."),
      ToolParameter("people", .texts(most: 50), "People it names."),
      ToolParameter(
        "source", .text(most: 60, least: 1), "The source; usually omitted.",
        isNullable: isNew),
      ToolParameter("isPinned", .flag, "True if it is pinned.", isNullable: isNew),
      ToolParameter("locationLabel", .text(most: 500), "The name of the place."),
      ToolParameter("lat", .number(-90...90), "Degrees north; requires lon."),
      ToolParameter("lon", .number(-180...180), "Degrees east; requires lat."),
      ToolParameter(
        "weather", .text(most: 300), "The weather, such as light rain, 12 °C, 80 %, 20 km/h."),
      ToolParameter("measurements", .amounts, "Amounts by unit, such as {\"km\": 5}."),
      ToolParameter("durationMinutes", .number(0...10_000_000), "The duration in minutes."),
      ToolParameter(
        "dayPeriod", .choice(DayPeriod.allCases.map(\.rawValue)),
        "The part of the day if no clock time is known; startAt is then its beginning."),
      ToolParameter("notes", .text(most: longText), "Notes about it."),
    ]
  }

  private static let journal: [Tool] = [
    Tool(
      name: "searchActivities", title: "Search entries",
      summary: "Finds entries by words, meaning and filters, best first. Use it to find out what "
        + "was done, when and with whom.",
      parameters: [
        .required("query", .text(), "Words or a phrase. May be empty if there are filters."),
        ToolParameter("startDate", .day, "The first day."),
        ToolParameter("endDate", .day, "The last day."), tags, people,
        ToolParameter("kind", .text(most: 60, least: 1), "The kind, such as work or health."),
        ToolParameter("source", .text(most: 60, least: 1), "The source, such as manual."),
        limit(1...100, usual: 20),
      ],
      outputs: [
        Tool.Output("results", "array", "Entries, each with a snippet and a score."),
        Tool.Output("otherEntries", "array", "Notes, goals and other items found."),
      ], run: { try $0.searchActivities() }),
    Tool(
      name: "getDay", title: "Read a day",
      summary: "Returns everything about a day: note, mood, energy, entries, meetings, metrics and "
        + "the texts that link to it.",
      parameters: [.required("dayDate", .day, "The day.")],
      outputs: [
        Tool.Output("dayKey", "string", "The day."),
        Tool.Output("activities", "array", "The entries of the day."),
        Tool.Output("meetings", "array", "The meetings of the day."),
        Tool.Output("backlinks", "object", "The texts that link to the day, the latest first."),
      ], run: { try $0.day() }),
    Tool(
      name: "createActivity", title: "Add an entry",
      summary: "Adds an entry for something that was done. It is added at once and can be undone.",
      effect: .adds, parameters: activityFields(isNew: true),
      outputs: [
        Tool.Output("created", "object", "The entry."),
        Tool.Output("changeId", "string", "The ID of the change, for undo.", isCertain: false),
      ], run: { try $0.createActivity() }),
    Tool(
      name: "updateActivity", title: "Change an entry",
      summary: "Proposes changes to the fields of an entry. Nothing changes until the owner "
        + "approves. null clears a field.",
      effect: .proposes,
      parameters: [.required("id", .identity, "The entry.")] + activityFields(isNew: false),
      outputs: [Tool.Output("updated", "object", "The entry, if nothing would change.")],
      run: { try $0.updateActivity() }),
    Tool(
      name: "deleteActivity", title: "Delete an entry",
      summary:
        "Proposes to delete an entry, or several at once. Nothing is deleted until the owner "
        + "has seen each of them and approves.",
      effect: .proposes, parameters: [.required("id", .identity, "The entry."), further],
      run: { try $0.deleteActivity() }),
    Tool(
      name: "upsertDayEntry", title: "Write a day",
      summary:
        "Writes the title, note, mood, energy and weather of a day. Empty fields are filled and "
        + "appendNote is added at once. Existing content is only replaced if the owner approves.",
      effect: .proposes,
      parameters: [
        .required("dayDate", .day, "The day."),
        ToolParameter("title", .text(most: 500), "The title."),
        ToolParameter("note", .text(most: longNote), "The whole note, in Markdown."),
        ToolParameter("appendNote", .text(most: longNote), "A paragraph to add to the note."),
        ToolParameter("mood", .integer(1...5), "1 (low) to 5 (high)."),
        ToolParameter("energy", .integer(1...5), "1 (low) to 5 (high)."),
        ToolParameter(
          "weather", .text(most: 300), "The weather, such as light rain, 12 °C, 80 %, 20 km/h."),
      ],
      outputs: [
        Tool.Output("day", "object", "The day."),
        Tool.Output("before", "object", "The day before the change.", isCertain: false),
        Tool.Output("after", "object", "The day after the change."),
      ], run: { try $0.upsertDay() }),
    Tool(
      name: "listTags", title: "List tags",
      summary: "Lists tags with the number of entries that have them, most used first.",
      parameters: [
        ToolParameter("prefix", .text(most: 200), "Only tags that start with this."),
        limit(1...1_000, usual: 100),
      ],
      outputs: [Tool.Output("tags", "array", "Tags with counts.")], run: { try $0.tags() }),
    Tool(
      name: "tagActivity", title: "Tag an entry",
      summary:
        "Adds tags to an entry, meeting or note, or to several entries, or removes tags. Tags "
        + "are added at once; removing them waits for the owner's approval.",
      effect: .proposes,
      parameters: [
        .required("id", .identity, "The entry, meeting or note."), further,
        ToolParameter("add", .texts(most: 50), "Tags to add."),
        ToolParameter("remove", .texts(most: 50), "Tags to remove."),
      ],
      outputs: [
        Tool.Output("updated", "object", "The entry or note."),
        Tool.Output("others", "array", "The other entries that changed.", isCertain: false),
      ],
      run: { try $0.tagActivity() }),
  ]

  private static let attaching: [Tool] = [
    Tool(
      name: "attachLink", title: "Attach a link",
      summary:
        "Attaches a web address to an entry, a day, a note or a meeting. Give exactly one of "
        + "them. The link is added at once, is never fetched, and can be undone.",
      effect: .adds,
      parameters: [
        .required("url", .text(most: 4_000, least: 1), "An http or https address."),
        ToolParameter("caption", .text(most: 1_000), "The caption shown for the link."),
        ToolParameter("activity", .identity, "The entry."),
        ToolParameter("dayDate", .day, "The day."),
        ToolParameter("note", .identity, "The note."),
        ToolParameter("meeting", .identity, "The meeting."),
      ],
      outputs: [
        Tool.Output("created", "object", "The attachment."),
        Tool.Output("changeId", "string", "The ID of the change, for undo.", isCertain: false),
      ], run: { try $0.attachLink() }),
    Tool(
      name: "captionAttachment", title: "Caption an attachment",
      summary:
        "Adds a caption to an attachment that has none. It is added at once and can be undone. "
        + "Only the owner can change an existing caption.",
      effect: .adds,
      parameters: [
        .required("id", .identity, "The attachment."),
        .required("caption", .text(most: 1_000, least: 1), "The caption."),
      ],
      outputs: [
        Tool.Output("updated", "object", "The attachment."),
        Tool.Output("changeId", "string", "The ID of the change, for undo.", isCertain: false),
      ], run: { try $0.captionAttachment() }),
  ]
}
