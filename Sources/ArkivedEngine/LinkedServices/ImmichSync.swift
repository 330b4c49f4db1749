import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// A job that imports the new photos of a linked Immich server.
///
/// It lists what changed since the last sync, fetches the pictures of photos that the archive
/// doesn't know, and imports them some days at a time: each of these parts appears completely or not
/// at all. If the sync is interrupted, the next one continues after the last part. Photos that were
/// removed from the server stay here.
struct ImmichSync: Sendable {
  let archive: Archive
  let homeZone: Zone
  let link: SyncLink
  let server: ImmichServer
  /// True to list everything again instead of only what changed.
  var readsAll = false
  var watch: @Sendable (CalendarSync.Progress) -> Void = { _ in }
  var isCancelled: @Sendable () -> Bool = { false }

  /// The mark of the time up to which changes were listed.
  private static let cursor = "cursor"
  /// The seconds before that time that are listed again, because changes become visible in no
  /// particular order.
  private static let overlap = 600
  /// The seconds for which a photo may have no preview yet.
  private static let patience = 7 * 86_400
  /// The number of photos, and of bytes, from which a part ends with its day.
  private static let partCount = 1_000
  private static let partBytes = 2 << 30
  /// The number of pictures in a row that the server can't send before the sync gives up.
  private static let refusalLimit = 10

  private var takesOriginals: Bool { link.options["files"]?.string == LinkedServiceOrder.originals }
  private var places: PlaceChoice {
    link.options["places"]?.string.flatMap { PlaceChoice(rawValue: $0) } ?? .names
  }

  /// The photos that the server listed.
  private struct Listing {
    var new: [ImmichAsset] = []
    /// Known photos with a description.
    var described: [ImmichAsset] = []
    var latest: Instant?
    var unusable = 0
    var count = 0
  }

  func run() async throws -> SyncReport {
    var report = SyncReport(link)
    let account = try await server.account()
    let before = try archive.serviceMarks(of: link.id)[Self.cursor].flatMap { Instant($0) }
    let listing = try await list(of: account, since: readsAll ? nil : before)
    if listing.unusable > 0 {
      report.warn(
        link.name, "skipped photos without the required data: \(listing.unusable)")
    }
    var waiting: [ImmichAsset] = []
    var done = 0
    for part in parts(of: listing.new) {
      try await take(part, &waiting, &report, done: done, of: listing.new.count)
      done += part.count
    }
    try describe(listing.described, &report)
    try settle(waiting, latest: listing.latest ?? before, &report)
    return report
  }

  private func look() throws {
    if isCancelled() { throw ImportCancelled() }
    try Task.checkCancellation()
  }

  // MARK: Listing

  private func list(of account: String, since cursor: Instant?) async throws -> Listing {
    var listing = Listing()
    try await server.list(updatedAfter: cursor?.adding(seconds: -Self.overlap)) { page in
      try look()
      listing.unusable += page.unusable
      listing.count += page.assets.count
      watch(.init(step: .fetching, done: listing.count, total: nil))
      // Photos of a partner belong to another life.
      let own = page.assets.filter { $0.owner == account && $0.isShown }
      let known = try archive.knownNames(
        own.map(\.identity), of: ImmichAsset.provider, besidesUndone: readsAll)
      for asset in own {
        listing.latest = max(listing.latest ?? asset.updatedAt, asset.updatedAt)
        if !known.contains(asset.identity) {
          listing.new.append(asset)
        } else if asset.hasCaption {
          listing.described.append(asset)
        }
      }
    }
    return listing
  }

  /// Divides photos into parts of whole days.
  private func parts(of assets: [ImmichAsset]) -> [[ImmichAsset]] {
    var seen: Set<String> = []
    let days = Dictionary(grouping: assets.filter { seen.insert($0.identity).inserted }) {
      $0.day(home: homeZone)
    }
    var parts: [[ImmichAsset]] = []
    var part: [ImmichAsset] = []
    var bytes = 0
    for (_, day) in days.sorted(by: { $0.key < $1.key }) {
      part += day
      if takesOriginals { bytes += day.reduce(0) { $0 + ($1.byteCount ?? 0) } }
      guard part.count >= Self.partCount || bytes >= Self.partBytes else { continue }
      parts.append(part)
      (part, bytes) = ([], 0)
    }
    return part.isEmpty ? parts : parts + [part]
  }

  // MARK: Importing

  /// Fetches the pictures of a part, and imports it.
  private func take(
    _ part: [ImmichAsset], _ waiting: inout [ImmichAsset], _ report: inout SyncReport, done: Int,
    of total: Int
  ) async throws {
    let scratch = ScratchFolder(on: archive.scratchHome)
    defer { scratch.remove() }
    let folder = try scratch.make()
    var photos: [ImmichPhoto] = []
    var refusals = 0
    for (index, asset) in part.enumerated() {
      try look()
      watch(.init(step: .fetching, done: done + index, total: total))
      let fetched: ImmichPhoto?
      // One bad picture must not keep all later ones from being imported.
      do {
        fetched = try await server.fetch(asset, isOriginal: takesOriginals, into: folder)
        refusals = 0
      } catch LinkedServiceFailure.transfer(.tooLarge(_, let megabytes)) {
        let rest = folder.appendingPathComponent(asset.id.uuidString.lowercased())
        try? FileManager.default.removeItem(at: rest)
        report.warn(asset.fileName, "skipped: it’s larger than \(megabytes) MB")
        continue
      } catch LinkedServiceFailure.transfer(.serverError(_, 500, _))
        where refusals < Self.refusalLimit
      {
        refusals += 1
        fetched = nil
      }
      guard let photo = fetched else {
        waiting.append(asset)
        continue
      }
      guard photo.isUsable else {
        try? FileManager.default.removeItem(at: photo.file)
        report.warn(
          asset.fileName, "skipped: the server’s picture isn’t in a format that Arkived can read")
        continue
      }
      photos.append(photo)
    }
    guard !photos.isEmpty else { return }
    report.add(try publish(photos, scratch))
  }

  private func publish(_ photos: [ImmichPhoto], _ scratch: ScratchFolder) throws -> ImportRun {
    let staged = try stage(places: places)
    do {
      staged.takesFiles(of: scratch)
      let entries = ImmichEntries(
        context: ImportContext(
          now: archive.clock.now, homeZone: homeZone, identities: archive.identities,
          placeNames: PlaceNames.installed(), scratchFolder: { try scratch.make() }),
        earlier: { [archive] day in
          try archive.untouchedEntries(on: day, of: ImmichAsset.provider)
        })
      try staged.take { sink in try entries.read(photos, into: sink) }
      let run = try staged.publish(format: LinkedService.immich.rawValue, source: link.name)
      if run.created.isEmpty, run.updated == 0 { try archive.forget(emptyRun: run.id) }
      return run
    } catch {
      staged.discard()
      throw error
    }
  }

  private func stage(places: PlaceChoice) throws -> StagedImport {
    try StagedImport(
      archive, action: "import", summary: "Synced with \(link.name)", overridesOwner: false,
      watch: ImportWatch(waitsSeconds: 30, isCancelled: isCancelled), places: places,
      cacheMegabytes: 64)
  }

  // MARK: Descriptions

  /// Brings descriptions that were written on the server later.
  private func describe(_ assets: [ImmichAsset], _ report: inout SyncReport) throws {
    var changed: [UUID: [ImmichAsset]] = [:]
    for asset in assets {
      try look()
      guard
        let entry = try archive.untouchedEntry(named: asset.identity, of: ImmichAsset.provider),
        ImmichEntries.described(entry, by: [asset], home: homeZone) != nil
      else { continue }
      changed[entry.id, default: []].append(asset)
    }
    guard !changed.isEmpty else { return }
    let staged = try stage(places: .keep)
    do {
      let run = try staged.publish(
        format: LinkedService.immich.rawValue, source: link.name
      ) { [changed] scope, run in
        for (id, assets) in changed.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
          // Its owner may have changed it in the meantime.
          guard let entry = try scope.activity(id), try !scope.isOwners(.activity, id),
            var new = ImmichEntries.described(entry, by: assets, home: homeZone)
          else { continue }
          new.updatedAt = max(scope.now, entry.updatedAt.adding(seconds: 1))
          try scope.update(new, reason: .import)
          run.updated += 1
        }
      }
      report.add(run)
      if run.updated == 0 { try archive.forget(emptyRun: run.id) }
    } catch {
      staged.discard()
      throw error
    }
  }

  // MARK: Ending

  /// Records how far the sync came: not beyond a photo whose preview the server still has to make.
  private func settle(
    _ waiting: [ImmichAsset], latest: Instant?, _ report: inout SyncReport
  ) throws {
    let now = archive.clock.now
    let late = waiting.filter { $0.updatedAt.seconds(to: now) <= Self.patience }
    let given = waiting.count - late.count
    if !late.isEmpty {
      report.warn(
        link.name,
        "photos without a preview on the server yet; the next sync tries again: \(late.count)")
    }
    if given > 0 {
      report.warn(link.name, "skipped photos without a picture on the server: \(given)")
    }
    // A time in the future would hide what comes until then.
    guard var end = latest.map({ min($0, now) }) else { return }
    if let first = late.map(\.updatedAt).min() { end = min(end, first) }
    let mark = end.description
    guard try archive.serviceMarks(of: link.id)[Self.cursor] != mark else { return }
    try archive.setServiceMarks([Self.cursor: mark], of: link.id)
  }
}
