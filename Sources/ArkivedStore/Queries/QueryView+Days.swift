extension QueryView {
  /// The views of days, entries and their parts.
  static let days: [QueryView] = [
    QueryView(
      "days", "Each day that has a note, a title, mood, energy or weather.",
      from: "main.days AS it", hasTimes: true,
      [
        .own("id"), .own("dayKey", "day_key"), .own("title"), .own("note"), .own("mood"),
        .own("energy"), .own("weather"),
      ]),
    QueryView(
      "activities", "What you did, one row per entry.", from: "main.activities AS it",
      hasTimes: true,
      [
        .own("id"), .own("dayKey", "day_key"), .instant("startAt", "it.start_at"),
        .instant("endAt", "it.end_at"), .own("timeZone", "time_zone"),
        .init("startLocal", "\(localTime)(it.start_at, it.time_zone)"),
        .init("endLocal", "\(localTime)(it.end_at, it.time_zone)"), .own("kind"), .own("text"),
        .own("description"), .own("notes"), .own("source"), .own("isPinned", "is_pinned"),
        .own("locationLabel", "location_label"), .own("lat"), .own("lon"),
        .init(
          "durationMinutes", "coalesce(it.duration_minutes, (it.end_at - it.start_at) / 60000.0)"),
        .own("dayPeriod", "day_period"), .own("weather"), .own("typedText", "typed_text"),
      ]),
    QueryView(
      "measurements", "Measurements of entries, one row per unit.",
      from: "main.measurements AS it JOIN main.activities AS entry ON entry.pk = it.activity_pk",
      [
        .init("activityId", "entry.id"), .init("dayKey", "entry.day_key"), .own("unit"),
        .own("amount"),
      ]),
    QueryView(
      "tags", "Tags.", from: "main.tags AS it", hasTimes: true,
      [.own("id"), .own("name"), .own("colorHex", "color_hex")]),
    QueryView(
      "taggings", "The tags of entries and notes.",
      from: """
        (SELECT tag_pk, activity_pk, NULL AS note_pk FROM main.activity_tags
          UNION ALL SELECT tag_pk, NULL, note_pk FROM main.note_tags) AS it
        JOIN main.tags AS tag ON tag.pk = it.tag_pk
        LEFT JOIN main.activities AS entry ON entry.pk = it.activity_pk
        LEFT JOIN main.notes AS note ON note.pk = it.note_pk
        WHERE entry.pk IS NOT NULL OR note.pk IS NOT NULL
        """,
      [
        .init("tag", "tag.name"), .init("tagId", "tag.id"), .init("activityId", "entry.id"),
        .init("noteId", "note.id"), .init("dayKey", "coalesce(entry.day_key, note.shown_day)"),
      ]),
    QueryView(
      "mentions", "Who is named where: in an entry, a day note or a note.",
      from: """
        (SELECT name, person_pk, activity_pk, day_pk, NULL AS note_pk FROM main.mentions
          UNION ALL SELECT name, person_pk, NULL, NULL, note_pk FROM main.note_mentions) AS it
        LEFT JOIN main.persons AS person ON person.pk = it.person_pk
        LEFT JOIN main.activities AS entry ON entry.pk = it.activity_pk
        LEFT JOIN main.days AS day ON day.pk = it.day_pk
        LEFT JOIN main.notes AS note ON note.pk = it.note_pk
        WHERE entry.pk IS NOT NULL OR day.pk IS NOT NULL OR note.pk IS NOT NULL
        """,
      [
        .own("name"), .init("personId", "person.id"), .init("activityId", "entry.id"),
        .init("noteId", "note.id"),
        .init("dayKey", "coalesce(entry.day_key, day.day_key, note.shown_day)"),
      ]),
    QueryView(
      "attachments", "Files and links of entries, days and notes.",
      from: """
        main.attachments AS it
        LEFT JOIN main.activities AS entry ON entry.pk = it.activity_pk
        LEFT JOIN main.days AS day ON day.pk = it.day_pk
        LEFT JOIN main.notes AS note ON note.pk = it.note_pk
        WHERE entry.pk IS NOT NULL OR day.pk IS NOT NULL OR note.pk IS NOT NULL
        """, hasTimes: true,
      [
        .own("id"), .init("activityId", "entry.id"), .init("noteId", "note.id"),
        .init("dayKey", "coalesce(entry.day_key, day.day_key, note.shown_day)"), .own("type"),
        .own("caption"), .own("relativePath", "relative_path"),
        .own("externalURL", "external_url"), .own("contentHash", "content_hash"),
        .own("byteCount", "byte_count"), .own("mediaType", "media_type"),
        .own("originalName", "original_name"),
      ]),
    QueryView(
      "metrics", "Daily numbers from a device: steps, sleepMinutes, …",
      from: "main.day_metrics AS it", hasTimes: true,
      [
        .own("id"), .own("dayKey", "day_key"), .own("metric"), .own("unit"), .own("value"),
        .own("min", "minimum"), .own("max", "maximum"), .own("source"),
      ]),
  ]
}
