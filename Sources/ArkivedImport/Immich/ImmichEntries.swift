package import ArkivedCore
package import Foundation

/// A photo or video that was fetched from an Immich server.
package struct ImmichPhoto: Sendable {
  package let asset: ImmichAsset
  package let file: URL
  /// The SHA-256 hash of the file.
  let hash: String
  package let byteCount: Int
  let mediaType: MediaType
  /// False for a preview.
  let isOriginal: Bool

  /// True if it can become an attachment: a picture, or a video whose original was fetched.
  package var isUsable: Bool {
    ImageReader.types.contains(mediaType.name)
      || (isOriginal && mediaType.name.hasPrefix("video/"))
  }

  /// The name of the attachment; a preview has the ending of its own format.
  var fileName: String {
    guard !isOriginal else { return asset.fileName }
    let ending = ["image/png": "png", "image/webp": "webp", "image/avif": "avif"][mediaType.name]
    let lower = asset.fileName.lowercased()
    if ending == nil, lower.hasSuffix(".jpg") || lower.hasSuffix(".jpeg") { return asset.fileName }
    if let ending, lower.hasSuffix(".\(ending)") { return asset.fileName }
    return "\(asset.fileName).\(ending ?? "jpg")"
  }

  func shot(home: Zone) -> PhotoShot {
    var shot = PhotoShot(
      file: PhotoFile(url: file, name: asset.fileName, fileName: fileName, folder: ""),
      hash: hash, size: byteCount, type: mediaType, taken: asset.time(home: home))
    shot.place = asset.place
    shot.placeName = asset.placeName
    shot.camera = asset.camera
    shot.caption = asset.caption
    shot.serverIdentities = [asset.identity]
    shot.isPreview = !isOriginal
    return shot
  }
}

/// Creates entries from photos of an Immich server, in the same way as from a folder of photos.
package struct ImmichEntries: Sendable {
  private let context: ImportContext
  /// Returns the entries of photos from the server on a day that nobody has changed here.
  private let earlier: @Sendable (DayKey) throws -> [Activity]

  package init(context: ImportContext, earlier: @escaping @Sendable (DayKey) throws -> [Activity]) {
    (self.context, self.earlier) = (context, earlier)
  }

  /// Passes on the entries of some photos.
  ///
  /// Photos that belong to an entry from an earlier sync are added to it.
  ///
  /// - Throws: what the sink and reading earlier entries throw.
  package func read(_ photos: [ImmichPhoto], into sink: any ImportSink) throws {
    var shots: [PhotoShot] = []
    var indicesByHash: [String: Int] = [:]
    for photo in photos {
      let shot = photo.shot(home: context.homeZone)
      guard shot.taken.isPlausible(now: context.now) else {
        sink.diagnose(
          Diagnostic(
            .skipped, place: photo.asset.fileName,
            message: "skipped: its date can’t be right. Correct it on the server"))
        continue
      }
      if let index = indicesByHash[photo.hash] {
        // The same picture was uploaded more than once.
        if !shots[index].serverIdentities.contains(photo.asset.identity) {
          shots[index].serverIdentities.append(photo.asset.identity)
        }
        continue
      }
      indicesByHash[photo.hash] = shots.count
      shots.append(shot)
    }
    var entries: [(day: DayKey, activity: Activity, name: String)] = []
    var indices: [UUID: Int] = [:]
    var known: [DayKey: [Activity]] = [:]
    for group in PhotoGroup.groups(of: shots) {
      var activity = group.activity(context)
      let day = activity.dayKey
      if known[day] == nil { known[day] = try earlier(day) }
      let name = group.shots.first?.file.name ?? ""
      guard let old = group.nearest(of: known[day] ?? []) else {
        entries.append((day, activity, name))
        continue
      }
      if let index = indices[old.id] {
        // Groups before and after the same entry are one addition to it.
        entries[index].activity = Self.united(entries[index].activity, activity)
        continue
      }
      let reference = old.externalRefs.first { $0.provider == ImmichAsset.provider }
      if var reference {
        reference.contentHash = nil
        activity.externalRefs.insert(reference, at: 0)
      }
      indices[old.id] = entries.count
      entries.append((day, activity, name))
    }
    for entry in entries {
      try sink.take(
        ImportedRecord(
          .activity(entry.activity), place: entry.name, linksPeople: false,
          attachmentsFolder: PhotoFile.root))
    }
  }

  private static func united(_ activity: Activity, _ other: Activity) -> Activity {
    var united = activity
    united.attachments += other.attachments
    united.externalRefs += other.externalRefs
    united.text = PhotoGroup.title(united.attachments)
    united.startAt = [activity.startAt, other.startAt].compactMap(\.self).min()
    let ends = [activity.endAt, other.endAt, activity.startAt, other.startAt].compactMap(\.self)
    if let start = united.startAt, let end = ends.max(), end > start { united.endAt = end }
    return united
  }

  /// Returns an entry with the descriptions that photos have on the server now.
  ///
  /// A photo is found among the attachments by its time and name. A description that is empty there
  /// is kept here.
  ///
  /// - Returns: nil if nothing differs.
  package static func described(_ entry: Activity, by assets: [ImmichAsset], home: Zone)
    -> Activity?
  {
    var new = entry
    for asset in assets {
      guard let caption = asset.caption, let instant = asset.time(home: home).instant else {
        continue
      }
      let index = new.attachments.firstIndex { attachment in
        attachment.createdAt == instant
          && (attachment.originalName ?? "").hasPrefix(asset.fileName)
      }
      if let index { new.attachments[index].caption = caption }
    }
    return new == entry ? nil : new
  }
}
