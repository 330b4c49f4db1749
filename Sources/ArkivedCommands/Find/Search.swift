import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation

/// The `search` command: finds entries by words and attributes, and applies actions to them.
struct Search: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find entries by words and filters, and change all of them at once.",
    discussion: """
      arkived search castle
      arkived search '"half marathon" -injury' --from 2018-01-01 --to 2018-12-31
      arkived search soup --person Priya --kind social
      arkived search 'soup #food from:march person:"Alex Doe" -rain'
      arkived search -10                          the newest ten
      arkived search --on yesterday --edit        in your editor
      arkived search --tag draft --delete         asks first; arkived undo brings them back
      arkived search --from "last year" --to march --format markdown

      "two words" is a phrase, -word excludes, word* finds longer words, *part* finds inside words. \
      You can also put filters among the words: tag:work, #work, -tag:work, tag:food,drink, \
      person:"Alex Doe", @alex, kind:health, source:manual, from:march, to:2019, on:yesterday, \
      before:2017, after:easter, is:pinned. If no name matches exactly, the start of one is enough, \
      except before an action. Questions work too. Filters without words list every matching entry, \
      newest first. All filters must match. A day in a filter includes that whole day; an exact end \
      time isn’t included.

      You can combine any filter with any action. An action applies to every entry that contains all \
      the words, not only to those shown on screen. -n and --limit narrow it. Its changes count as \
      one, which arkived undo reverts. You can leave out “search” before an option: arkived -10, \
      arkived --on yesterday.
      """)

  @Argument(help: "The words to look for.") var query: [String] = []

  @OptionGroup(title: "Filters") var filters: Filters
  @OptionGroup(title: "Actions") var actions: SearchActions

  @Option(help: "hybrid, words or meaning.") var mode: SearchMode = .hybrid

  @OptionGroup var format: FormatOption
  @OptionGroup var options: GlobalOptions

  /// The number of results shown if they are ranked by words, or if nothing narrows them.
  private static let shownByDefault = 20

  /// The time for indexing new entries by meaning before a search.
  private static let budget = Duration.milliseconds(300)

  private static let pageSize = 900
  /// The maximum number of entries in one editor session.
  private static let editLimit = 1_000

  func run() async throws {
    let context = try Context(options, format)
    let action = try actions.chosen()
    var request = try filters.request(query.joined(separator: " "), context)
    request.mode = mode.value
    var isShown = false
    if case .show = action { isShown = true }
    // Only entries that contain the words are changed or counted.
    if !isShown {
      try filters.checkValues(words: query)
      request.mode = .words
    }
    let finder = try EntryFinder(
      archive: try context.open(), request: request, filters: filters, isExact: !isShown,
      zone: context.zone)
    switch action {
    case .show: try await show(finder, context)
    case .count:
      let count = try finder.count()
      context.output.result(["count": JSON(count)], lines: ["\(count)"])
    case .tags: try listTags(finder, context)
    case .edit:
      try edit(try finder.chosen(), finder, context)
    case .delete: try delete(finder, context)
    case .change(let marks): try change(finder, marks, context)
    }
  }

  // MARK: Output

  private func show(_ finder: EntryFinder, _ context: Context) async throws {
    var finder = finder
    if filters.newest == nil, filters.limit == nil, finder.hasWords || !finder.request.hasFilters {
      finder.limit = Self.shownByDefault
    }
    let indexes = SearchIndexes(finder.archive)
    let unread =
      finder.hasWords && finder.readsMeaning ? await readNew(finder.archive, indexes) : nil
    var printer = EntryPrinter(context, finder.archive)
    let head = #"{"results":["#
    let clock = ContinuousClock()
    let start = clock.now
    var ranked = EntryFinder.Ranked()
    // The head follows the search, so a search that fails prints only the error.
    if finder.hasWords {
      ranked = try finder.rank(context.zone, indexes)
      let items =
        try printer.needsEntries
        ? finder.archive.entries(of: ranked.hits).map { EntryPrinter.Item(entry: $0) }
        : ranked.hits.map { EntryPrinter.Item(hit: $0) }
      try printer.begin(head)
      try printer.add(items)
    } else {
      let reason = SearchHit.Reason(
        filters: try finder.archive.reasons(finder.request) + finder.line.labels)
      let found = try finder.references()
      try printer.begin(head)
      try printer.prepare(for: found.count)
      for start in stride(from: 0, to: found.count, by: Self.pageSize) {
        let page = found[start..<min(start + Self.pageSize, found.count)]
        try printer.add(
          finder.archive.entries(page).map {
            EntryPrinter.Item(hit: $0.hit(because: reason), entry: $0)
          })
      }
    }
    let took = start.duration(to: clock.now)
    let milliseconds =
      (Double(took.components.seconds) * 1e4 + Double(took.components.attoseconds) / 1e14)
      .rounded() / 10
    let reading = finder.line.reading + ranked.reading
    let notes = finder.line.notes + ranked.notes.filter { !finder.line.notes.contains($0) }
    let obstacle =
      finder.hasWords ? indexes.obstacle(isWritten: false) : nil
    let rest: [(String, JSON)] = [
      ("tookMs", JSON(milliseconds)), ("reading", JSON(reading)),
      ("relaxed", .bool(ranked.isRelaxed)),
      ("notes", JSON(notes + [obstacle, unread].compactMap { $0 })),
      ("suggestion", JSON(ranked.suggestion)),
    ]
    try printer.end(
      "]" + rest.map { ",\(JSON.string($0.0).text()):\($0.1.text())" }.joined() + "}")
    guard !context.output.isJSON else { return }
    for reading in reading { context.output.say(said("understood as \(reading)")) }
    for note in notes { context.output.say(saidAgain("\(note).")) }
    if let obstacle { context.output.say(saidAgain(obstacle)) }
    if let unread { context.output.say(unread) }
    if let suggestion = ranked.suggestion {
      context.output.say(said("Did you mean: \(suggestion)"))
    }
    if ranked.isRelaxed {
      context.output.say(said("No entry contains all the words. These contain some of them."))
    }
    guard printer.count > 0 else { return context.output.say(said("Nothing found")) }
    let isCut = finder.hasWords && printer.count == finder.limit
    context.output.say(
      EntryPrinter.entries(printer.count, isCut ? "or more " : "")
        + said("found in \(AmountText.shown(milliseconds)) ms"))
  }

  /// Indexes recent entries, so they are found by meaning as well.
  ///
  /// - Returns: a sentence about the entries for which there was no time.
  private func readNew(_ archive: Archive, _ indexes: SearchIndexes) async -> String? {
    // The search continues anyway; `index` reports problems with the indexes.
    guard let unread = (try? await IndexJob(archive, indexes).catchUp(within: Self.budget)) ?? nil
    else { return nil }
    return said(
      """
      Search by meaning doesn’t cover \(unread.count) of \(unread.total) new entries yet. Run \
      `arkived index`, or leave `arkived serve` running.
      """)
  }

  private func listTags(_ finder: EntryFinder, _ context: Context) throws {
    let tags = try finder.archive.tagCounts(of: finder.chosen())
    context.output.result(
      ["tags": .array(tags.map { ["name": .string($0.name), "count": JSON($0.count)] })],
      lines: tags.map { "\($0.count)\t#\($0.name)" })
  }

  // MARK: Editing and deleting

  private func edit(
    _ found: [Archive.EntryReference], _ finder: EntryFinder, _ context: Context
  ) throws {
    guard found.count <= Self.editLimit else {
      throw CommandFailure(
        .usage,
        said(
          """
          \(found.count) entries are too many to edit at once. Narrow the search, or take the \
          newest with -n \(Self.editLimit).
          """))
    }
    guard !found.isEmpty else {
      context.output.result(EditingSession.noChanges, lines: [])
      return context.output.say(said("Nothing found"))
    }
    context.output.say(EntryPrinter.entries(found.count) + said("found"))
    try EditingSession(context: context, archive: finder.archive, isConfirmed: actions.yes)
      .edit(try finder.archive.entries(found))
  }

  private func delete(_ finder: EntryFinder, _ context: Context) throws {
    guard finder.hasWords || finder.request.hasFilters || finder.hasCount else {
      throw CommandFailure(
        .usage, said("Specify what to delete: words, filters, or a number such as -n 3."))
    }
    let found = try finder.chosen()
    let text = EntryText(context, finder.archive)
    if !found.isEmpty, !actions.yes {
      let few = try finder.archive.entries(found.prefix(5))
      for line in try text.shortLines(few) { context.output.say("  \(line)") }
      if found.count > few.count {
        context.output.say(said("  … and \(found.count - few.count) more"))
      }
      try Confirmation.ask(
        said(
          found.count, one: "Delete this entry?", other: "Delete these \(found.count) entries?"),
        isGiven: actions.yes, refusal: said("Nothing was deleted."))
    }
    var deleted: [JournalEntry] = []
    if !found.isEmpty {
      deleted = try finder.archive.deleteEntries(finder.archive.identities(of: found)).value
    }
    context.output.result(
      ["deleted": .array(deleted.map(\.json))], lines: [])
    context.output.say(said("\(deleted.count) deleted"))
    if !deleted.isEmpty { context.output.say(said("`arkived undo` reverts this.")) }
  }

  private func change(
    _ finder: EntryFinder, _ marks: SearchActions.Marks, _ context: Context
  ) throws {
    guard finder.hasWords || finder.request.hasFilters || finder.hasCount else {
      throw CommandFailure(
        .usage, said("Specify what to change: words, filters, or a number such as -n 3."))
    }
    let found = try finder.chosen()
    let advice = try TagAdvice(adding: marks.added, to: finder.archive)
    let activities = found.filter(\.isActivity)
    let saved = try finder.archive.changeActivities(
      finder.archive.identities(of: activities), action: "edit", summary: marks.summary
    ) { marks.apply(to: &$0) }
    context.output.result(["updated": .array(saved.value.map(\.json))], lines: [])
    var line = EntryPrinter.entries(found.count) + said("found, \(saved.value.count) changed")
    let notes = found.count - activities.count
    if notes > 0 {
      line += said(
        notes, one: "; \(notes) day note unchanged, since only entries can have tags and pins",
        other: "; \(notes) day notes unchanged, since only entries can have tags and pins")
    }
    context.output.say(line)
    advice.say(context.output)
  }
}
