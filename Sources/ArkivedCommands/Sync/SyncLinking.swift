import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The credentials for the server of a calendar or address book.
///
/// Secrets come from files or are asked for, never from arguments, which other users of the
/// computer can see and shells store in their history.
struct CredentialOptions: ParsableArguments {
  @Option(help: "The account’s user name. You’ll be asked for the password.") var user: String?
  @Option(help: "A file containing the password.", completion: .file()) var passwordFile: String?
  @Option(help: "A file containing a bearer token or an API key.", completion: .file())
  var tokenFile: String?

  func credentials() throws -> CalendarCredentials {
    if let tokenFile {
      guard user == nil, passwordFile == nil else {
        throw CommandFailure(
          .usage, said("--token-file can’t be combined with --user and --password-file."))
      }
      return .bearer(token: try Self.secret(in: tokenFile))
    }
    guard let user else {
      guard passwordFile == nil else {
        throw CommandFailure(.usage, said("--password-file needs --user."))
      }
      return .none
    }
    let password = try passwordFile.map(Self.secret) ?? Self.ask(said("Password for \(user): "))
    return .basic(user: user, password: password)
  }

  /// Returns the API key of a service, from a file or as typed.
  func apiKey(of service: LinkedService) throws -> String {
    guard user == nil, passwordFile == nil else {
      throw CommandFailure(
        .usage, said("\(service.name) needs an API key, not a user name and a password."))
    }
    return try tokenFile.map(Self.secret) ?? Self.ask(said("API key for \(service.name): "))
  }

  private static func secret(in path: String) throws -> String {
    let url = URL(fileURLWithPath: HomeFolder.expandingTilde(path))
    let handle: FileHandle
    do {
      handle = try FileHandle(forReadingFrom: url)
    } catch {
      throw CommandFailure(.noInput, said("Couldn’t read \(path)."))
    }
    let data = try handle.read(upToCount: 65_536) ?? Data()
    let line = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first
    guard let line, !line.isEmpty else {
      throw CommandFailure(.badInput, said("\(path) is empty."))
    }
    return String(line)
  }

  /// Asks at the terminal without displaying the typed text.
  private static func ask(_ question: String) throws -> String {
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure(
        .usage,
        said("Can’t ask for a password or key here. Use --password-file or --token-file."))
    }
    Output.write(Output.visible(question), to: STDERR_FILENO)
    var old = termios()
    guard tcgetattr(STDIN_FILENO, &old) == 0 else {
      throw CommandFailure(
        .failed,
        said("The terminal can’t hide what you type. Use --password-file or --token-file."))
    }
    var hidden = old
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &old)
      Output.write("\n", to: STDERR_FILENO)
    }
    guard let answer = try StandardInput.answer(), !answer.isEmpty else {
      throw CommandFailure(.refused, said("Nothing was entered, so nothing was linked."))
    }
    return answer
  }
}

/// The choices for a linked service.
struct LinkedServiceOptions: ParsableArguments {
  @Flag(help: "The address is an Immich server, whose photos are imported.") var immich = false
  @Flag(help: "The address is a Dawarich server, whose locations are imported.")
  var dawarich = false
  @Flag(help: "Immich: copy the original files instead of previews.") var originals = false
  @Option(
    help: """
      Immich: the location data to keep: keep (everything), names (only names of places) or none. \
      Default: names.
      """)
  var places: String?
  @Flag(
    name: .customLong("plain-http"),
    help: "Services: allow http:// on your own network, where others could read the key.")
  var plainHTTP = false

  /// The service; nil for any other place.
  func service() throws -> LinkedService? {
    switch (immich, dawarich) {
    case (true, true):
      throw CommandFailure(.usage, said("--immich and --dawarich can’t be combined."))
    case (true, false): return .immich
    case (false, true):
      guard !originals, places == nil else {
        throw CommandFailure(.usage, said("--originals and --places only work with --immich."))
      }
      return .dawarich
    case (false, false):
      guard !originals, places == nil, !plainHTTP else {
        throw CommandFailure(
          .usage,
          said("--originals, --places and --plain-http need --immich or --dawarich."))
      }
      return nil
    }
  }

  func order(_ service: LinkedService, at address: String, key: String) throws -> LinkedServiceOrder
  {
    var order = LinkedServiceOrder(service, address: address, key: key)
    order.takesOriginals = originals
    if let places { order.places = try PlaceChoice.read(places) }
    order.allowsPlainHTTP = plainHTTP
    return order
  }
}

struct SyncLinkPlace: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: """
      Link a calendar, an address book, an Immich or Dawarich server, or a Ten Week database. The \
      next sync imports its data.
      """)

  @Argument(help: "A file, a folder or an address.", completion: .file()) var place: String
  @Flag(help: "The address is a collection on a CalDAV server.") var caldav = false
  @Flag(help: "The address is an address book on a CardDAV server.") var carddav = false
  @Option(help: "Its display name.") var name: String?
  @Option(help: "Calendars: the number of past days to sync.") var back: Int?
  @Option(help: "Calendars: the number of days ahead to sync.") var ahead: Int?
  @Option(
    help: """
      Ten Week: the column names to use for missing tables, plain or uuid. Default: the database’s \
      own.
      """)
  var variant: TenWeekVariant?
  @OptionGroup var services: LinkedServiceOptions
  @OptionGroup var account: CredentialOptions
  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    if let service = try services.service() { return try await link(service, context) }
    for (option, days) in [("--back", back), ("--ahead", ahead)] {
      guard days.map({ (0...36_600).contains($0) }) ?? true else {
        throw CommandFailure(.usage, said("\(option) must be 0 to 36600 days."))
      }
    }
    guard !carddav || !caldav && variant == nil && back == nil && ahead == nil else {
      throw CommandFailure(
        .usage, said("--carddav can’t be combined with --caldav, --variant, --back or --ahead."))
    }
    let job = SyncJob(archive: try context.open(), homeZone: context.zone)
    if carddav {
      let link = try job.linkAddressBook(
        try AddressBookPlace(place), name: name, credentials: try account.credentials())
      return context.output.result(
        ["linked": link.json],
        lines: [said("Linked \(link.name). To import its contacts: `arkived sync`")])
    }
    let file = try PathArgument.url(place)
    if variant != nil || !caldav && Self.isDatabase(file) {
      let link = try job.link(file, variant: variant)
      return context.output.result(
        ["linked": link.json],
        lines: [said("Linked \(link.address). To sync changes both ways: `arkived sync`")])
    }
    let link = try job.linkCalendar(
      try CalendarPlace(place, isCalDAV: caldav), name: name,
      credentials: try account.credentials(), back: back, ahead: ahead)
    context.output.result(
      ["linked": link.json],
      lines: [said("Linked \(link.name). To import its events: `arkived sync`")])
  }

  private func link(_ service: LinkedService, _ context: Context) async throws {
    guard !caldav, !carddav, back == nil, ahead == nil, variant == nil else {
      throw CommandFailure(
        .usage,
        said(
          """
          --caldav, --carddav, --back, --ahead and --variant can’t be used with \(service.name).
          """))
    }
    // A mistyped address is noticed before the key is asked for.
    let address = try service.address(place)
    var order = try services.order(service, at: address, key: try account.apiKey(of: service))
    order.name = name
    let job = SyncJob(archive: try context.open(), homeZone: context.zone)
    let link = try await job.linkService(order)
    context.output.result(
      ["linked": link.json],
      lines: [said("Linked \(link.name). To import its data: `arkived sync`")])
  }

  private static func isDatabase(_ file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8)
  }
}

struct SyncDiscover: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discover",
    abstract: "List the calendars of a CalDAV account, or the address books of a CardDAV account.")

  @Argument(help: "The server’s address.") var address: String
  @Flag(help: "List address books instead of calendars.") var carddav = false
  @OptionGroup var account: CredentialOptions
  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    guard let url = URL(string: address), url.host?.isEmpty == false else {
      throw CommandFailure(
        .badInput, said("\(FieldError.shown(address)) isn’t a valid address."))
    }
    if carddav {
      let choices = try await CardDAVDiscovery(
        url: try AddressBookPlace(address).url, credentials: try account.credentials()
      ).addressBooks()
      return show(
        choices.map { Choice($0.url, $0.displayName, $0.description, $0.supportsSync) },
        as: "addressBooks", none: said("This account has no address books."), context.output)
    }
    let choices = try await CalDAVDiscovery(url: url, credentials: try account.credentials())
      .calendars()
    show(
      choices.map { Choice($0.url, $0.displayName, $0.description, $0.supportsSync) },
      as: "calendars", none: said("This account has no calendars with events."), context.output)
  }

  private struct Choice {
    let address: String
    let name: String
    let description: String?
    let supportsSync: Bool

    init(_ url: URL, _ name: String, _ description: String?, _ supportsSync: Bool) {
      (address, self.name) = (url.absoluteString, name)
      (self.description, self.supportsSync) = (description, supportsSync)
    }
  }

  private func show(_ choices: [Choice], as key: String, none: String, _ output: Output) {
    output.result(
      [
        key: .array(
          choices.map {
            [
              "address": .string($0.address), "name": .string($0.name),
              "description": JSON($0.description), "supportsSync": .bool($0.supportsSync),
            ]
          })
      ],
      lines: choices.map { "\(output.bold(EntryText.oneLine($0.name)))  \($0.address)" })
    if choices.isEmpty, !output.isJSON { output.say(none) }
  }
}

struct SyncUnlink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Remove a link. Imported data and the original are kept."
  )

  @Argument(help: "Its name or address. Not needed if only one is linked.")
  var place: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let links = try archive.syncLinks()
    let chosen = links.filter { link in
      guard let place else { return true }
      let path = URL(fileURLWithPath: HomeFolder.expandingTilde(place))
        .standardizedFileURL.path
      return [link.address, link.name].contains(place) || link.address == path
        || link.id.uuidString.hasPrefix(place.uppercased()) && place.count >= 4
    }
    guard let link = chosen.first else {
      throw CommandFailure(
        .noInput,
        place.map { said("\($0) isn’t linked. To see what is: `arkived sync status`") }
          ?? said("Nothing is linked."))
    }
    guard chosen.count == 1 else {
      throw CommandFailure(
        .usage,
        said("Several are linked. Choose one: \(chosen.map(\.name).joined(separator: ", "))"))
    }
    try SyncJob(archive: archive, homeZone: context.zone).unlink(link)
    context.output.result(
      ["unlinked": link.json], lines: [said("\(link.name) is no longer linked.")])
  }
}
