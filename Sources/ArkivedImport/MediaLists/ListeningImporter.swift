import ArkivedCore
import Foundation

/// Imports listening history exported by Spotify and programs for Last.fm, with an entry for each
/// day.
///
/// Sources of the formats: Spotify's own description of its downloads
/// (`StreamingHistory_music_0.json` of an account's data, `Streaming_History_Audio_….json` of the
/// extended history); the tables of ghan.nl's lastfm-to-csv (`uts, utc_time, artist, …`), of
/// lastfmstats.com (`Artist;Album;AlbumId;Track;Date#name`) and of Ben Foxall's lastfm-to-csv,
/// which has no header. Times are in UTC; Spotify's are the times at which plays ended.
package struct ListeningImporter: Importer {
  package enum Service: String, Sendable, CaseIterable { case spotify, lastfm }

  /// The beginning of the references of days.
  static let dayPrefix = "day/"

  private let service: Service
  package var format: String { service.rawValue }

  package init(_ service: Service) { self.service = service }

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    switch service {
    case .spotify:
      let keys = JSONHead(head)
      return keys.isList
        && (keys.has(["endTime", "msPlayed"]) || keys.has(["ts", "ms_played"]))
    case .lastfm: return LastFMColumns(head: head) != nil
    }
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    guard service == .spotify else { return false }
    let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
    let last = name[start...]
    let isOther =
      [
        "Userdata", "Payments", "Follow", "Identifiers", "Identity", "Inferences", "Marquee",
        "Playlist", "SearchQueries", "YourLibrary", "DuoNewFamily", "YourSoundCapsule", "Wrapped",
        "ReadMeFirst", "UserPrompts", "MessageData",
      ].contains { last.hasPrefix($0) } && (last.hasSuffix(".json") || last.hasSuffix(".pdf"))
    return isOther && folders.contains(String(name[..<start]))
  }

  // MARK: Reading

  /// A day may be split across files.
  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    // The first file of a run imports all of them.
    guard context.notes.isFirst("listening \(format)") else { return }
    let files = context.files.isEmpty ? [file] : context.files
    var days = ListeningDays(service: service, context: context)
    var refusals: [ImportRefusal] = []
    for file in files {
      do {
        switch service {
        case .spotify: try read(spotify: file, into: &days, sink)
        case .lastfm: try read(lastFM: file, into: &days, sink)
        }
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
      }
    }
    if refusals.count == files.count, let first = refusals.first { throw first }
    for refusal in refusals {
      sink.diagnose(Diagnostic(.skipped, place: refusal.place, message: refusal.message))
    }
    try days.finish(at: files[0].name, into: sink)
  }

  private func read(
    spotify file: ImportFile, into days: inout ListeningDays, _ sink: any ImportSink
  ) throws {
    try JournalJSON.forEach(in: file, into: sink) { json, place in
      let written = json["ts"]?.string ?? json["endTime"]?.string ?? ""
      guard let date = ISODateTime(written) else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “\(json["ts"] == nil ? "endTime" : "ts")”",
            message: "skipped: \(FieldError.shown(written)) isn’t a valid time (such as "
              + "2026-03-10 09:30)"))
      }
      let end = date.wall.milliseconds - Int64(date.offsetSeconds ?? 0) * 1000
      let length = json["ms_played"]?.int ?? json["msPlayed"]?.int ?? 0
      guard (0...86_400_000).contains(length) else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “ms_played”",
            message: "skipped: \(length) ms isn’t a valid duration"))
      }
      func words(_ keys: String...) -> String? {
        keys.lazy.compactMap { JournalEntry.words(json[$0]) }.first
      }
      guard
        let title = words(
          "master_metadata_track_name", "trackName", "episode_name", "episodeName",
          "audiobook_chapter_title", "audiobook_title")
      else { return days.countNameless() }
      let artist = words(
        "master_metadata_album_artist_name", "artistName", "episode_show_name", "podcastName",
        "audiobook_title")
      days.take(
        .init(end: end, milliseconds: length, title: title, artist: artist ?? ""))
    }
  }

  private func read(
    lastFM file: ImportFile, into days: inout ListeningDays, _ sink: any ImportSink
  ) throws {
    guard let columns = LastFMColumns(head: try ZipMembers.head(of: file)) else {
      throw ImportRefusal(
        place: "\(file.name):1", message: "not a list of scrobbles: no column contains times")
    }
    var table = try CSVTable(file, orNamed: LastFMColumns.nameless) { _ in columns.isNamed }
    try table.forEach(into: sink) { row in
      let place = "\(file.name):\(row.line)"
      let written = row.value(columns.time) ?? ""
      guard let end = columns.instant(written) else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “\(columns.time)”",
            message: "skipped: \(FieldError.shown(written)) isn’t a valid time"))
      }
      guard let title = row.value(columns.track) else { return days.countNameless() }
      days.take(
        .init(
          end: end.milliseconds, milliseconds: nil, title: title,
          artist: row.value(columns.artist) ?? ""))
    }
  }
}

/// The columns of a table of scrobbles.
private struct LastFMColumns {
  static let nameless = ["artist", "album", "track", "date"]

  let artist = "artist"
  let track = "track"
  var time: String
  var isNamed = true

  init?(head: [UInt8]) {
    let beginning = CSVTable.beginning(ofHead: head, isWhole: true)
    let names = beginning.header.map { $0.lowercased() }
    if names.contains("artist"), names.contains("track") {
      let times = names.filter { $0 == "uts" || $0.hasPrefix("date#") || $0 == "utc_time" }
      guard let time = times.min(by: { one, _ in one == "uts" }) else { return nil }
      self.time = time
    } else if beginning.header.count == 4, Self.date(beginning.header[3]) != nil,
      beginning.header[3].contains(":")
    {
      time = "date"
      isNamed = false
    } else {
      return nil
    }
  }

  /// Returns the instant from seconds or milliseconds since 1970, or from a date in words.
  func instant(_ text: String) -> Instant? {
    if let number = Int64(text) {
      guard number > 0 else { return nil }
      return JournalEntry.instant(milliseconds: number < 100_000_000_000 ? number * 1000 : number)
    }
    return Self.date(text)
  }

  private static func date(_ text: String) -> Instant? {
    JournalDate(text).flatMap { $0.moment(home: .utc)?.start }
  }
}

/// Groups plays by local day at home.
private struct ListeningDays {
  struct Play {
    /// Milliseconds since 1970.
    var end: Int64
    /// The duration; nil if the source doesn't give it.
    var milliseconds: Int?
    var title: String
    var artist: String
  }

  /// A play, stored compactly because there may be a million.
  private struct Entry: Hashable {
    var end: Int64
    var milliseconds: Int32
    var song: Int32
  }

  private struct Song: Hashable {
    var title: String
    var artist: String
  }

  /// The minimum duration of a play; shorter ones were skipped by the listener.
  private static let shortest = 30_000

  let service: ListeningImporter.Service
  let context: ImportContext
  private var songs: [Song] = []
  private var numbers: [Song: Int32] = [:]
  private var days: [DayKey: [Entry]] = [:]
  private var nameless = 0

  init(service: ListeningImporter.Service, context: ImportContext) {
    (self.service, self.context) = (service, context)
  }

  mutating func countNameless() { nameless += 1 }

  mutating func take(_ play: Play) {
    // Devices without a clock write the first day of 1970.
    guard play.end >= 86_400_000, JournalEntry.instant(milliseconds: play.end) != nil else {
      return nameless += 1
    }
    let song = Song(title: play.title, artist: play.artist)
    let number = numbers[song] ?? Int32(truncatingIfNeeded: songs.count)
    if numbers[song] == nil {
      numbers[song] = number
      songs.append(song)
    }
    let start = Instant(milliseconds: play.end - Int64(play.milliseconds ?? 0))
    days[context.homeZone.dayKey(at: start), default: []].append(
      Entry(end: play.end, milliseconds: play.milliseconds.map { Int32($0) } ?? -1, song: number))
  }

  /// Passes on the days, in order.
  func finish(at place: String, into sink: any ImportSink) throws {
    for (day, plays) in days.sorted(by: { $0.key < $1.key }) {
      try take(day, plays, at: "\(place) \(day)", into: sink)
    }
    guard nameless > 0 else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: place, message: "skipped plays without a title or time: \(nameless)"))
  }

  private func take(
    _ day: DayKey, _ plays: [Entry], at place: String, into sink: any ImportSink
  ) throws {
    // Both of Spotify's downloads contain the same plays; one gives the time only to the minute.
    var seen: Set<Entry> = []
    let distinct = plays.sorted { ($0.end, $0.song) > ($1.end, $1.song) }.filter { play in
      var key = play
      if service == .spotify { key.end = play.end / 60_000 }
      return seen.insert(key).inserted
    }.reversed()
    let whole = distinct.filter { $0.milliseconds < 0 || $0.milliseconds >= Self.shortest }
    guard !whole.isEmpty else { return }
    let zone = context.homeZone
    var counts: [String: Int] = [:]
    for play in whole { counts[songs[Int(play.song)].artist, default: 0] += 1 }
    let text = ListeningText(count: whole.count, artists: counts)
    let minutes = distinct.reduce(0) { $0 + max(0, Int($1.milliseconds)) } / 60_000
    var entry = JournalEntry(
      provider: service.rawValue, id: "\(ListeningImporter.dayPrefix)\(day)", source: .mediaImport,
      day: day, start: nil,
      zone: zone)
    entry.title = text.title
    entry.details = [text.description]
    entry.measurements["tracks"] = Double(whole.count)
    if minutes > 0 { entry.durationMinutes = Double(minutes) }
    entry.text = .markdown(
      whole.map { play in
        let start = Instant(milliseconds: play.end - Int64(max(0, play.milliseconds)))
        let song = songs[Int(play.song)]
        let words = [song.title, song.artist].filter { !$0.isEmpty }.joined(separator: ", ")
        return "- \(zone.wallTime(at: start).clockText) "
          + MarkdownEscapes.escaped(words.split(whereSeparator: \.isNewline).joined(separator: " "))
      }.joined(separator: "\n"))
    entry.createdAt = context.now
    try entry.take(at: place, context, into: sink)
  }
}

/// The text of a day of listening.
struct ListeningText {
  private let count: Int
  /// The artists with their numbers of plays, the most played first.
  private let artists: [(key: String, value: Int)]

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - count: the number of plays.
  ///   - artists: the number of plays of each artist.
  init(count: Int, artists: [String: Int]) {
    self.count = count
    self.artists = artists.filter { !$0.key.isEmpty }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  var title: String {
    "Listened to \(count) \(count == 1 ? "track" : "tracks")"
      + (artists.isEmpty ? "" : ": " + artists.prefix(3).map(\.key).joined(separator: ", "))
  }

  var description: String {
    artists.prefix(10).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
  }

  /// Sets the text of a stored day.
  ///
  /// - Parameters:
  ///   - day: the day's entry.
  ///   - lines: the lines of its plays.
  func fill(_ day: inout Activity, with lines: [String]) {
    let (line, notes) = JournalEntry.headed(title, lines.joined(separator: "\n"))
    (day.text, day.notes) = (line ?? title, notes)
    day.description = JournalEntry.words(description)
    day.measurements["tracks"] = Double(count)
  }
}
