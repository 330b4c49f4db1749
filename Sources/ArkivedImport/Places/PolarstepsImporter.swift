import ArkivedCore
import Foundation

/// Imports Polarsteps' data export: for each trip, `trip.json` with its steps, `locations.json`
/// with the points in between, and a folder per step with photos and videos
/// (`a-step_12345/photos`).
///
/// Each step becomes an entry, and the points become stays and trips. Source of the format:
/// descriptions of exported files; times are seconds since 1970.
package struct PolarstepsImporter: Importer {
  package let format = "polarsteps"
  package let keepsPlaces = true
  static let provider = "polarsteps"
  /// The name of the file with a trip's steps.
  private static let trip = "trip.json"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let last = fileName.split(separator: "/").last?.lowercased() ?? ""
    let keys = JSONHead(head)
    guard !keys.isList else { return false }
    if last == "locations.json" {
      return keys.keys.contains("locations") && HeadText.of(head).contains("\"lon\"")
    }
    return last == Self.trip
      && (keys.keys.contains("all_steps") || keys.has(["id", "start_date"])
        || keys.has(["cover_photo_path"]))
  }

  /// The photos and videos of steps.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    return parts.count >= 3 && ["photos", "videos"].contains(parts[parts.count - 2])
      && parts[parts.count - 3].contains("_")
      && folders.contains(parts.dropLast(3).map { $0 + "/" }.joined())
  }

  package func surroundings(of file: ImportFile) -> [String]? {
    file.name.lowercased().hasSuffix("locations.json") ? [Self.trip] : nil
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    if file.name.lowercased().hasSuffix("locations.json") {
      return try readPoints(file, context, sink)
    }
    let files = JournalFiles(
      folder: file.url.deletingLastPathComponent(), file: file.url, context)
    let folders = JournalFiles.index(of: files.folder, context) { name in
      name.split(separator: "_").last.map(String.init) ?? ""
    }
    var count = 0
    try JournalJSON.forEach(in: file, list: ["all_steps", "steps"], into: sink) { json, place in
      count += 1
      try Self.take(json, place, files, folders, context, sink)
    }
    if try takeTrip(file, context, sink) { count += 1 }
    guard count == 0 else { return }
    sink.diagnose(
      Diagnostic(.note, place: file.name, message: "nothing to import: the list is empty"))
  }

  /// Takes the trip's own words as an entry on its first day.
  ///
  /// - Returns: true if it has a name.
  private func takeTrip(
    _ file: ImportFile, _ context: ImportContext, _ sink: any ImportSink
  ) throws -> Bool {
    guard let data = try? Data(contentsOf: file.url), let json = try? JSON(parsing: [UInt8](data)),
      let name = JournalEntry.words(json["name"]), let id = ServiceValue.id(json["id"]),
      let start = Self.start(json, "start_date")
    else { return false }
    let zone = JournalEntry.words(json["timezone_id"]).flatMap(DayOneFields.zone)
    let home = zone ?? context.homeZone
    var entry = JournalEntry(
      provider: Self.provider, id: "trip/\(id)", source: .locationImport,
      day: home.dayKey(at: start), start: nil, zone: home)
    entry.title = "Trip: \(name)"
    if let summary = JournalEntry.words(json["summary"]) { entry.text = .plain(summary) }
    try entry.take(at: file.name, context, into: sink)
    return true
  }

  private static func take(
    _ json: JSON, _ place: String, _ files: JournalFiles, _ folders: [String: [String]],
    _ context: ImportContext, _ sink: any ImportSink
  ) throws {
    func skip(_ field: String, _ reason: String) {
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “\(field)”", message: "skipped: \(reason)"))
    }
    guard json["is_deleted"]?.bool != true else { return }
    guard let id = ServiceValue.id(json["id"]) ?? JournalEntry.words(json["uuid"]) else {
      return skip("id", "the step has no ID")
    }
    guard let start = start(json) else { return skip("start_time", "it isn’t a valid time") }
    let zone = JournalEntry.words(json["timezone_id"]).flatMap(DayOneFields.zone)
    var entry = JournalEntry(
      provider: provider, id: "step/\(id)", source: .locationImport, start: start,
      zone: zone ?? context.homeZone)
    let location = json["location"]
    entry.title =
      JournalEntry.words(json["display_name"]) ?? JournalEntry.words(json["name"])
      ?? JournalEntry.words(location?["name"]) ?? "A step"
    if let text = JournalEntry.words(json["description"]) { entry.text = .plain(text) }
    let parts = [location?["name"], location?["detail"]].compactMap { JournalEntry.words($0) }
    entry.place = parts.isEmpty ? nil : parts.joined(separator: ", ")
    if let message = entry.setPlace(lat: location?["lat"]?.double, lon: location?["lon"]?.double) {
      sink.diagnose(Diagnostic(.note, place: "\(place) field “location”", message: message))
    }
    let degrees = json["weather_temperature"]?.double.flatMap {
      (-100...70).contains($0) ? ($0 * 10).rounded() / 10 : nil
    }
    let weather = Weather(
      conditions: JournalEntry.words(json["weather_condition"])?.replacing("-", with: " "),
      temperatureCelsius: degrees)
    if weather != Weather() { entry.weather = weather }
    entry.attachments = attachments(of: id, start, files, folders)
    try entry.take(at: place, folder: files.folder, context, into: sink)
  }

  /// Returns the photos and videos in the folder that ends with a step's number.
  private static func attachments(
    of id: String, _ start: Instant, _ files: JournalFiles, _ folders: [String: [String]]
  ) -> [Attachment] {
    (folders[id] ?? []).flatMap { folder in
      ["photos", "videos"].flatMap { kind -> [Attachment] in
        let url = files.folder.appendingPathComponent(folder).appendingPathComponent(kind)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.compactMap {
          files.attachment("\(folder)/\(kind)/\($0)", createdAt: start)
        }
      }
    }
  }

  /// Returns the zones of the steps next to a file of points, each from its step to the next one.
  private static func zones(beside file: ImportFile, home: HomeZones) -> HomeZones {
    let url = file.url.deletingLastPathComponent().appendingPathComponent(trip)
    guard let data = try? Data(contentsOf: url), let json = try? JSON(parsing: [UInt8](data)) else {
      return home
    }
    func zone(_ json: JSON) -> Zone? {
      JournalEntry.words(json["timezone_id"]).flatMap(DayOneFields.zone)
    }
    let steps = (json["all_steps"] ?? json["steps"])?.array ?? []
    let moves = steps.compactMap { step -> (start: Instant, zone: Zone)? in
      guard step["is_deleted"]?.bool != true, let zone = zone(step), let start = start(step) else {
        return nil
      }
      return (start, zone)
    }.sorted { $0.start < $1.start }
    guard let first = moves.first?.zone ?? zone(json) else { return home }
    // All points belong to the trip, also those before its first step.
    var spans = [HomeZones.Span(start: .earliest, end: .latest, zone: first)]
    for move in moves.dropFirst() where move.zone != spans[spans.count - 1].zone {
      guard move.start > spans[spans.count - 1].start else { continue }
      spans[spans.count - 1].end = move.start
      spans.append(HomeZones.Span(start: move.start, end: .latest, zone: move.zone))
    }
    return HomeZones(home: home.home, spans: spans)
  }

  /// Returns the start of a step or trip, which is given in seconds since 1970.
  private static func start(_ json: JSON, _ field: String = "start_time") -> Instant? {
    guard let seconds = ServiceValue.number(json[field]), abs(seconds) < 1e12 else {
      return nil
    }
    return JournalEntry.instant(milliseconds: Int64(seconds * 1_000))
  }

  private func readPoints(
    _ file: ImportFile, _ context: ImportContext, _ sink: any ImportSink
  ) throws {
    var days = PointDays(
      file, context: context, provider: Self.provider,
      zones: Self.zones(beside: file, home: context.zones), into: sink)
    try JournalJSON.forEach(in: file, list: ["locations"], into: sink) { json, place in
      guard let lat = json["lat"]?.double, let lon = json["lon"]?.double,
        let position = GeoPoint(lat: lat, lon: lon)
      else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “lat”",
            message: "skipped: it has no valid coordinates"))
      }
      guard let time = ServiceValue.number(json["time"]), time > 0, time < 1e11 else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “time”", message: "skipped: it isn’t a valid time"))
      }
      try days.take(TrackPoint(position, time: Int64(time * 1_000)))
    }
    try days.finish()
  }
}
