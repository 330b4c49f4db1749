package import ArkivedCore
package import Foundation

/// A text in an editor that isn't saved yet, and what it is for.
package struct Draft: Hashable, Sendable {
  package enum Purpose: String, Sendable {
    /// The note of a day.
    case note
    /// Entries as one text.
    case entries
    /// A new activity.
    case add
  }

  /// Its beginning, by the clock, and four digits.
  package let name: String
  package let purpose: Purpose
  package let startedAt: Instant
  /// The text as the editor was given it.
  package let original: String
  /// The day of a note.
  package var dayKey: DayKey?
  /// The versions that the text was made from, by entry. An entry that is not there yet has none.
  package var versions: [UUID: Instant]
  /// The folder of the archive that the text is for; nil if the draft lies in it.
  package var archive: String?

  package init(
    name: String, purpose: Purpose, startedAt: Instant, original: String, dayKey: DayKey? = nil,
    versions: [UUID: Instant] = [:], archive: String? = nil
  ) {
    self.name = name
    self.purpose = purpose
    self.startedAt = startedAt
    self.original = original
    self.dayKey = dayKey
    self.versions = versions
    self.archive = archive
  }

  /// Reads what `json` wrote; nil for anything else.
  package init?(_ json: JSON) {
    guard let name = json["name"]?.string, let startedAt = json["startedAt"]?.string,
      let start = Instant(startedAt), let original = json["original"]?.string,
      let purpose = json["purpose"]?.string.flatMap(Purpose.init)
    else { return nil }
    var versions: [UUID: Instant] = [:]
    for entry in json["entries"]?.array ?? [] {
      guard let id = entry["id"]?.string.flatMap(UUID.init(uuidString:)),
        let version = entry["updatedAt"]?.string.flatMap(Instant.init)
      else { return nil }
      versions[id] = version
    }
    self.init(
      name: name, purpose: purpose, startedAt: start, original: original,
      dayKey: json["dayKey"]?.string.flatMap(DayKey.init), versions: versions,
      archive: json["archive"]?.string)
  }

  package var json: JSON {
    [
      "name": .string(name), "purpose": .string(purpose.rawValue), "startedAt": JSON(startedAt),
      "dayKey": JSON(dayKey),
      "entries": .array(
        versions.sorted { $0.key.uuidString < $1.key.uuidString }.map {
          ["id": .string($0.key.uuidString), "updatedAt": JSON($0.value)]
        }),
      "original": .string(original), "archive": JSON(archive),
    ]
  }
}
