import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The options of all commands.
struct GlobalOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The archive’s folder, or :memory: for a temporary archive.",
      discussion: "Default: ARKIVED_HOME, otherwise the platform’s data folder.", valueName: "dir"))
  var archive: String?

  @Flag(name: .long, help: "Print one JSON document to standard output, and nothing else.")
  var json = false
}

/// The format of a result that consists of entries.
struct FormatOption: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: "text, short (one line each), markdown, json, jsonl or csv.")
  var chosen: OutputFormat?
}

extension OutputFormat: ExpressibleByArgument {}

/// The environment of a command: settings, clock, zone, and output.
struct Context {
  let location: ArchiveLocation
  let clock: any ArchiveClock
  let zone: Zone
  let zoneSource: HomeZone.Source
  let output: Output

  init(
    _ options: GlobalOptions, _ format: FormatOption? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    if options.json, let other = format?.chosen, other != .json {
      throw CommandFailure(
        .usage, said("Use either --json or --format \(other.rawValue)."))
    }
    try Context.checkArchive(options.archive)
    output = Output(options.json ? .json : format?.chosen ?? .text)
    clock = try Context.clock(environment)
    location = Context.location(options.archive ?? environment["ARKIVED_HOME"], environment)
    (zone, zoneSource) = try Context.homeZone(environment, of: location)
  }

  /// Formats a time in the home time zone: "2026-03-14 21:00".
  func timeText(_ instant: Instant) -> String {
    let time = zone.wallTime(at: instant)
    return "\(time.day) \(time.clockText)"
  }

  static func clock(_ environment: [String: String]) throws -> any ArchiveClock {
    guard let text = environment["ARKIVED_NOW"], !text.isEmpty else { return SystemClock() }
    guard let now = Instant(text) else {
      throw CommandFailure(
        .usage,
        "ARKIVED_NOW is “\(text)”, but must be an ISO 8601 date and time such as "
          + "2026-03-14T09:30:00Z.")
    }
    return FixedClock(now)
  }

  /// Returns the zone of the environment, otherwise the one that the owner chose for the archive,
  /// otherwise the computer's.
  private static func homeZone(
    _ environment: [String: String], of location: ArchiveLocation
  ) throws -> (Zone, HomeZone.Source) {
    let zone = try Context.zone(environment)
    guard environment["ARKIVED_TIME_ZONE"]?.isEmpty ?? true else { return (zone, .environment) }
    guard case .folder(let folder) = location, let chosen = try HomeZone.chosen(in: folder) else {
      return (zone, .computer)
    }
    return (chosen, .choice)
  }

  static func zone(_ environment: [String: String]) throws -> Zone {
    guard let name = environment["ARKIVED_TIME_ZONE"], !name.isEmpty else { return .system }
    guard let zone = Zone(name) else {
      throw CommandFailure(
        .usage, "ARKIVED_TIME_ZONE is “\(name)”, but must be an IANA time zone such as Europe/Rome."
      )
    }
    return zone
  }

  /// Throws `CommandFailure` (usage) for an archive named by an empty text.
  ///
  /// A script's unset variable must not choose the archive of the person who runs it.
  static func checkArchive(_ named: String?) throws {
    guard let named, named.allSatisfy(\.isWhitespace) else { return }
    throw CommandFailure(.usage, said("--archive is empty. Enter the archive’s folder."))
  }

  /// Returns the folder of the archive: the named one, otherwise the platform's standard location
  /// for a program's data (XDG Base Directory Specification on Linux).
  static func location(_ named: String?, _ environment: [String: String]) -> ArchiveLocation {
    if named == ":memory:" { return .memory }
    if let named, !named.isEmpty {
      let path = HomeFolder.expandingTilde(named, environment)
      return .folder(URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL)
    }
    let home = HomeFolder.url(environment)
    #if os(macOS)
      let data = home.appendingPathComponent("Library/Application Support")
    #else
      let data =
        environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        ?? home.appendingPathComponent(".local/share")
    #endif
    return .folder(data.appendingPathComponent("arkived", isDirectory: true))
  }

  /// Opens the archive.
  ///
  /// - Parameter writes: true if a write is certain to follow.
  /// - Returns: the archive.
  /// - Throws: `ArchiveError` if it can't be opened.
  func open(toWrite writes: Bool = false) throws -> Archive {
    try Archive(at: location, clock: clock, writes: writes)
  }

  var today: DayKey { zone.dayKey(at: clock.now) }

  /// Returns the day that words refer to: a day key or any phrase for a single day; today without
  /// words.
  ///
  /// - Throws: `CommandFailure` (usage) if the words aren't a day. An empty text isn't one, because a
  ///   script's unset variable must not choose today.
  func day(_ words: [String]) throws -> DayKey {
    guard !words.isEmpty else { return today }
    let phrase = words.joined(separator: " ").trimmingCharacters(in: .whitespaces)
    return try Context.day(phrase, now: clock.now, zone: zone)
  }

  static func day(_ phrase: String, now: Instant, zone: Zone) throws -> DayKey {
    switch TimeBound(phrase) {
    case .day(let day): return day
    case .instant(let instant): return zone.dayKey(at: instant)
    case nil: break
    }
    let matches = TimeReader(now: now, zone: zone, language: TerminalLanguage.typed).matches(
      in: phrase)
    guard let match = matches.first, matches.count == 1, let start = match.start,
      match.text.count == phrase.count,
      (match.end ?? start).day <= start.day.advanced(by: 1)
    else {
      throw CommandFailure(
        .usage,
        said(
          "“\(phrase)” isn’t a single day. Use a date such as 2026-03-14, yesterday or 14 March."))
    }
    return start.day
  }

  /// Parses a bound of a filter: a day, an instant, or a phrase such as “last month”.
  func bound(_ text: String, _ side: TimePhrase.Side, option: String) throws -> TimeBound {
    do {
      return try reader.bound(text, side)
    } catch {
      throw CommandFailure(.usage, "\(option): \(error).")
    }
  }

  /// Parses the phrase of a filter as a span of time.
  func span(_ text: String, option: String) throws -> TimePhrase {
    do {
      return try reader.phrase(text)
    } catch {
      throw CommandFailure(.usage, "\(option): \(error).")
    }
  }

  private var reader: TimeReader {
    TimeReader(now: clock.now, zone: zone, language: TerminalLanguage.typed)
  }
}
