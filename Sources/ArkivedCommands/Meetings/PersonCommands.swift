import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `person` command: the people you know.
struct PersonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "person", abstract: "People you know: names, addresses, how often you’ve met.",
    discussion: """
      arkived person                                   recently seen people
      arkived person show Priya
      arkived person create "Priya Nair" --email priya@example.org --alias PN
      arkived person edit Priya --relationship "leads the design team"
      arkived person merge "P. Nair" Priya             merges the first into the second
      arkived person duplicates                        people who may be the same person
      """,
    subcommands: [
      PersonList.self, PersonShow.self, PersonCreate.self, PersonEdit.self, PersonMerge.self,
      PersonDuplicates.self, PersonDelete.self,
    ], defaultSubcommand: PersonList.self)
}

struct PersonList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List people, most recently seen first.")

  @Argument(help: "Part of a name or an address.") var text: [String] = []
  @Flag(help: "Sort by name.") var byName = false
  @Flag(help: "Sort by number of meetings, highest first.") var byMeetings = false
  @Option(help: "The maximum number to show.") var limit = 30
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let people = try context.open().people(
      matching: text.joined(separator: " "),
      order: byName ? .name : byMeetings ? .meetings : .lastSeen, today: context.today,
      limit: ListLimit.checked(limit), hasFirst: context.output.isJSON)
    context.output.result(
      ["people": .array(people.map(\.json))], lines: people.map(MeetingText(context).line))
    if people.isEmpty, !context.output.isJSON { context.output.say(said("No people found.")) }
  }
}

struct PersonShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a person: when you met and what’s open between you.")

  @Argument(help: "A name, address or ID.", completion: .people) var person: [String]
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let person = try archive.person(named: person.joined(separator: " "))
    try PersonReport(context, archive).tell(person.id, as: "person")
  }
}

/// A person with meetings, promises and notes.
struct PersonReport {
  let context: Context
  let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  func tell(_ id: UUID, as key: String) throws {
    guard let summary = try archive.person(id, today: context.today) else {
      throw ArchiveError.notFound("No person with the ID \(id.uuidString).")
    }
    var meetings = MeetingFilter()
    meetings.people = [id]
    meetings.to = context.today
    meetings.limit = 10
    var promises = PromiseFilter()
    promises.people = [id]
    var notes = NoteFilter()
    notes.person = id
    notes.limit = 10
    let (met, open, named) = (
      try archive.meetings(meetings), try archive.promises(promises), try archive.notes(notes)
    )
    let links = try BacklinkText(context, archive, .person(id))
    let text = MeetingText(context)
    func section(_ title: String, _ lines: [String]) -> [String] {
      lines.isEmpty ? [] : ["", context.output.bold(title)] + lines.map { "  \($0)" }
    }
    context.output.result(
      [
        key: summary.json, "meetings": .array(met.map(\.json)),
        "promises": .array(open.map(\.json)), "notes": .array(named.map(\.json)),
        "backlinks": links.json,
      ],
      lines: text.lines(summary) + section(said("Open promises"), open.map(text.line))
        + section(said("Meetings"), met.map(text.line))
        + section(said("Notes"), named.map(text.line)) + links.section)
  }
}

/// The attributes of a person.
struct PersonFields: ParsableArguments {
  @Option(help: "The main address.") var email: String?
  @Option(help: "Another address. Can be repeated.") var address: [String] = []
  @Option(help: "Another name. Can be repeated.") var alias: [String] = []
  @Option(help: "Your relationship to them.") var relationship: String?

  var isEmpty: Bool { email == nil && address.isEmpty && alias.isEmpty && relationship == nil }

  func apply(to person: inout Person) {
    if let email { person.email = email.isEmpty ? nil : email }
    if !address.isEmpty { person.furtherAddresses = address.filter { !$0.isEmpty } }
    if !alias.isEmpty { person.aliases = alias.filter { !$0.isEmpty } }
    if let relationship { person.relationshipSummary = relationship.isEmpty ? nil : relationship }
  }
}

struct PersonCreate: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "create", abstract: "Add a person.")

  @Argument(help: "The name.") var name: [String]
  @OptionGroup var fields: PersonFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let now = archive.clock.now
    var person = Person(
      id: archive.identities.next(), name: name.joined(separator: " "), createdAt: now,
      updatedAt: now)
    fields.apply(to: &person)
    let saved = try archive.create(person).value
    try PersonReport(context, archive).tell(saved.id, as: "created")
  }
}

struct PersonEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a person’s details. Lists are replaced, and an empty text clears a field.")

  @Argument(help: "A name, address or ID.", completion: .people) var person: [String]
  @Option(help: "The name.") var name: String?
  @OptionGroup var fields: PersonFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard name != nil || !fields.isEmpty else {
      throw CommandFailure(
        .usage, said("Specify what to change: --name, --email, --address, --alias, --relationship.")
      )
    }
    let archive = try context.open()
    let old = try archive.person(named: person.joined(separator: " "))
    let saved = try archive.updatePerson(old.id) { person in
      if let name { person.name = name.isEmpty ? nil : name }
      fields.apply(to: &person)
    }
    try PersonReport(context, archive).tell(saved.value.id, as: "updated")
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }
}

struct PersonMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge two people. arkived undo separates them again.")

  @Argument(help: "The person to merge into the other.", completion: .people) var person: String
  @Argument(help: "The person to keep.", completion: .people) var into: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let gone = try archive.person(named: person)
    let kept = try archive.person(named: into)
    let saved = try archive.merge(gone.id, into: kept.id).value
    try PersonReport(context, archive).tell(saved.id, as: "merged")
    context.output.say(said("Merged. `arkived undo` separates them again."))
  }
}

struct PersonDuplicates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List people who may be the same person.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let proposals = try archive.personMergeProposals(today: context.today)
    let people = Dictionary(
      try archive.people(Array(Set(proposals.flatMap { [$0.kept, $0.merged] }))).map {
        ($0.id, $0)
      },
      uniquingKeysWith: { first, _ in first })
    context.output.result(
      [
        "duplicates": .array(
          proposals.map {
            [
              "kept": people[$0.kept]?.json ?? .null, "merged": people[$0.merged]?.json ?? .null,
              "reason": .string($0.reason),
            ]
          })
      ],
      lines: proposals.map { proposal in
        "\(EntryText.oneLine(saidAgain(proposal.reason)))  arkived person merge "
          + "\(proposal.merged.uuidString.prefix(8)) \(proposal.kept.uuidString.prefix(8))"
      })
    if proposals.isEmpty, !context.output.isJSON {
      context.output.say(said("No possible duplicates found."))
    }
  }
}

struct PersonDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a person. Entries keep the name. arkived undo brings the person back.")

  @Argument(help: "A name, address or ID.", completion: .people) var person: [String]
  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let person = try archive.person(named: person.joined(separator: " "))
    let name = EntryText.oneLine(person.displayName)
    try Confirmation.ask(
      said("Delete \(name)?"), isGiven: yes, refusal: said("The person wasn’t deleted."))
    let deleted = try archive.deletePerson(person.id).value
    context.output.result(["deleted": deleted.json], lines: [said("Deleted \(name).")])
    context.output.say(said("`arkived undo` reverts this."))
  }
}
