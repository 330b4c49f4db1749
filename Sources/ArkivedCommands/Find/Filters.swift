import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The conditions on entries: the same options wherever entries are searched for.
struct Filters: ParsableArguments {
  @Option(help: "Entries from this time: yesterday, “last week”, 2026-03-14, “since easter”.")
  var on: String?

  @Option(help: "The first day or time, or a phrase such as “last month”.")
  var from: String?

  @Option(help: "The last day or time, or a phrase such as “last month”.")
  var to: String?

  /// `Habits` adds today if no day follows.
  @Option(
    name: .customLong("on-this-day"),
    help: ArgumentHelp(
      "Entries from this date in past years. Default: today.",
      valueName: "day"))
  var onThisDay: String?

  @Option(
    help: "Entries with this tag, or with any of several: food,drink. Repeat to require all.",
    completion: .tags)
  var tag: [String] = []

  @Option(
    name: .customLong("not-tag"),
    help: "Entries without this tag. If you list several, entries with none of them: food,drink.",
    completion: .tags)
  var notTag: [String] = []

  @Option(
    help: "Entries of this kind, or any of several: health,social.",
    completion: .list(ActivityKind.known.map(\.rawValue)))
  var kind: [String] = []

  @Option(
    help: "Entries from this source: manual, calendarImport, …",
    completion: .list(ActivitySource.known.map(\.rawValue)))
  var source: String?

  @Option(help: "Entries that mention this person. Can be repeated.", completion: .people)
  var person: [String] = []

  @Flag(name: [.customLong("pinned"), .customLong("starred")], help: "Pinned entries.")
  var pinned = false

  @Option(
    help: "Entries that contain this text, ignoring case, even inside words. Can be repeated.")
  var contains: [String] = []

  @Option(
    name: .customShort("n"),
    help: ArgumentHelp(
      "The number of newest entries to return, listed oldest first. -10 is short for -n 10.",
      valueName: "count"))
  var newest: Int?

  @Option(help: "The maximum number to return, in the order of --sort.")
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "best, newest or oldest. Default: best with words, otherwise newest.",
      valueName: "order"))
  var sort: EntrySort?

  /// The maximum length of a piece of text used as a filter.
  private static let pieceLimit = 1_000

  /// Returns the search request.
  ///
  /// - Throws: `CommandFailure` for an invalid filter.
  func request(_ query: String, _ context: Context) throws -> SearchRequest {
    try checkCounts()
    var request = SearchRequest(query: query)
    request.homeZone = context.zone
    if let on {
      guard from == nil, to == nil else {
        throw CommandFailure(.usage, said("--on already sets both ends. Remove --from and --to."))
      }
      let span = try context.span(on, option: "--on")
      request.from = span.from
      request.to = span.to
    }
    if let from { request.from = try context.bound(from, .start, option: "--from") }
    if let to { request.to = try context.bound(to, .end, option: "--to") }
    if case .day(let first) = request.from, case .day(let last) = request.to, last < first {
      context.output.say(
        said("Nothing can match: the end \(last) is before the start \(first)."))
    }
    if let onThisDay {
      request.anniversary = Anniversary(
        of: onThisDay == "today" ? context.today : try context.day([onThisDay]),
        before: context.today)
    }
    for text in tag {
      let names = Filters.names(text)
      if names.count == 1 { request.tags += names } else { request.tagGroups.append(names) }
    }
    request.excludedTags = notTag.flatMap(Filters.names)
    request.kinds = kind.flatMap { $0.split(separator: ",") }.map {
      ActivityKind(rawValue: $0.trimmingCharacters(in: .whitespaces))
    }
    request.source = source.map(ActivitySource.init(rawValue:))
    request.people = person.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
    request.isPinned = pinned
    request.pieces = contains.filter { !$0.isEmpty }
    if let piece = request.pieces.first(where: { $0.count > Filters.pieceLimit }) {
      throw CommandFailure(
        .usage,
        said(
          "--contains has \(piece.count) characters, but can have at most \(Filters.pieceLimit)."
        ))
    }
    return request
  }

  /// Splits tags separated by commas; a tag whose own name contains a comma is matched as well.
  private static func names(_ text: String) -> [String] {
    let parts = text.split(separator: ",").map { TagArgument.bare($0) }.filter { !$0.isEmpty }
    return parts.count > 1 ? [TagArgument.bare(text)] + parts : [TagArgument.bare(text)]
  }

  /// Checks that every given filter and every word has a value.
  ///
  /// Without its value, a filter would let an action change or delete more than intended, for example
  /// if a script's variable is unset.
  ///
  /// - Parameter words: the words to look for.
  /// - Throws: `CommandFailure` (usage) that names the option.
  func checkValues(words: [String] = []) throws {
    func isBlank(_ text: String) -> Bool {
      text.allSatisfy { $0.isWhitespace || ",#@".contains($0) }
    }
    let options: [(name: String, isEmpty: Bool)] = [
      ("--tag", tag.contains(where: isBlank)), ("--not-tag", notTag.contains(where: isBlank)),
      ("--kind", kind.contains(where: isBlank)), ("--source", source.map(isBlank) ?? false),
      ("--person", person.contains(where: isBlank)),
      ("--contains", contains.contains(where: \.isEmpty)),
    ]
    if let option = options.first(where: { $0.isEmpty }) {
      throw CommandFailure(.usage, said("\(option.name) is empty. Enter a value, or remove it."))
    }
    if words.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw CommandFailure(.usage, said("A search word is empty. Enter it, or remove it."))
    }
  }

  private func checkCounts() throws {
    guard newest == nil || limit == nil && sort == nil else {
      throw CommandFailure(.usage, said("-n already takes the newest. Remove --limit and --sort."))
    }
    for (name, value) in [("--limit", limit), ("-n", newest)] {
      if let value, value < 0 { throw CommandFailure(.usage, said("\(name) can’t be negative.")) }
    }
  }

  var isEmpty: Bool {
    on == nil && from == nil && to == nil && onThisDay == nil && tag.isEmpty && notTag.isEmpty
      && kind.isEmpty && source == nil && person.isEmpty && !pinned && contains.isEmpty
  }
}

/// The order of entries.
enum EntrySort: String, CaseIterable, ExpressibleByArgument {
  case best, newest, oldest
}

/// Parsing of tags in options.
enum TagArgument {
  /// Returns the name without the sign that tags have in a typed line.
  static func bare(_ name: some StringProtocol) -> String {
    let trimmed = name.trimmingCharacters(in: .whitespaces)
    return trimmed.hasPrefix("#") ? String(trimmed.dropFirst()) : trimmed
  }

  /// Returns the tags of a repeated option, each of which may contain several separated by commas.
  static func list(_ texts: [String]) -> [String] {
    texts.flatMap { $0.split(separator: ",") }.map { bare($0) }.filter { !$0.isEmpty }
  }
}
