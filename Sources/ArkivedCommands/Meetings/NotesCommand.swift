import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `notes` command: notes that are independent or belong to a meeting.
struct NotesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes",
    abstract: "Manage standalone notes. For the note of a day, use arkived note.",
    discussion: """
      arkived notes                                   recently changed notes
      arkived notes add "Ideas for the garden" --title Garden --tag home
      arkived notes show Garden
      arkived notes edit Garden --text - < garden.md
      arkived notes edit Garden --attach plan.pdf

      A checkbox is a promise: “- [ ] @Priya send the draft by Friday”. See arkived promises.
      """,
    subcommands: [
      NotesList.self, NotesAdd.self, NotesShow.self, NotesEdit.self, NotesDelete.self,
    ], defaultSubcommand: NotesList.self)
}

struct NotesList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List notes, most recently changed first.")

  @Flag(help: "Only notes that don’t belong to a meeting.") var free = false
  @Option(help: "Only with this tag.", completion: .tags) var tag: String?
  @Option(help: "Only notes that mention this person.", completion: .people) var person: String?
  @Option(help: "The maximum number to show.") var limit = 20
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var filter = NoteFilter()
    filter.isFree = free
    filter.tag = tag
    filter.person = try person.map { try archive.person(named: $0).id }
    filter.limit = try ListLimit.checked(limit)
    let notes = try archive.notes(filter)
    let text = MeetingText(context)
    let total = try archive.countNotes(filter)
    context.output.result(
      ["notes": .array(notes.map(\.json)), "total": JSON(total)],
      lines: notes.map(text.line))
    if notes.isEmpty, !context.output.isJSON {
      context.output.say(said("No notes found. To add one: `arkived notes add TEXT`"))
    }
  }
}

/// Files to attach to a note.
struct NoteFiles: ParsableArguments {
  @Option(
    name: .long, help: "Attach a file to the note. Can be repeated.", completion: .file())
  var attach: [String] = []

  /// Validates the files.
  ///
  /// - Throws: `CommandFailure` before anything is written if a path isn't a file.
  func found() throws -> [AttachableFile] { try attach.map(AttachableFile.init(path:)) }
}

/// The text of a new note: words, standard input, or a template to fill in.
struct NoteWords: ParsableArguments {
  @Argument(
    help:
      "The note, in Markdown. Use - to read it from standard input. Words before the - become the title."
  )
  var words: [String] = []
  @Option(
    help: "Start with a template: agenda, one-to-one or retrospective.",
    completion: .list(NoteTemplate.allCases.map(\.rawValue)))
  var template: String?

  /// Returns the text, with a title if words precede the - of standard input.
  func titleAndText() throws -> (title: String?, text: String) {
    guard words.count > 1, words.last == "-", template == nil else { return (nil, try text()) }
    return (words.dropLast().joined(separator: " "), try StandardInput.text())
  }

  func text() throws -> String {
    var text = words == ["-"] ? try StandardInput.text() : words.joined(separator: " ")
    guard let template else {
      guard !words.isEmpty else {
        throw CommandFailure(.usage, said("Write the note, or choose a --template."))
      }
      return text
    }
    guard let form = NoteTemplate(rawValue: template) else {
      let names = NoteTemplate.allCases.map(\.rawValue).joined(separator: ", ")
      throw FieldError(
        "--template", said("is \(FieldError.shown(template)), but must be one of: \(names)"))
    }
    if !text.isEmpty { text += "\n\n" }
    return text + form.text
  }
}

struct NotesAdd: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a note.")

  @OptionGroup var words: NoteWords
  @Option(help: "The title.") var title: String?
  @Option(help: "The day it’s about.", completion: .days) var day: String?
  @Option(help: "The meeting it belongs to: next, a title or an ID.") var meeting: String?
  @Option(help: "A tag. Can be repeated.", completion: .tags) var tag: [String] = []
  @OptionGroup var files: NoteFiles
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let (named, text) = try words.titleAndText()
    let attached = try files.found()
    let day = try day.map { try context.day([$0]) }
    let archive = try context.open()
    let now = archive.clock.now
    let owner = try meeting.map { try archive.meeting(named: $0, now: now).id }
    let kept = try attached.isEmpty ? nil : archive.keepFiles()
    defer { kept?.release() }
    let saved = try archive.create(
      ArkivedCore.Note(
        id: archive.identities.next(), title: title ?? named, text: text, meetingID: owner,
        dayKey: day, tags: Tag.names(tag),
        attachments: try attached.map { try $0.store(in: archive) }, createdAt: now,
        updatedAt: now))
    context.output.result(
      ["created": saved.value.json], lines: MeetingText(context).lines(saved.value))
  }
}

struct NotesShow: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a note.")

  @Argument(help: "An ID, or a title or part of it.") var note: [String]
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let note = try archive.note(named: note.joined(separator: " "))
    let links = try BacklinkText(context, archive, .note(note.id))
    context.output.result(
      ["note": note.json, "backlinks": links.json],
      lines: MeetingText(context).lines(note) + links.section)
  }
}

struct NotesEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a note. The earlier version stays in the history.")

  @Argument(help: "An ID, or a title or part of it.") var note: [String]
  @Option(help: "The title. An empty value removes it.") var title: String?
  @Option(help: "The whole text, in Markdown. Use - to read it from standard input.") var text:
    String?
  @Option(help: "A paragraph to add.") var append: String?
  @Option(help: "The day it’s about, or none.", completion: .days) var day: String?
  @Option(help: "A tag, replacing the existing ones. Can be repeated.", completion: .tags)
  var tag: [String] = []
  @OptionGroup var files: NoteFiles
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let attached = try files.found()
    let changes = title != nil || text != nil || append != nil || day != nil || !tag.isEmpty
    guard changes || !attached.isEmpty else {
      throw CommandFailure(
        .usage, said("Specify what to change: --title, --text, --append, --day, --tag, --attach."))
    }
    let whole = text == "-" ? try StandardInput.text() : text
    let about: DayKey?? = try day.map { $0 == "none" ? nil : try context.day([$0]) }
    let archive = try context.open()
    let old = try archive.note(named: note.joined(separator: " "))
    let kept = try attached.isEmpty ? nil : archive.keepFiles()
    defer { kept?.release() }
    let attachments = try attached.map { try $0.store(in: archive) }
    let saved = try archive.updateNote(old.id) { note in
      note.attachments += attachments
      if let title { note.title = title.isEmpty ? nil : title }
      if let whole { note.text = whole }
      if let append, !append.isEmpty {
        note.text += note.text.isEmpty ? append : "\n\n\(append)"
      }
      if let about { note.dayKey = about }
      if !tag.isEmpty { note.tags = Tag.names(tag).filter { !$0.isEmpty } }
    }
    context.output.result(
      ["updated": saved.value.json], lines: MeetingText(context).lines(saved.value))
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }
}

struct NotesDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a note. arkived undo brings it back.")

  @Argument(help: "An ID, or a title or part of it.") var note: [String]
  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let note = try archive.note(named: note.joined(separator: " "))
    let title = said("“\(EntryText.oneLine(note.headline))”")
    try Confirmation.ask(
      said("Delete note \(title)?"), isGiven: yes, refusal: said("Nothing was deleted."))
    let deleted = try archive.deleteNote(note.id).value
    context.output.result(["deleted": deleted.json], lines: [said("Deleted \(title).")])
    context.output.say(said("`arkived undo` reverts this."))
  }
}

/// The `promises` command: the checkboxes in notes.
struct PromisesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promises", abstract: "Promises in your notes, by you and by others.",
    discussion: """
      arkived promises                     all open promises, earliest due first
      arkived promises --mine
      arkived promises --person Priya      hers, and yours to her
      arkived promises done 3F2A91B0:4     checks off line 4 of that note
      arkived promises let-go --overdue 60 gives up what is long overdue
      """,
    subcommands: [
      PromisesList.self, PromisesDone.self, PromisesOpen.self, PromisesLetGo.self,
    ],
    defaultSubcommand: PromisesList.self)
}

struct PromisesList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List promises. Default: open ones only.")

  @Flag(help: "Only your own.") var mine = false
  @Option(help: "Only promises by or to this person.", completion: .people) var person: String?
  @Flag(help: "Include completed ones.") var all = false
  @Option(help: "The maximum number to show.") var limit = 200
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var filter = PromiseFilter()
    filter.limit = try ListLimit.checked(limit)
    if mine { filter.owner = .me }
    if let person { filter.people = [try archive.person(named: person).id] }
    filter.includesDone = all
    let (promises, total) = try archive.promisePage(filter)
    let text = MeetingText(context)
    context.output.result(
      ["promises": .array(promises.map(\.json)), "total": JSON(total)],
      lines: promises.map(text.line))
    if context.output.isJSON { return }
    if total == 0 {
      context.output.say(said("No open promises."))
    } else if promises.count < total {
      context.output.say(
        said("\(promises.count) of \(total) shown. Use --limit \(total) to show all."))
    }
  }
}

struct PromisesDone: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Check off a promise in its note.")

  @Argument(help: "The promise as listed: NOTE:LINE.") var promise: String
  @OptionGroup var options: GlobalOptions

  func run() throws { try PromiseTick(options).set(promise, isDone: true) }
}

struct PromisesOpen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Uncheck a promise.")

  @Argument(help: "The promise as listed: NOTE:LINE.") var promise: String
  @OptionGroup var options: GlobalOptions

  func run() throws { try PromiseTick(options).set(promise, isDone: false) }
}

/// A change that ticks checkboxes.
struct PromiseTick {
  private let options: GlobalOptions

  init(_ options: GlobalOptions) { self.options = options }

  func set(_ text: String, isDone: Bool) throws {
    let context = try Context(options)
    let parts = text.split(separator: ":")
    guard parts.count == 2, let line = Int(parts[1]) else {
      throw CommandFailure(
        .usage,
        said("“\(text)” isn’t a valid promise. Write it as listed, such as 3F2A91B0:4."))
    }
    let archive = try context.open()
    let note = try archive.note(named: String(parts[0]))
    let saved = try archive.setPromise(line: line, ofNote: note.id, isDone: isDone)
    context.output.result(
      ["updated": saved.value.json], lines: MeetingText(context).lines(saved.value))
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }
}
