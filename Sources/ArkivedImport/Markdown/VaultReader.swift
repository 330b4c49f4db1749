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
    let page = VaultPage(text, of: vault, named: stem, day: day, homeZone: context.homeZone)
    var lines = page.lines
    var timed: [TimedLine] = []
    if takesTimedLines { (timed, lines) = split(lines) }
    let properties = page.properties
    var entry = DayEntry(
      id: context.identities.next(), dayKey: day, title: page.title,
      note: links.written(page.text(of: lines, keepsTags: vault.kind != .arkived)),
      mood: properties.mood,
      energy: properties.energy,
      weather: properties.weather.map { Weather(conditions: $0) },
      people: properties.people.map { Mention(name: $0) },
      createdAt: properties.createdAt ?? context.now, updatedAt: context.now)
    entry.attachments = attachments(in: entry.note, sink)
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
    guard vault.kind == .arkived, let start = lines.firstIndex(of: "## Timeline") else {
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
      let zone = context.homeZone
      let start = line.start.map { zone.instant(of: WallTime(day: day, secondOfDay: $0)) }
      var end = line.end.map { zone.instant(of: WallTime(day: day, secondOfDay: $0)) }
      if let from = line.start, let to = line.end, to < from {
        end = zone.instant(of: WallTime(day: day.advanced(by: 1), secondOfDay: to))
      }
      let (text, kind, people) = words(links.written(line.text))
      let notes = line.notes.map(links.written)
      var activity = Activity(
        id: context.identities.next(), dayKey: day, startAt: start, endAt: end,
        timeZone: zone.identifier, kind: kind, text: text, notes: notes,
        source: .markdownImport, tags: JrnlTags.names(in: line.text, symbols: ["#"]),
        people: people.map { Mention(name: $0) }, createdAt: context.now, updatedAt: context.now)
      // The words may be corrected later, so a line is identified by its time if it has one.
      let moment = start.map { zone.wallTime(at: $0).description } ?? "\(day)"
      let name = identity.name(moment, start == nil ? text : "")
      let content = [text, line.notes ?? "", end?.description ?? "", kind.rawValue]
      activity.externalRefs = [
        ExternalRef(
          provider: vault.provider, externalID: EntryName.line(name, vault: mark),
          fetchedAt: context.now,
          contentHash: TableIdentity.hash(content.joined(separator: "\u{1F}")))
      ]
      try sink.take(
        ImportedRecord(
          .activity(activity), place: "\(file.name):\(page.firstLine + line.index)",
          linksPeople: false))
    }
  }

  /// Returns the words of a line without the additions of Arkived's own export: the kind, tags, and
  /// links to people.
  private func words(_ text: String) -> (text: String, kind: ActivityKind, people: [String]) {
    guard vault.kind == .arkived else { return (text, .other, []) }
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
    // Skips the suffix of a time that ends on a later day.
    if words.count > 1, words[0].hasPrefix("(+") { words.removeFirst() }
    while words.count > 1, let last = words.last, last.isEmpty || last.hasPrefix("#") {
      words.removeLast()
    }
    guard words.count > 1, let last = words.last, last.hasPrefix("("), last.hasSuffix(")"),
      let kind = ActivityKind.known.first(where: { $0.rawValue == last.dropFirst().dropLast() })
    else { return (words.joined(separator: " "), .other, people) }
    return (words.dropLast().joined(separator: " "), kind, people)
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
