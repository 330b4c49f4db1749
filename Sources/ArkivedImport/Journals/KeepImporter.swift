import ArkivedCore
import Foundation

/// Imports Google Keep's notes as Takeout writes them: a JSON file for each note, next to an HTML
/// page with the same content and the note's pictures.
///
/// If only pages were exported, these are read.
///
/// Source of the format: Takeout's files, as read by obsidian-importer, Retain, NotallyX and jimmy.
/// Times are microseconds since 1970; before 2021, notes had no creation time. The file that an
/// attachment refers to may have a different extension.
package struct KeepImporter: Importer {
  package let format = "keep"

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    Self.isNote(JSONHead(head))
  }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    if file.name.lowercased().hasSuffix(".html") {
      // If a note's JSON exists, its page contains nothing more.
      let twin = file.url.deletingPathExtension().appendingPathExtension("json")
      return !FileManager.default.fileExists(atPath: twin.path) && KeepPage.isNote(file, head)
    }
    return Self.isNote(try JournalJSON.head(of: file, head: head))
  }

  private static func isNote(_ head: JSONHead) -> Bool {
    !head.isList && head.keys.contains("isTrashed")
      && !head.keys.isDisjoint(with: ["isArchived", "isPinned"])
      && !head.keys.isDisjoint(with: [
        "textContent", "listContent", "title", "color", "userEditedTimestampUsec",
      ])
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
    guard folders.contains(String(name[..<start])) else { return false }
    let last = name[start...]
    return last == "Labels.txt" || last.lowercased().hasSuffix(".html") || Self.isMedium(last)
  }

  /// Returns true if a file is named as Keep names pictures and recordings:
  /// `15f0a3b1c2d.9f86d081884c7d65.jpg`.
  private static func isMedium(_ name: Substring) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    let stem = name[..<dot]
    return stem.utf8.count >= 16 && stem.contains(".")
      && stem.allSatisfy { $0.isHexDigit || $0 == "." || $0 == "-" || $0 == "_" }
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [""] }

  /// If no page shows the order of days and months, the locale decides.
  package var settings: String { "\(DateOrder.inProcess)" }

  /// A note without a time is identified by its file's name.
  package func readsName(of file: ImportFile) -> Bool { true }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    if file.name.lowercased().hasSuffix(".html") {
      return try KeepPage.read(file, context, into: sink)
    }
    try JournalJSON.forEach(in: file, into: sink) { json, place in
      try KeepNote(json, file, context).take(at: place, into: sink)
    }
  }
}

/// A note of Google Keep.
private struct KeepNote {
  private let json: JSON
  private let file: ImportFile
  private let context: ImportContext

  private static let known: Set<String> = [
    "color", "isTrashed", "isPinned", "isArchived", "textContent", "textContentHtml", "title",
    "userEditedTimestampUsec", "createdTimestampUsec", "labels", "listContent", "attachments",
    "annotations", "sharees",
  ]

  init(_ json: JSON, _ file: ImportFile, _ context: ImportContext) {
    (self.json, self.file, self.context) = (json, file, context)
  }

  func take(at place: String, into sink: any ImportSink) throws {
    guard json["isTrashed"]?.bool != true else {
      guard context.notes.isFirst("keep trash") else { return }
      return sink.diagnose(
        Diagnostic(
          .skipped, place: place,
          message:
            "skipped, like the other notes in Keep’s trash. To import them, restore them in Keep"))
    }
    JournalJSON.tellUnread(
      json, known: Self.known, format: "keep", at: place, context, into: sink)
    let edited = instant("userEditedTimestampUsec", at: place, sink)
    let created = instant("createdTimestampUsec", at: place, sink) ?? edited
    guard let created else {
      return sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “createdTimestampUsec”",
          message: "skipped: the note has no date"))
    }
    let creation = microseconds("createdTimestampUsec")
    let isCreation = creation != nil
    let moment = creation ?? microseconds("userEditedTimestampUsec") ?? 0
    let name = JournalIdentity.of("keep", context).name("\(moment)", content: json.text())
    var entry = JournalEntry(
      provider: "keep", id: name, source: .keepImport, start: created, zone: context.homeZone)
    // An export with creation times and one without are recognised by the name of the file.
    let stem = file.url.deletingPathExtension().lastPathComponent
    entry.otherIDs = [EntryName.note(stem, moment: name, isCreation: isCreation)]
    entry.title = JournalEntry.words(json["title"])
    readText(into: &entry)
    entry.tags = (json["labels"]?.array ?? []).compactMap { $0["name"]?.string }
    entry.isPinned = json["isPinned"]?.bool ?? false
    if json["isArchived"]?.bool == true { entry.details.append("Archived in Keep") }
    let others = (json["sharees"]?.array ?? []).filter { $0["isOwner"]?.bool != true }
      .compactMap { JournalEntry.words($0["email"]) }
    if !others.isEmpty { entry.details.append("Shared with " + others.joined(separator: ", ")) }
    entry.createdAt = created
    entry.updatedAt = edited.map { max($0, created) }
    readFiles(into: &entry, at: place, sink)
    try entry.take(
      at: place, folder: file.url.deletingLastPathComponent(), context, into: sink)
  }

  /// Returns the microseconds since 1970 in a field; nil if it gives no time.
  private func microseconds(_ key: String) -> Int? {
    let number = json[key]?.int ?? json[key]?.string.flatMap { Int($0) }
    return number == 0 ? nil : number
  }

  private func instant(
    _ key: String, at place: String, _ sink: any ImportSink
  ) -> Instant? {
    guard let value = json[key], value != .null else { return nil }
    let number = value.int ?? value.string.flatMap { Int($0) }
    // Zero means that the time is unknown.
    if number == 0 { return nil }
    let instant = JournalEntry.instant(milliseconds: number.map { Int64($0 / 1000) })
    if instant == nil {
      sink.diagnose(
        Diagnostic(
          .note, place: "\(place) field “\(key)”",
          message: "ignored: \(FieldError.shown(value.text())) isn’t a time in microseconds since "
            + "1970"))
    }
    return instant
  }

  private func readText(into entry: inout JournalEntry) {
    let items = (json["listContent"]?.array ?? []).compactMap { item -> (String, Bool)? in
      let text = (item["text"]?.string ?? "").split(whereSeparator: \.isNewline)
        .joined(separator: " ")
      return JournalEntry.words(text).map { ($0, item["isChecked"]?.bool ?? false) }
    }
    var parts: [String] = []
    let plain = json["textContent"]?.string ?? ""
    if let html = json["textContentHtml"]?.string, Self.isFormatted(html) {
      parts.append(HTMLMarkdown.text(HTMLTokens(html).tokens))
    } else if JournalEntry.words(plain) != nil {
      parts.append(items.isEmpty ? plain : MarkdownEscapes.escaped(plain))
    }
    let isPlain = items.isEmpty && parts.first == plain
    if !items.isEmpty {
      parts.append(
        items.map { "- [\($1 ? "x" : " ")] " + MarkdownEscapes.escaped($0) }
          .joined(separator: "\n"))
      entry.title = entry.title ?? (parts.count == 1 ? items.map(\.0).joined(separator: ", ") : nil)
    }
    let links = links(except: plain)
    if !links.isEmpty { parts.append(links.joined(separator: "\n")) }
    let text = parts.joined(separator: "\n\n")
    entry.text = isPlain ? .plain(text) : .markdown(text)
  }

  /// Keep writes HTML for every note; few contain more than the plain text.
  private static func isFormatted(_ html: String) -> Bool {
    let html = html.lowercased()
    return ["<h1", "<h2", "<b>", "<strong", "<i>", "<em>", "font-weight:700", "font-style:italic"]
      .contains { html.contains($0) }
  }

  /// Returns the web pages that Keep found in a note and that the text doesn't mention.
  private func links(except text: String) -> [String] {
    (json["annotations"]?.array ?? []).compactMap { link in
      guard let url = link["url"]?.string.flatMap(HTMLMarkdown.address), !text.contains(url)
      else { return nil }
      let title = JournalEntry.words(link["title"]).map {
        $0.split(whereSeparator: \.isNewline).joined(separator: " ")
      }
      return "- [\(MarkdownEscapes.escaped(title ?? url))](\(RunAttributes.address(url)))"
    }
  }

  private func readFiles(
    into entry: inout JournalEntry, at place: String, _ sink: any ImportSink
  ) {
    let names = (json["attachments"]?.array ?? []).compactMap { $0["filePath"]?.string }
    guard !names.isEmpty else { return }
    let folder = file.url.deletingLastPathComponent()
    let index = JournalFiles.index(of: folder, context) { name in
      String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
    }
    let paths = names.map { name in
      let stem = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
      let found = index[stem] ?? []
      return found.contains(name) ? name : found.first { !$0.hasSuffix(".json") } ?? name
    }
    entry.attachments = JournalFiles(folder: folder, file: file.url, context)
      .attachments(
        paths, createdAt: entry.createdAt ?? context.now, at: place, into: sink)
  }
}
