import ArkivedCore
import Foundation

/// Imports Strava's bulk export: `activities.csv` and the recordings in the folder `activities`.
///
/// Each row becomes an entry, with the route of its recording (`.gpx`, `.fit` or `.tcx`, also
/// compressed by gzip) and its photos and videos. Times are UTC.
package struct StravaImporter: Importer {
  package let format = "strava"
  package let keepsPlaces = true
  static let provider = "strava"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    StravaColumns.recognises(head: head, fileName: fileName)
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
    // Strava repeats the names of five columns.
    var table = try CSVTable(file, numbersRepeats: true)
    try table.refuseEmpty()
    let head = try ZipMembers.head(of: file, count: 64 << 10)
    let (_, rows) = CSVTable.beginning(ofHead: head, isWhole: head.count < 64 << 10)
    let columns = StravaColumns(table.header, fileColumn: StravaColumns.fileColumn(in: rows))
    guard !columns.isForeign || table.header.count > 6 else {
      throw ImportRefusal(
        place: "\(file.name):1",
        message: "not Strava’s activities.csv: the column Activity ID or Activity Date is missing")
    }
    var entries = ServiceEntries(
      context: context, provider: Self.provider, service: "Strava", sink: sink)
    let recordings = StravaRecordings(file: file, context: context, sink: sink)
    var media = StravaMedia(file: file, context: context, sink: sink)
    var used: Set<String> = []
    var undated = 0
    let count = table.header.count
    try table.forEach(into: sink) { row in
      let place = "\(file.name):\(row.line)"
      let row = StravaColumns.Row(columns: columns, row: row, count: count)
      guard let id = row.id, let start = StravaColumns.time(row.date) else {
        undated += 1
        return entries.skip(
          "\(place) field “Activity Date”",
          "\(FieldError.shown(row.date ?? "")) isn’t a valid time")
      }
      let recording = row.recording.flatMap {
        recordings.activity($0, start: start, at: place)
      }
      if let path = row.recording { used.insert(path) }
      let workout = Self.workout(row, start, recording, place)
      try entries.take(
        workout, id: "activity/\(id)", recording: recording,
        media: media.attachments(row.media, start: start, at: place))
    }
    if undated > 0, entries.count == 0, columns.isForeign {
      throw ImportRefusal(
        place: "\(file.name):2",
        message: "the dates of this Strava archive are in a language Arkived can’t read. On "
          + "strava.com, set the language to English and request the archive again")
    }
    try entries.finish(file)
    media.tellRest(besides: used)
  }

  private static func workout(
    _ row: StravaColumns.Row, _ start: Instant, _ recording: ImportedRecord?, _ place: String
  ) -> RecordedActivity {
    var workout = RecordedActivity(start: start, place: place)
    workout.sport = StravaColumns.sport(row.type ?? "")
    workout.name = row.name
    workout.notes = row.notes
    workout.device = row.gear
    if let elapsed = row.elapsed, (0...1e7).contains(elapsed) {
      workout.end = start.adding(seconds: Int(elapsed))
    }
    var recorded: Double?
    if case .activity(let activity)? = recording?.value {
      recorded = activity.measurements["km"].map { $0 * 1_000 }
    }
    workout.metres = row.metres(recorded: recorded)
    // Yoga has a moving time too, of the few seconds in which the watch moved.
    let isMoving = workout.metres != nil && row.moving ?? 0 > 0
    workout.seconds = isMoving ? row.moving : row.elapsed ?? row.moving
    workout.heartMean = row.meanHeart
    workout.heartMost = row.mostHeart
    workout.ascent = row.ascent
    workout.kilocalories = row.calories
    return workout
  }
}
