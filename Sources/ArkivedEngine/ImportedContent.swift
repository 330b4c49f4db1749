import ArkivedCore
import ArkivedCrypto
import ArkivedImport
import Foundation

/// A comparison of the content of entries.
enum ImportedContent {
  /// Returns a hash of an entry's content, without ID, timestamps and provenance.
  static func hash(_ activity: Activity) -> String {
    hash(activity.record, without: ["id", "people", "typedText", "source"])
  }

  /// Adds the content's hash to every reference without one, and normalises the tags of another
  /// program's entry: without their sign, surrounding spaces and duplicates.
  ///
  /// The hash is computed from the tags as their source writes them, because earlier imports are
  /// recognised by it.
  static func settle(_ activity: inout Activity, of record: ImportedRecord) {
    addHashes(to: &activity)
    // The content of an archive stays unchanged.
    if !record.hasOwnIdentity { activity.tags = names(activity.tags) }
  }

  /// Settles an event of a calendar in the same way.
  static func settle(_ entry: inout MeetingEntry, of record: ImportedRecord) {
    settle(&entry.activity, of: record)
    guard !record.hasOwnIdentity, let tags = entry.meeting.event?.tags else { return }
    entry.meeting.event?.tags = names(tags)
  }

  private static func names(_ tags: [String]) -> [String] {
    Tag.names(tags).filter { !$0.isEmpty }
  }

  private static func addHashes(to activity: inout Activity) {
    guard activity.externalRefs.contains(where: { $0.contentHash == nil }) else { return }
    let hash = hash(activity)
    for index in activity.externalRefs.indices {
      activity.externalRefs[index].contentHash = activity.externalRefs[index].contentHash ?? hash
    }
  }

  static func hash(_ entry: DayEntry) -> String {
    hash(entry.json, without: ["id", "people"])
  }

  static func hash(_ person: Person) -> String {
    hash(person.json, without: ["id"])
  }

  private static func hash(_ json: JSON, without keys: [String]) -> String {
    guard var object = json.object else { return "" }
    for key in keys + ["createdAt", "updatedAt", "externalRefs"] { object[key] = nil }
    // IDs of people and attachments differ between archives; their names do not.
    object["mentions"] = .array(
      (object["mentions"]?.array ?? []).map { $0["name"] ?? .null })
    object["attachments"] = .array(
      (object["attachments"]?.array ?? []).map {
        $0["contentHash"] ?? $0["externalURL"] ?? .null
      })
    return SHA256.hash(data: Data(JSON.object(object).bytes())).hexadecimal
  }
}
