import ArkivedCore
import Foundation

/// Reads Daylio's backup: a zip archive (`….daylio`) with `backup.daylio`, which is JSON in Base64,
/// and its photos and recordings in `assets/`.
///
/// The contents of an unpacked or decoded backup can be read, too.
///
/// Source of the format: the programs that read such files (daylio-scribe, dayligo, daylio_tools;
/// up to version 19). An entry has its local time in parts, with months from 0, and
/// `timeZoneOffset` in milliseconds; its mood is one of `customMoods`, whose group gives its level,
/// from 1 for the best to 5. Older backups have no titles and no assets.
final class DaylioBackup {
  private struct Mood {
    var name: String
    var level: Int?
  }

  static let fileName = "backup.daylio"
  /// The size limit in bytes: two hundred thousand entries with long notes.
  private static let sizeLimit: Int64 = 512 << 20
  /// The maximum number of moods or activities.
  private static let listLimit = 100_000
  private static let usualMoods = ["rad", "good", "meh", "bad", "awful"]

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var entries: DaylioEntries
  private var moods: [Int: Mood] = [:]
  private var tags: [Int: String] = [:]
  private var media = DaylioMedia()
  private var unknownTags = 0
  /// The number of goals in the backup, which aren't imported.
  private var goals = 0
  private var goalMarks = 0

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    entries = DaylioEntries(file: file, context: context)
  }

  // MARK: Recognising

  /// Returns true if a file begins like the JSON of a backup or, if its name fits, like its Base64.
  static func isBackup(_ head: [UInt8], named name: String) -> Bool {
    let plain = HeadText.plain(head)
    if plain.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return isJSON(plain) }
    guard name.lowercased().hasSuffix(".daylio") else { return false }
    let digits = plain.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
    let whole = Data(digits.prefix(digits.count / 4 * 4))
    return Data(base64Encoded: whole).map { isJSON([UInt8]($0)) } ?? false
  }

  private static func isJSON(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    return text.contains("\"customMoods\"") || text.contains("\"dayEntries\"")
  }

  /// Returns the list of entries in a backup.
  static func list(in zip: ZipFile) -> ZipFile.Entry? {
    zip.entries.first { $0.fileName == fileName && !$0.isHidden }
  }

  // MARK: Files

  /// Reads the backup.
  ///
  /// - Parameter head: the beginning of the file.
  /// - Throws: `ImportRefusal` if nothing in it can be used, and any error that the sink throws.
  func read(_ head: [UInt8]) throws {
    guard ZipFile.isZip(head) else {
      let json = try decoded(file)
      try survey(json)
      media.find(beside: file.url)
      entries.attachmentsFolder = media.folder
      return try readEntries(json)
    }
    let zip: ZipFile
    do {
      zip = try ZipFile(file.url)
    } catch {
      throw ImportRefusal(place: file.name, message: "it can’t be read: \(error)")
    }
    let chosen = [Self.list(in: zip)].compactMap { $0 }
    let parts = try ZipMembers.unpack(
      zip, chosen, of: file, sizeLimit: Self.sizeLimit, context: context, sink: sink)
    guard let list = parts.first else {
      throw ImportRefusal(
        place: file.name, message: "\(Self.fileName) is missing from the zip archive")
    }
    let json = try decoded(list)
    try survey(json)
    let scratch = try context.scratchFolder()
    try media.unpack(zip, scratch.appendingPathComponent(UUID().uuidString))
    entries.attachmentsFolder = media.folder
    try readEntries(json)
  }

  /// Returns the list as JSON, decoded to a separate file if it is in Base64.
  private func decoded(_ list: ImportFile) throws -> ImportFile {
    let head = HeadText.plain(try ZipMembers.head(of: list))
    guard head.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") else { return list }
    let target = try context.scratchFolder().appendingPathComponent("\(UUID().uuidString).json")
    do {
      try Base64File.decode(list.url, to: target)
    } catch let error as Base64File.Strange {
      throw ImportRefusal(
        place: "\(list.name) byte \(error.offset)",
        message: "this isn’t a Daylio backup: it should be Base64, but isn’t from here on")
    }
    return ImportFile(url: target, name: list.name)
  }

  // MARK: Lists

  /// Collects moods, activities and files, which entries refer to by number.
  private func survey(_ list: ImportFile) throws {
    try walk(list, isTold: false) { key, stream in
      switch key {
      case "customMoods": try each(&stream) { takeMood($0) }
      case "tags":
        try each(&stream) { tag in
          guard let id = tag["id"]?.int, let name = Self.text(tag["name"]),
            tags.count < Self.listLimit
          else { return }
          tags[id] = name
        }
      case "assets": try each(&stream) { media.take($0) }
      case "goals": try each(&stream) { _ in goals += 1 }
      case "goalEntries": try each(&stream) { _ in goalMarks += 1 }
      default: try stream.skip()
      }
    }
  }

  private func takeMood(_ mood: JSON) {
    guard let id = mood["id"]?.int, moods.count < Self.listLimit else { return }
    let usual = (mood["predefined_name_id"]?.int).flatMap { number in
      (1...5).contains(number) ? Self.usualMoods[number - 1] : nil
    }
    let group = mood["mood_group_id"]?.int ?? 0
    moods[id] = Mood(
      name: Self.text(mood["custom_name"]) ?? usual ?? "mood \(id)",
      level: (1...5).contains(group) ? 6 - group : nil)
  }

  private func readEntries(_ list: ImportFile) throws {
    var isFound = false
    try walk(list, isTold: true) { key, stream in
      guard key == "dayEntries", try stream.kind() == .array else { return try stream.skip() }
      isFound = true
      var number = 0
      try stream.elements { stream in
        number += 1
        let place = "\(list.name) entry \(number)"
        guard let bytes = try stream.bytes() else {
          return skip(place, "it is longer than 64 MiB")
        }
        let json: JSON
        do {
          json = try JSON(parsing: bytes)
        } catch {
          return skip(place, "not valid JSON: \(error)")
        }
        try take(json, place)
      }
    }
    guard isFound else {
      throw ImportRefusal(
        place: list.name, message: "this isn’t a Daylio backup: the list of entries is missing")
    }
    if unknownTags > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: list.name,
          message: "skipped activities that entries mention but the backup’s list doesn’t "
            + "contain: \(unknownTags)"))
    }
    if goals + goalMarks > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: list.name,
          message: "skipped goals (\(goals)) and goal check marks (\(goalMarks))"))
    }
    media.tellMissing(at: list.name, into: sink)
    try entries.finish(into: sink)
  }

  /// Visits the elements of the lists.
  ///
  /// - Parameters:
  ///   - list: the file.
  ///   - isTold: true if problems with the file are reported.
  ///   - body: receives the name of a list and reads one of its elements.
  /// - Throws: what `body` throws, and an error if the file can't be read.
  private func walk(
    _ list: ImportFile, isTold: Bool, _ body: (String, inout JSONStream) throws -> Void
  ) throws {
    var stream = try JSONStream(list.url)
    defer { stream.close() }
    do {
      try stream.members(body)
    } catch let error as JSONStreamError {
      guard isTold else { return }
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(list.name) byte \(error.offset)",
          message: "\(error.message). The backup is damaged or cut off, and later data may be "
            + "missing. Create it again"))
    }
  }

  private func each(_ stream: inout JSONStream, _ body: (JSON) -> Void) throws {
    guard try stream.kind() == .array else { return try stream.skip() }
    try stream.elements { stream in
      if let bytes = try stream.bytes(), let json = try? JSON(parsing: bytes) { body(json) }
    }
  }

  // MARK: Entries

  private func skip(_ place: String, _ message: String) {
    sink.diagnose(Diagnostic(.skipped, place: place, message: "skipped: \(message)"))
  }

  private func take(_ json: JSON, _ place: String) throws {
    guard json.object != nil else {
      return skip(place, "it must be an object, not \(json.typeName)")
    }
    let told = (json["timeZoneOffset"]?.int).map { $0 / 1000 }
    let offset = told.flatMap { (-14 * 3600...14 * 3600).contains($0) ? $0 : nil }
    guard let wall = Self.wall(json, offset ?? 0) else {
      return skip("\(place) field “day”", "this date doesn’t exist")
    }
    var entry = DaylioEntry(day: wall.day, second: wall.secondOfDay, offset: offset, place: place)
    if let id = json["mood"]?.int {
      entry.mood = moods[id]?.name ?? "mood \(id)"
      entry.level = moods[id]?.level
    }
    for id in json["tags"]?.array ?? [] {
      if let name = id.int.flatMap({ tags[$0] }) {
        entry.activities.append(name)
      } else {
        unknownTags += 1
      }
    }
    entry.title = Self.text(json["note_title"])
    entry.note = Self.text(json["note"])
    entry.isPinned = json["isFavorite"]?.bool ?? false
    let files = (json["assets"]?.array ?? []).compactMap(\.int).compactMap {
      media.attachment($0, context)
    }
    entry.attachments = files.map { $0.attachment }
    entry.checksums = files.map { $0.checksum }
    try entries.take(entry, into: sink)
  }

  /// Returns the clock time from its parts, or else from the instant.
  private static func wall(_ json: JSON, _ offset: Int) -> WallTime? {
    if let year = json["year"]?.int, let month = json["month"]?.int, let day = json["day"]?.int,
      (0...11).contains(month), let key = DayKey(year: year, month: month + 1, day: day),
      let hour = json["hour"]?.int, (0...23).contains(hour),
      let minute = json["minute"]?.int, (0...59).contains(minute)
    {
      return WallTime(day: key, hour: hour, minute: minute)
    }
    let instants = -100_000_000_000_000...100_000_000_000_000
    guard let instant = json["datetime"]?.int, instant != 0, instants.contains(instant) else {
      return nil
    }
    let seconds = (instant / 60_000) * 60 + offset
    return WallTime(utc: Instant(milliseconds: Int64(seconds) * 1000))
  }

  /// Returns a text unless it is empty.
  private static func text(_ json: JSON?) -> String? {
    let text = (json?.string ?? "").filter { $0 != "\0" }
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? nil : text
  }
}
