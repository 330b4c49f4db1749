"""Does to a Ten Week database what the older relative's Python does, by the same statements.

Usage: relative.py FILE COMMAND [ARGUMENT…]
  look                    reads everything, matches actions with goals and terms with both; prints JSON
  save TABLE UUID TITLE   changes a row as it saves one, or adds it where it isn't found
  add-goal UUID TITLE [TERM]  adds an ordinary goal, and commits to it in a term
  delete TABLE UUID       keeps the row in the archive, and deletes it
  say PROMPT RESPONSE [SESSION]  keeps a question and its answer, in a session of its own without one
  correct UUID RESPONSE   gives a question another answer
  age COUNT               keeps COUNT old versions of a goal and a twentieth as many conversations; every fifth version is
                          of a goal that was deleted

It asks for rows by `str(UUID)`, which is in small letters, reads times by `datetime.fromisoformat`, and compares them
with each other: times that name an offset can't be compared with times that name none.
"""

import datetime
import json
import sqlite3
import sys
import uuid

NOW = datetime.datetime(2026, 3, 14, 21, 30, 0, 250000)
KEY = "uuid_id"
TALK = "conversation_history"
TIMES = {
    "actions": ("log_time", "start_time"),
    "goals": ("log_time", "start_date", "target_date"),
    "personal_values": ("log_time",),
    "terms": ("start_date", "target_date", "created_at", "updated_at"),
}


def rows(database, table):
    found = [dict(row) for row in database.execute(f"SELECT * FROM {table}")]
    for row in found:
        row[KEY] = uuid.UUID(row[KEY])
        for name in TIMES[table]:
            row[name] = row[name] and datetime.datetime.fromisoformat(row[name])
    return found


def key_of(table):
    return "id" if table == TALK else KEY


def spelled(table, key):
    """Its Swift keeps conversations, and writes UUIDs in capitals."""
    return str(uuid.UUID(key)).upper() if table == TALK else str(uuid.UUID(key))


def find(database, table, key):
    row = database.execute(
        f"SELECT * FROM {table} WHERE {key_of(table)} = ?", (spelled(table, key),)
    ).fetchone()
    return row and dict(row)


def keep_old(database, table, row, reason):
    """Leaves it to the table to name the old version and to date it."""
    database.execute(
        "INSERT INTO archive (source_table, source_id, record_data, reason, notes)"
        " VALUES (?, ?, ?, ?, ?)",
        (table, row[key_of(table)], json.dumps(row), reason, ""),
    )


def insert(database, table, row):
    """Gives every column a value, as it does."""
    names = [column[1] for column in database.execute(f"PRAGMA table_info({table})")]
    marks = ", ".join("?" * len(names))
    database.execute(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
        [row.get(name) for name in names],
    )


def look(database):
    actions, goals = rows(database, "actions"), rows(database, "goals")
    values, terms = rows(database, "personal_values"), rows(database, "terms")
    matches = [
        (action["title"], goal["title"])
        for action in actions
        for goal in goals
        if goal["start_date"] and goal["start_date"] <= action["log_time"] <= goal["target_date"]
        for unit in json.loads(action["measurement_units_by_amount"] or "{}")
        if goal["measurement_unit"] == unit
    ]
    listed = []
    for term in terms:
        committed = database.execute(
            f"SELECT goals.title FROM term_goal_assignments JOIN goals ON goal_uuid = goals.{KEY}"
            " WHERE term_uuid = ? ORDER BY assignment_order",
            (str(term[KEY]),),
        )
        listed.append({
            "title": term["title"],
            "isActive": term["start_date"] <= NOW <= term["target_date"],
            "goals": [title for (title,) in committed],
            "overlapping": [
                goal["title"] for goal in goals
                if goal["start_date"] and goal["start_date"] <= term["target_date"]
                and goal["target_date"] >= term["start_date"]
            ],
            "actions": [
                action["title"] for action in actions
                if term["start_date"] <= action["log_time"] <= term["target_date"]
            ],
        })
    return {
        "actions": len(actions), "goals": len(goals), "values": len(values), "terms": listed,
        "matches": sorted(matches),
        "archive": database.execute("SELECT count(*) FROM archive").fetchone()[0],
        "talk": talk(database),
    }


def talk(database):
    """What was said, by session, in the order in which it lists a session."""
    sessions = {}
    for row in database.execute(f"SELECT * FROM {TALK} ORDER BY session_id, created_at, rowid"):
        uuid.UUID(row["id"])
        datetime.datetime.fromisoformat(row["created_at"])
        sessions.setdefault(str(row["session_id"]), []).append([row["prompt"], row["response"]])
    return sessions


def say(database, prompt, response, session=None):
    last = database.execute(f"SELECT MAX(session_id) FROM {TALK}").fetchone()[0] or 0
    key = str(uuid.uuid4()).upper()
    database.execute(
        f"INSERT INTO {TALK} (id, session_id, prompt, response, created_at) VALUES (?, ?, ?, ?, ?)",
        (key, int(session or last + 1), prompt, response, "2026-03-14 20:30:00.250"),
    )
    return {"said": key}


def correct(database, key, response):
    keep_old(database, TALK, find(database, TALK, key), "update")
    database.execute(
        f"UPDATE {TALK} SET response = ? WHERE id = ?", (response, spelled(TALK, key))
    )
    return {"corrected": key}


def save(database, table, key, title):
    row = find(database, table, key)
    if row is None:
        insert(database, table, {KEY: key, "title": title, "log_time": NOW.isoformat()})
        return {"saved": "added"}
    keep_old(database, table, row, "update")
    database.execute(
        f"UPDATE {table} SET title = ? WHERE {KEY} = ?", (title, str(uuid.UUID(key)))
    )
    return {"saved": "changed"}


def add_goal(database, key, title, term=None):
    insert(database, "goals", {
        KEY: key, "title": title, "log_time": NOW.isoformat(), "goal_type": "Goal",
        "measurement_target": 0.0,
    })
    if term:
        insert(database, "term_goal_assignments", {
            "term_uuid": term, "goal_uuid": key, "assignment_order": 7,
        })
    return {"added": key}


def delete(database, table, key):
    row = find(database, table, key)
    keep_old(database, table, row, "delete")
    gone = database.execute(
        f"DELETE FROM {table} WHERE {key_of(table)} = ?", (spelled(table, key),)
    )
    return {"deleted": gone.rowcount}


def age(database, count):
    goal = database.execute(f"SELECT {KEY} FROM goals").fetchone()[0]
    count = int(count)
    database.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO archive (id, source_table, source_id, record_data, reason, archived_at)
        SELECT printf('%08X-8888-4888-8888-%012X', i * 2654435761 % 4294967296, i), 'goals', source,
          json_object('uuid_id', source, 'title', 'Run ' || i, 'log_time', '2025-10-01'),
          iif(i % 5, 'update', 'delete'), '2025-10-03 10:00:00'
        FROM (SELECT i, iif(i % 5, ?2, printf('22222222-2222-4222-8222-%012X', i)) AS source FROM n)
        """, (count, goal))
    database.execute(
        f"""
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO {TALK} (id, session_id, prompt, response, created_at)
        SELECT printf('%08X-9999-4999-8999-%012X', i * 2654435761 % 4294967296, i), 1 + i / 100,
          'Question ' || i, 'Answer ' || i, '2025-10-12 10:00:00.000' FROM n
        """, (count // 20,))
    return {"aged": count}


def main(file, command, *arguments):
    database = sqlite3.connect(f"file:{file}?mode=rw", uri=True)
    database.row_factory = sqlite3.Row
    commands = {"look": look, "save": save, "add-goal": add_goal, "delete": delete,
                "say": say, "correct": correct, "age": age}
    with database:
        answer = commands[command](database, *arguments)
    database.close()
    print(json.dumps(answer))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
