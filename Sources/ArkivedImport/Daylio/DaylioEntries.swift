import ArkivedCore
import Foundation

/// An entry of Daylio, from a row of its CSV or from its backup.
struct DaylioEntry {
  struct Scale {
    var name: String
    /// The value as Daylio writes it; empty if the row gives none.
    var value: String

    /// The scale in words.
    var words: String { value.isEmpty ? name : "\(name): \(value)" }

    /// The amount; nil if it is given in words or negative.
    var amount: Double? {
      Double(value.replacing(",", with: ".")).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
  }

  var day: DayKey
  /// Seconds since local midnight; nil if only the day is known.
  var second: Int?
  /// Seconds by which the entry's clock was ahead of UTC; nil if unknown.
  var offset: Int?
  var mood: String?
  /// The mood's level, from 5 for the best to 1 for the worst; nil if unknown.
  var level: Int?
  /// The activities that were ticked.
  var activities: [String] = []
  /// The values on the owner's own scales.
  var scales: [Scale] = []
  var title: String?
  /// The note, with the few HTML tags that Daylio uses.
  var note: String?
  var isPinned = false
  var attachments: [Attachment] = []
  /// The checksums of the attachments, used to detect a changed entry.
  var checksums: [String] = []
  /// The entry's place in its source.
  var place: String
}

/// Converts entries to activities and collects the days' moods.
struct DaylioEntries {
  private struct Feeling {
    var sum = 0
    var count = 0
    var place: String
  }

  let file: ImportFile
  let context: ImportContext
  /// The base folder of attachment paths.
  var attachmentsFolder: URL?
  private var identity = TableIdentity()
  private var feelings: [DayKey: Feeling] = [:]
  private var strangeMoods: [String: Int] = [:]

  init(file: ImportFile, context: ImportContext) {
    self.file = file
    self.context = context
  }

  mutating func take(_ entry: DaylioEntry, into sink: any ImportSink) throws {
    feel(entry)
    try sink.take(
      ImportedRecord(
        .activity(activity(entry, sink)), place: entry.place, linksPeople: false,
        attachmentsFolder: attachmentsFolder))
  }

  private mutating func activity(_ entry: DaylioEntry, _ sink: any ImportSink) -> Activity {
    let did = entry.activities
    let note = entry.note.map(DaylioNote.markdown)
    let (title, rest) = Self.words(entry.title, note)
    let wall = entry.second.map { WallTime(day: entry.day, secondOfDay: $0) }
    let (start, zone) = moment(wall, entry.offset)
    var activity = Activity(
      id: context.identities.next(), dayKey: entry.day, startAt: start,
      timeZone: zone.identifier, kind: .personal,
      text: title ?? (did.isEmpty ? entry.mood.map { "Felt \($0)" } : did.joined(separator: ", "))
        ?? "Entry without words",
      description: Self.details(entry), notes: rest, source: .daylioImport,
      isPinned: entry.isPinned,
      tags: ImportedTags.valid(Self.distinct(did), at: entry.place, sink), createdAt: context.now,
      updatedAt: context.now)
    for scale in entry.scales { activity.measurements[scale.name] = scale.amount }
    activity.attachments = entry.attachments
    // The local clock time makes an entry of the backup match its row of an earlier CSV.
    let known = wall.map { "\(entry.day)T\($0.clockText)" } ?? "\(entry.day)"
    let content =
      [activity.text, rest ?? "", entry.mood ?? "", did.joined(separator: "|")] + entry.checksums
      + entry.scales.map(\.words)
    activity.externalRefs = [
      ExternalRef(
        provider: "daylio", externalID: identity.name(known, ""), fetchedAt: context.now,
        contentHash: TableIdentity.hash(content.joined(separator: "\u{1F}")))
    ]
    return activity
  }

  /// Returns the mood in words, and the scales that aren't amounts.
  private static func details(_ entry: DaylioEntry) -> String? {
    let words =
      [entry.mood.map { "Mood: \($0)" }].compactMap { $0 }
      + entry.scales.filter { $0.amount == nil }.map(\.words)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// Returns the time and the zone, which is the home zone unless the entry's clock differs.
  private func moment(_ wall: WallTime?, _ offset: Int?) -> (start: Instant?, zone: Zone) {
    let home = context.homeZone
    guard let wall else { return (nil, home) }
    guard let offset else { return (home.instant(of: wall), home) }
    let start = Instant(milliseconds: wall.milliseconds - Int64(offset) * 1000)
    return (start, PhotoTime.zone(offset: offset, at: start, home: home))
  }

  private mutating func feel(_ entry: DaylioEntry) {
    guard let mood = entry.mood else { return }
    guard let level = entry.level else {
      strangeMoods[mood, default: 0] += 1
      return
    }
    var feeling = feelings[entry.day] ?? Feeling(place: entry.place)
    feeling.sum += level
    feeling.count += 1
    feelings[entry.day] = feeling
  }

  /// Passes on the days' moods and reports moods without a level.
  func finish(into sink: any ImportSink) throws {
    for (mood, count) in strangeMoods.sorted(by: { $0.key < $1.key }) {
      sink.diagnose(
        Diagnostic(
          .note, place: "\(file.name) field “mood”",
          message: "Daylio’s file doesn’t say how good “\(mood)” is (\(count) "
            + "\(count == 1 ? "entry" : "entries")). It is kept as text and doesn’t count toward "
            + "the day’s mood"))
    }
    for (day, feeling) in feelings.sorted(by: { $0.key < $1.key }) {
      let mean = Double(feeling.sum) / Double(feeling.count)
      let entry = DayEntry(
        id: context.identities.next(), dayKey: day, mood: Int(mean.rounded()),
        createdAt: context.now, updatedAt: context.now)
      try sink.take(ImportedRecord(.day(entry), place: feeling.place, linksPeople: false))
    }
  }

  /// Returns the title, or else the note's first line if it is short, and the rest of the note.
  private static func words(_ title: String?, _ note: String?) -> (title: String?, rest: String?) {
    guard let note, !note.isEmpty else { return (title, nil) }
    if let title { return (title, note) }
    let lines = note.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let first = lines[0].trimmingCharacters(in: .whitespaces)
    guard first.count > 200 else {
      let rest = lines.count > 1 ? lines[1].trimmingCharacters(in: .whitespacesAndNewlines) : ""
      return (first, rest.isEmpty ? nil : rest)
    }
    let cut = first.prefix(200)
    let end = cut.lastIndex(of: " ") ?? cut.endIndex
    return ("\(cut[..<end])…", note)
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert(NameFolding.key($0)).inserted }
  }
}
