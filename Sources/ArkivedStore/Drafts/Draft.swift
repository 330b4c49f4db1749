package import ArkivedCore
package import Foundation

/// An unsaved text in an editor, and its purpose.
package struct Draft: Hashable, Sendable {
  package enum Purpose: String, Sendable {
    /// The note of a day.
    case note
    /// Entries in one text.
    case entries
    /// A new activity.
    case add
  }

  /// The time of its creation according to the clock, and four digits.
  package let name: String
  package let purpose: Purpose
  package let startedAt: Instant
  /// The text as the editor received it.
  package let original: String
  /// The day of a note.
  package var dayKey: DayKey?
  /// The versions that the text was made from, by entry.
  ///
  /// A new entry has none.
  package var versions: [UUID: Instant]
  /// The folder of the archive that the text is for; nil if the draft is in it.
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

  /// Parses the output of `json`; nil for anything else.
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
