package import ArkivedCore

/// The instructions for anyone who opens a backup in twenty years.
package enum BackupGuide {
  package static func text(madeAt: Instant, program: String) -> String {
    """
    A life, as it was kept with Arkived
    ===================================

    This is a backup of one person's private archive, made on \(madeAt) by Arkived \(program).
    You need no Arkived to read it: everything is text, or a file as it was.

    manifest.json     what this backup holds: each file with its size in bytes and its SHA-256.
    NN-TYPE.jsonl     the entries, one JSON object a line, in UTF-8. "type" says what a line is.
                      To read them into a database or a spreadsheet, take them line by line.
    attachments/      photos, sounds and other files, named after the SHA-256 of their content.
                      A line names its file as "relativePath".
    settings.json     how the owner wanted things shown; safe to ignore.

    Times are in UTC ("2026-03-14T09:30:00Z"); "timeZone" is where something happened, and "dayKey"
    is the day as the calendar there had it. "id" names an entry for ever; other lines point to it
    ("activityId", "goalId", "meetingId").

      person       people, with their names and addresses
      tag          labels of entries
      day          a day's note, title, mood and energy (1 to 5)
      activity     what was done: "text", when, where, with whom ("people"), "tags", "measurements"
      metric       a number that a device gave for a day, such as steps
      goal, value, term, lifetime            what was aimed at, and why
      contribution, alignment, assignment    which activity counts towards which goal, and so on
      meeting      the meeting behind an activity: who came, what it was for, what came of it
      note         free notes, in Markdown
      attachment   whose file one of those in attachments/ is
      thread, message   conversations with the assistant
      history      older versions of entries, as they were before a change ("record")
      tombstone    what was deleted, so that an import leaves it deleted
      interchange  rows of other programs' databases, kept as they came

    If you have Arkived: arkived restore FILE. A later version reads this one.
    If the file you have ends in .zip.age, it is encrypted: install "age" (age-encryption.org),
    then: age -d -o life.zip FILE.zip.age (it asks for the passphrase; for a key add -i KEYFILE),
    then: unzip life.zip
    The age format is public (C2SP age specification) and small; another program can be written.

    """
  }
}
