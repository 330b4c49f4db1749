import ArkivedCore
import ArkivedStore
import Foundation

/// A session that opens texts in the owner's editor and saves the results.
///
/// Text that can't be saved is kept.
struct EditingSession {
  let context: Context
  let archive: Archive
  /// True if `--yes` has already answered questions.
  var isConfirmed = false
  /// True to overwrite concurrent changes.
  var overwrites = false

  private var folder: DraftFolder { DraftFolder(archive.location) }
  private var output: Output { context.output }

  // MARK: Editing

  /// Edits the note for a day.
  func editNote(_ dayKey: DayKey) throws {
    let entry = try archive.day(dayKey).entry
    let note = entry?.note ?? ""
    try edit(
      Draft(
        name: newName(), purpose: .note, startedAt: context.clock.now,
        original: note.isEmpty || note.hasSuffix("\n") ? note : note + "\n", dayKey: dayKey,
        versions: entry.map { [$0.id: $0.updatedAt] } ?? [:]))
  }

  /// Edits entries as a single text.
  func edit(_ entries: [JournalEntry]) throws {
    try edit(
      Draft(
        name: newName(), purpose: .entries, startedAt: context.clock.now,
        original: EntrySheet.text(entries, ids: try archive.shortIDs(entries.map(\.id))),
        versions: Dictionary(entries.map { ($0.id, $0.updatedAt) }) { first, _ in first }))
  }

  /// Creates a new activity.
  ///
  /// - Parameter line: the text that was already typed.
  /// - Throws: an error if it can't be edited or saved.
  func addActivity(_ line: String) throws {
    try edit(
      Draft(
        name: newName(), purpose: .add, startedAt: context.clock.now,
        original: EntryTemplate.text(line)))
  }

  private func newName() -> String { Draft.newName(context) }

  private func edit(_ draft: Draft) throws {
    let editor = try ExternalEditor()
    for other in folder.unfinished() {
      output.say(said("You have an unsaved draft: \(other.title). To see it: `arkived drafts`"))
    }
    try edit(try folder.begin(draft), in: editor)
  }

  private func edit(_ open: OpenDraft, in editor: ExternalEditor) throws {
    let ending = try editor.edit(open.file)
    switch ending {
    case .done: try save(open)
    case .missing:
      try leave(
        open, .unavailable,
        said(
          """
          The editor “\(editor.name)” wasn’t found. Set a different one, for example with `export \
          EDITOR=nano`
          """
        )
      )
    case .failed(let code):
      try leave(open, .failed, said("The editor exited with code \(code). Nothing was saved."))
    case .killed(let signal):
      try leave(
        open, .failed, said("The editor was terminated by signal \(signal). Nothing was saved."))
    }
  }

  /// Ends without saving and keeps the typed text.
  private func leave(_ open: OpenDraft, _ status: ExitStatus, _ message: String) throws {
    if try open.isUntouched() {
      folder.finish(open)
      throw CommandFailure(status, message)
    }
    throw CommandFailure(status, message + kept(open))
  }

  private func kept(_ open: OpenDraft) -> String {
    folder.release(open)
    return " " + open.keptSentence
  }

  // MARK: Saving

  /// Resumes an unfinished draft, either in the editor or unchanged.
  func recover(_ open: OpenDraft, inEditor: Bool) throws {
    if inEditor {
      try edit(open, in: try ExternalEditor())
    } else {
      try save(open)
    }
  }

  private func save(_ open: OpenDraft) throws {
    guard try !open.isUntouched() else {
      let document = try nothing(open.draft)
      folder.finish(open)
      output.result(document, lines: [])
      output.say(said("The text is unchanged. Nothing was saved."))
      return
    }
    do {
      guard let text = try open.text() else {
        let document = try nothing(open.draft)
        folder.finish(open)
        output.result(document, lines: [])
        output.say(said("The file no longer exists. Nothing was saved."))
        return
      }
      switch open.draft.purpose {
      case .note: try saveNote(text, open.draft)
      case .entries: try saveEntries(text, open.draft)
      case .add where open.draft.isCaptured: try saveCaptured(text)
      case .add: try saveActivity(text)
      }
    } catch let problem as EntrySheet.Problem {
      throw CommandFailure(
        .badInput, said("Error in \(problem). Nothing was saved.") + kept(open))
    } catch {
      let failure = CommandFailure(error)
      throw CommandFailure(
        failure.status, saidAgain(failure.message) + advice(error) + kept(open))
    }
    folder.finish(open)
  }

  /// Returns the document about a text of which nothing was saved.
  private func nothing(_ draft: Draft) throws -> JSON {
    switch draft.purpose {
    case .note: return try draft.dayKey.map { try archive.day($0).json } ?? .null
    case .entries: return EditingSession.noChanges
    case .add: return EditingSession.noEntry
    }
  }

  static let noChanges: JSON = ["created": [], "updated": [], "deleted": []]
  static let noEntry: JSON = ["created": nil]

  private func advice(_ error: any Error) -> String {
    guard case ArchiveError.conflict = error else { return "" }
    return
      said(
        " With --overwrite, your text replaces the other version, which stays in the history.")
  }

  private func saveNote(_ text: String, _ draft: Draft) throws {
    guard let dayKey = draft.dayKey else {
      throw CommandFailure(.badInput, said("The draft doesn’t belong to a day."))
    }
    let lines = text.replacing("\r\n", with: "\n")
    let note = String(lines.reversed().drop { $0.isNewline }.reversed())
    let version: Instant?? = overwrites ? .none : .some(draft.versions.values.first)
    let saved = try archive.updateDay(dayKey, version: version) { $0.note = note }
    let day = try archive.day(dayKey)
    try output.result(day.json, lines: EntryText(context, archive).lines(day))
    output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }

  private func saveActivity(_ text: String) throws {
    guard let draft = try EntryTemplate(reading: text) else {
      output.result(EditingSession.noEntry, lines: [])
      output.say(said("Nothing was saved."))
      return
    }
    let (activity, reading) = try draft.activity(archive: archive, zone: context.zone)
    try EntryReport(context, archive).add(activity, reading)
  }

  /// Saves a captured text as `capture` would have: it may be several entries.
  private func saveCaptured(_ text: String) throws {
    guard !text.allSatisfy(\.isWhitespace) else {
      output.result(EditingSession.noEntry, lines: [])
      output.say(said("Nothing was saved."))
      return
    }
    try Capture.save(text, context, archive)
  }

  private func saveEntries(_ text: String, _ draft: Draft) throws {
    let opened = try EntrySheet(reading: draft.original)
    let edited = try EntrySheet(reading: text)
    let entries = try archive.entries(Array(draft.versions.keys)).map { ($0.id.uuidString, $0) }
    var byID: [String: JournalEntry] = [:]
    for id in opened.blocks.compactMap(\.id) {
      // The prefixes were unique when the sheet was created.
      byID[id] = entries.first { $0.0.hasPrefix(id) }?.1
    }
    var edits = try SheetChanges(from: opened, to: edited, entries: byID) { day in
      Activity(
        id: archive.identities.next(), dayKey: day, timeZone: context.zone.identifier, text: "",
        createdAt: context.clock.now, updatedAt: context.clock.now)
    }.edits
    if !overwrites { edits.versions = draft.versions }
    guard !edits.isEmpty else {
      output.result(EditingSession.noChanges, lines: [])
      output.say(said("Nothing changed."))
      return
    }
    try confirmDeletion(edits, byID)
    let advice = try TagAdvice(
      adding: (edits.added + edits.changed.compactMap(\.activity)).flatMap(\.tags), to: archive)
    let counts = [
      (edits.changed.count, "changed"), (edits.added.count, "added"),
      (edits.deleted.count, "deleted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let done = try archive.apply(edits, action: "edit", "Edited entries: \(counts)").value
    output.result(
      [
        "created": .array(done.added.map(\.json)), "updated": .array(done.changed.map(\.json)),
        "deleted": .array(done.deleted.map(\.json)),
      ], lines: [])
    let told = [
      (edits.changed.count, said("\(edits.changed.count) changed")),
      (edits.added.count, said("\(edits.added.count) added")),
      (edits.deleted.count, said("\(edits.deleted.count) deleted")),
    ].filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
    output.say(said("\(told). `arkived undo` reverts this."))
    advice.say(output)
  }

  private func confirmDeletion(
    _ edits: Archive.EntryEdits, _ entries: [String: JournalEntry]
  ) throws {
    guard !edits.deleted.isEmpty, !isConfirmed else { return }
    let gone = entries.values.filter { edits.deleted.contains($0.id) }
      .sorted { $0.dayKey < $1.dayKey }
    for line in try EntryText(context, archive).shortLines(Array(gone.prefix(5))) {
      output.say("  \(line)")
    }
    if gone.count > 5 { output.say(said("  … and \(gone.count - 5) more")) }
    try Confirmation.ask(
      said(
        gone.count, one: "This entry is no longer in the text. Delete it?",
        other: "These \(gone.count) entries are no longer in the text. Delete them?"),
      isGiven: isConfirmed, refusal: said("Nothing was saved."))
  }
}

extension JournalEntry {
  var activity: Activity? {
    if case .activity(let activity) = self { return activity }
    return nil
  }
}
