import ArkivedCore
import ArkivedStore
import Foundation

/// The appearance of entries at the terminal.
struct EntryText {
  let output: Output
  let archive: Archive
  /// The ambiguous prefixes of IDs, if many entries are shown.
  private var shared: Set<String>?

  init(_ context: Context, _ archive: Archive) {
    output = context.output
    self.archive = archive
  }

  /// Prepares for showing many entries, page by page.
  mutating func prepare(for count: Int) throws {
    if count > Archive.neighbourLimit { shared = try archive.sharedBeginnings() }
  }

  private func shortIDs(_ ids: [UUID]) throws -> [UUID: String] {
    try archive.shortIDs(ids, shared: shared)
  }

  /// Formats an activity: `09:00–09:15 Standup (Work) #team  3F2A91B0`.
  func line(_ activity: Activity) throws -> String {
    line(activity, try shortIDs([activity.id]))
  }

  private func line(_ activity: Activity, _ ids: [UUID: String]) -> String {
    var parts: [String] = []
    if let time = activity.shownTimeText { parts.append(output.bold(time)) }
    return (parts + marks(activity) + [id(activity.id, ids)]).joined(separator: " ")
  }

  private func marks(_ activity: Activity) -> [String] {
    var parts = [EntryText.oneLine(activity.text)]
    if activity.kind != .other {
      let kind = activity.kind.rawValue
      parts.append("(\(saidWhole(kind.prefix(1).uppercased() + kind.dropFirst())))")
    }
    parts += activity.tags.map { "#\($0)" }
    if activity.isPinned { parts.append("★") }
    if let files = EntryText.files(activity.attachments) { parts.append(files) }
    return parts
  }

  /// Returns the number of attachments: `[2 attached]`, or nil if there are none.
  private static func files(_ attachments: [Attachment]) -> String? {
    attachments.isEmpty ? nil : said("[\(attachments.count) attached]")
  }

  private func id(_ id: UUID, _ ids: [UUID: String]) -> String {
    output.faint(ids[id] ?? String(id.uuidString.prefix(Archive.shortLength)))
  }

  /// Returns the text with line breaks replaced by spaces.
  static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Formats a whole day.
  func lines(_ day: Day) throws -> [String] {
    let ids = try shortIDs(day.activities.map(\.id))
    var lines = [output.bold(QuickAddReader.label(day: day.dayKey))]
    if let entry = day.entry {
      if let title = entry.title, !title.isEmpty { lines.append(title) }
      let feelings = EntryText.feelings(entry)
      if !feelings.isEmpty { lines.append(output.faint(feelings)) }
      if let files = EntryText.files(entry.attachments) { lines.append(output.faint(files)) }
      if !entry.note.isEmpty { lines += ["", entry.note] }
    }
    if !day.metrics.isEmpty {
      lines.append(
        output.faint(
          MetricText.ordered(day.metrics).map {
            "\(MetricText.shownName($0.metric)) \(MetricText.amount($0))"
          }
          .joined(separator: " · ")))
    }
    if !day.activities.isEmpty { lines.append("") }
    lines += day.activities.map { line($0, ids) }
    let goingOn = try shortIDs(day.continuing.map(\.id))
    lines += day.continuing.map { activity in
      let place = output.faint(activity.shownPlaceText(on: day.dayKey))
      return "\(place)  \(EntryText.oneLine(activity.text))  \(id(activity.id, goingOn))"
    }
    if day.entry == nil, day.activities.isEmpty, day.continuing.isEmpty {
      lines.append(said("Nothing here yet."))
    }
    return lines
  }

  private static func feelings(_ entry: DayEntry) -> String {
    var feelings: [String] = []
    if let mood = entry.mood { feelings.append(said("mood \(mood)/5")) }
    if let energy = entry.energy { feelings.append(said("energy \(energy)/5")) }
    if let weather = entry.weather?.shownTypedText, !weather.isEmpty { feelings.append(weather) }
    return feelings.joined(separator: " · ")
  }

  // MARK: Lists

  /// Formats entries completely, each starting with a line with its day.
  func wholeLines(_ entries: [JournalEntry]) throws -> [String] {
    let ids = try shortIDs(entries.map(\.id))
    return entries.flatMap { entry -> [String] in
      var head = [output.bold(entry.dayKey.description)]
      var bodies: [String?] = []
      switch entry {
      case .activity(let activity):
        if let time = activity.shownTimeText { head.append(output.bold(time)) }
        head += marks(activity)
        bodies = [activity.description, activity.notes]
      case .day(let day):
        head.append(said("[day]"))
        if let title = day.title, !title.isEmpty { head.append(title) }
        let feelings = EntryText.feelings(day)
        if !feelings.isEmpty { head.append(output.faint(feelings)) }
        if let files = EntryText.files(day.attachments) { head.append(files) }
        bodies = [day.note]
      }
      head.append(id(entry.id, ids))
      let lines = bodies.compactMap { $0 }.filter { !$0.isEmpty }
        .flatMap { $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
      return [head.joined(separator: " ")] + lines.map { $0.isEmpty ? "" : "    \($0)" }
    }
  }

  /// Formats entries, one line each.
  func shortLines(_ entries: [JournalEntry]) throws -> [String] {
    try hitLines(entries.map { $0.hit(because: .init()) }, showsSnippets: false)
  }

  /// Formats search results, one line each.
  ///
  /// - Parameters:
  ///   - hits: the results.
  ///   - showsSnippets: true to show the matching part instead of the first line.
  /// - Returns: the lines.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func hitLines(_ hits: [SearchHit], showsSnippets: Bool) throws -> [String] {
    let ids = try shortIDs(hits.filter { $0.type != .attachment }.map(\.id))
    return hits.map { hit in
      let time = hit.shownTime(home: .utc).map { " \($0)" } ?? ""
      let head = "\(output.bold(hit.dayKey.description))\(time)"
      let mark = hit.type == .activity ? "" : " [\(saidWhole("\(hit.type)"))]"
      let text = showsSnippets ? output.excerpt(hit) : EntryText.oneLine(hit.title)
      return "\(head)\(mark) \(text) \(id(hit.id, ids))"
    }
  }
}
