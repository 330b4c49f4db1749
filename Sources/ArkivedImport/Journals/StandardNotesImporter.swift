import ArkivedCore
import Foundation

/// Imports Standard Notes' decrypted backup: a zip archive with `Standard Notes Backup and Import
/// File.txt`, or that file alone.
///
/// An encrypted backup is refused.
///
/// Source of the format: the backups themselves, as read by notesnook-importer, jimmy,
/// standardnotes-fs and others. The document has `items`, of which only those with the
/// `content_type` `Note` or `Tag` are read; tags refer to their notes. A note's text is plain or
/// Markdown, HTML in the rich editor, and Lexical's JSON in Super.
package struct StandardNotesImporter: Importer {
  package let format = "standardnotes"
  private static let itemLimit = 2_000_000

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    return text.drop(while: \.isWhitespace).first == "{" && text.contains("\"items\"")
      && text.contains("\"content_type\"")
  }

  /// The same notes again, as text files.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    name.hasSuffix(".txt") && folders.contains { name.hasPrefix($0 + "Items/") }
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var reader = StandardNotesReader(file: file, context: context, sink: sink)
    try JournalJSON.forEach(in: file, list: ["items"], into: SilentSink()) { json, _ in
      try reader.survey(json)
    }
    try JournalJSON.forEach(in: file, list: ["items"], into: sink) { json, place in
      try reader.take(json, at: place)
    }
    reader.finish()
  }
}

private struct StandardNotesReader {
  let file: ImportFile
  let context: ImportContext
  let sink: any ImportSink
  /// The names of tags, by the notes to which they refer.
  private var tags: [String: [String]] = [:]
  /// The number of other items in the backup, by kind.
  private var others: [String: Int] = [:]
  private var trashed = 0

  private static let settings: Set<String> = [
    "SN|ItemsKey", "SN|UserPreferences", "SN|Component", "SN|Theme", "SN|SmartTag", "SN|Privileges",
    "SF|Extension", "SF|MFA", "SN|FileSafe|Credentials", "SN|ExtensionRepo", "SN|UserPrefs",
    "SN|EncryptedStorage", "SN|RootKey|NoSync", "SN|TrustedContact", "SN|KeySystemItemsKey",
    "SN|KeySystemRootKey", "SN|VaultListing", "Tag",
  ]
  private static let known: Set<String> = [
    "title", "text", "references", "appData", "noteType", "editorIdentifier", "trashed",
    "protected",
    "starred", "pinned", "archived", "hidePreview", "preview_plain", "preview_html", "spellcheck",
    "mobilePrefersPlainEditor", "prefersPlainEditor", "editorWidth", "conflict_of", "locked",
    "authorizedForListed",
  ]

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) {
    (self.file, self.context, self.sink) = (file, context, sink)
  }

  /// - Throws: `ImportRefusal` if the backup is encrypted.
  mutating func survey(_ json: JSON) throws {
    if let content = json["content"]?.string, content.prefix(4).last == ":",
      content.prefix(3).allSatisfy(\.isNumber)
    {
      throw ImportRefusal(
        place: file.name,
        message: "the backup is encrypted. In Standard Notes, choose Backups, then “Decrypted”")
    }
    guard json["content_type"]?.string == "Tag", json["deleted"]?.bool != true else { return }
    let content = json["content"]
    guard let name = JournalEntry.words(content?["title"]) else { return }
    for reference in content?["references"]?.array ?? []
    where reference["content_type"]?.string == "Note" {
      if let uuid = reference["uuid"]?.string { tags[uuid, default: []].append(name) }
    }
  }

  mutating func take(_ json: JSON, at place: String) throws {
    let kind = json["content_type"]?.string ?? "?"
    guard kind == "Note" else {
      if !Self.settings.contains(kind) { others[kind, default: 0] += 1 }
      return
    }
    guard json["deleted"]?.bool != true, let content = json["content"], content.object != nil
    else { return }
    guard content["trashed"]?.bool != true else {
      trashed += 1
      return
    }
    JournalJSON.tellUnread(
      content, known: Self.known, format: "standardnotes", at: place, context, into: sink)
    let created = Self.instant(json["created_at"])
    guard let uuid = JournalEntry.words(json["uuid"]), let created else {
      return tell(
        .skipped, place, json["uuid"] == nil ? "uuid" : "created_at",
        created == nil ? "skipped: the note has no date" : "skipped: the note has no ID")
    }
    let own = content["appData"]?["org.standardnotes.sn"]
    var entry = JournalEntry(
      provider: "standardnotes", id: uuid, source: .standardNotesImport, start: created,
      zone: context.homeZone)
    entry.title = JournalEntry.words(content["title"])
    let text = content["text"]?.string ?? ""
    switch content["noteType"]?.string {
    case "rich-text": entry.text = .markdown(HTMLMarkdown.text(HTMLTokens(text).tokens))
    case "super": entry.text = LexicalText.text(text).map { .markdown($0) } ?? .plain(text)
    case "authentication":
      return tell(
        .skipped, place, "noteType",
        "skipped: authenticator secrets aren’t imported")
    default:
      entry.text =
        text.hasPrefix("{\"root\":")
        ? LexicalText.text(text).map { .markdown($0) } ?? .plain(text) : .plain(text)
    }
    entry.tags = tags[uuid] ?? []
    entry.isPinned =
      own?["pinned"]?.bool ?? false || content["starred"]?.bool ?? false
      || content["pinned"]?.bool ?? false
    if own?["archived"]?.bool ?? content["archived"]?.bool ?? false {
      entry.details.append("Archived in Standard Notes")
    }
    entry.createdAt = created
    entry.updatedAt = (Self.instant(own?["client_updated_at"]) ?? Self.instant(json["updated_at"]))
      .map { max($0, created) }
    try entry.take(at: place, context, into: sink)
  }

  /// Reports everything that wasn't imported.
  func finish() {
    if trashed > 0 {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "skipped notes in the Standard Notes trash: \(trashed)"))
    }
    guard !others.isEmpty else { return }
    let kinds = others.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    sink.diagnose(
      Diagnostic(
        .note, place: file.name,
        message: "not imported: \(kinds.prefix(10).joined(separator: ", "))"))
  }

  private func tell(
    _ severity: Diagnostic.Severity, _ place: String, _ field: String, _ message: String
  ) {
    sink.diagnose(Diagnostic(severity, place: "\(place) field “\(field)”", message: message))
  }

  private static func instant(_ json: JSON?) -> Instant? {
    guard let instant = json?.string.flatMap({ Instant($0) }), instant.milliseconds > 0 else {
      return nil
    }
    return instant
  }
}

/// Text of the Lexical editor, used by Standard Notes for Super notes, as Markdown.
///
/// Source of the format: Lexical's serialised nodes. `format` of a text is a set of bits: 1 bold, 2
/// italic, 4 struck through, 16 code.
enum LexicalText {
  private static let depthLimit = 100

  /// - Returns: nil if the text isn't Lexical's JSON.
  static func text(_ text: String) -> String? {
    guard let json = try? JSON(parsing: Array(text.utf8)), let root = json["root"],
      let children = root["children"]?.array
    else { return nil }
    var writer = LexicalWriter()
    for child in children { writer.block(child, depth: 0) }
    return writer.finish()
  }

  /// Writes nodes as HTML elements, which are converted to Markdown like those of any page.
  private struct LexicalWriter {
    private var tokens: [HTMLTokens.Token] = []

    mutating func finish() -> String { HTMLMarkdown.text(tokens) }

    private mutating func element(
      _ name: String, _ node: JSON, _ attributes: [String: String] = [:], depth: Int
    ) {
      tokens.append(.open(name, attributes))
      for child in node["children"]?.array ?? [] { block(child, depth: depth + 1) }
      tokens.append(.close(name))
    }

    mutating func block(_ node: JSON, depth: Int) {
      guard depth < depthLimit else { return }
      switch node["type"]?.string {
      case "text", "code-highlight": run(node)
      case "linebreak": tokens.append(.open("br", [:]))
      case "tab": tokens.append(.text(" "))
      case "paragraph": element("p", node, depth: depth)
      case "heading": element(node["tag"]?.string ?? "h2", node, depth: depth)
      case "quote": element("blockquote", node, depth: depth)
      case "code": element("pre", node, depth: depth)
      case "list":
        element(node["listType"]?.string == "number" ? "ol" : "ul", node, depth: depth)
      case "listitem":
        let checked = node["checked"]?.bool.map { ["data-checked": "\($0)"] } ?? [:]
        element("li", node, checked, depth: depth)
      case "link", "autolink":
        element("a", node, ["href": node["url"]?.string ?? ""], depth: depth)
      case "horizontalrule": tokens.append(.open("hr", [:]))
      case "table": element("table", node, depth: depth)
      case "tablerow": element("tr", node, depth: depth)
      case "tablecell": element("td", node, depth: depth)
      default:
        if let text = node["text"]?.string { tokens.append(.text(text)) }
        element("div", node, depth: depth)
      }
    }

    private mutating func run(_ node: JSON) {
      let format = node["format"]?.int ?? 0
      let marks = [(1, "b"), (2, "i"), (4, "s"), (16, "code")].filter { format & $0.0 != 0 }
      for (_, name) in marks { tokens.append(.open(name, [:])) }
      tokens.append(.text(node["text"]?.string ?? ""))
      for (_, name) in marks.reversed() { tokens.append(.close(name)) }
    }
  }
}
