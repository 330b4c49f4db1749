import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The options that every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The archive's folder, or :memory: for one that is gone afterwards.",
      discussion: "Default: ARKIVED_HOME, else the platform's data folder.", valueName: "dir"))
  var archive: String?

  @Flag(name: .long, help: "Print one JSON document on standard output and nothing else there.")
  var json = false
}

/// What a command runs in: settings, clock, zone, and where its output goes.
struct Context {
  let location: ArchiveLocation
  let clock: any ArchiveClock
  let zone: Zone
  let output: Output

  init(
    _ options: GlobalOptions,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    output = Output(isJSON: options.json)
    clock = try Context.clock(environment)
    zone = try Context.zone(environment)
    location = Context.location(options.archive ?? environment["ARKIVED_HOME"], environment)
  }

  static func clock(_ environment: [String: String]) throws -> any ArchiveClock {
    guard let text = environment["ARKIVED_NOW"], !text.isEmpty else { return SystemClock() }
    guard let now = Instant(text) else {
      throw CommandFailure(
        .usage,
        "ARKIVED_NOW is “\(text)”; it must be an ISO 8601 instant such as 2026-03-14T09:30:00Z.")
    }
    return FixedClock(now)
  }

  static func zone(_ environment: [String: String]) throws -> Zone {
    guard let name = environment["ARKIVED_TIME_ZONE"], !name.isEmpty else { return .system }
    guard let zone = Zone(name) else {
      throw CommandFailure(
        .usage, "ARKIVED_TIME_ZONE is “\(name)”; it must be an IANA zone such as Europe/Rome.")
    }
    return zone
  }

  /// The folder of the archive: as named, else the platform's place for a program's data
  /// (XDG Base Directory Specification on Linux).
  static func location(_ named: String?, _ environment: [String: String]) -> ArchiveLocation {
    if named == ":memory:" { return .memory }
    if let named, !named.isEmpty {
      let path = (named as NSString).expandingTildeInPath
      return .folder(URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL)
    }
    let home = FileManager.default.homeDirectoryForCurrentUser
    #if os(macOS)
      let data = home.appendingPathComponent("Library/Application Support")
    #else
      let data =
        environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        ?? home.appendingPathComponent(".local/share")
    #endif
    return .folder(data.appendingPathComponent("arkived", isDirectory: true))
  }

  func open() throws -> Archive { try Archive(at: location, clock: clock) }

  var today: DayKey { zone.dayKey(at: clock.now) }

  /// The day that words name: a day key or any phrase that means one day.
  func day(_ words: [String]) throws -> DayKey {
    let phrase = words.joined(separator: " ").trimmingCharacters(in: .whitespaces)
    guard !phrase.isEmpty else { return today }
    if let day = DayKey(phrase) { return day }
    let matches = TimeReader(now: clock.now, zone: zone).matches(in: phrase)
    guard let match = matches.first, matches.count == 1, let start = match.start,
      match.text.count == phrase.count,
      (match.end ?? start).day <= start.day.advanced(by: 1)
    else {
      throw CommandFailure(
        .usage, "“\(phrase)” names no single day. Write it like 2026-03-14, yesterday or 14 march.")
    }
    return start.day
  }

  /// A filter's end: a day, an instant, or a phrase such as “last month”.
  func bound(_ text: String, isEnd: Bool) throws -> TimeBound {
    if let bound = TimeBound(text) { return bound }
    if let match = TimeReader(now: clock.now, zone: zone).matches(in: text).first {
      if !isEnd, let start = match.start { return .day(start.day) }
      if isEnd, let end = match.end {
        return .day(end.adding(seconds: -1).day)
      }
    }
    throw CommandFailure(
      .usage, "“\(text)” is no time. Write a day like 2026-03-14 or a phrase like “last month”.")
  }
}
