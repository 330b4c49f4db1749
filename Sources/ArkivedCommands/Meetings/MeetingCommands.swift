import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `meeting` command: meetings from calendars, and the owner's notes on them.
struct MeetingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meeting", abstract: "Your meetings: participants, purpose and outcomes.",
    discussion: """
      arkived meeting                                  today’s and upcoming meetings
      arkived meeting list --past --person Priya
      arkived meeting show next
      arkived meeting create Review tomorrow 10:00-11:00 @Priya
      arkived meeting edit next --purpose "Decide on the prototype"
      arkived meeting note next "- [ ] @Priya send the draft by Friday"

      Meetings come from linked calendars: arkived sync link. What you add to one is kept when its
      calendar changes.
      """,
    subcommands: [
      MeetingList.self, MeetingShow.self, MeetingCreate.self, MeetingEdit.self, MeetingNote.self,
      MeetingDelete.self,
    ], defaultSubcommand: MeetingList.self)
}

struct MeetingList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List meetings. Default: today’s and upcoming ones.")

  @Flag(help: "Only meetings before today, latest first.") var past = false
  @Option(help: "Only from this day on, or in this period.", completion: .days) var from: String?
  @Option(help: "Only up to this day.", completion: .days) var to: String?
  @Option(help: "Only with this person. Can be repeated.", completion: .people) var person:
    [String] = []
  @Flag(help: "Only meetings with others.") var withOthers = false
  @Option(help: "The maximum number to show.") var limit = 20
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var filter = MeetingFilter()
    filter.people = try person.map { try archive.person(named: $0).id }
    filter.isWithOthers = withOthers
    filter.limit = try ListLimit.checked(limit)
    if let from { filter.from = day(try context.bound(from, .start, option: "--from"), context) }
    if let from, to == nil, let end = try? context.bound(from, .end, option: "--from") {
      // A span has its own end.
      let last = day(end, context)
      if last > filter.from ?? .earliest { filter.to = last }
    }
    if let to { filter.to = day(try context.bound(to, .end, option: "--to"), context) }
    if past {
      filter.to = min(filter.to ?? .latest, context.today.advanced(by: -1))
    } else if from == nil, to == nil {
      filter.from = context.today
      filter.order = .oldest
    }
    // A meeting in progress belongs to today, whenever it began.
    if past || from == nil && to == nil {
      filter.now = archive.clock.now
    } else {
      filter.now = filter.from.map { context.zone.start(of: $0) }
    }
    let meetings = try archive.meetings(filter)
    let total = try archive.countMeetings(filter)
    let text = MeetingText(context)
    context.output.result(
      ["meetings": .array(meetings.map(\.json)), "total": JSON(total)],
      lines: meetings.map(text.line))
    if meetings.isEmpty, !context.output.isJSON {
      context.output.say(
        said(
          """
          No meetings found. Link a calendar with `arkived sync link`, or list past meetings with \
          `arkived meeting list --past`
          """
        )
      )
    }
  }

  private func day(_ bound: TimeBound, _ context: Context) -> DayKey {
    switch bound {
    case .day(let day): day
    case .instant(let instant): context.zone.dayKey(at: instant)
    }
  }
}

struct MeetingShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a meeting with its people and notes.")

  @Argument(help: "next, an ID, or a title or part of it.") var meeting: [String]
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let entry = try archive.meeting(named: meeting.joined(separator: " "), now: archive.clock.now)
    try MeetingReport(context, archive).tell(entry, as: "meeting")
  }
}

/// A meeting with its notes.
struct MeetingReport {
  let context: Context
  let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  func tell(_ entry: MeetingEntry, as key: String) throws {
    var filter = NoteFilter()
    filter.meeting = entry.id
    filter.limit = 200
    let notes = try archive.notes(filter)
    let links = try BacklinkText(context, archive, .entry(entry.id))
    context.output.result(
      [key: entry.json, "notes": .array(notes.map(\.json)), "backlinks": links.json],
      lines: MeetingText(context).lines(entry, notes: notes) + links.section)
  }
}

/// The attributes of a meeting.
struct MeetingFields: ParsableArguments {
  @Option(help: "The place.") var location: String?
  @Option(help: "The purpose.") var purpose: String?
  @Option(help: "The outcomes, in Markdown.") var outcomes: String?
  @Option(help: "A short summary of what was said.") var summary: String?
  @Option(help: "confirmed, tentative or cancelled.") var status: String?

  var isEmpty: Bool { [location, purpose, outcomes, summary, status].allSatisfy { $0 == nil } }

  func apply(to entry: inout MeetingEntry) throws {
    func set(_ field: WritableKeyPath<MeetingEntry, String?>, _ text: String?) {
      if let text { entry[keyPath: field] = text.isEmpty ? nil : text }
    }
    set(\.activity.locationLabel, location)
    set(\.meeting.purpose, purpose)
    set(\.meeting.outcomes, outcomes)
    set(\.meeting.summary, summary)
    if let status {
      guard ["confirmed", "tentative", "cancelled"].contains(status) else {
        throw FieldError(
          "--status",
          said("is \(FieldError.shown(status)), but must be confirmed, tentative or cancelled"))
      }
      entry.meeting.status = MeetingStatus(rawValue: status)
    }
  }
}

struct MeetingCreate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Add a meeting of your own, written as one line.",
    discussion: "The line is read as in arkived add: day, times, @people, #tags.")

  @Argument(help: "The line: Review tomorrow 10:00-11:00 @Priya") var words: [String]
  @OptionGroup var fields: MeetingFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let line = EntryLine(
      archive: archive, zone: context.zone, language: TerminalLanguage.typed)
    let reading = try line.understand(words.joined(separator: " "))
    var activity = line.activity(from: reading)
    if reading.kind == nil { activity.kind = .work }
    var entry = MeetingEntry.own(activity, id: archive.identities.next())
    try fields.apply(to: &entry)
    try MeetingReport(context, archive).tell(try archive.create(entry).value, as: "created")
  }
}

struct MeetingEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Add your own details to a meeting. Its calendar doesn’t overwrite them.",
    discussion: "An empty text clears a field: --summary \"\".")

  @Argument(help: "next, an ID, or a title or part of it.") var meeting: [String]
  @Option(help: "The title.") var title: String?
  @Option(help: "An additional participant: a name, or Name <address>. Can be repeated.")
  var with: [String] = []
  @Option(help: "A participant to remove. Can be repeated.", completion: .people)
  var without: [String] = []
  @OptionGroup var fields: MeetingFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard title != nil || !with.isEmpty || !without.isEmpty || !fields.isEmpty else {
      throw CommandFailure(
        .usage,
        said(
          """
          Specify what to change: --title, --with, --without, --location, --purpose, --outcomes, \
          --summary, --status.
          """))
    }
    let archive = try context.open()
    let old = try archive.meeting(named: meeting.joined(separator: " "), now: archive.clock.now)
    let removed = without.map { name in
      Removal(name: name, person: (try? archive.person(named: name))?.id)
    }
    let added = try with.map { try Self.attendee($0, archive) }
    let saved = try archive.updateMeeting(old.id) { entry in
      if let title { entry.activity.text = title }
      if !removed.isEmpty || !added.isEmpty {
        // A sync may have changed the list since the meeting was looked up.
        let known = entry.meeting.attendances
        entry.setAttendees(try Self.attendees(known, without: removed, with: added))
      }
      try fields.apply(to: &entry)
    }
    try MeetingReport(context, archive).tell(saved.value, as: "updated")
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }

  /// A participant to remove.
  struct Removal {
    var name: String
    /// The person of that name; nil if there is none, or more than one.
    var person: UUID?
  }

  /// Returns the new attendees.
  ///
  /// - Throws: `CommandFailure` if one to remove isn't among them, or could be one of several.
  static func attendees(
    _ known: [Attendance], without removed: [Removal], with added: [Attendance]
  ) throws -> [Attendance] {
    var attendees = known
    for one in removed {
      let name = one.name
      let wanted = NameFolding.loose(name)
      // Nobody is meant, least of all everybody without an address.
      guard !wanted.isEmpty else { throw FieldError("--without", said("is empty")) }
      let ofPerson = attendees.filter { $0.personID != nil && $0.personID == one.person }
      let called = attendees.filter {
        NameFolding.loose($0.name) == wanted || $0.address.map(NameFolding.loose) == wanted
      }
      // Whoever is listed under exactly this name is meant, not a person found by a part of it.
      let isOther = !called.isEmpty && !called.contains { ofPerson.contains($0) }
      let meant = ofPerson.isEmpty || isOther ? called : ofPerson
      guard !meant.isEmpty else {
        let names = attendees.map(\.name).joined(separator: ", ")
        throw CommandFailure(
          .badInput,
          names.isEmpty
            ? said("--without: The meeting has no participants.")
            : said(
              """
              --without: \(FieldError.shown(name)) isn’t a participant. Participants: \(names).
              """))
      }
      guard Set(meant.map { $0.personID?.uuidString ?? AttendeeLine.write($0) }).count == 1 else {
        let names = meant.map(tellingName).joined(separator: ", ")
        throw CommandFailure(
          .badInput,
          said(
            """
            --without: \(FieldError.shown(name)) matches several participants: \(names). Use the \
            address or the ID.
            """))
      }
      attendees.removeAll { meant.contains($0) }
    }
    return attendees + added
  }

  /// Returns the name that distinguishes an attendee from a namesake.
  private static func tellingName(_ attendance: Attendance) -> String {
    guard attendance.address == nil, let id = attendance.personID else {
      return AttendeeLine.write(attendance)
    }
    return "\(attendance.name) (\(id.uuidString.prefix(8)))"
  }

  /// Returns a typed attendee.
  private static func attendee(_ line: String, _ archive: Archive) throws -> Attendance {
    guard var one = AttendeeLine.read(line) else { throw FieldError("--with", said("is empty")) }
    if let mistake = AttendeeLine.mistake(in: one) { throw FieldError("--with", mistake) }
    one.reply = .accepted
    // The person is determined when it is saved, by address and then by name.
    return try archive.linking(one)
  }
}

struct MeetingNote: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note", abstract: "Add a note to a meeting.")

  @Argument(help: "next, an ID, or a title or part of it.") var meeting: String
  @OptionGroup var words: NoteWords
  @Option(help: "The note’s title.") var title: String?
  @OptionGroup var files: NoteFiles
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let (named, text) = try words.titleAndText()
    let attached = try files.found()
    let archive = try context.open()
    let entry = try archive.meeting(named: meeting, now: archive.clock.now)
    let now = archive.clock.now
    let kept = try attached.isEmpty ? nil : archive.keepFiles()
    defer { kept?.release() }
    let saved = try archive.create(
      ArkivedCore.Note(
        id: archive.identities.next(), title: title ?? named, text: text, meetingID: entry.id,
        attachments: try attached.map { try $0.store(in: archive) }, createdAt: now,
        updatedAt: now))
    context.output.result(
      ["created": saved.value.json], lines: MeetingText(context).lines(saved.value))
  }
}

struct MeetingDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a meeting with its notes. arkived undo brings it back."
  )

  @Argument(help: "An ID, or a title or part of it.") var meeting: [String]
  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let entry = try archive.meeting(named: meeting.joined(separator: " "), now: archive.clock.now)
    var filter = NoteFilter()
    filter.meeting = entry.id
    let count = try archive.countNotes(filter)
    let company =
      count == 0 ? "" : said(count, one: " with its note", other: " with its \(count) notes")
    let title = said("“\(EntryText.oneLine(entry.title))” (\(entry.activity.dayKey))")
    try Confirmation.ask(
      said("Delete meeting \(title)\(company)?"), isGiven: yes,
      refusal: said("Nothing was deleted."))
    let deleted = try archive.deleteMeeting(entry.id).value
    context.output.result(
      ["deleted": deleted.json, "notes": JSON(count)], lines: [said("Deleted \(title)\(company).")])
    context.output.say(said("`arkived undo` reverts this."))
  }
}
