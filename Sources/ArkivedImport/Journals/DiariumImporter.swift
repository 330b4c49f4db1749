import ArkivedCore
import Foundation

/// Imports Diarium's export as JSON (one file, or one for each entry, alone or in a zip archive
/// with the folder `media/`) and as plain text (`DiariumText`).
///
/// Source of the format: exports, as read by diarian, diarium-to-dayone, diarium_dashboard and
/// others. An entry has `date` (local time, with fractions of a second), `heading`, `html`,
/// `rating` (1 to 5), `tags`, `people`, `tracker` (lines `Name: value`), `location` (latitude and
/// longitude), `weather`, `sun` and `lunar`. Its files are in `media/2026-03-10_093000000/`.
package struct DiariumImporter: Importer {
  package let format = "diarium"
  static let mediaFolder = "media"

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    Self.isJournal(JSONHead(head)) || DiariumText.isEntry(head, named: fileName)
  }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    Self.isJournal(try JournalJSON.head(of: file, head: head))
      || DiariumText.isEntry(head, named: file.name)
  }

  private static func isJournal(_ head: JSONHead) -> Bool {
    head.keys.contains("date") && head.keys.contains("heading")
      && !head.keys.isDisjoint(with: ["html", "tracker", "people", "rating", "text"])
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard parts.count >= 3, parts[parts.count - 3] == Substring(Self.mediaFolder),
      Self.isStamp(parts[parts.count - 2])
    else { return false }
    return folders.contains(parts.dropLast(3).map { $0 + "/" }.joined())
  }

  /// Returns true if a folder is named after an entry: `2026-03-10_093000000`.
  private static func isStamp(_ name: Substring) -> Bool {
    name.count >= 10 && DayKey(String(name.prefix(10))) != nil
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [Self.mediaFolder] }

  /// If no entry shows the order of days and months, the locale decides.
  package var settings: String { "\(DateOrder.inProcess)" }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let head = HeadText.plain(try ZipMembers.head(of: file))
    var reader = DiariumReader(file: file, context: context)
    if let first = head.first(where: { $0 > 0x20 }), first != UInt8(ascii: "["),
      first != UInt8(ascii: "{")
    {
      let entry = try DiariumText.read(file, context, into: sink)
      try reader.take(entry, at: file.name, into: sink)
    } else {
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        try reader.take(json, at: place, into: sink)
      }
    }
    try reader.finish(into: sink)
  }
}

/// Converts Diarium's entries to activities, and collects the days' ratings.
struct DiariumReader {
  let file: ImportFile
  let context: ImportContext
  private var ratings = DayMeans()

  init(file: ImportFile, context: ImportContext) {
    (self.file, self.context) = (file, context)
  }

  private static let known: Set<String> = [
    "date", "heading", "html", "text", "rating", "tags", "people", "tracker", "location", "weather",
    "sun", "lunar",
  ]

  mutating func take(_ json: JSON, at place: String, into sink: any ImportSink) throws {
    func tell(_ severity: Diagnostic.Severity, _ field: String, _ message: String) {
      sink.diagnose(Diagnostic(severity, place: "\(place) field “\(field)”", message: message))
    }
    JournalJSON.tellUnread(
      json, known: Self.known, format: "diarium", at: place, context, into: sink)
    let written = json["date"]?.string ?? ""
    guard let date = JournalDate(written) else {
      return tell(
        .skipped, "date",
        "skipped: \(FieldError.shown(json["date"]?.text() ?? "nothing")) isn’t a valid date (such "
          + "as 2026-03-10T09:30:00)")
    }
    let moment = date.moment(home: context.homeZone)
    let words = [json["heading"], json["html"], json["text"]].map { $0?.string ?? "" }
    // The fraction of a second distinguishes entries, but plain text has none.
    let name = date.wall.map { "\($0)" } ?? "\(date.day)"
    var entry = JournalEntry(
      provider: "diarium",
      id: JournalIdentity.of("diarium", context).name(
        name, content: written + words.joined(separator: "\u{1F}")),
      source: .diariumImport, day: date.day, start: moment?.start,
      zone: moment?.zone ?? context.homeZone)
    entry.title = JournalEntry.words(words[0]).map { HTMLMarkdown.plain(HTMLTokens($0).tokens) }
    entry.text =
      words[1].isEmpty
      ? .plain(words[2]) : .markdown(HTMLMarkdown.text(HTMLTokens(words[1]).tokens))
    entry.tags = Self.names(json["tags"])
    entry.people = Self.names(json["people"])
    readLocation(json["location"], into: &entry, tell)
    if let conditions = JournalEntry.words(json["weather"]) {
      entry.weather = Weather(conditions: conditions)
    }
    for line in Self.names(json["tracker"]) { read(tracker: line, into: &entry) }
    if let rating = json["rating"]?.double, rating > 0 {
      if (1...5).contains(rating) {
        entry.details.append("Rating: \(AmountText.plain(rating)) of 5")
        ratings.add(rating, on: date.day, at: place)
      } else {
        tell(.note, "rating", "ignored: \(AmountText.plain(rating)) isn’t between 1 and 5")
      }
    }
    for key in ["sun", "lunar"] {
      if let line = JournalEntry.words(json[key]) { entry.details.append(line) }
    }
    entry.createdAt = moment?.start
    let (folder, paths) = media(of: date, written)
    entry.attachments = JournalFiles(folder: folder, file: file.url, context)
      .attachments(paths, createdAt: moment?.start ?? context.now, at: place, into: sink)
    try entry.take(at: place, folder: folder, context, into: sink)
  }

  func finish(into sink: any ImportSink) throws {
    try ratings.takeMoods(context, into: sink)
  }

  private static func names(_ json: JSON?) -> [String] {
    (json?.array ?? []).compactMap { JournalEntry.words($0.string ?? $0["name"]?.string) }
  }

  private func readLocation(
    _ json: JSON?, into entry: inout JournalEntry,
    _ tell: (Diagnostic.Severity, String, String) -> Void
  ) {
    let pair = json?.array?.compactMap(\.double) ?? []
    entry.place = JournalEntry.words(json?["name"])
    let message = entry.setPlace(
      lat: pair.first ?? json?["latitude"]?.double,
      lon: pair.dropFirst().first ?? json?["longitude"]?.double)
    if let message { tell(.note, "location", message) }
  }

  /// `Weight: 72.5` is an amount, `Sport: yes` a detail.
  private func read(tracker line: String, into entry: inout JournalEntry) {
    let parts = line.split(separator: ":", maxSplits: 1).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    if parts.count == 2, !parts[0].isEmpty,
      let number = Double(parts[1].replacing(",", with: ".")), number.isFinite, number >= 0
    {
      entry.measurements[parts[0]] = number
    } else {
      entry.details.append(line)
    }
  }

  /// Returns the files of an entry: those in the folder named after its time, to the millisecond.
  private func media(of date: JournalDate, _ written: String) -> (folder: URL, paths: [String]) {
    let folder = file.url.deletingLastPathComponent()
    guard let wall = date.wall else { return (folder, []) }
    let fraction = ISODateTime(written)?.fraction ?? 0
    let clock = [wall.hour, wall.minute, wall.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    let stamp = "\(wall.day)_\(clock)"
    let home = folder.appendingPathComponent(DiariumImporter.mediaFolder)
    let index = JournalFiles.index(of: home, context) { String($0.prefix(17)) }
    let folders = index[stamp] ?? []
    // Milliseconds are truncated or rounded; they distinguish entries in the same second.
    let own = folders.filter { name in
      guard folders.count > 1, let told = Int(name.dropFirst(17).prefix(3)) else { return true }
      return abs(told - fraction) <= 1
    }
    let paths = own.flatMap { name in
      let names =
        (try? FileManager.default.contentsOfDirectory(
          atPath: home.appendingPathComponent(name).path)) ?? []
      return names.sorted().map { "\(DiariumImporter.mediaFolder)/\(name)/\($0)" }
    }
    return (folder, paths)
  }
}
