import ArkivedCore
import Foundation

/// A Google Keep note as an HTML page, the only form that Takeout wrote until 2018.
///
/// The page's first block is `div.note` with `div.heading` (the time of the last change, written in
/// the language of the account), `div.title`, `div.content` (text, or a list whose items are
/// `li.listitem`), `div.attachments` and `div.chips` or `div.labels`.
enum KeepPage {
  private static let sizeLimit = 1 << 20

  static func isNote(_ file: ImportFile, _ head: [UInt8]) -> Bool {
    guard HeadText.of(head).lowercased().contains("<html"),
      let whole = try? ZipMembers.head(of: file, count: sizeLimit)
    else { return false }
    let text = HeadText.of(whole)
    return text.contains("class=\"note\"") && text.contains("class=\"heading\"")
      && (text.contains("class=\"content\"") || text.contains("class=\"title\""))
  }

  static func read(
    _ file: ImportFile, _ context: ImportContext, into sink: any ImportSink
  ) throws {
    let (html, isLatin) = try PageText.read(file)
    if isLatin {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name, message: "the text is not UTF-8; it was read as Windows-1252"))
    }
    let parts = HTMLParts(HTMLTokens(html).tokens)
    let heading = HTMLMarkdown.plain(parts.first("heading") ?? [])
    let order = JournalDateOrder("keep", context) {
      let pages = context.files.filter { $0.name.lowercased().hasSuffix(".html") }
      return (pages.isEmpty ? [file] : pages).compactMap(Self.heading)
    }.order(of: [heading], at: file.name, into: sink)
    guard let wall = JournalDate(heading, order: order)?.wall else {
      throw ImportRefusal(
        place: file.name,
        message: "the date of the note can’t be read: \(FieldError.shown(heading))")
    }
    let start = context.homeZone.instant(of: wall)
    let name = file.url.deletingPathExtension().lastPathComponent
    var entry = JournalEntry(
      provider: "keep", id: "page/\(name)", source: .keepImport, start: start,
      zone: context.homeZone)
    entry.title = JournalEntry.words(HTMLMarkdown.plain(parts.first("title") ?? []))
    let content = parts.first("content") ?? []
    entry.text = .markdown(text(content))
    if entry.title == nil, parts.first("listitem") != nil {
      entry.title = parts.all("listitem").map { HTMLMarkdown.plain(words($0)) }
        .filter { !$0.isEmpty }.joined(separator: ", ")
    }
    let labels = parts.all("label-name")
    entry.tags = (labels.isEmpty ? parts.all("label") : labels).map { HTMLMarkdown.plain($0) }
    entry.isPinned = parts.first("pinned") != nil
    if parts.first("archived") != nil { entry.details.append("Archived in Keep") }
    entry.createdAt = start
    entry.updatedAt = start
    let folder = file.url.deletingLastPathComponent()
    let files = JournalFiles(folder: folder, file: file.url, context)
    let paths = parts.all("attachments").flatMap { $0 }.compactMap { token -> String? in
      guard case .open("img", let attributes) = token else { return nil }
      return attributes["src"]
    }
    let embedded = paths.count { $0.hasPrefix("data:") }
    if embedded > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message:
            "skipped pictures on the page: \(embedded). To import them, export the note as JSON"))
    }
    entry.attachments = files.attachments(
      paths.filter { !$0.hasPrefix("data:") }, createdAt: start, at: file.name, into: sink)
    try entry.take(at: file.name, folder: folder, context, into: sink)
  }

  /// Returns the date at the top of a page, as written.
  private static func heading(_ file: ImportFile) -> String? {
    guard let html = try? PageText.read(file).text else { return nil }
    return HTMLParts(HTMLTokens(html).tokens).first("heading").map { HTMLMarkdown.plain($0) }
  }

  /// Returns the content, with check boxes before the items that have them.
  private static func text(_ content: [HTMLTokens.Token]) -> String {
    var items: [HTMLTokens.Token] = []
    var isInBullet = false
    for token in content {
      if token.begins(ofClass: "bullet") {
        isInBullet = true
      } else if isInBullet {
        if case .close = token { isInBullet = false }
      } else if token.begins("li", ofClass: "listitem"), case .open(_, var attributes) = token {
        attributes["data-checked"] = token.classes.contains("checked") ? "true" : "false"
        items.append(.open("li", attributes))
      } else {
        items.append(token)
      }
    }
    return HTMLMarkdown.text(items)
  }

  private static func words(_ item: [HTMLTokens.Token]) -> [HTMLTokens.Token] {
    HTMLParts(item).first("text") ?? item
  }
}
