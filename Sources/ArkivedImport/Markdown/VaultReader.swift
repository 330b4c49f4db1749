import ArkivedCore
import Foundation

/// Converts a page to a day's note and its related records, or to a separate note.
struct VaultReader {
  let vault: Vault
  let file: ImportFile
  /// The page's path below the vault.
  let path: String
  let context: ImportContext
  let takesTimedLines: Bool

  /// The page's name without its extension.
  private var stem: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  private var links: VaultTextLinks { VaultTextLinks(vault, notes: context.notes) }

  /// The marker that distinguishes the days and lines of this vault from those of others.
  private var mark: String? { vault.mark(isAlone: context.files.count < 2) }

  /// Reads the page of a day.
  ///
  /// - Throws: Any error that the sink throws.
  func readDay(_ day: DayKey, _ text: String, into sink: any ImportSink) throws {
    let page = VaultPage(
      text, of: vault, named: stem, day: day, homeZone: context.homeZone, hasOwnScale: hasOwnScale)
    var (lines, attached): ([Substring], [Substring]) = (page.lines, [])
    if vault.kind == .arkived { (lines, attached) = AttachedFiles.split(page.lines) }
    var timed: [TimedLine] = []
    if takesTimedLines { (timed, lines) = split(lines) }
    if vault.kind == .arkived {
      lines.removeAll { $0.drop(while: \.isWhitespace) == AttachedFiles.mark[...] }
    }
    let properties = page.properties
    var entry = DayEntry(
      id: context.identities.next(), dayKey: day, title: page.title,
      note: links.written(page.text(of: lines, keepsTags: vault.kind != .arkived)),
      mood: properties.mood,
      energy: properties.energy,
      weather: properties.weather.map { Weather(conditions: $0) },
      createdAt: properties.createdAt ?? context.now, updatedAt: context.now)
    entry.people = people(properties.people, of: entry, beside: timed)
    let shown = ([Substring(entry.note)] + attached).joined(separator: "\n")
    entry.attachments = attachments(in: shown, sink) + links(attached)
    if entry.isBlank, timed.isEmpty, properties.metrics.isEmpty {
      guard context.notes.isFirst("vault empty \(vault.root.path)") else { return }
      return sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "the page is empty; this one and others like it were skipped"
        ))
    }
    if !entry.isBlank {
      entry.externalRefs = [
        ExternalRef(
          provider: vault.provider,
          externalID: "day/\(day)" + (mark.map { "/\($0)" } ?? ""),
          fetchedAt: context.now,
          contentHash: TableIdentity.hash(text))
      ]
      try sink.take(
        ImportedRecord(.day(entry), place: file.name, attachmentsFolder: vault.root))
    }
    try takeMetrics(properties, of: day, into: sink)
    try takeLines(timed, of: day, page, into: sink)
  }

  /// Returns the people of a day's note.
  ///
  /// Arkived's own export also lists those of the day's entries, whose lines name them again.
  private func people(
    _ names: [String], of entry: DayEntry, beside lines: [TimedLine]
  ) -> [Mention] {
    var others: Set<String> = []
    if vault.kind == .arkived {
      others.formUnion(lines.flatMap { words($0.text).people }.map(NameFolding.key))
    }
    let text = NameFolding.key("\(entry.title ?? "") \(entry.note)")
    return names.filter { name in
      let key = NameFolding.key(name)
      return !others.contains(key) || text.contains(key)
    }.map { Mention(name: $0) }
  }

  private func takeMetrics(
    _ properties: PageProperties, of day: DayKey, into sink: any ImportSink
  ) throws {
    for (name, unit, value) in properties.metrics {
      let metric = DayMetric(
        id: context.identities.next(), dayKey: day, metric: name, unit: unit, value: value,
        source: vault.provider, createdAt: context.now, updatedAt: context.now)
      try sink.take(ImportedRecord(.metric(metric), place: "\(file.name) property “\(name)”"))
    }
  }

  // MARK: Lines with a time

  private func split(_ lines: [Substring]) -> (timed: [TimedLine], rest: [Substring]) {
    // A note may contain the same heading; the export's own comes last.
    guard vault.kind == .arkived, let start = lines.lastIndex(of: ExportedLine.heading[...]) else {
      return TimedLine.split(lines)
    }
    let found = TimedLine.split(Array(lines[(start + 1)...]), takesAll: true)
    let timed = found.timed.map { line in
      var line = line
      line.index += start + 1
      return line
    }
    return (timed, Array(lines[..<start]) + found.rest)
  }

  private func takeLines(
    _ lines: [TimedLine], of day: DayKey, _ page: VaultPage, into sink: any ImportSink
  ) throws {
    var identity = TableIdentity()
    for line in lines {
      let zone = zone(of: line)
      let (start, end, period) = times(of: line, on: day)
      let parts = words(links.written(line.text))
      var below = (line.notes ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      var attached: [Substring] = []
      if vault.kind == .arkived { (below, attached) = AttachedFiles.split(below) }
      let notes = links.written(below.joined(separator: "\n"))
      var activity = Activity(
        id: context.identities.next(), dayKey: day, startAt: start, endAt: end,
        timeZone: zone.identifier, kind: parts.kind, text: parts.text,
        notes: notes.isEmpty ? nil : notes, source: .markdownImport, dayPeriod: period,
        tags: JrnlTags.names(in: parts.tagged ?? line.text, symbols: ["#"]),
        people: parts.people.map { Mention(name: $0) }, createdAt: context.now,
        updatedAt: context.now)
      activity.attachments = attachments(in: attached.joined(separator: "\n"), sink)
      activity.attachments += links(attached)
      // The words may be corrected later, so a line is identified by its time if it has one.
      let clock = line.start == nil ? nil : start
      let moment = clock.map { zone.wallTime(at: $0).description } ?? "\(day)"
      let name = identity.name(
        moment, clock == nil ? (line.mark?.formerWords ?? "") + parts.text : "")
      let content: [String] =
        [parts.text, below.joined(separator: "\n"), end?.description ?? "", parts.kind.rawValue]
        + attached.map(String.init)
      activity.externalRefs = [
        ExternalRef(
          provider: vault.provider, externalID: EntryName.line(name, vault: mark),
          fetchedAt: context.now,
          contentHash: TableIdentity.hash(content.joined(separator: "\u{1F}")))
      ]
      try sink.take(
        ImportedRecord(
          .activity(activity), place: "\(file.name):\(page.firstLine + line.index)",
          linksPeople: false, attachmentsFolder: vault.root))
    }
  }

  /// Returns the time zone of a line: the one that it names, or that of its vault.
  private func zone(of line: TimedLine) -> Zone { line.zone ?? vault.zone ?? context.homeZone }

  /// Returns the times of a line in its time zone.
  private func times(
    of line: TimedLine, on day: DayKey
  ) -> (start: Instant?, end: Instant?, period: DayPeriod?) {
    let zone = zone(of: line)
    func instant(_ day: DayKey, _ second: Int) -> Instant {
      zone.instant(of: WallTime(day: day, secondOfDay: second))
    }
    switch line.mark {
    case .allDay(let further)?:
      return (zone.start(of: day), zone.start(of: day.advanced(by: further + 1)), nil)
    case .period(let period, let second)?: return (instant(day, second), nil, period)
    case .until(let second)?: return (nil, instant(day, second), nil)
    case .untimed?, .span?, nil: break
    }
    guard let span = line.span else { return (nil, nil, nil) }
    let first = line.day ?? day
    let end = span.end.map { second in
      let further = span.further ?? (second < span.start ? 1 : 0)
      return instant(first.advanced(by: further), second)
    }
    return (instant(first, span.start), end, nil)
  }

  /// The parts of a line of Arkived's own export.
  private struct LineWords {
    var text: String
    var kind: ActivityKind = .other
    var people: [String] = []
    /// The tags that the export added; nil if any tag in the line may be the entry's.
    var tagged: String?
  }

  /// Returns the words of a line without the additions of Arkived's own export: the kind, tags, and
  /// links to people.
  private func words(_ text: String) -> LineWords {
    guard vault.kind == .arkived else { return LineWords(text: text) }
    var rest = text[...]
    // Links from elsewhere refer to this mark.
    if let mark = rest.range(of: " ^", options: .backwards), rest[mark.upperBound...].count == 36,
      UUID(uuidString: String(rest[mark.upperBound...])) != nil
    {
      rest = rest[..<mark.lowerBound]
    }
    var people: [String] = []
    while rest.hasSuffix("]]"), let link = rest.range(of: "[[", options: .backwards) {
      people.insert(PageProperties.unlinked(String(rest[link.lowerBound...])), at: 0)
      rest = rest[..<link.lowerBound]
      while rest.last == " " { rest.removeLast() }
    }
    var words = rest.split(separator: " ", omittingEmptySubsequences: false)
    var tags: [Substring] = []
    while words.count > 1, let last = words.last, last.isEmpty || last.hasPrefix("#") {
      tags.append(words.removeLast())
    }
    guard words.count > 1, let last = words.last, let kind = ExportedLine.kind(in: last) else {
      return LineWords(text: words.joined(separator: " "), people: people)
    }
    return LineWords(
      text: words.dropLast().joined(separator: " "), kind: kind, people: people,
      tagged: tags.reversed().joined(separator: " "))
  }

  // MARK: Pages and files

  /// Reads a page that doesn't belong to a day as a note, identified by its path in the vault.
  func readPage(_ text: String, into sink: any ImportSink) throws {
    let page = VaultPage(text, of: vault, named: stem, day: nil, homeZone: context.homeZone)
    var (lines, attached): ([Substring], [Substring]) = (page.lines, [])
    if vault.kind == .arkived { (lines, attached) = AttachedFiles.split(page.lines) }
    let content = links.written(page.text(of: lines, keepsTags: false))
    guard !content.allSatisfy(\.isWhitespace) || !attached.isEmpty else { return }
    let words = JrnlTags.names(in: content, symbols: ["#"])
    var seen: Set<String> = []
    let tags = (page.properties.tags + words).filter { seen.insert(NameFolding.key($0)).inserted }
    var note = Note(
      id: (vault.kind == .arkived ? page.properties.id : nil)
        ?? DerivedIdentity.of("markdown page", vault.name, path),
      title: page.title ?? stem.replacing("___", with: "/").removingPercentEncoding ?? stem,
      text: content, dayKey: vault.kind == .arkived ? page.properties.day : nil, tags: tags,
      people: page.properties.people.map { Mention(name: $0) },
      createdAt: page.properties.createdAt ?? context.now, updatedAt: context.now)
    let shown = ([Substring(content)] + attached).joined(separator: "\n")
    note.attachments = attachments(in: shown, sink) + links(attached)
    try sink.take(
      ImportedRecord(
        .goalSide(note), hasOwnIdentity: true, place: file.name, linksPeople: false,
        attachmentsFolder: vault.root))
  }

  /// Returns the web addresses among the attachments that Arkived's own export lists below a note.
  private func links(_ attached: [Substring]) -> [Attachment] {
    attached.compactMap { line in
      guard let (label, target) = AttachedFiles.link(line), target.contains(":") else { return nil }
      let link = Attachment(
        id: context.identities.next(), type: .link, caption: label, externalURL: target,
        createdAt: context.now, updatedAt: context.now)
      return (try? link.validate()) == nil ? nil : link
    }
  }

  private func attachments(in text: String, _ sink: any ImportSink) -> [Attachment] {
    guard text.contains("](") || text.contains("![[") else { return [] }
    let (files, problems) = VaultFiles(vault, of: file, notes: context.notes).files(in: text)
    for problem in problems where context.notes.isFirst("vault \(problem)") {
      sink.diagnose(Diagnostic(.note, place: file.name, message: problem))
    }
    return files.map { file in
      Attachment(
        id: context.identities.next(), type: file.mediaType.attachmentType, caption: file.caption,
        relativePath: file.path, mediaType: file.mediaType.name,
        originalName: file.path.split(separator: "/").last.map(String.init),
        createdAt: context.now, updatedAt: context.now)
    }
  }
}
