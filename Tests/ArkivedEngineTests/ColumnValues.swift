/// The values that the program reads a meaning into, by column: one after the other by row, as SQL; first those
/// under the table's name, then those for all tables.
enum ColumnValues {
  /// How many rows a table gets; two where nothing is said.
  ///
  /// Of the changes, the first two are the owner's, the third an import, the fourth one that was taken back
  /// by the fifth, and the sixth one that was broken off.
  static let counts = ["changes": 6, "change_rows": 6, "person_names": 4]

  /// The file that the attachments name.
  static let fileContent = "what was attached\n"
  /// Its hash, SHA-256.
  static let fileHash = "db83125dbe5d62f8d008b8197d59a2e5fe5f509f304b7529864d7786f0af6db3"
  static let filePath = "\(fileHash.prefix(2))/\(fileHash).txt"

  /// The first activity as it was before the owner's second change.
  static let before = """
    {"id":"%","dayKey":"2026-01-10","startAt":"2026-01-10T08:00:00Z","endAt":null,\
    "timeZone":"Europe/Berlin","kind":"work","text":"as it was before","description":null,\
    "notes":null,"source":"manual","isPinned":false,"locationLabel":null,"lat":null,"lon":null,\
    "measurements":{},"durationMinutes":90,"tags":[],"people":[],"attachments":[],\
    "externalRefs":[],"createdAt":"2026-01-14T20:00:00Z","updatedAt":"2026-01-14T20:00:00Z",\
    "mentions":[],"weather":null,"typedText":"wrote the report"}
    """

  static let values: [String: [String]] = {
    var all: [String: [String]] = [:]
    for part in [journal, people, files, imports, goals, meetings, programs] {
      all.merge(part) { $1 }
    }
    return all
  }()

  /// An identity that others name.
  private static func identity(_ digit: Character) -> String {
    "'20260114-0000-4000-8000-FFFFFFFFFFF\(digit)'"
  }

  private static let activities = [identity("1"), identity("2")]
  private static let deleted = identity("3")
  private static let links = [identity("4"), identity("5")]
  private static let threads = [identity("6"), identity("7")]
  private static let firstChange = identity("8")

  private static let changes: [String: [String]] = [
    "author": ["'owner'", "'owner'", "'import'", "'import'", "'owner'", "'import'"],
    "action": ["'add'", "'edit'", "'import'", "'import'", "'undo'", "'import'"],
    "id": [firstChange] + "9ABCD".map(identity),
    "undone_by": ["NULL", "NULL", "NULL", "5", "NULL", "NULL"],
    "position": ["NULL", "NULL", "3", "NULL", "NULL", "NULL"],
  ]

  private static let journal: [String: [String]] = {
    var all: [String: [String]] = [
      "history.change_pk": ["2", "1"], "history.made_pk": ["1"], "history.touched_pk": ["1"],
      "history.source_table": ["'activities'"],
      "activities.id": activities, "activity_rows.id": activities,
      "history.source_id": [activities[0], deleted],
      "history.record": [activities[0], deleted].map { "replace('\(before)', '%', \($0))" },
      "history.reason": ["'update'", "'delete'"], "archived_by": ["'owner'"],
      // Each entity came with the first change and is as that left it, but for one activity.
      "change_pk": ["1"], "changed_pk": ["1"], "activities.changed_pk": ["2", "1"],
      "activity_rows.changed_pk": ["2", "1"],
      "start_at": ["1768032000000", "1768118400000"], "end_at": ["1768035600000", "1768122000000"],
      // An entry of a part of the day has no end.
      "activity_rows.end_at": ["1768035600000", "NULL"],
      "activity_rows.day_period": ["NULL", "'morning'"],
      "time_zone": ["'Europe/Berlin'"], "activities.kind": ["'work'", "'social'"],
      "activity_rows.kind": ["'work'", "'social'"], "activities.source": ["'manual'", "'inbox'"],
      "activity_rows.source": ["'manual'", "'inbox'"], "lat": ["52.5"], "lon": ["13.25"],
      "weather": [#"'{"conditions":"drizzle","temperatureCelsius":8}'"#],
      "unit": ["'km'", "'kg'"], "metric": ["'steps'", "'weight'"], "position": ["0"],
      "minimum": ["0.25"], "maximum": ["9.5"],
    ]
    for (column, values) in changes {
      all["changes.\(column)"] = values
      all["change_rows.\(column)"] = values
    }
    return all
  }()

  private static let people: [String: [String]] = [
    "persons.name": ["'Jana'", "'Priya'"], "person_rows.name": ["'Jana'", "'Priya'"],
    "person_names.person_pk": ["1", "2", "1", "2"],
    "person_names.role": ["'name'", "'name'", "'alias'", "'email'"],
    "person_names.value": ["'Jana'", "'Priya'", "'Jani'", "'priya@example.org'"],
    "person_names.folded": ["'jana'", "'priya'", "'jani'", "'priya@example.org'"],
    "mentions.name": ["'Jana'", "'Priya'"], "mentions.folded": ["'jana'", "'priya'"],
    "note_mentions.name": ["'Jana'", "'Priya'"], "note_mentions.folded": ["'jana'", "'priya'"],
    "tags.name": ["'Sport'", "'friends'"], "tags.folded": ["'sport'", "'friends'"],
    "tag_rows.name": ["'Sport'", "'friends'"], "tag_rows.folded": ["'sport'", "'friends'"],
    "color_hex": ["'#336699'", "'#996633'"],
    "note_names.folded": ["'note_rows title 1'", "'note_rows title 2'"],
    "day_rows.note": ["'see [[2026-01-10]]'", "'see [[2026-01-11]]'"],
    "text_links.target": ["'d 2026-01-10'", "'d 2026-01-11'"],
    "text_links.day_key": ["'2026-01-10'", "'2026-01-11'"], "text_links.document": ["9", "17"],
  ]

  private static let files: [String: [String]] = [
    "attachments.type": ["'file'", "'photo'", "'audioNote'"], "relative_path": ["'\(filePath)'"],
    "attachments.content_hash": ["'\(fileHash)'"], "byte_count": ["\(fileContent.utf8.count)"],
    "media_type": ["'text/plain'"],
    "original_name": ["'a letter.txt'", "'a note.txt'", "'a list.txt'"],
    "external_url": ["'https://example.org/there'"],
  ]

  private static let imports: [String: [String]] = [
    "external_refs.provider": ["'other'"], "source_table": ["'activities'"],
    "tombstones.source_id": [deleted],
    "import_runs.change_pk": ["3", "4"], "import_runs.format": ["'jsonl'"],
    "created": [#"'{"activity":1}'"#], "warnings": [#"'["a warning"]'"#],
    "hidden_changes.change_pk": ["4", "6"], "state": ["'{}'"],
    "hidden_changes.state": ["'undone'", "'staged'"], "import_pending.change_pk": ["6"],
    "search_indexes.name": ["'words'", "'meaning'"],
    "search_indexes.marks": [
      #"'{"activities":0,"days":0,"attachments":0,"notes":0,"change":0,"hidden":[]}'"#
    ],
    "own_words.source_id": activities,
  ]

  private static let goals: [String: [String]] = [
    "goal_type": ["'Goal'", "'SmartGoal'"], "measurement_unit": ["'pages'", "'books'"],
    "start_date": ["'2026-01-05'"], "target_date": ["'2026-03-15'", "'2026-04-15'"],
    "how_goal_is_actionable": [#"'{"units":["pages"],"keywords":["read"]}'"#],
    "incentive_type": ["'highest_order'", "'major'"], "life_domain": ["'Family'", "'Health'"],
    "birth_date": ["'1984-09-14'"], "expected_years": ["84.5"],
    "match_method": ["'user_confirmed'", "'manual'"], "matched_on": [#"'["dates"]'"#],
    "goal_days.day_key": ["'2026-01-10'", "'2026-01-11'"], "goal_days.total": ["1.25", "2.25"],
    "goal_days.actions": ["1"],
  ]

  private static let meetings: [String: [String]] = [
    "sync_links.id": links, "sync_links.kind": ["'calendar'", "'tenweek'"],
    "meeting_rows.status": ["'confirmed'", "'tentative'"], "attendance_rows.role": ["'required'"],
    "attendance_rows.reply": ["'accepted'", "'declined'"],
    "attendance_rows.name": ["'Jana'", "'Priya'"],
    "event": [
      """
      '{"title":"Standup","dayKey":"2026-01-10","startAt":"2026-01-10T08:00:00Z",\
      "endAt":"2026-01-10T09:00:00Z","timeZone":"Europe/Berlin","isAllDay":false,\
      "location":"the office","description":null,"organizer":null,"status":"confirmed",\
      "tags":["work"],"invited":["jana@example.org"]}'
      """
    ],
    "link_id": [links[0]],
    "note_rows.text": ["'- [ ] Jana: send the slides'", "'- [x] Priya: book the room'"],
    "note_rows.plain_text": ["'Jana: send the slides'", "'Priya: book the room'"],
    "shown_day": ["'2026-01-10'", "'2026-01-11'"],
    "promise_rows.text": ["'send the slides'", "'book the room'"], "promise_rows.line": ["0"],
    "promise_rows.is_done": ["0", "1"], "owner": ["'Jana'", "'Priya'"],
    "owner_folded": ["'jana'", "'priya'"], "named": [#"'["Jana"]'"#, #"'["Priya"]'"#],
    "due": ["'2026-01-20'"], "followed_to": ["'2027-01-10'"],
  ]

  private static let programs: [String: [String]] = [
    "message_rows.role": ["'user'", "'assistant'"],
    "pending_acts.status": ["'done'", "'declined'"], "effects": ["'[]'"],
    "thread_id": [threads[0]], "thread_rows.id": threads,
    "change_id": [firstChange], "kept_answers.status": ["200"],
  ]
}
