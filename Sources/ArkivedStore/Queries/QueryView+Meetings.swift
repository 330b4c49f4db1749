extension QueryView {
  /// Meetings, people, notes and promises.
  static let meetingSide: [QueryView] = [
    QueryView(
      "meetings", "Meetings; their title, times and place are those of the entry activityId.",
      from: "main.meetings AS it JOIN main.activities AS entry ON entry.pk = it.activity_pk",
      hasTimes: true,
      [
        .own("id"), .init("activityId", "entry.id"), .init("dayKey", "entry.day_key"),
        .init("title", "entry.text"), .instant("startDate", "entry.start_at"),
        .instant("endDate", "entry.end_at"), .init("timeZone", "entry.time_zone"),
        .init("startLocal", "\(localTime)(entry.start_at, entry.time_zone)"),
        .init("location", "entry.location_label"), .own("organizer"), .own("purpose"),
        .own("outcomes"), .own("summary"), .own("status"), .own("isAllDay", "is_all_day"),
        .own("isEventDeleted", "is_event_deleted"),
        .own("eventIdentifier", "event_identifier"),
        .own("seriesIdentifier", "series_identifier"),
      ]),
    QueryView(
      "attendances", "Who takes part in which meeting.",
      from: """
        main.attendance_rows AS it JOIN main.meetings AS meeting ON meeting.pk = it.meeting_pk
        LEFT JOIN main.persons AS person ON person.pk = it.person_pk
        """,
      [
        .init("meetingId", "meeting.id"), .own("position"), .init("personId", "person.id"),
        .own("name"), .own("address"), .own("role"), .own("reply"),
        .own("isOrganizer", "is_organizer"),
      ]),
    QueryView(
      "people", "People.", from: "main.persons AS it", hasTimes: true,
      [
        .own("id"), .own("name"),
        .init(
          "email",
          "(SELECT value FROM main.person_names WHERE person_pk = it.pk AND role = 'email')"),
        .own("relationshipSummary", "relationship_summary"),
      ]),
    QueryView(
      "person_names", "A person’s names and addresses: name, alias, email, address.",
      from: "main.person_names AS it JOIN main.persons AS person ON person.pk = it.person_pk",
      [.init("personId", "person.id"), .own("role"), .own("position"), .own("value")]),
    QueryView(
      "notes", "Notes, standalone or from a meeting; dayKey is the day on which a note appears.",
      from: "main.notes AS it LEFT JOIN main.meetings AS meeting ON meeting.pk = it.meeting_pk",
      hasTimes: true,
      [
        .own("id"), .own("title"), .own("text"), .own("plainText", "plain_text"),
        .init("meetingId", "meeting.id"), .own("dayKey", "shown_day"),
      ]),
    QueryView(
      "promises", "Checkboxes in notes; a promise without an owner is yours.",
      from: "main.promise_rows AS it JOIN main.notes AS note ON note.pk = it.note_pk",
      [
        .init("noteId", "note.id"), .own("line"), .own("text"), .own("isDone", "is_done"),
        .own("owner"), .own("due"), .init("dayKey", "note.shown_day"),
      ]),
  ]

  /// The views of sources and changes.
  static let bookkeeping: [QueryView] = [
    QueryView(
      "external_refs", "Where imported data came from.",
      from: """
        main.external_refs AS it
        LEFT JOIN main.activities AS entry ON entry.pk = it.activity_pk
        LEFT JOIN main.days AS day ON day.pk = it.day_pk
        LEFT JOIN main.persons AS person ON person.pk = it.person_pk
        WHERE entry.pk IS NOT NULL OR day.pk IS NOT NULL OR person.pk IS NOT NULL
        """,
      [
        .own("provider"), .own("externalId", "external_id"), .init("activityId", "entry.id"),
        .init("dayKey", "coalesce(entry.day_key, day.day_key)"), .init("personId", "person.id"),
        .instant("fetchedAt", "it.fetched_at"),
      ]),
    QueryView(
      "imports", "Imports and syncs with their counts.",
      from: "main.import_runs AS it JOIN main.changes AS change ON change.pk = it.change_pk",
      [
        .own("id"), .init("changeId", "change.id"), .own("format"), .own("source"),
        .instant("startedAt", "it.started_at"), .instant("finishedAt", "it.finished_at"),
        .own("created"), .own("updated"), .own("unchanged"), .own("skipped"), .own("warnings"),
        .init("isUndone", "change.undone_by IS NOT NULL"),
      ]),
    QueryView(
      "changes", "What was written, and who wrote it.", from: "main.changes AS it",
      [
        .own("id"), .instant("at", "it.at"), .own("author"), .own("action"), .own("summary"),
        .init("isUndone", "it.undone_by IS NOT NULL"),
      ]),
    QueryView(
      "versions",
      "Earlier versions of everything, including deleted items; record is the whole version as "
        + "JSON.",
      from: """
        main.history AS it LEFT JOIN main.changes AS change ON change.pk = it.change_pk
        WHERE it.change_pk IS NULL OR change.pk IS NOT NULL
        """,
      [
        .own("id"), .own("sourceTable", "source_table"), .own("sourceId", "source_id"),
        .own("record"), .own("reason"), .instant("archivedAt", "it.archived_at"),
        .own("archivedBy", "archived_by"), .init("changeId", "change.id"),
      ]),
    QueryView(
      "threads", "Conversations with the assistant.", from: "main.threads AS it", hasTimes: true,
      [.own("id"), .own("title")]),
    QueryView(
      "messages", "The messages in these conversations.",
      from: "main.messages AS it JOIN main.threads AS thread ON thread.pk = it.thread_pk",
      hasTimes: true,
      [
        .own("id"), .init("threadId", "thread.id"), .own("role"), .own("text"), .own("details"),
      ]),
  ]
}
