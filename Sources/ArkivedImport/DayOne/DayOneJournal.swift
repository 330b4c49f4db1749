import ArkivedCore
import Foundation

/// A journal: a JSON file of entries.
struct DayOneJournal {
  /// The current location of the JSON.
  let url: URL
  /// The journal's name in diagnostics: `export.zip/Journal.json`.
  let place: String
  /// The journal's name, taken from its file.
  let name: String

  /// The result of a first pass through the entries.
  struct Survey {
    /// The media by uppercase identifier.
    var media: [String: DayOneMedia] = [:]

    mutating func add(_ other: Survey) { media.merge(other.media) { first, _ in first } }
  }

  /// Day One's name for the first journal, which says nothing about it.
  private static let defaultName = "journal"

  /// The tag of the journal's entries; nil for the default journal.
  var tag: String? {
    var words = name.precomposedStringWithCanonicalMapping
    // "Journal (1)" is Journal, downloaded twice.
    if let range = words.range(of: #" ?\(\d{1,3}\)$"#, options: .regularExpression) {
      words.removeSubrange(range)
    }
    words = words.trimmingCharacters(in: .whitespaces)
    guard words.lowercased() != Self.defaultName, (try? Tag.validate(name: words)) != nil else {
      return nil
    }
    return words
  }

  // MARK: Traversal

  /// Collects the media of all entries; `read` reports any faults in the journal.
  func survey() throws -> Survey {
    var elements = try JSONElements(url, arrayNamed: "entries")
    defer { elements.close() }
    var survey = Survey()
    let mark = Array("\"identifier\"".utf8)
    while let item = try elements.next() {
      // Most entries have no media, and parsing is expensive.
      guard case .element(let bytes, _) = item, Self.contains(bytes, mark),
        let entry = try? DayOneJSON.parse(bytes).json
      else { continue }
      for media in DayOneMedia.all(of: entry) {
        survey.media[media.identifier.uppercased()] = media
      }
    }
    return survey
  }

  private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      var position = 0
      while position <= bytes.count - part.count {
        if bytes[position] == first,
          bytes[position..<position + part.count].elementsEqual(part)
        {
          return true
        }
        position += 1
      }
      return false
    }
  }

  /// Reads the entries and passes them on.
  ///
  /// - Returns: The number of imported entries.
  /// - Throws: `ImportRefusal` if the file isn't a journal, and any error that the sink throws.
  func read(
    _ surroundings: DayOneEntry.Surroundings, into sink: any ImportSink
  ) throws -> Int {
    var elements = try JSONElements(url, arrayNamed: "entries")
    defer { elements.close() }
    var surroundings = surroundings
    surroundings.journalTag = tag
    var number = 0
    var count = 0
    while let item = try elements.next() {
      number += 1
      let spot = "\(place) entry \(number)"
      switch item {
      case .tooLong:
        sink.diagnose(
          Diagnostic(.skipped, place: spot, message: "the entry is longer than 64 MiB; skipped"))
      case .element(let bytes, _):
        if try take(bytes, spot, surroundings, sink) { count += 1 }
      }
    }
    if let damage = elements.damage {
      guard number > 0 else {
        throw ImportRefusal(
          place: place,
          message: "this isn’t a Day One journal: \(damage.message) at byte \(damage.offset)")
      }
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) byte \(damage.offset)",
          message: "\(damage.message). The file is damaged or cut off, and entries may be missing"))
    } else if !elements.isArrayFound {
      throw ImportRefusal(
        place: place, message: "this isn’t a Day One journal: the list of entries is missing")
    }
    return count
  }

  private func take(
    _ bytes: [UInt8], _ position: String, _ surroundings: DayOneEntry.Surroundings,
    _ sink: any ImportSink
  ) throws -> Bool {
    func skip(_ spot: String, _ message: String) -> Bool {
      sink.diagnose(Diagnostic(.skipped, place: spot, message: message))
      return false
    }
    let parsed: DayOneJSON.Parsed
    do {
      parsed = try DayOneJSON.parse(bytes)
    } catch let error as JSONSyntaxError {
      return skip(position, "skipped: the entry isn’t valid JSON: \(error)")
    }
    guard parsed.json.object != nil else {
      return skip(
        position, "skipped: the entry must be an object, not \(parsed.json.typeName)")
    }
    return try Self.take(parsed, position, surroundings, sink)
  }

  /// Passes on an entry.
  ///
  /// - Returns: true if it was imported.
  /// - Throws: what the sink throws.
  static func take(
    _ parsed: DayOneJSON.Parsed, _ position: String, _ surroundings: DayOneEntry.Surroundings,
    _ sink: any ImportSink
  ) throws -> Bool {
    func skip(_ spot: String, _ message: String) -> Bool {
      sink.diagnose(Diagnostic(.skipped, place: spot, message: message))
      return false
    }
    let uuid = parsed.json["uuid"]?.string.map { " (uuid \($0.prefix(40)))" } ?? ""
    let spotOfEntry = position + uuid
    func spot(_ field: String?) -> String {
      field.map { "\(spotOfEntry) field “\($0)”" } ?? spotOfEntry
    }
    let entry: DayOneEntry
    do throws(FieldError) {
      entry = try DayOneEntry(parsed.json, surroundings)
      try entry.activity.validate()
    } catch {
      return skip(spot(error.field), "skipped: \(error.description)")
    }
    for remark in entry.remarks + parsed.remarks {
      sink.diagnose(
        Diagnostic(
          .note, place: spot(remark.field), message: remark.message, mayPass: remark.mayPass))
    }
    if !entry.missingFiles.isEmpty, !surroundings.files.isEmpty {
      sink.diagnose(
        Diagnostic(
          .note, place: spotOfEntry,
          message: "media files missing from the export: "
            + entry.missingFiles.prefix(5).joined(separator: ", ")
            + (entry.missingFiles.count > 5 ? ", …" : "")))
    }
    try sink.take(
      ImportedRecord(
        .activity(entry.activity), hasOwnVersion: entry.hasOwnVersion, place: spotOfEntry,
        attachmentsFolder: entry.activity.attachments.isEmpty ? nil : surroundings.files.folder))
    return true
  }
}
