import ArkivedCore
import ArkivedImport
package import ArkivedStore
import Foundation

/// Services among the places that the archive synchronises with.
extension SyncJob {
  /// Checks that a service answers and accepts the key, and links it; the next sync imports its
  /// data.
  ///
  /// - Returns: the link.
  /// - Throws: `FieldError`, `LinkedServiceFailure`, and `ArchiveError` if it is already linked or the key
  ///   can't be stored.
  @concurrent package func linkService(_ order: LinkedServiceOrder) async throws -> SyncLink {
    try order.validate()
    let address = try order.service.address(order.address)
    guard try !archive.syncLinks().contains(where: { $0.address == address }) else {
      throw ArchiveError.refused("\(address) is already linked.")
    }
    guard let secrets else {
      throw ArchiveError.refused(
        "An archive in memory can’t store secrets. Choose a folder with --archive.")
    }
    let link = SyncLink(
      id: DerivedIdentity.of("service", order.service.rawValue, address),
      kind: order.service.kind, address: address, options: order.options,
      createdAt: archive.clock.now)
    try await check(link, key: order.key)
    try secrets.write(.bearer(token: order.key), for: link.id)
    try archive.add(link)
    return link
  }

  /// Throws if a service doesn't answer or doesn't accept the key.
  private func check(_ link: SyncLink, key: String) async throws {
    switch link.kind {
    case .immich: _ = try await immich(link, key: key).account()
    default: try await dawarich(link, key: key).check()
    }
  }

  /// Imports what is new on a linked service.
  ///
  /// - Parameters:
  ///   - link: the link.
  ///   - readsAll: true to read what was read before again, too.
  ///   - watch: receives the progress.
  ///   - isCancelled: called frequently; the sync ends when it returns true.
  /// - Returns: the report.
  /// - Throws: `LinkedServiceFailure`, `ImportCancelled`, and errors from the archive.
  func syncService(
    _ link: SyncLink, readsAll: Bool,
    watch: @escaping @Sendable (CalendarSync.Progress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) async throws -> SyncReport {
    guard case .bearer(let key)? = try secrets?.read(link.id) else {
      throw ArchiveError.refused(
        "The API key for \(link.name) is missing. Unlink it, then link it again.")
    }
    switch link.kind {
    case .immich:
      var sync = ImmichSync(
        archive: archive, homeZone: homeZone, link: link,
        server: try await immich(link, key: key))
      (sync.readsAll, sync.watch, sync.isCancelled) = (readsAll, watch, isCancelled)
      return try await sync.run()
    default:
      var sync = DawarichSync(
        archive: archive, homeZone: homeZone, link: link,
        server: try await dawarich(link, key: key))
      (sync.readsAll, sync.watch, sync.isCancelled) = (readsAll, watch, isCancelled)
      return try await sync.run()
    }
  }

  private func immich(_ link: SyncLink, key: String) async throws -> ImmichServer {
    try await ImmichServer(link.address, key: key, allowsPlainHTTP: link.allowsPlainHTTP)
  }

  private func dawarich(_ link: SyncLink, key: String) async throws -> DawarichServer {
    try await DawarichServer(link.address, key: key, allowsPlainHTTP: link.allowsPlainHTTP)
  }
}

extension SyncLink {
  /// True if the owner allowed sending the key unencrypted in their own network.
  fileprivate var allowsPlainHTTP: Bool { options["plainHTTP"]?.bool ?? false }
}

extension SyncReport {
  /// Adds the results of a run.
  mutating func add(_ run: ImportRun) {
    for (key, count) in [("new", run.created["activity"] ?? 0), ("changed", run.updated)]
    where count > 0 {
      pulled[key, default: 0] += count
    }
    for warning in run.warnings { warn(warning.place, warning.message) }
  }
}
