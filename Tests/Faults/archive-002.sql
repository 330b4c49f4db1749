-- An archive as written by the program whose last schema step was 002-search-words.
-- It never changes: every later program has to bring it up to date.
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE changes (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  action TEXT NOT NULL,
  summary TEXT NOT NULL,
  undone_by INTEGER REFERENCES changes (pk)
) STRICT;
CREATE TABLE history (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  change_pk INTEGER REFERENCES changes (pk),
  made_pk INTEGER REFERENCES changes (pk),
  touched_pk INTEGER REFERENCES changes (pk),
  source_table TEXT NOT NULL,
  source_id TEXT NOT NULL CHECK (length(source_id) = 36),
  record TEXT NOT NULL CHECK (json_valid(record)),
  reason TEXT NOT NULL,
  archived_at INTEGER NOT NULL,
  archived_by TEXT NOT NULL
) STRICT;
CREATE INDEX history_of_entity ON history (source_id);
CREATE INDEX history_of_change ON history (change_pk);
CREATE TABLE days (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  day_key TEXT NOT NULL UNIQUE
    CHECK (day_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  title TEXT,
  note TEXT NOT NULL DEFAULT '',
  mood INTEGER CHECK (mood BETWEEN 1 AND 5),
  energy INTEGER CHECK (energy BETWEEN 1 AND 5),
  weather TEXT CHECK (weather IS NULL OR json_valid(weather)),
  change_pk INTEGER NOT NULL REFERENCES changes (pk),
  changed_pk INTEGER NOT NULL REFERENCES changes (pk),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX days_of_change ON days (change_pk);
CREATE TABLE activities (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  day_key TEXT NOT NULL
    CHECK (day_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  start_at INTEGER,
  end_at INTEGER CHECK (start_at IS NULL OR end_at IS NULL OR end_at >= start_at),
  time_zone TEXT NOT NULL CHECK (length(time_zone) > 0),
  kind TEXT NOT NULL CHECK (length(kind) > 0),
  text TEXT NOT NULL CHECK (length(text) > 0),
  description TEXT,
  notes TEXT,
  source TEXT NOT NULL CHECK (length(source) > 0),
  is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
  location_label TEXT,
  lat REAL CHECK (lat BETWEEN -90 AND 90),
  lon REAL CHECK (lon BETWEEN -180 AND 180),
  duration_minutes REAL CHECK (duration_minutes >= 0 AND duration_minutes < 9e999),
  weather TEXT CHECK (weather IS NULL OR json_valid(weather)),
  typed_text TEXT,
  change_pk INTEGER NOT NULL REFERENCES changes (pk),
  changed_pk INTEGER NOT NULL REFERENCES changes (pk),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((lat IS NULL) = (lon IS NULL))
) STRICT;
CREATE INDEX activities_of_day ON activities (day_key, start_at);
CREATE INDEX activities_of_change ON activities (change_pk);
CREATE TABLE measurements (
  activity_pk INTEGER NOT NULL REFERENCES activities (pk) ON DELETE CASCADE,
  unit TEXT NOT NULL CHECK (length(unit) > 0),
  amount REAL NOT NULL CHECK (amount >= 0 AND amount < 9e999),
  PRIMARY KEY (activity_pk, unit)
) STRICT, WITHOUT ROWID;
CREATE TABLE day_metrics (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  day_key TEXT NOT NULL
    CHECK (day_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  metric TEXT NOT NULL CHECK (length(metric) > 0),
  unit TEXT NOT NULL,
  value REAL NOT NULL CHECK (abs(value) < 9e999),
  minimum REAL CHECK (abs(minimum) < 9e999),
  maximum REAL CHECK (abs(maximum) < 9e999),
  source TEXT NOT NULL,
  change_pk INTEGER NOT NULL REFERENCES changes (pk),
  changed_pk INTEGER NOT NULL REFERENCES changes (pk),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (day_key, metric, source)
) STRICT;
CREATE INDEX day_metrics_of_change ON day_metrics (change_pk);
CREATE TABLE persons (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  name TEXT,
  relationship_summary TEXT,
  change_pk INTEGER NOT NULL REFERENCES changes (pk),
  changed_pk INTEGER NOT NULL REFERENCES changes (pk),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX persons_of_change ON persons (change_pk);
CREATE TABLE person_names (
  person_pk INTEGER NOT NULL REFERENCES persons (pk) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('name', 'alias', 'email', 'address')),
  position INTEGER NOT NULL,
  value TEXT NOT NULL,
  folded TEXT NOT NULL,
  PRIMARY KEY (person_pk, role, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_names_folded ON person_names (folded);
CREATE UNIQUE INDEX person_addresses_once ON person_names (folded)
  WHERE role IN ('email', 'address');
CREATE TABLE mentions (
  pk INTEGER PRIMARY KEY,
  activity_pk INTEGER REFERENCES activities (pk) ON DELETE CASCADE,
  day_pk INTEGER REFERENCES days (pk) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  person_pk INTEGER REFERENCES persons (pk) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  CHECK ((activity_pk IS NOT NULL) + (day_pk IS NOT NULL) = 1)
) STRICT;
CREATE INDEX mentions_in_activity ON mentions (activity_pk) WHERE activity_pk IS NOT NULL;
CREATE INDEX mentions_in_day ON mentions (day_pk) WHERE day_pk IS NOT NULL;
CREATE INDEX mentions_of_person ON mentions (person_pk) WHERE person_pk IS NOT NULL;
CREATE TABLE tags (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  name TEXT NOT NULL CHECK (length(name) > 0),
  folded TEXT NOT NULL UNIQUE,
  color_hex TEXT,
  change_pk INTEGER NOT NULL REFERENCES changes (pk),
  changed_pk INTEGER NOT NULL REFERENCES changes (pk),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tags_of_change ON tags (change_pk);
CREATE TABLE activity_tags (
  activity_pk INTEGER NOT NULL REFERENCES activities (pk) ON DELETE CASCADE,
  tag_pk INTEGER NOT NULL REFERENCES tags (pk) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (activity_pk, tag_pk)
) STRICT, WITHOUT ROWID;
CREATE INDEX activity_tags_of_tag ON activity_tags (tag_pk);
CREATE TABLE attachments (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  activity_pk INTEGER REFERENCES activities (pk) ON DELETE CASCADE,
  day_pk INTEGER REFERENCES days (pk) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (length(type) > 0),
  caption TEXT,
  relative_path TEXT,
  external_url TEXT,
  content_hash TEXT,
  byte_count INTEGER CHECK (byte_count >= 0),
  media_type TEXT,
  original_name TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((activity_pk IS NOT NULL) + (day_pk IS NOT NULL) = 1),
  CHECK (relative_path IS NOT NULL OR external_url IS NOT NULL)
) STRICT;
CREATE INDEX attachments_of_activity ON attachments (activity_pk)
  WHERE activity_pk IS NOT NULL;
CREATE INDEX attachments_of_day ON attachments (day_pk) WHERE day_pk IS NOT NULL;
CREATE INDEX attachments_by_content ON attachments (content_hash);
CREATE TABLE external_refs (
  pk INTEGER PRIMARY KEY,
  activity_pk INTEGER REFERENCES activities (pk) ON DELETE CASCADE,
  day_pk INTEGER REFERENCES days (pk) ON DELETE CASCADE,
  person_pk INTEGER REFERENCES persons (pk) ON DELETE CASCADE,
  provider TEXT NOT NULL CHECK (length(provider) > 0),
  external_id TEXT NOT NULL CHECK (length(external_id) > 0),
  fetched_at INTEGER NOT NULL,
  content_hash TEXT,
  change_pk INTEGER REFERENCES changes (pk),
  UNIQUE (provider, external_id),
  CHECK ((activity_pk IS NOT NULL) + (day_pk IS NOT NULL) + (person_pk IS NOT NULL) = 1)
) STRICT;
CREATE INDEX external_refs_of_activity ON external_refs (activity_pk)
  WHERE activity_pk IS NOT NULL;
CREATE INDEX external_refs_of_day ON external_refs (day_pk) WHERE day_pk IS NOT NULL;
CREATE INDEX external_refs_of_person ON external_refs (person_pk)
  WHERE person_pk IS NOT NULL;
CREATE TABLE tombstones (
  pk INTEGER PRIMARY KEY,
  source_table TEXT NOT NULL,
  source_id TEXT NOT NULL,
  provider TEXT,
  external_id TEXT,
  deleted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_of_entity ON tombstones (source_id);
CREATE INDEX tombstones_of_reference ON tombstones (provider, external_id)
  WHERE provider IS NOT NULL;
CREATE TABLE import_runs (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  change_pk INTEGER NOT NULL REFERENCES changes (pk),
  format TEXT NOT NULL,
  source TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER NOT NULL,
  created TEXT NOT NULL CHECK (json_valid(created)),
  updated INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  warnings TEXT NOT NULL CHECK (json_valid(warnings))
) STRICT;
CREATE TABLE web_sessions (
  token_hash TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE idempotency_keys (
  key TEXT PRIMARY KEY,
  request_hash TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  change_id TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE search_words USING fts5 (
  title, body, names, day_key UNINDEXED,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
PRAGMA foreign_keys = OFF;
BEGIN;
INSERT INTO grdb_migrations (identifier)
  VALUES ('001-journal');
INSERT INTO grdb_migrations (identifier)
  VALUES ('002-search-words');
INSERT INTO changes (pk, id, at, author, action, summary, undone_by)
  VALUES (1, '0733E6F2-94D3-47F7-942D-5FCB4061B628', 1768420800000, 'owner', 'add', 'Added “swam 1 km with Jana”', NULL);
INSERT INTO changes (pk, id, at, author, action, summary, undone_by)
  VALUES (2, '66BC5B37-D960-4CFD-867B-5258112D6BAC', 1768420800000, 'owner', 'add', 'Added “lunch with Sam at Joe''s”', NULL);
INSERT INTO changes (pk, id, at, author, action, summary, undone_by)
  VALUES (3, 'A4D8F1C5-3C21-4A4F-9CD9-1E96A4BCBB8A', 1768420800000, 'owner', 'add', 'Added “wrote the report”', NULL);
INSERT INTO changes (pk, id, at, author, action, summary, undone_by)
  VALUES (4, 'A6B2E15A-951B-4F60-B785-9A51058F6B73', 1768420800000, 'owner', 'note', 'Wrote the day 2026-01-14', NULL);
INSERT INTO changes (pk, id, at, author, action, summary, undone_by)
  VALUES (5, '4F92E17A-FFCD-4F3D-9ECA-5579AC53B818', 1768420800000, 'owner', 'add', 'Added “dentist”', NULL);
INSERT INTO changes (pk, id, at, author, action, summary, undone_by)
  VALUES (6, '7B442CAD-9750-4EB6-80C7-BDCDA3F5BF86', 1768420800000, 'owner', 'delete', 'Deleted “dentist”', NULL);
INSERT INTO changes (pk, id, at, author, action, summary, undone_by)
  VALUES (7, '2BCD870F-F4AD-498F-980F-084A1889838B', 1768420800000, 'owner', 'edit', 'Changed “wrote the report”', NULL);
INSERT INTO changes (pk, id, at, author, action, summary, undone_by)
  VALUES (8, '7AB09480-A627-45B6-8A3A-D6D514D9F0FA', 1768420800000, 'import', 'import', 'Imported x.jsonl', NULL);
INSERT INTO history (pk, id, change_pk, made_pk, touched_pk, source_table, source_id, record, reason, archived_at, archived_by)
  VALUES (1, '6EAE1EDB-A159-4850-BC04-8EEAAF8DC1F7', 6, 5, 5, 'activities', '0DA3F7CC-0267-4847-96DA-5AAF39C0C189', '{"id":"0DA3F7CC-0267-4847-96DA-5AAF39C0C189","dayKey":"2025-03-03","startAt":null,"endAt":null,"timeZone":"Europe/Berlin","kind":"other","text":"dentist","description":null,"notes":null,"source":"manual","isPinned":false,"locationLabel":null,"lat":null,"lon":null,"measurements":{},"durationMinutes":null,"tags":[],"people":[],"attachments":[],"externalRefs":[],"createdAt":"2026-01-14T20:00:00Z","updatedAt":"2026-01-14T20:00:00Z","mentions":[],"weather":null,"typedText":"on 3 march: dentist"}', 'delete', 1768420800000, 'owner');
INSERT INTO history (pk, id, change_pk, made_pk, touched_pk, source_table, source_id, record, reason, archived_at, archived_by)
  VALUES (2, '50D02A95-6FFA-4DA8-BE42-FF64CC98D21C', 7, 3, 3, 'activities', 'C1C12F51-0188-4BEF-A827-82A5C08E20A8', '{"id":"C1C12F51-0188-4BEF-A827-82A5C08E20A8","dayKey":"2026-01-13","startAt":"2026-01-13T08:00:00Z","endAt":"2026-01-13T09:30:00Z","timeZone":"Europe/Berlin","kind":"work","text":"wrote the report","description":null,"notes":null,"source":"manual","isPinned":false,"locationLabel":null,"lat":null,"lon":null,"measurements":{},"durationMinutes":90,"tags":[],"people":[],"attachments":[],"externalRefs":[],"createdAt":"2026-01-14T20:00:00Z","updatedAt":"2026-01-14T20:00:00Z","mentions":[],"weather":null,"typedText":"yesterday at 9am: wrote the report for 90 min (work)"}', 'update', 1768420800000, 'owner');
INSERT INTO days (pk, id, day_key, title, note, mood, energy, weather, change_pk, changed_pk, created_at, updated_at)
  VALUES (1, 'F6CF389F-D7D9-4519-BE45-89DBC9A69F30', '2026-01-14', NULL, 'Rain all day. Jana called.', 3, NULL, NULL, 4, 4, 1768420800000, 1768420800000);
INSERT INTO activities (pk, id, day_key, start_at, end_at, time_zone, kind, text, description, notes, source, is_pinned, location_label, lat, lon, duration_minutes, weather, typed_text, change_pk, changed_pk, created_at, updated_at)
  VALUES (1, 'BF397993-D9D3-4627-9488-2683FB30B4B5', '2026-01-14', 1768370400000, 1768372800000, 'Europe/Berlin', 'other', 'swam 1 km with Jana', NULL, NULL, 'manual', 0, NULL, NULL, NULL, NULL, NULL, 'swam 1 km with @Jana 07:00-07:40 #sport', 1, 1, 1768420800000, 1768420800000);
INSERT INTO activities (pk, id, day_key, start_at, end_at, time_zone, kind, text, description, notes, source, is_pinned, location_label, lat, lon, duration_minutes, weather, typed_text, change_pk, changed_pk, created_at, updated_at)
  VALUES (2, 'CBE56F1E-96AE-431D-B36B-D5C9F55D6CEA', '2026-01-14', 1768390200000, 1768392900000, 'Europe/Berlin', 'other', 'lunch with Sam at Joe''s', NULL, NULL, 'manual', 0, 'Joe''s', NULL, NULL, NULL, NULL, 'lunch with @Sam at Joe''s 12:30-13:15 #friends', 2, 2, 1768420800000, 1768420800000);
INSERT INTO activities (pk, id, day_key, start_at, end_at, time_zone, kind, text, description, notes, source, is_pinned, location_label, lat, lon, duration_minutes, weather, typed_text, change_pk, changed_pk, created_at, updated_at)
  VALUES (3, 'C1C12F51-0188-4BEF-A827-82A5C08E20A8', '2026-01-13', 1768291200000, 1768296600000, 'Europe/Berlin', 'work', 'wrote half of the report', NULL, NULL, 'manual', 0, NULL, NULL, NULL, 90.0, NULL, 'yesterday at 9am: wrote the report for 90 min (work)', 3, 7, 1768420800000, 1768420800001);
INSERT INTO activities (pk, id, day_key, start_at, end_at, time_zone, kind, text, description, notes, source, is_pinned, location_label, lat, lon, duration_minutes, weather, typed_text, change_pk, changed_pk, created_at, updated_at)
  VALUES (4, '69C5FB9A-F75F-4D44-8E49-4802EEAF3280', '2026-01-02', NULL, NULL, 'Europe/Berlin', 'other', 'from elsewhere', NULL, NULL, 'manual', 0, NULL, NULL, NULL, NULL, NULL, NULL, 8, 8, 1768420800000, 1768420800000);
INSERT INTO measurements (activity_pk, unit, amount)
  VALUES (1, 'km', 1.0);
INSERT INTO day_metrics (pk, id, day_key, metric, unit, value, minimum, maximum, source, change_pk, changed_pk, created_at, updated_at)
  VALUES (1, 'B60DB941-7680-4A19-829E-A1310FA8407F', '2026-01-02', 'steps', 'count', 8123.0, NULL, NULL, 'manual', 8, 8, 1768420800000, 1768420800000);
INSERT INTO persons (pk, id, name, relationship_summary, change_pk, changed_pk, created_at, updated_at)
  VALUES (1, '1987164B-3E9B-4760-AE39-3ED20D9E0DAC', 'Jana', NULL, 1, 1, 1768420800000, 1768420800000);
INSERT INTO persons (pk, id, name, relationship_summary, change_pk, changed_pk, created_at, updated_at)
  VALUES (2, '74E35CA5-1D7D-42DA-B98E-8BF30B493FF0', 'Sam', NULL, 2, 2, 1768420800000, 1768420800000);
INSERT INTO person_names (person_pk, role, position, value, folded)
  VALUES (1, 'name', 0, 'Jana', 'jana');
INSERT INTO person_names (person_pk, role, position, value, folded)
  VALUES (2, 'name', 0, 'Sam', 'sam');
INSERT INTO mentions (pk, activity_pk, day_pk, position, name, folded, person_pk, created_at)
  VALUES (1, 1, NULL, 0, 'Jana', 'jana', 1, 1768420800000);
INSERT INTO mentions (pk, activity_pk, day_pk, position, name, folded, person_pk, created_at)
  VALUES (2, 2, NULL, 0, 'Sam', 'sam', 2, 1768420800000);
INSERT INTO mentions (pk, activity_pk, day_pk, position, name, folded, person_pk, created_at)
  VALUES (3, NULL, 1, 0, 'Jana', 'jana', 1, 1768420800000);
INSERT INTO tags (pk, id, name, folded, color_hex, change_pk, changed_pk, created_at, updated_at)
  VALUES (1, '795B65F6-786F-409B-82CA-357E1E8F2C4F', 'sport', 'sport', NULL, 1, 1, 1768420800000, 1768420800000);
INSERT INTO tags (pk, id, name, folded, color_hex, change_pk, changed_pk, created_at, updated_at)
  VALUES (2, '03A9BB1D-5C38-4A57-ACA3-7066ECDDF96B', 'friends', 'friends', NULL, 2, 2, 1768420800000, 1768420800000);
INSERT INTO activity_tags (activity_pk, tag_pk, position, created_at)
  VALUES (1, 1, 0, 1768420800000);
INSERT INTO activity_tags (activity_pk, tag_pk, position, created_at)
  VALUES (2, 2, 0, 1768420800000);
INSERT INTO external_refs (pk, activity_pk, day_pk, person_pk, provider, external_id, fetched_at, content_hash, change_pk)
  VALUES (1, 4, NULL, NULL, 'other', 'e1', 1768420800000, '8b379835362f4665f947073de34e82bb0d85651ad7c185d30578801ea9ec08fe', 8);
INSERT INTO tombstones (pk, source_table, source_id, provider, external_id, deleted_at)
  VALUES (1, 'activities', '0DA3F7CC-0267-4847-96DA-5AAF39C0C189', NULL, NULL, 1768420800000);
INSERT INTO import_runs (pk, id, change_pk, format, source, started_at, finished_at, created, updated, unchanged, skipped, warnings)
  VALUES (1, '339FA1CD-59DA-49A8-AA25-EA471F739FC7', 8, 'jsonl', 'life.jsonl', 1768420800000, 1768420800000, '{"activity":1,"metric":1}', 0, 0, 0, '[]');
INSERT INTO search_words (rowid, title, body, names, day_key)
  VALUES (8, 'swam 1 km with Jana', '', 'sport
Jana', '2026-01-14');
INSERT INTO search_words (rowid, title, body, names, day_key)
  VALUES (9, '', 'Rain all day. Jana called.', 'Jana', '2026-01-14');
INSERT INTO search_words (rowid, title, body, names, day_key)
  VALUES (16, 'lunch with Sam at Joe''s', 'Joe''s', 'friends
Sam', '2026-01-14');
INSERT INTO search_words (rowid, title, body, names, day_key)
  VALUES (24, 'wrote half of the report', '', '', '2026-01-13');
INSERT INTO search_words (rowid, title, body, names, day_key)
  VALUES (32, 'from elsewhere', '', '', '2026-01-02');
COMMIT;
