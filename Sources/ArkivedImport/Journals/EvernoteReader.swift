import ArkivedCore
import Foundation

/// Reads one export in bounded memory.
///
/// Files are decoded to a folder of the run while they are read.
final class EvernoteReader: XMLTextEvents {
  private struct Note {
    /// The line on which it begins.
    let line: Int
    var fields: [String: String] = [:]
    var tags: [String] = []
    var tasks: [EvernoteTask] = []
    var files: [EvernoteFile] = []
    var isTooLong = false
  }

  private static let pieceSize = 1 << 18
  /// Evernote itself allows 5 MiB.
  private static let textLimit = 16 << 20
  private static let fieldLimit = 1 << 16
  private static let known: Set<String> = [
    "title", "content", "created", "updated", "tag", "note-attributes", "resource", "task", "guid",
  ]

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var stream: XMLStream?
  private var folder: URL?
  /// The names of the open elements.
  private var path: [String] = []
  private var note: Note?
  private var task: EvernoteTask?
  private var resource: EvernoteFile?
  private var writer: EvernoteFileWriter?
  /// The text of the current element.
  private var words: [UInt8] = []
  private var losses: [(line: Int, reason: String)] = []
  /// The elements that aren't read, by name.
  private var others: [String: Int] = [:]
  private var count = 0
  private var fileCount = 0

  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
  }

  private func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
    sink.diagnose(Diagnostic(severity, place: place, message: message))
  }

  func read() throws {
    let stream = XMLStream(self, root: "en-export", records: ["note"])
    self.stream = stream
    let handle = try FileHandle(forReadingFrom: file.url)
    defer {
      self.stream = nil
      writer?.discard()
      try? handle.close()
    }
    do {
      var offset = 0
      while !sink.isOver {
        var piece = try handle.readPiece(upTo: Self.pieceSize)
        guard !piece.isEmpty else { break }
        offset += piece.count
        try piece.withUnsafeMutableBufferPointer { try stream.read($0) }
        sink.reach(offset)
      }
      if !sink.isOver { try stream.finish() }
    } catch let error as XMLStream.Unreasonable {
      throw ImportRefusal(place: file.name, message: "it can’t be read: \(error.description)")
    }
    guard stream.isBegun else {
      throw ImportRefusal(
        place: file.name,
        message: "this isn’t an Evernote export: the en-export element is missing")
    }
    try finish()
  }

  private func finish() throws {
    for loss in losses.prefix(20) {
      tell(
        .skipped, "\(file.name):\(loss.line)",
        "\(loss.reason); everything up to the next note was skipped. Export the notes again")
    }
    if losses.count > 20 {
      tell(.skipped, file.name, "other places in the file that can’t be read: \(losses.count - 20)")
    }
    if !others.isEmpty {
      let kinds = others.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      tell(.note, file.name, "not imported: \(kinds.prefix(10).joined(separator: ", "))")
    }
    guard count == 0 else { return }
    if let first = losses.first {
      throw ImportRefusal(place: "\(file.name):\(first.line)", message: first.reason)
    }
    tell(.note, file.name, "nothing to import: no notes found")
  }

  // MARK: Events

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
    let name = String(cString: name)
    if isInContent { return beginContent(name, attributes) }
    path.append(name)
    words = []
    switch path.count {
    case 2 where name == "note": note = Note(line: stream?.line ?? 0)
    case 2: others[name, default: 0] += 1
    case 3 where note != nil:
      if name == "resource" { resource = EvernoteFile() }
      if name == "task" { task = EvernoteTask() }
      if !Self.known.contains(name) { others[name, default: 0] += 1 }
    case 4 where resource != nil && name == "data":
      fileCount += 1
      let encoding = attributes["encoding"]?.lowercased() ?? "base64"
      writer = EvernoteFileWriter(
        try makeFolder().appendingPathComponent("\(fileCount)"), isBase64: encoding == "base64")
    default: break
    }
  }

  func text(_ part: UnsafeBufferPointer<UInt8>) {
    guard note != nil else { return }
    if writer != nil {
      writer?.take(part)
    } else if words.count + part.count <= (isInContent ? Self.textLimit : Self.fieldLimit) {
      if contentDepth > 0 { appendEscaped(part) } else { words.append(contentsOf: part) }
    } else if isInContent {
      note?.isTooLong = true
    }
  }

  func end(_ name: UnsafePointer<CChar>) throws {
    let name = String(cString: name)
    if isInContent, contentDepth > 0 {
      contentDepth -= 1
      return words.append(contentsOf: "</\(name)>".utf8)
    }
    defer {
      if !path.isEmpty { path.removeLast() }
      words = []
    }
    guard note != nil else { return }
    let text = String(decoding: words, as: UTF8.self)
    switch (path.count, path.count > 2 ? path[2] : "") {
    case (2, _):
      guard let whole = note else { return }
      note = nil
      count += 1
      try take(whole)
    case (3, "tag"): note?.tags.append(text)
    case (3, "resource"):
      if let resource { note?.files.append(resource) }
      resource = nil
    case (3, "task"):
      if let task, JournalEntry.words(task.title) != nil { note?.tasks.append(task) }
      task = nil
    case (3, "note-attributes"): break
    case (3, _), (4, "note-attributes"):
      if note?.fields[name] == nil { note?.fields[name] = text }
    case (4, "task"): setTask(name, text)
    case (4, "resource"):
      switch name {
      case "mime":
        resource?.type = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
      case "data":
        guard var open = writer, let empty = resource else { return }
        writer = nil
        resource = try open.finish(empty)
      default: break
      }
    case (5, "resource") where name == "file-name": resource?.name = JournalEntry.words(text)
    default: break
    }
  }

  private func setTask(_ name: String, _ text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch name {
    case "title": task?.title = text
    case "taskStatus": task?.isDone = text.lowercased() == "completed"
    case "sortWeight": task?.weight = text
    case "taskGroupNoteLevelID": task?.group = text
    default: break
    }
  }

  func lost(line: Int, byte: Int, reason: String) {
    losses.append((line: line, reason: reason))
    if let note {
      tell(.skipped, "\(file.name):\(note.line)", "skipped: the note is incomplete")
    }
    writer?.discard()
    (writer, resource, task, note) = (nil, nil, nil, nil)
    path = []
    words = []
    contentDepth = 0
  }

  private func makeFolder() throws -> URL {
    if let folder { return folder }
    let made = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    folder = made
    return made
  }

  // MARK: Text without a CDATA section

  /// The number of open elements of a text that some programs write without a CDATA section.
  private var contentDepth = 0

  private var isInContent: Bool { note != nil && path.count == 3 && path[2] == "content" }

  private func beginContent(_ name: String, _ attributes: XMLAttributes) {
    contentDepth += 1
    var tag = "<\(name)"
    attributes.forEach { name, value in
      let text = String(cString: value).replacing("&", with: "&amp;")
        .replacing("\"", with: "&quot;")
      tag += " \(String(cString: name))=\"\(text)\""
    }
    guard words.count + tag.utf8.count < Self.textLimit else { return }
    words.append(contentsOf: "\(tag)>".utf8)
  }

  /// Appends text as it was written; the parser has decoded its references.
  private func appendEscaped(_ part: UnsafeBufferPointer<UInt8>) {
    for byte in part {
      switch byte {
      case UInt8(ascii: "&"): words.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): words.append(contentsOf: "&lt;".utf8)
      default: words.append(byte)
      }
    }
  }

  // MARK: Notes

  private func take(_ note: Note) throws {
    let place = "\(file.name):\(note.line)"
    guard !note.isTooLong else {
      return tell(
        .skipped, place,
        "skipped: the note’s text is larger than \(Self.textLimit >> 20) MiB")
    }
    let created = instant("created", of: note, at: place)
    let updated = instant("updated", of: note, at: place)
    guard let start = created ?? updated else {
      return tell(.skipped, "\(place) field “created”", "skipped: the note has no date")
    }
    let title = JournalEntry.words(note.fields["title"])
    let content = note.fields["content"] ?? ""
    let files = attachments(of: note, createdAt: start, at: place)
    let text = EvernoteText(content, tasks: note.tasks) { files[$0]?.marker }
    let ids = names(moment: start, title: title, content: text.markdown, note: note)
    var entry = JournalEntry(
      provider: "evernote", id: ids[0], source: .evernoteImport, start: start,
      zone: context.homeZone)
    entry.otherIDs = Array(ids.dropFirst())
    entry.title = title
    entry.text = .markdown(text.markdown)
    entry.tags = note.tags
    let problem = entry.setPlace(
      lat: note.fields["latitude"].flatMap(Self.number),
      lon: note.fields["longitude"].flatMap(Self.number))
    if let problem { tell(.note, "\(place) field “latitude”", problem) }
    entry.place = note.fields["place-name"]
    entry.details = details(of: note, at: place)
    entry.createdAt = start
    entry.updatedAt = updated.map { max($0, start) }
    for file in note.files {
      // Equal files are one attachment.
      guard let attachment = files[file.hash]?.attachment, attachment.relativePath == file.path
      else { continue }
      entry.attachments.append(attachment)
    }
    if text.encrypted > 0 {
      tell(
        .note, place,
        "encrypted text can’t be read. To import it, decrypt it in Evernote and export the note again"
      )
    }
    let broken = note.files.filter(\.isBroken)
    if let first = broken.first {
      tell(
        .skipped, place,
        "files with damaged data were skipped: \(broken.count), such as "
          + FieldError.shown(first.name ?? first.type))
    } else {
      JournalFiles.tellMissing(text.files.filter { files[$0] == nil }, at: place, into: sink)
    }
    try entry.take(at: place, folder: folder, context, into: sink)
  }

  /// Returns the names by which a note is recognised in a later export: by its time and title, and
  /// by its time and text, so either may be edited.
  ///
  /// Notes from other programs often have the same time, so the time alone isn't enough.
  private func names(moment: Instant, title: String?, content: String, note: Note) -> [String] {
    let heading = "\(moment)/\(TableIdentity.hash(title ?? "").prefix(16))"
    let whole = [content] + note.files.map(\.hash)
    let name = JournalIdentity.of("evernote", context)
      .name(heading, content: whole.joined(separator: "\u{1F}"))
    guard JournalEntry.words(content) != nil else { return [name] }
    let text = "\(moment)/text/\(TableIdentity.hash(content).prefix(32))"
    // If notes with the same time and text have different titles, only the first has this name.
    let owner = context.notes.found("evernote \(text)") { name }
    return owner == name ? [name, text] : [name]
  }

  private func details(of note: Note, at place: String) -> [String] {
    var lines: [String] = []
    if let notebook { lines.append("Notebook: \(notebook)") }
    if let author = JournalEntry.words(note.fields["author"]) { lines.append("Author: \(author)") }
    if let url = JournalEntry.words(note.fields["source-url"]) { lines.append("Source: \(url)") }
    if let due = instant("reminder-time", of: note, at: place) {
      lines.append("Reminder: \(shown(due))")
    } else if note.fields["reminder-order"].flatMap(Self.number).map({ $0 != 0 }) ?? false {
      lines.append("Reminder")
    }
    if let done = instant("reminder-done-time", of: note, at: place) {
      lines.append("Reminder done: \(shown(done))")
    }
    return lines
  }

  private func shown(_ instant: Instant) -> String {
    let wall = context.homeZone.wallTime(at: instant)
    return "\(wall.day) \(wall.clockText)"
  }

  /// The notebook's name, which is that of its file; `Travel (1).enex` is a second download.
  private var notebook: String? {
    let last = file.name.split(separator: "/").last.map(String.init) ?? file.name
    let stem = last.lowercased().hasSuffix(".enex") ? String(last.dropLast(5)) : last
    return JournalEntry.words(stem.replacing(#/\s\(\d{1,3}\)$/#, with: ""))
  }

  // MARK: Fields

  private static func number(_ text: String) -> Double? {
    Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private func instant(_ key: String, of note: Note, at place: String) -> Instant? {
    guard let text = JournalEntry.words(note.fields[key]) else { return nil }
    let instant = Self.instant(text)
    if instant == nil {
      tell(
        .note, "\(place) field “\(key)”",
        "ignored: \(FieldError.shown(text)) isn’t a time such as 20240229T081500Z")
    }
    return instant
  }

  /// Returns the instant that a text such as `20240229T081500Z` gives.
  static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16 || bytes.count == 15, bytes[8] == UInt8(ascii: "T") else {
      return Instant(text)
    }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let end = bytes.count == 16 ? part(15..<16) : "Z"
    return Instant(
      "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):"
        + "\(part(13..<15))\(end)")
  }

  // MARK: Files

  private struct Placed {
    var attachment: Attachment
    var marker: String
  }

  /// Returns a note's attachments by the MD5 of their content.
  private func attachments(
    of note: Note, createdAt: Instant, at place: String
  ) -> [String: Placed] {
    var placed: [String: Placed] = [:]
    var names: Set<String> = []
    for file in note.files {
      guard let path = file.path, let folder, placed[file.hash] == nil else { continue }
      let url = folder.appendingPathComponent(path)
      let name = Self.name(of: file, except: &names)
      let type = Self.type(of: file, at: url, name)
      let attachment = Attachment(
        id: context.identities.next(), type: type.attachmentType, relativePath: path,
        mediaType: type.name, originalName: name, createdAt: createdAt, updatedAt: createdAt)
      let word =
        switch String(type.name.prefix { $0 != "/" }) {
        case "image": "photo"
        case "video": "video"
        case "audio": "audio"
        default: "file"
        }
      let marker = DayOneMarker(word: word, name: name)
        .markdown(
          isImage: word == "photo",
          text: word == "file" ? MarkdownEscapes.escapedLine(name) : "")
      placed[file.hash] = Placed(attachment: attachment, marker: marker)
    }
    return placed
  }

  /// Returns the name of a file, which no other file of the note has.
  private static func name(of file: EvernoteFile, except names: inout Set<String>) -> String {
    let parts = (file.name ?? "").split { $0 == "/" || $0 == "\\" || $0.isNewline }
    var name = String((parts.last ?? "").suffix(120)).trimmingCharacters(in: .whitespaces)
    if name.isEmpty || name == "." || name == ".." {
      let kind = file.type.split(separator: "/").last.map(String.init) ?? ""
      let ending = ["jpeg": "jpg", "mpeg": "mp3", "plain": "txt", "quicktime": "mov"][kind] ?? kind
      let isPlain = !ending.isEmpty && ending.utf8.count <= 5 && ending.allSatisfy(\.isLetter)
      name = "\(file.hash.prefix(8))" + (isPlain || ending == "mp3" ? ".\(ending)" : "")
    }
    var free = name
    var number = 2
    while !names.insert(free).inserted {
      free = "\(number)-\(name)"
      number += 1
    }
    return free
  }

  /// Returns the type of a file by its content, else as the note gives it.
  private static func type(of file: EvernoteFile, at url: URL, _ name: String) -> MediaType {
    let handle = try? FileHandle(forReadingFrom: url)
    defer { try? handle?.close() }
    let head = try? handle?.read(upToCount: 4_096)
    let found = MediaType(sniffing: head ?? Data(), fileName: name)
    let isKnown = found.name != "application/octet-stream" && found.name != "application/zip"
    let parts = file.type.split(separator: "/", omittingEmptySubsequences: false)
    let isType =
      parts.count == 2 && file.type.utf8.count <= 100
      && parts.allSatisfy {
        !$0.isEmpty && $0.utf8.allSatisfy { byte in byte > 0x20 && byte < 0x7F && byte != 0x3B }
      }
    return isKnown || !isType ? found : MediaType(name: file.type)
  }
}
