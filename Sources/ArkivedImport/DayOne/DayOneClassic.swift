import ArkivedCore
import Foundation

/// An entry of Day One Classic, the first version: `Journal.dayone/entries/UUID.doentry`, a
/// property list, with its photo at `Journal.dayone/photos/UUID.jpg`.
///
/// Source of the format: the journals themselves, as read by dayone_export, jrnl and
/// day-one-classic-to-markdown. An entry is converted to the structure of Day One's JSON, so the
/// same entry in a later export is recognised by its UUID.
struct DayOneClassic {
  static let ending = ".doentry"
  static let folderName = "entries"

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink

  init(_ file: ImportFile, _ context: ImportContext, _ sink: any ImportSink) {
    (self.file, self.context, self.sink) = (file, context, sink)
  }

  static func isEntry(_ head: [UInt8], named name: String) -> Bool {
    name.lowercased().hasSuffix(ending) && PropertyList.isList(head)
  }

  /// - Throws: `ImportRefusal` if it can't be read, and errors from the sink.
  func read() throws {
    let plist = try PropertyList.read(file)
    let folder = file.url.deletingLastPathComponent()
    let home =
      folder.lastPathComponent == Self.folderName
      ? folder.deletingLastPathComponent() : folder
    let files = context.notes.found("dayone classic \(home.path)") {
      DayOneMediaFiles(beside: home.appendingPathComponent("entry"))
    }
    let json = json(plist, files)
    var name = home.lastPathComponent
    if name.hasSuffix(".dayone") { name.removeLast(".dayone".count) } else { name = "Journal" }
    let journal = DayOneJournal(url: file.url, place: file.name, name: name)
    var surroundings = DayOneEntry.Surroundings(context: context, files: files, media: [:])
    surroundings.journalTag = journal.tag
    _ = try DayOneJournal.take(
      DayOneJSON.Parsed(json: json, remarks: unread(plist)), file.name, surroundings, sink)
  }

  /// Returns remarks about fields that aren't imported, once per run.
  private func unread(_ plist: JSON) -> [DayOneEntry.Remark] {
    let known: Set<String> = [
      "Creation Date", "Entry Text", "Starred", "Tags", "Time Zone", "UUID", "Location", "Weather",
      "Creator", "Activity", "Step Count", "Ignore Step Count", "Music",
    ]
    return (plist.object?.members ?? []).compactMap { key, _ in
      guard !known.contains(key), context.notes.isFirst("doentry field \(key)") else { return nil }
      return DayOneEntry.Remark(
        field: key, message: "this field was skipped here and in other entries")
    }
  }

  private func json(_ plist: JSON, _ files: DayOneMediaFiles) -> JSON {
    let stem = file.url.deletingPathExtension().lastPathComponent
    let uuid = JournalEntry.words(plist["UUID"]) ?? stem
    var entry: JSONObject = ["uuid": .string(uuid), "text": plist["Entry Text"] ?? ""]
    entry["creationDate"] = plist["Creation Date"]
    entry["timeZone"] = plist["Time Zone"]
    entry["starred"] = plist["Starred"]
    entry["tags"] = plist["Tags"]
    entry["location"] = Self.renamed(
      plist["Location"],
      [
        "Place Name": "placeName", "Locality": "localityName",
        "Administrative Area": "administrativeArea", "Country": "country", "Latitude": "latitude",
        "Longitude": "longitude",
      ])
    entry["weather"] = Self.renamed(
      plist["Weather"],
      [
        "Description": "conditionsDescription", "Celsius": "temperatureCelsius",
        "Relative Humidity": "relativeHumidity", "Wind Speed KPH": "windSpeedKPH",
      ])
    var activity: JSONObject = [:]
    activity["activityName"] = plist["Activity"]
    if plist["Ignore Step Count"]?.bool != true { activity["stepCount"] = plist["Step Count"] }
    entry["userActivity"] = .object(activity)
    entry["music"] = Self.renamed(
      plist["Music"], ["Track": "track", "Artist": "artist", "Album": "album"])
    let photo: JSON = ["identifier": .string(uuid), "type": "jpg", "orderInEntry": 0]
    if let media = DayOneMedia.all(of: ["photos": [photo]]).first {
      if case .missing = files.place(of: media) {} else { entry["photos"] = [photo] }
    }
    return .object(entry)
  }

  /// Returns the members of a dictionary under the names that Day One gave them later; numbers may
  /// be strings.
  private static func renamed(_ json: JSON?, _ names: [String: String]) -> JSON? {
    guard let members = json?.object?.members else { return nil }
    var object: JSONObject = [:]
    for (key, value) in members {
      guard let name = names[key] else { continue }
      let isWord = [
        "Name", "Area", "Locality", "Country", "Description", "Track", "Artist", "Album",
      ]
      .contains { key.hasSuffix($0) }
      object[name] =
        isWord ? value : value.string.flatMap { Double($0) }.map { .number($0) } ?? value
    }
    return .object(object)
  }
}
