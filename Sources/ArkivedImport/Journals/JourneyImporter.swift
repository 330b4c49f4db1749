import ArkivedCore
import Foundation

/// Imports Journey's export: a zip archive, or the folder it unpacks to, with a JSON file for each
/// entry and its photos and recordings next to them.
///
/// Source of the format: exports of the programs for Android, the web and Google Drive, as read by
/// journey-markdown-converter, journey-to-evernote scripts and others. An entry has `date_journal`
/// in milliseconds, `timezone`, and a text that is HTML (`type` is `html`, which has been usual
/// since 2021), Markdown or plain. The largest floating-point number represents a missing
/// coordinate or temperature.
package struct JourneyImporter: Importer {
  package let format = "journey"

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    Self.isEntry(JSONHead(head))
  }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    Self.isEntry(try JournalJSON.head(of: file, head: head))
  }

  private static func isEntry(_ head: JSONHead) -> Bool {
    !head.keys.isDisjoint(with: ["date_journal", "dateOfJournal"])
      && !head.keys.isDisjoint(with: ["text", "preview_text", "photos", "id"])
  }

  /// Photos are named after their entry: `1625494049547-4BbDhzcByTFSg6MW-5bkOJACgIzl36wsU.jpg`.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
    let parts = name[start...].split(separator: "-")
    return folders.contains(String(name[..<start])) && parts.count >= 3
      && parts[0].count >= 12 && parts[0].allSatisfy { ("0"..."9").contains($0) }
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [""] }

  /// An entry without an ID is identified by its file's name.
  package func readsName(of file: ImportFile) -> Bool { true }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let files = JournalFiles(
      folder: file.url.deletingLastPathComponent(), file: file.url, context)
    try JournalJSON.forEach(in: file, into: sink) { json, place in
      try JourneyEntry(json, file, files, context).take(at: place, into: sink)
    }
  }
}

private struct JourneyEntry {
  private let json: JSON
  private let file: ImportFile
  private let files: JournalFiles
  private let context: ImportContext

  private static let known: Set<String> = [
    "id", "date_journal", "dateOfJournal", "date_modified", "updatedAt", "createdAt", "timezone",
    "text", "preview_text", "type", "mood", "sentiment", "lat", "lon", "address", "label", "folder",
    "favourite", "music_title", "music_artist", "photos", "attachments", "weather", "tags",
    "location", "linked_account_id", "version", "schemaVersion", "activity",
  ]

  init(_ json: JSON, _ file: ImportFile, _ files: JournalFiles, _ context: ImportContext) {
    (self.json, self.file, self.files, self.context) = (json, file, files, context)
  }

  func take(at place: String, into sink: any ImportSink) throws {
    func tell(_ severity: Diagnostic.Severity, _ field: String, _ message: String) {
      sink.diagnose(Diagnostic(severity, place: "\(place) field “\(field)”", message: message))
    }
    JournalJSON.tellUnread(
      json, known: Self.known, format: "journey", at: place, context, into: sink)
    let field = json["date_journal"] == nil ? "dateOfJournal" : "date_journal"
    guard let start = Self.instant(json[field]) else {
      return tell(
        .skipped, field,
        "skipped: \(FieldError.shown(json[field]?.text() ?? "nothing")) isn’t a time in "
          + "milliseconds since 1970")
    }
    let named = JournalEntry.words(json["timezone"])
    let zone = named.flatMap(DayOneFields.zone) ?? context.homeZone
    if let named, DayOneFields.zone(named) == nil {
      tell(
        .note, "timezone",
        "\(FieldError.shown(named)) isn’t a known time zone; read as \(zone.identifier)")
    }
    let stem = file.url.deletingPathExtension().lastPathComponent
    var entry = JournalEntry(
      provider: "journey", id: JournalEntry.words(json["id"]) ?? stem, source: .journeyImport,
      start: start, zone: zone)
    entry.text = text
    entry.tags = (json["tags"]?.array ?? []).compactMap(\.string)
    if let folder = JournalEntry.words(json["folder"]) { entry.tags.append(folder) }
    entry.isPinned = json["favourite"]?.bool ?? false
    entry.place =
      JournalEntry.words(json["address"]) ?? JournalEntry.words(json["location"]?["name"])
    let location = json["location"]
    let message = entry.setPlace(
      lat: json["lat"]?.double ?? location?["lat"]?.double,
      lon: json["lon"]?.double ?? location?["lng"]?.double ?? location?["lon"]?.double)
    if let message { tell(.note, "lat", message) }
    entry.weather = weather
    entry.details = details
    entry.createdAt = Self.instant(json["createdAt"]) ?? start
    entry.updatedAt = Self.instant(json["date_modified"] ?? json["updatedAt"])
    let listed = json["photos"]?.array ?? json["attachments"]?.array ?? []
    let names = listed.compactMap { $0.string ?? $0["filename"]?.string ?? $0["name"]?.string }
    entry.attachments = files.attachments(names, createdAt: start, at: place, into: sink)
    try entry.take(at: place, folder: files.folder, context, into: sink)
  }

  /// Milliseconds since 1970, or an instant in ISO 8601.
  private static func instant(_ json: JSON?) -> Instant? {
    if let number = json?.int { return JournalEntry.instant(milliseconds: Int64(number)) }
    return json?.string.flatMap { Instant($0) }
  }

  private var text: JournalEntry.Text {
    let text = json["text"]?.string ?? json["preview_text"]?.string ?? ""
    let type = JournalEntry.words(json["type"])
    guard type == "html" || (type == nil && Self.isHTML(text)) else { return .plain(text) }
    return .markdown(HTMLMarkdown.text(HTMLTokens(text).tokens))
  }

  private static func isHTML(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace).prefix(12).lowercased()
    return ["<p>", "<p ", "<div", "<h1", "<h2", "<h3", "<ul", "<ol", "<blockquote", "<span"]
      .contains { start.hasPrefix($0) }
  }

  private var weather: Weather? {
    guard let json = json["weather"], json.object != nil else { return nil }
    // Entries with `dateOfJournal` have `degreeC`.
    let written = json["degree_c"]?.double ?? json["degreeC"]?.double
    let degrees = written.flatMap { (-100...70).contains($0) ? $0 : nil }
    let weather = Weather(
      conditions: JournalEntry.words(json["description"]),
      temperatureCelsius: degrees.map { ($0 * 10).rounded() / 10 })
    return weather == Weather() ? nil : weather
  }

  private var details: [String] {
    var lines: [String] = []
    // Journey doesn't document which end of its scale is better.
    if let mood = json["mood"]?.int, mood > 0 { lines.append("Mood in Journey: \(mood)") }
    if let sentiment = json["sentiment"]?.double, sentiment > 0 {
      lines.append("Sentiment in Journey: \(AmountText.plain(sentiment))")
    }
    if let label = JournalEntry.words(json["label"]) { lines.append(label) }
    let music = ["music_title", "music_artist"].compactMap { JournalEntry.words(json[$0]) }
    if !music.isEmpty { lines.append("Music: \(music.joined(separator: ", "))") }
    if let activity = json["activity"]?.int, activity > 0 {
      lines.append("Activity in Journey: \(activity)")
    }
    return lines
  }
}
