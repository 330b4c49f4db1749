import ArkivedCore
import Foundation

/// Imports viewing histories exported by Netflix and YouTube, with an entry for each film, episode
/// or video.
///
/// Sources of the formats: the columns of Netflix's `ViewingActivity.csv` (personal information)
/// and `NetflixViewingHistory.csv` (viewing activity page), and the objects of
/// `watch-history.json` in Google Takeout, as the users of Netflix-to-Trakt-Import, movary and
/// google_takeout_parser report them.
package struct ViewingImporter: Importer {
  package enum Service: String, Sendable, CaseIterable { case netflix, youtube }

  private let service: Service
  package var format: String { service.rawValue }

  package init(_ service: Service) { self.service = service }

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    switch service {
    case .netflix:
      let columns = CSVTable.columns(ofHead: head)
      if columns.isSuperset(of: NetflixTable.detailed) { return true }
      // Any table may have a title and a date.
      return columns == ["title", "date"] && fileName.lowercased().contains("netflix")
    case .youtube:
      if Self.isPage(head, fileName) { return true }
      let keys = JSONHead(head)
      return keys.isList && keys.has(["header", "title", "time"])
        && HeadText.of(head).contains("\"YouTube")
    }
  }

  /// Returns true for Takeout's history as a page, which is only recognised to say what to do.
  private static func isPage(_ head: [UInt8], _ fileName: String) -> Bool {
    let name = fileName.lowercased().split(separator: "/").last ?? ""
    return ["watch-history.html", "wiedergabeverlauf.html"].contains(name)
      && HeadText.of(head).lowercased().contains("<html")
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    switch service {
    case .netflix: try NetflixTable(file: file, context: context, sink: sink).read()
    case .youtube:
      guard try !Self.isPage(ZipMembers.head(of: file), file.name) else {
        throw ImportRefusal(
          place: file.name,
          message: "YouTube’s history as a page (HTML) can’t be read. Export it again and choose "
            + "JSON: takeout.google.com › YouTube › Multiple formats › History")
      }
      var history = YouTubeHistory(file: file, context: context, sink: sink)
      try JournalJSON.forEach(in: file, into: sink) { try history.take($0, at: $1) }
      history.finish()
    }
  }
}

private struct NetflixTable {
  /// The columns of the table that Netflix sends on request.
  static let detailed: Set<String> = ["profile name", "start time", "duration", "title"]
  private static let known: Set<String> = [
    "profile name", "start time", "duration", "attributes", "title", "supplemental video type",
    "device type", "bookmark", "latest bookmark", "country", "date",
  ]
  /// The minimum duration in seconds; shorter ones are previews that played by themselves.
  private static let shortest = 60

  let file: ImportFile
  let context: ImportContext
  let sink: any ImportSink

  func read() throws {
    var table = try CSVTable(file)
    try table.refuseEmpty()
    table.tellUnread(into: sink) { Self.known.contains($0) }
    let columns = Set(table.header.map { $0.lowercased() })
    if columns.isSuperset(of: Self.detailed) { return try readDetailed(&table) }
    guard columns.isSuperset(of: ["title", "date"]) else {
      throw ImportRefusal(
        place: "\(file.name):1",
        message: "not a Netflix history: the columns Title and Date are missing")
    }
    try readDays(&table)
  }

  private func readDetailed(_ table: inout CSVTable) throws {
    var names = TableIdentity()
    var profiles: [String: Int] = [:]
    var trailers = 0
    var short = 0
    try table.forEach(into: sink) { row in
      let place = "\(file.name):\(row.line)"
      guard row.value("supplemental video type") == nil else { return trailers += 1 }
      guard let title = row.value("title") else { return skipUntitled(place) }
      let written = row.value("start time") ?? ""
      guard let time = ISODateTime(written),
        let start = JournalEntry.instant(
          milliseconds: time.wall.milliseconds - Int64(time.offsetSeconds ?? 0) * 1000)
      else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “Start Time”",
            message: "skipped: \(FieldError.shown(written)) isn’t a valid time (such as "
              + "2026-03-10 20:15:00)"))
      }
      let length = row.value("duration") ?? ""
      guard let seconds = Self.seconds(length) else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “Duration”",
            message: "skipped: \(FieldError.shown(length)) isn’t a valid duration (such as "
              + "00:41:13)"))
      }
      guard seconds >= Self.shortest else { return short += 1 }
      let profile = row.value("profile name") ?? ""
      profiles[profile, default: 0] += 1
      var entry = JournalEntry(
        provider: "netflix", id: names.name("\(start)", "\(profile)\n\(title)"),
        source: .mediaImport, start: start, zone: context.homeZone)
      entry.end = start.adding(seconds: seconds)
      entry.title = "Watched \(title)"
      if !profile.isEmpty { entry.details.append("Profile: \(profile)") }
      entry.createdAt = start
      try entry.take(at: place, context, into: sink)
    }
    note(trailers, "skipped trailers and previews")
    note(short, "skipped videos played for less than a minute")
    guard profiles.count > 1 else { return }
    let list = profiles.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20)
      .map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    sink.diagnose(
      Diagnostic(
        .note, place: file.name,
        message: "imported what all profiles watched: \(list). If you want only yours, undo this "
          + "import and delete the other rows from the file first"))
  }

  private func readDays(_ table: inout CSVTable) throws {
    let order = try dateOrder()
    var names = TableIdentity()
    try table.forEach(into: sink) { row in
      let place = "\(file.name):\(row.line)"
      guard let title = row.value("title") else { return skipUntitled(place) }
      let written = row.value("date") ?? ""
      guard let day = JournalDate(written, order: order)?.day else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “Date”",
            message: "skipped: \(FieldError.shown(written)) isn’t a valid date"))
      }
      var entry = JournalEntry(
        provider: "netflix", id: names.name("\(day)", title), source: .mediaImport, day: day,
        start: nil, zone: context.homeZone)
      entry.title = "Watched \(title)"
      entry.createdAt = context.now
      try entry.take(at: place, context, into: sink)
    }
  }

  /// Returns the order of days and months in the column of dates, which follows the language of the
  /// account.
  ///
  /// A date beyond the twelfth shows it. Otherwise, Netflix lists the latest first, so the order
  /// counts in which fewer dates are later than the one above them.
  private func dateOrder() throws -> DateOrder {
    var votes: [DateOrder: Int] = [:]
    var rises: [DateOrder: Int] = [:]
    var last: [DateOrder: DayKey] = [:]
    var isOpen = false
    var table = try CSVTable(file)
    try table.forEach(into: SilentSink()) { row in
      guard let written = row.value("date") else { return }
      if let order = JournalDate.order(toldBy: written) { votes[order, default: 0] += 1 }
      guard JournalDate.isOpen(written) else { return }
      isOpen = true
      for order in DateOrder.allCases {
        guard let day = JournalDate(written, order: order)?.day else { continue }
        if let last = last[order], day > last { rises[order, default: 0] += 1 }
        last[order] = day
      }
    }
    func fewer(_ counts: [DateOrder: Int]) -> DateOrder? {
      let (days, months) = (counts[.dayFirst] ?? 0, counts[.monthFirst] ?? 0)
      return days == months ? nil : days < months ? .dayFirst : .monthFirst
    }
    if let unlikely = fewer(votes) { return unlikely == .dayFirst ? .monthFirst : .dayFirst }
    if let likely = fewer(rises) { return likely }
    if isOpen {
      let first = DateOrder.inProcess == .monthFirst ? "month" : "day"
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "the export doesn’t show whether its dates start with the day or the month. "
            + "They were read with the \(first) first. If that’s wrong, undo this import and run "
            + "it again with LC_TIME=\(first == "day" ? "en_US" : "en_GB").UTF-8"))
    }
    return .inProcess
  }

  private func skipUntitled(_ place: String) {
    sink.diagnose(
      Diagnostic(.skipped, place: place, message: "skipped: the film or episode has no title"))
  }

  private func note(_ count: Int, _ message: String) {
    guard count > 0 else { return }
    sink.diagnose(Diagnostic(.note, place: file.name, message: "\(message): \(count)"))
  }

  /// Returns the seconds of `01:02:03`.
  private static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      (0..<24).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }
}

private struct YouTubeHistory {
  let file: ImportFile
  let context: ImportContext
  let sink: any ImportSink
  private var seen: Set<String> = []
  private var ads = 0
  private var removed = 0
  private var others = 0

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) {
    (self.file, self.context, self.sink) = (file, context, sink)
  }

  mutating func take(_ json: JSON, at place: String) throws {
    let details = (json["details"]?.array ?? []).compactMap { $0["name"]?.string }
    guard !details.contains(where: { $0.contains("Google Ads") || $0.contains("Google Anzeigen") })
    else { return ads += 1 }
    // A page visited in Chrome isn't a video watched.
    guard json["header"]?.string?.contains("YouTube") ?? true else { return others += 1 }
    guard let url = JournalEntry.words(json["titleUrl"]) else { return removed += 1 }
    guard let video = Self.video(of: url) else { return others += 1 }
    guard let start = json["time"]?.string.flatMap({ Instant($0) }) else {
      return sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “time”",
          message: "skipped: \(FieldError.shown(json["time"]?.text() ?? "nothing")) isn’t a "
            + "valid time (such as 2026-03-10T20:15:00Z)"))
    }
    let id = "\(start)/\(video)"
    guard seen.insert(id).inserted else { return }
    var entry = JournalEntry(
      provider: "youtube", id: id, source: .mediaImport, start: start, zone: context.homeZone)
    var channel = JournalEntry.words(json["subtitles"]?.array?.first?["name"])
    if let name = channel, name.hasSuffix(" - Topic") { channel = String(name.dropLast(8)) }
    let isMusic = json["header"]?.string == "YouTube Music"
    let title = Self.title(JournalEntry.words(json["title"]) ?? "")
    entry.title = (isMusic ? "Listened to " : "Watched ") + (title ?? "a video")
    if let channel { entry.details.append(channel) }
    entry.details.append(url)
    entry.createdAt = start
    try entry.take(at: place, context, into: sink)
  }

  func finish() {
    for (count, message) in [
      (ads, "skipped ads"), (removed, "skipped videos that have been removed"),
      (others, "skipped searches, posts and other activity"),
    ] where count > 0 {
      sink.diagnose(Diagnostic(.note, place: file.name, message: "\(message): \(count)"))
    }
  }

  /// Returns the video's identifier in an address such as `https://www.youtube.com/watch?v=…`.
  private static func video(of url: String) -> String? {
    for mark in ["/watch?v=", "youtu.be/", "/shorts/"] {
      guard let start = url.firstRange(of: mark)?.upperBound else { continue }
      let name = url[start...].prefix { $0 != "&" && $0 != "?" && $0 != "#" && $0 != "/" }
      return (1...40).contains(name.utf8.count) ? String(name) : nil
    }
    return nil
  }

  /// Returns the title of a video without the words for watching in the account's language; nil if
  /// it is only an address, as for videos that aren't public.
  private static func title(_ text: String) -> String? {
    var title = text[...]
    for words in ["Watched ", "Vous avez regardé ", "Has visto ", "Hai guardato "]
    where title.hasPrefix(words) {
      title = title.dropFirst(words.count)
      break
    }
    for words in [" angesehen", " bekeken"] where title.hasSuffix(words) {
      title = title.dropLast(words.count)
    }
    return title.isEmpty || title.hasPrefix("https://") || title.hasPrefix("http://")
      ? nil : String(title)
  }
}
