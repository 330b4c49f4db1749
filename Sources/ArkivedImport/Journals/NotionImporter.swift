import ArkivedCore
import Foundation

/// Imports pages from Notion's HTML and Markdown exports, but only those that have a date.
///
/// Both formats store a page in a file named after its title and its ID (`A day in Rome 0f3b….md`),
/// with files in a folder of the same name.
///
/// Source of the format: exports, as read by obsidian-importer, jimmy and notion-to-obsidian
/// converters. The properties of a database page are below its title as lines `Name: value` in
/// Markdown, and in `table.properties` in HTML.
package struct NotionImporter: Importer {
  package let format = "notion"
  private static let sizeLimit = 1 << 20

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    guard let (_, ending) = Self.identity(of: fileName) else { return false }
    let text = HeadText.of(head)
    return ending == "html" ? Self.isPage(text) : Self.isDated(text)
  }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    guard let (_, ending) = Self.identity(of: file.name) else { return false }
    // A page that was moved from Notion to a vault belongs to the vault.
    guard ending == "html" else {
      return Self.isDated(HeadText.of(head)) && Vault(of: file).kind == .plain
    }
    if recognises(head: head, fileName: file.name) { return true }
    return Self.isPage(HeadText.of(try ZipMembers.head(of: file, count: Self.sizeLimit)))
  }

  /// Returns true if a Markdown page has a date.
  ///
  /// Other pages are treated like the pages of any folder.
  private static func isDated(_ text: String) -> Bool {
    text.drop(while: \.isWhitespace).hasPrefix("# ")
      && NotionPage(markdown: text.replacing("\r\n", with: "\n")).date(.dayFirst) != nil
  }

  private static func isPage(_ text: String) -> Bool {
    text.contains("<article id=\"") && text.contains("class=\"page")
  }

  /// Returns the ID in a file's name, and the file extension.
  static func identity(of name: String) -> (id: String, ending: String)? {
    let last = name.split(separator: "/").last ?? ""
    guard let dot = last.lastIndex(of: ".") else { return nil }
    let ending = last[last.index(after: dot)...].lowercased()
    let id = last[..<dot].suffix(32)
    guard ending == "md" || ending == "html", id.utf8.count == 32,
      id.allSatisfy({ $0.isHexDigit && $0.isASCII })
    else { return nil }
    return (id.lowercased(), ending)
  }

  /// Tables that repeat the pages of a database, the list of pages, and the files that belong to
  /// pages.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard let last = parts.last else { return false }
    let home = parts.dropLast().map { $0 + "/" }.joined()
    if last == "index.html" || Self.isTable(last) {
      return folders.contains { $0 == home || $0.hasPrefix(home) }
    }
    // Files are in a folder next to their page, named after it. Other folders belong to no page.
    guard parts.count >= 2, MarkdownFolderImporter.isShown(name),
      parts.dropLast().contains(where: Self.isExport)
    else { return false }
    return folders.contains(parts.dropLast(2).map { $0 + "/" }.joined())
  }

  /// Returns true if a file is named like a database table: `Diary 0f3b….csv`, `Diary
  /// 0f3b…_all.csv`.
  private static func isTable(_ name: Substring) -> Bool {
    guard name.lowercased().hasSuffix(".csv") else { return false }
    let stem = name.dropLast(4)
    return endsWithID(stem.hasSuffix("_all") ? stem.dropLast(4) : stem)
  }

  /// Returns true if a folder or an archive was created by Notion.
  private static func isExport(_ name: Substring) -> Bool {
    name.hasPrefix("Export-") || name.hasPrefix("ExportBlock-") || name == "Private & Shared"
      || endsWithID(name)
  }

  private static func endsWithID(_ name: Substring) -> Bool {
    let id = name.suffix(32)
    return id.utf8.count == 32 && id.allSatisfy { $0.isHexDigit && $0.isASCII }
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [""] }
  package func readsName(of file: ImportFile) -> Bool { true }

  /// If no page shows the order of days and months, the locale decides.
  package var settings: String { "\(DateOrder.inProcess)" }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    guard let (id, ending) = Self.identity(of: file.name) else {
      throw ImportRefusal(
        place: file.name, message: "not a Notion page: its name doesn’t end with an ID")
    }
    let (text, isLatin) = try PageText.read(file)
    if isLatin {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name, message: "the text is not UTF-8; it was read as Windows-1252"))
    }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw ImportRefusal(place: file.name, message: "the page is empty")
    }
    let folder = file.url.deletingLastPathComponent()
    let files = JournalFiles(folder: folder, file: file.url, context)
    let page = Self.page(text, ending)
    let order = JournalDateOrder(format, context) {
      let files = context.files.isEmpty ? [file] : context.files
      return files.flatMap { Self.page($0)?.writtenDates ?? [] }
    }.order(of: page.writtenDates, at: file.name, into: sink)
    guard let (date, name) = page.date(order) else {
      return sink.diagnose(
        Diagnostic(.skipped, place: file.name, message: Self.lack(of: page, context)))
    }
    if date.hasUnknownZone {
      sink.diagnose(
        Diagnostic(
          .note, place: "\(file.name) property “\(name)”",
          message:
            "the time zone \(FieldError.shown(date.zoneName ?? "")) is unknown, so your home time zone was used"
        ))
    }
    let moment = date.moment(home: context.homeZone)
    var entry = JournalEntry(
      provider: "notion", id: id, source: .notionImport, day: date.day, start: moment?.start,
      zone: moment?.zone ?? context.homeZone)
    entry.title = page.title
    entry.text = .markdown(page.text)
    if let text = page.end(of: name) {
      entry.end = moment.flatMap { Self.end(text, after: $0, on: date.day, order) }
      if entry.end == nil { entry.details.append("until \(text)") }
    }
    for (key, value) in page.properties where key != name {
      if NotionPage.tagNames.contains(key.lowercased()) {
        entry.tags += value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      } else if NotionPage.changeNames.contains(key.lowercased()),
        let changed = JournalDate(value, order: order)?.moment(home: context.homeZone)
      {
        entry.updatedAt = changed.start
      } else {
        entry.details.append("\(key): \(value)")
      }
    }
    entry.createdAt = moment?.start
    if let created = moment?.start { entry.updatedAt = entry.updatedAt.map { max($0, created) } }
    entry.attachments = files.attachments(
      page.files, createdAt: moment?.start ?? context.now, at: file.name, into: sink)
    try entry.take(at: file.name, folder: folder, context, into: sink)
  }

  /// Returns the end of a range; nil if it is only a day, or not after the start.
  ///
  /// - Parameters:
  ///   - text: the end as written; on the day of the start, only a clock time.
  ///   - start: the start and its zone, which is also that of an end without one.
  ///   - day: the day of the start.
  ///   - order: the order of days and months.
  /// - Returns: the end.
  private static func end(
    _ text: String, after start: (start: Instant, zone: Zone), on day: DayKey, _ order: DateOrder
  ) -> Instant? {
    let end = JournalDate(text, order: order) ?? JournalDate("\(day) \(text)", order: order)
    guard let moment = end?.moment(home: start.zone), moment.start > start.start else { return nil }
    return moment.start
  }

  private static func page(_ text: String, _ ending: String) -> NotionPage {
    ending == "md" ? NotionPage(markdown: text) : NotionPage(html: text)
  }

  private static func page(_ file: ImportFile) -> NotionPage? {
    guard let (_, ending) = identity(of: file.name), let text = try? PageText.read(file).text else {
      return nil
    }
    return page(text, ending)
  }
}

extension NotionImporter {
  /// Returns the reason why a page is no entry: its date can't be read, or it has none.
  ///
  /// Only the first page without a date says what to do.
  private static func lack(of page: NotionPage, _ context: ImportContext) -> String {
    if let (key, value) = page.unreadableDate {
      return
        "skipped: the date \(FieldError.shown(value)) in \(FieldError.shown(key)) can’t be read. In Notion, "
        + "choose a full date format and export again"
    }
    guard context.notes.isFirst("notion dates") else { return "skipped: the page has no date" }
    return "skipped, like other pages without a date. To import them, give their database a "
      + "property such as “Created time”, or export them as Markdown and use "
      + "“arkived import --pages”"
  }
}

/// A page: its title, properties and text.
struct NotionPage {
  private(set) var title: String?
  private(set) var properties: [(key: String, value: String)] = []
  /// In Markdown.
  private(set) var text = ""
  /// The paths of files next to the page.
  private(set) var files: [String] = []

  static let tagNames: Set<String> = [
    "tags", "tag", "labels", "label", "categories", "category", "kategorie", "schlagwörter",
  ]
  static let changeNames: Set<String> = [
    "last edited time", "last edited", "updated", "zuletzt bearbeitet", "letzte bearbeitung",
  ]
  private static let dateNames = [
    "date", "day", "datum", "tag des eintrags", "fecha", "data", "when", "created", "created time",
    "created at", "erstellt", "erstellungszeit", "erstellt am",
  ]
  private static let propertyLimit = 100

  init(markdown: String) {
    var lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while lines.first?.allSatisfy(\.isWhitespace) ?? false { lines.removeFirst() }
    if let first = lines.first, first.hasPrefix("# ") {
      title = JournalEntry.words(MarkdownEscapes.plain(first.dropFirst(2)))
      lines.removeFirst()
    }
    var rest = lines
    while rest.first?.allSatisfy(\.isWhitespace) ?? false { rest.removeFirst() }
    var found: [(key: String, value: String)] = []
    while let line = rest.first, !line.allSatisfy(\.isWhitespace),
      found.count < Self.propertyLimit, let property = Self.property(line)
    {
      found.append(property)
      rest.removeFirst()
    }
    // Properties end with a blank line; a paragraph that only looks like a property continues.
    if !found.isEmpty, rest.first?.allSatisfy(\.isWhitespace) ?? true {
      properties = found
      lines = rest
    }
    text = lines.joined(separator: "\n")
    files = JrnlLink.all(in: text).filter { link in
      !link.target.contains("://") && !link.target.hasPrefix("#")
        && !["md", "csv", "html"].contains(
          link.target.split(separator: ".").last?.lowercased() ?? "")
        && (link.isImage || MarkdownFolderImporter.isShown(link.target))
    }.map(\.target)
  }

  private static func property(_ line: Substring) -> (key: String, value: String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let rest = line[line.index(after: colon)...]
    let key = line[..<colon].trimmingCharacters(in: .whitespaces)
    guard rest.first == " ", (1...60).contains(key.count),
      let value = JournalEntry.words(String(rest))
    else { return nil }
    return (key, value)
  }

  init(html: String) {
    let tokens = HTMLTokens(html).tokens
    let parts = HTMLParts(tokens)
    title = JournalEntry.words(HTMLMarkdown.plain(parts.first("page-title") ?? []))
    for row in parts.all("property-row").prefix(Self.propertyLimit) {
      var cells: [String: [HTMLTokens.Token]] = [:]
      var cell: String?
      for token in row {
        if case .open(let name, _) = token, name == "th" || name == "td" { cell = name }
        if let cell { cells[cell, default: []].append(token) }
      }
      let value = Self.values(cells["td"] ?? [])
      let key = HTMLMarkdown.plain(cells["th"] ?? [])
      if !key.isEmpty, !value.isEmpty { properties.append((key, value)) }
    }
    let body = parts.first("page-body") ?? []
    var found: [String] = []
    text = HTMLMarkdown.text(body) { source, _ in
      if !source.contains("://"), !source.hasPrefix("data:"), !source.isEmpty {
        found.append(source)
      }
      return nil
    }
    files = found
  }

  /// Returns the text of a cell, with commas between separate values.
  private static func values(_ cell: [HTMLTokens.Token]) -> String {
    let chosen = HTMLParts(cell).all("selected-value").map { HTMLMarkdown.plain($0) }
    if !chosen.isEmpty { return chosen.joined(separator: ", ") }
    if let box = cell.first(where: { $0.begins(ofClass: "checkbox") }) {
      return box.classes.contains("checkbox-on") ? "yes" : "no"
    }
    return HTMLMarkdown.plain(cell)
  }

  /// The values of the properties that may be dates, each end of a range on its own.
  var writtenDates: [String] {
    properties.flatMap { $0.value.split(separator: "→").map { Self.bare($0) } }
  }

  /// Returns the end of a property's range as written; nil for a single date.
  func end(of name: String) -> String? {
    let value = properties.first { $0.key == name }?.value ?? ""
    let parts = value.split(separator: "→", maxSplits: 1)
    return parts.count == 2 ? JournalEntry.words(Self.bare(parts[1])) : nil
  }

  /// The first property that must be a date, by its name or the sign before it, but can't be read,
  /// such as “@Yesterday 3:00 PM”.
  var unreadableDate: (key: String, value: String)? {
    properties.first { key, value in
      (value.hasPrefix("@") || Self.dateNames.contains(key.lowercased()))
        && value.contains(where: { $0.isLetter || $0.isNumber })
    }
  }

  private static func bare(_ value: some StringProtocol) -> String {
    value.trimmingCharacters(in: CharacterSet(charactersIn: "@ "))
  }

  /// Returns the date of a page, and the property that contains it: a property with a matching
  /// name, otherwise the first date.
  func date(_ order: DateOrder) -> (date: JournalDate, name: String)? {
    let dates = properties.compactMap { key, value -> (JournalDate, String)? in
      guard !Self.changeNames.contains(key.lowercased()) else { return nil }
      var start = value.split(separator: "→").first.map(String.init) ?? value
      // The zone of both ends may follow the second.
      if value.hasSuffix(")"), !start.contains("("), let open = value.lastIndex(of: "(") {
        start += value[open...]
      }
      return JournalDate(Self.bare(start), order: order).map { ($0, key) }
    }
    return dates.min { left, right in
      (Self.dateNames.firstIndex(of: left.1.lowercased()) ?? .max)
        < (Self.dateNames.firstIndex(of: right.1.lowercased()) ?? .max)
    }
  }
}
