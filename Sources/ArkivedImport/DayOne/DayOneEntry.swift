import ArkivedCore
import Foundation

/// An entry of a journal, converted to an activity.
///
/// An invalid field loses only that field; only an entry without a date or without any content is
/// dropped.
struct DayOneEntry {
  /// The data shared by all entries of a journal.
  struct Surroundings {
    var context: ImportContext
    /// The tag for the journal, if it has a distinctive name.
    var journalTag: String?
    var files: DayOneMediaFiles
    /// Every medium in the export by its uppercase identifier, because a copied entry may refer to
    /// those of another one.
    var media: [String: DayOneMedia]
  }

  /// A message about a field.
  struct Remark: Hashable {
    var field: String?
    var message: String
    /// True if the result may differ next time for the same export.
    var mayPass = false
  }

  private(set) var activity: Activity
  /// True if the entry states when it was last changed.
  private(set) var hasOwnVersion = false
  private(set) var remarks: [Remark] = []
  /// The names of the entry's media files that are missing from the export.
  private(set) var missingFiles: [String] = []

  static let provider = "dayone"

  /// Parses an entry.
  ///
  /// - Throws: `FieldError` with the reason if there is nothing to keep.
  init(_ json: JSON, _ surroundings: Surroundings) throws(FieldError) {
    let context = surroundings.context
    var fields = DayOneFields(json)
    guard let created = fields.instant("creationDate") else {
      throw FieldError(
        "creationDate",
        json["creationDate"] == nil
          ? "is missing" : "isn’t a valid date and time (such as 2021-03-03T11:48:50Z)")
    }
    let zone = fields.zone(home: context.homeZone)
    let source = fields.text()
    let media = DayOneEntryMedia(json, text: source.markdown, surroundings)
    var text = DayOneText(markdown: source.markdown) { media.marker(for: $0, $1) }
    text.append(source.sayings)
    guard let title = text.title ?? Self.title(of: media, fields.location) else {
      throw FieldError("text", "is missing, and the entry has no media or place either")
    }
    let modified = fields.instant("modifiedDate")
    hasOwnVersion = modified != nil
    let isAllDay = fields.flag("isAllDay")
    activity = Activity(
      id: context.identities.next(), dayKey: zone.dayKey(at: created),
      startAt: isAllDay ? nil : created, timeZone: zone.identifier, text: title,
      description: fields.circumstances, notes: text.notes, source: .dayOneImport,
      isPinned: fields.flag("starred") || fields.flag("isPinned") || fields.flag("pinned"),
      locationLabel: fields.location.label, lat: fields.location.lat, lon: fields.location.lon,
      weather: fields.weather(), tags: fields.tags(journal: surroundings.journalTag),
      createdAt: created, updatedAt: modified ?? created)
    activity.attachments = attachments(media, surroundings)
    if let uuid = fields.string("uuid"), !uuid.isEmpty {
      activity.externalRefs = [
        ExternalRef(provider: Self.provider, externalID: uuid, fetchedAt: context.now)
      ]
    } else {
      remarks.append(
        Remark(
          field: "uuid",
          message: "is missing, so the entry will be recognised next time only if it hasn’t "
            + "changed"))
    }
    remarks = fields.remarks + media.remarks + remarks
  }

  private static func title(
    of media: DayOneEntryMedia, _ location: DayOneFields.Location
  ) -> String? {
    media.all.isEmpty
      ? location.label : DayOneMedia.Kind.title(of: media.all.map(\.media.kind))
  }

  private mutating func attachments(
    _ media: DayOneEntryMedia, _ surroundings: Surroundings
  ) -> [Attachment] {
    let context = surroundings.context
    return media.all.compactMap { item in
      switch surroundings.files.place(of: item.media) {
      case .missing:
        missingFiles.append("\(item.media.kind.folder)/\(item.media.stems.first ?? item.name)")
        return nil
      case .unusable(let reason):
        remarks.append(
          Remark(
            field: item.media.kind.key,
            message: "the file for “\(item.name)” was skipped: \(reason)", mayPass: true))
        return nil
      case .file(let path, let type):
        let date = item.media.date ?? activity.createdAt
        return Attachment(
          id: context.identities.next(), type: item.media.kind.attachmentType,
          caption: item.media.caption?.replacing("\0", with: ""), relativePath: path,
          mediaType: type.name, originalName: item.name, createdAt: date, updatedAt: date)
      }
    }
  }
}

/// The media of an entry: its own, and those of other entries that its text refers to.
struct DayOneEntryMedia {
  struct Item {
    var media: DayOneMedia
    /// The attachment's name, unique within the entry.
    var name: String
  }

  /// All media in the entry's order.
  private(set) var all: [Item] = []
  private(set) var remarks: [DayOneEntry.Remark] = []
  private var names: [String: String] = [:]
  private let known: [String: DayOneMedia]

  /// Collects the media of an entry.
  ///
  /// - Parameters:
  ///   - json: the JSON.
  ///   - text: the entry's text, which refers to media by their identifiers.
  ///   - surroundings: what the entry's export says about its media.
  init(_ json: JSON, text: String, _ surroundings: DayOneEntry.Surroundings) {
    known = surroundings.media
    let own = DayOneMedia.all(of: json)
    let named = DayOneLink.identifiers(in: text).map { $0.uppercased() }
    let ownKeys = Set(own.map { $0.identifier.uppercased() })
    let others = named.filter { !ownKeys.contains($0) }.compactMap { surroundings.media[$0] }
    let positions = Dictionary(
      named.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let ranked = own.enumerated().map { index, media in
      (
        rank: (media.order ?? .max, positions[media.identifier.uppercased()] ?? .max, index),
        media
      )
    }
    var taken: Set<String> = []
    var keys: [String: String] = [:]
    for media in ranked.sorted(by: { $0.rank < $1.rank }).map(\.1) + others {
      if let name = keys[media.key] {
        names[media.identifier.uppercased()] = name
        continue
      }
      let name = Self.free(media.attachmentName, &taken)
      keys[media.key] = name
      names[media.identifier.uppercased()] = name
      all.append(Item(media: media, name: name))
    }
    let unknown = Set(named).subtracting(names.keys)
    if !unknown.isEmpty {
      remarks.append(
        DayOneEntry.Remark(
          field: "text",
          message: "refers to media that the export doesn’t describe: "
            + unknown.sorted().prefix(5).joined(separator: ", ")))
    }
  }

  private static func free(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      let dot = name.lastIndex(of: ".") ?? name.endIndex
      candidate = "\(name[..<dot]) \(number)\(name[dot...])"
      number += 1
    }
    return candidate
  }

  /// Returns the text to write where the entry refers to a medium.
  func marker(for kind: DayOneMedia.Kind?, _ identifier: String) -> DayOneMarker {
    let key = identifier.uppercased()
    let kind = kind ?? known[key]?.kind ?? .photo
    return DayOneMarker(word: kind.word, name: names[key] ?? identifier)
  }
}
