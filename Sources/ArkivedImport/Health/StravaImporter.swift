import ArkivedCore
import Foundation

/// Imports Strava's bulk export: `activities.csv` and the recordings in the folder `activities`.
///
/// Each row becomes an entry, with the route of its recording (`.gpx`, `.fit` or `.tcx`, also
/// compressed by gzip). Times are UTC. The column names are in the language of the account; English
/// and German are supported.
package struct StravaImporter: Importer {
  package let format = "strava"
  package let keepsPlaces = true
  static let provider = "strava"
  /// The size limit of an unpacked recording.
  private static let sizeLimit: Int64 = 512 << 20

  package init() {}

  /// The columns, English and German, lower case.
  private enum Column: String, CaseIterable {
    case id = "activity id|aktivitäts-id"
    case date = "activity date|aktivitätsdatum"
    case name = "activity name|name der aktivität"
    case type = "activity type|aktivitätsart"
    case description = "activity description|beschreibung der aktivität|aktivitätsbeschreibung"
    case note = "activity private note|private notiz zur aktivität"
    case file = "filename|dateiname"
    case moving = "moving time|bewegungszeit"
    case elapsed = "elapsed time|verstrichene zeit"
    case distance = "distance|distanz"
    case mostHeart = "max heart rate|max. herzfrequenz|maximale herzfrequenz"
    case meanHeart = "average heart rate|durchschnittliche herzfrequenz"
    case ascent = "elevation gain|höhenunterschied|höhengewinn"
    case calories = "calories|kalorien"
    case gear = "activity gear|ausrüstung für aktivität"

    var names: [String] { rawValue.split(separator: "|").map(String.init) }

    /// Returns the column in a table; if two have the name, the second contains the exact numbers.
    func find(in header: [String]) -> Int? {
      let places = header.indices.filter { names.contains(header[$0].lowercased()) }
      return self == .elapsed || self == .distance ? places.last : places.first
    }
  }

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let columns = CSVTable.columns(ofHead: head)
    return [Column.id, .date, .file].allSatisfy { !columns.isDisjoint(with: $0.names) }
  }

  /// The recordings, which belong to the rows, and the lists of the account.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard parts.count >= 1 else { return false }
    let home = parts.dropLast().map { $0 + "/" }.joined()
    if folders.contains(home), name.lowercased().hasSuffix(".csv") {
      return Self.lists.contains(String(parts[parts.count - 1]))
    }
    return parts.count >= 2 && ["activities", "media", "routes"].contains(parts[parts.count - 2])
      && folders.contains(parts.dropLast(2).map { $0 + "/" }.joined())
  }

  private static let lists: Set<String> = [
    "applications.csv", "bikes.csv", "shoes.csv", "clubs.csv", "comments.csv", "contacts.csv",
    "events.csv", "favorites.csv", "followers.csv", "following.csv", "general_preferences.csv",
    "goals.csv", "logins.csv", "media.csv", "memberships.csv", "profile.csv", "reactions.csv",
    "routes.csv", "segments.csv", "starred_routes.csv", "email_preferences.csv",
    "visibility_settings.csv",
    "global_challenges.csv", "group_challenges.csv", "connected_apps.csv", "partner_opt_outs.csv",
    "privacy_zones.csv", "social_settings.csv", "starred_segments.csv", "support_tickets.csv",
    "mobile_device_identifiers.csv", "messaging.json", "orders.csv", "posts.csv", "blocks.csv",
    "category_opt_outs.csv", "metering.csv", "components.csv", "flags.csv",
    "local_legend_segments.csv",
  ]

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var table = try CSVTable(file)
    try table.refuseEmpty()
    var places: [Column: Int] = [:]
    for column in Column.allCases { places[column] = column.find(in: table.header) }
    guard places[.id] != nil, places[.date] != nil else {
      throw ImportRefusal(
        place: "\(file.name):1",
        message: "not Strava’s activities.csv: the column Activity ID or Activity Date is missing")
    }
    var entries = ServiceEntries(
      context: context, provider: Self.provider, service: "Strava", sink: sink)
    let recordings = Recordings(file: file, context: context, sink: sink)
    try table.forEach(into: sink) { row in
      func text(_ column: Column) -> String? { places[column].flatMap { row.value(at: $0) } }
      func number(_ column: Column) -> Double? {
        text(column).flatMap { TableAmount.number($0) }
      }
      let place = "\(file.name):\(row.line)"
      guard let id = text(.id), let start = Self.time(text(.date)) else {
        return entries.skip(
          "\(place) field “Activity Date”",
          "\(FieldError.shown(text(.date) ?? "")) isn’t a valid time")
      }
      var workout = RecordedActivity(start: start, place: place)
      workout.sport = Self.sport(text(.type) ?? "")
      workout.name = text(.name)
      let notes = [text(.description), text(.note)].compactMap { $0 }
      workout.notes = notes.isEmpty ? nil : notes.joined(separator: "\n\n")
      workout.device = text(.gear)
      workout.seconds = number(.moving) ?? number(.elapsed)
      if let elapsed = number(.elapsed), (0...1e7).contains(elapsed) {
        workout.end = start.adding(seconds: Int(elapsed))
      }
      workout.metres = number(.distance).flatMap { $0 > 0 ? $0 : nil }
      workout.heartMean = number(.meanHeart)
      workout.heartMost = number(.mostHeart)
      workout.ascent = number(.ascent)
      workout.kilocalories = number(.calories)
      let recording = try text(.file).flatMap { try recordings.activity($0, at: place) }
      try entries.take(workout, id: "activity/\(id)", recording: recording)
    }
    try entries.finish(file)
  }

  /// Parses `Nov 20, 2025, 6:12:33 AM` and `20.11.2025, 06:12:33`, in UTC.
  private static func time(_ text: String?) -> Instant? {
    guard let text else { return nil }
    if let instant = ServiceValue.utc(text) { return instant }
    let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard let clock = parts.last.flatMap({ TableTimes.secondOfDay($0) }), parts.count > 1,
      let day = TableTimes.day(parts.dropLast().joined(separator: ", "), order: .dayFirst)
    else { return nil }
    return Zone.utc.instant(of: WallTime(day: day, secondOfDay: clock))
  }

  /// Returns the English names for Strava's German names of common sports.
  private static func sport(_ type: String) -> String {
    let german = [
      "Lauf": "Run", "Radfahrt": "Ride", "Radtour": "Ride", "Schwimmen": "Swim",
      "Wanderung": "Hike", "Spaziergang": "Walk", "Gehen": "Walk",
      "Krafttraining": "Weight training",
    ]
    return german[type] ?? type
  }

  /// The recordings next to a table.
  private struct Recordings {
    let file: ImportFile
    let context: ImportContext
    let sink: any ImportSink

    /// Returns the entry of a recording, or nil if it is missing or can't be read.
    func activity(_ path: String, at place: String) throws -> ImportedRecord? {
      let parts = path.split(separator: "/")
      guard parts.count == 2, parts[0] == "activities", !parts[1].hasPrefix(".") else { return nil }
      let url = file.url.deletingLastPathComponent().appendingPathComponent(path)
      let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
      guard type as? FileAttributeType == .typeRegular else { return nil }
      do {
        return try read(url, path)
      } catch {
        let reason =
          (error as? ImportRefusal)?.message ?? (error as? ZipFailure).map { "\($0)" }
          ?? error.localizedDescription
        sink.diagnose(
          Diagnostic(
            .note, place: place,
            message: "the recording \(path) can’t be read, so there is no route: \(reason)"))
        return nil
      }
    }

    private func read(_ url: URL, _ path: String) throws -> ImportedRecord? {
      var plain = ImportFile(url: url, name: file.folder + path)
      var head = try ZipMembers.head(of: plain, count: 4_096)
      if GzipFile.isGzip(head) {
        let target = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
        try GzipFile.unpack(url, to: target, limit: StravaImporter.sizeLimit)
        plain = ImportFile(url: target, name: plain.name)
        head = try ZipMembers.head(of: plain, count: 4_096)
      }
      let importers: [any Importer] = [FITImporter(), TCXImporter(), GPXImporter()]
      guard let importer = importers.first(where: { $0.recognises(head: head, fileName: path) })
      else { return nil }
      let capture = WorkoutSink()
      try importer.read(plain, context: context, into: capture)
      // The longest part is the activity; halts in between are not.
      return capture.records.max { Self.weight($0) < Self.weight($1) }
    }

    private static func weight(_ record: ImportedRecord) -> Double {
      guard case .activity(let activity) = record.value, !activity.attachments.isEmpty else {
        return 0
      }
      return activity.measurements["km"] ?? 0.001
    }
  }
}

/// A number as written in services' tables.
enum TableAmount {
  static func number(_ text: String) -> Double? {
    var plain = text.replacing(" ", with: "")
    if plain.contains(","), !plain.contains(".") { plain = plain.replacing(",", with: ".") }
    return Double(plain).flatMap { $0.isFinite ? $0 : nil }
  }
}
