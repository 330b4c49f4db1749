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

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let last = fileName.split(separator: "/").last?.lowercased() ?? ""
    let keys = JSONHead(head)
    guard !keys.isList else { return false }
    if last == "locations.json" {
      return keys.keys.contains("locations") && HeadText.of(head).contains("\"lon\"")
    }
    return last == "trip.json"
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
    file.name.lowercased().hasSuffix("locations.json") ? [] : nil
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
    guard count == 0 else { return }
    sink.diagnose(
      Diagnostic(.note, place: file.name, message: "nothing to import: the list is empty"))
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
    guard let seconds = ServiceValue.number(json["start_time"]), abs(seconds) < 1e12,
      let start = JournalEntry.instant(milliseconds: Int64(seconds * 1_000))
    else { return skip("start_time", "it isn’t a valid time") }
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

  private func readPoints(
    _ file: ImportFile, _ context: ImportContext, _ sink: any ImportSink
  ) throws {
    var days = PointDays(file, context: context, provider: Self.provider, into: sink)
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
