package import ArkivedCore
import Foundation

/// Photos and videos that were taken together and become one entry of a day.
///
/// Consecutive ones belong together if they are at most half an hour apart, on one day, and at most
/// a kilometre apart if both have a position. Those with a day and no time form one group on their
/// day.
package struct PhotoGroup {
  static let gapSeconds = 30 * 60
  static let metres = 1_000.0
  /// The maximum number in an entry; the rest go into another one.
  static let limit = 200

  private(set) var shots: [PhotoShot]
  private var place: GeoPlace?

  private init(_ first: PhotoShot) {
    shots = [first]
    place = first.place
  }

  /// Groups shots in order of their times.
  static func groups(of shots: [PhotoShot]) -> [PhotoGroup] {
    let sorted = shots.sorted { left, right in
      (left.taken.day, left.taken.instant?.milliseconds ?? .max, left.file.name)
        < (right.taken.day, right.taken.instant?.milliseconds ?? .max, right.file.name)
    }
    var groups: [PhotoGroup] = []
    for shot in sorted {
      guard let last = groups.indices.last, groups[last].takes(shot) else {
        groups.append(PhotoGroup(shot))
        continue
      }
      groups[last].shots.append(shot)
      groups[last].place = shot.place ?? groups[last].place
    }
    return groups
  }

  private func takes(_ shot: PhotoShot) -> Bool {
    guard let last = shots.last, shots.count < Self.limit, shot.taken.day == last.taken.day,
      shot.taken.zone == last.taken.zone
    else { return false }
    switch (last.taken.instant, shot.taken.instant) {
    case (nil, nil): return true
    case (let before?, let after?):
      guard before.seconds(to: after) <= Self.gapSeconds else { return false }
    default: return false
    }
    guard let place, let next = shot.place else { return true }
    return place.distance(to: next) <= Self.metres
  }

  /// Returns the entry, with its files as attachments whose paths start in `PhotoFile.root`.
  func activity(_ context: ImportContext) -> Activity {
    let first = shots.first?.taken
    let place = shots.lazy.compactMap(\.place).first
    var activity = Activity(
      id: context.identities.next(), dayKey: first?.day ?? context.homeZone.dayKey(at: context.now),
      startAt: first?.instant, timeZone: (first?.zone ?? context.homeZone).identifier, text: "",
      description: cameras, source: .photosImport, lat: place?.lat, lon: place?.lon,
      createdAt: context.now, updatedAt: context.now)
    if let point = place.flatMap({ GeoPoint(lat: $0.lat, lon: $0.lon) }) {
      activity.locationLabel = context.placeNames?.area(of: point)?.label
    }
    activity.locationLabel =
      activity.locationLabel ?? shots.lazy.compactMap(\.placeName).first
    if let start = first?.instant, let end = shots.last?.taken.instant, end > start {
      activity.endAt = end
    }
    activity.attachments = shots.map { $0.attachment(context) }
    activity.text = Self.title(activity.attachments)
    var names: Set<String> = []
    activity.people = shots.flatMap(\.people).filter { names.insert($0).inserted }
      .map { Mention(name: $0) }
    activity.externalRefs = shots.flatMap { $0.references(context) }
    return activity
  }

  private var cameras: String? {
    var names: [String] = []
    for camera in shots.lazy.compactMap(\.camera) where !names.contains(camera) {
      names.append(camera)
    }
    guard !names.isEmpty else { return nil }
    return "Taken with \(names.prefix(3).joined(separator: ", "))"
  }

  // MARK: Entries from before

  /// Returns the entry that the photos belong to, by the rules for photos of one group; nil if
  /// there is none.
  func nearest(of entries: [Activity]) -> Activity? {
    let near = entries.compactMap { entry in
      distance(to: entry).map { (seconds: $0, entry: entry) }
    }
    return near.min { $0.seconds < $1.seconds }?.entry
  }

  /// Returns the seconds between the photos and those of an entry; nil if they don't belong to it.
  private func distance(to entry: Activity) -> Int? {
    guard entry.source == .photosImport, let taken = shots.first?.taken,
      entry.dayKey == taken.day, entry.timeZone == taken.zone.identifier,
      entry.attachments.count + shots.count <= Self.limit
    else { return nil }
    let instants = shots.compactMap(\.taken.instant)
    let gaps = entry.attachments.flatMap { attachment in
      instants.map { abs($0.seconds(to: attachment.createdAt)) }
    }
    guard let gap = gaps.min(), gap <= Self.gapSeconds else { return nil }
    if let place, let lat = entry.lat, let lon = entry.lon,
      let other = GeoPlace(lat: lat, lon: lon),
      place.distance(to: other) > Self.metres
    {
      return nil
    }
    return gap
  }

  // MARK: Series of photos

  /// Returns true if another entry of photos already contains all of an entry's photos.
  ///
  /// So importing a part of the photos again removes nothing. Only entries of photos qualify.
  package static func isHeld(_ activity: Activity, by old: Activity) -> Bool {
    guard activity.source == .photosImport else { return false }
    let held = Set(old.attachments.compactMap(\.contentHash))
    return activity.attachments.allSatisfy { $0.contentHash.map(held.contains) ?? false }
  }

  /// Returns the old entry with new places, if its originals have moved or have since been copied
  /// into the archive.
  ///
  /// - Returns: nil if nothing has moved.
  package static func refound(_ activity: Activity, in old: Activity) -> Activity? {
    guard activity.source == .photosImport else { return nil }
    var found: [String: Attachment] = [:]
    for attachment in activity.attachments {
      if let hash = attachment.contentHash { found[hash] = attachment }
    }
    var new = old
    for index in new.attachments.indices {
      let present = new.attachments[index]
      guard let place = present.original, let hash = present.contentHash, let other = found[hash],
        other.relativePath != nil
          || (other.original != nil && !isThere(place, size: present.byteCount))
      else { continue }
      new.attachments[index].relativePath = other.relativePath
      new.attachments[index].externalURL = other.externalURL
    }
    return new == old ? nil : new
  }

  /// Returns true if a file of that size still exists there.
  private static func isThere(_ place: URL, size: Int?) -> Bool {
    let found = try? FileManager.default.attributesOfItem(atPath: place.path)
    return found?[.type] as? FileAttributeType == .typeRegular
      && (found?[.size] as? NSNumber)?.intValue == size
  }

  /// Returns an entry of photos with the photos of another one that it lacks; other entries are
  /// returned unchanged.
  package static func joined(_ activity: Activity, with old: Activity) -> Activity {
    guard activity.source == .photosImport else { return activity }
    var joined = activity
    let held = Set(old.attachments.compactMap(\.contentHash))
    joined.attachments =
      old.attachments
      + activity.attachments.filter { !($0.contentHash.map(held.contains) ?? false) }
    joined.text = title(joined.attachments)
    joined.people = old.people + activity.people.filter { !old.people.contains($0) }
    if let start = old.startAt, start < activity.startAt ?? start.adding(seconds: 1) {
      joined.startAt = start
    }
    let ends = [old.endAt, activity.endAt, old.startAt, activity.startAt].compactMap(\.self)
    if let start = joined.startAt, let end = ends.max(), end > start { joined.endAt = end }
    if joined.lat == nil { (joined.lat, joined.lon) = (old.lat, old.lon) }
    joined.locationLabel = joined.locationLabel ?? old.locationLabel
    return joined
  }

  /// Returns a title such as "Photo", "3 photos" or "12 photos and a video".
  static func title(_ attachments: [Attachment]) -> String {
    func count(_ number: Int, _ one: String, _ more: String) -> String? {
      number == 0 ? nil : number == 1 ? one : "\(number) \(more)"
    }
    let photos = attachments.count { $0.type == .photo && !isPreviewOfVideo($0) }
    let parts = [
      count(photos, "a photo", "photos"),
      count(attachments.count - photos, "a video", "videos"),
    ].compactMap(\.self)
    let text = parts.joined(separator: " and ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Returns true for the picture of a video, whose name is the video's with another ending.
  private static func isPreviewOfVideo(_ attachment: Attachment) -> Bool {
    guard attachment.type == .photo, let name = attachment.originalName?.lowercased(),
      let dot = name.lastIndex(of: ".")
    else { return false }
    return PhotoSideCar.videoEndings.contains { name[..<dot].hasSuffix(".\($0)") }
  }
}

/// A single photo or video, with its known data.
struct PhotoShot: Sendable {
  var file: PhotoFile
  /// The SHA-256 hash of its content.
  var hash: String
  /// In bytes.
  var size: Int
  var type: MediaType
  var taken: PhotoTime
  var place: GeoPlace?
  var camera: String?
  var caption: String?
  var people: [String] = []
  /// True if the file stays where it is and is only referred to.
  var staysOutside = false
  /// The name of its place, if its source gives one.
  var placeName: String?
  /// The names that identify it on the server that it comes from; several if it was uploaded more
  /// than once.
  var serverIdentities: [String] = []
  /// True if the file is a smaller picture made by the server.
  var isPreview = false

  /// Returns the references by which it is recognised: its content, wherever the file is next time,
  /// and its name on a server.
  func references(_ context: ImportContext) -> [ExternalRef] {
    let content = ExternalRef(
      provider: PhotosImporter.provider, externalID: hash, fetchedAt: context.now)
    let named = serverIdentities.map {
      ExternalRef(provider: ImmichAsset.provider, externalID: $0, fetchedAt: context.now)
    }
    return isPreview ? named : named + [content]
  }

  func attachment(_ context: ImportContext) -> Attachment {
    let date = taken.instant ?? context.now
    guard !staysOutside else {
      return Attachment(
        id: context.identities.next(), type: type.attachmentType, caption: caption,
        externalURL: file.url.standardizedFileURL.absoluteString, contentHash: hash,
        byteCount: size, mediaType: type.name, originalName: file.fileName, createdAt: date,
        updatedAt: date)
    }
    return Attachment(
      id: context.identities.next(), type: type.attachmentType, caption: caption,
      relativePath: file.path, mediaType: type.name, originalName: file.fileName,
      createdAt: date, updatedAt: date)
  }
}
