package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// The location of a calendar.
package enum CalendarPlace: Hashable, Sendable {
  case file(URL)
  case folder(URL)
  case subscription(URL)
  case calDAV(URL)

  /// Creates a place from what a person typed: a path to a file or folder, or an address.
  ///
  /// An address is treated as a CalDAV collection only if that is requested; otherwise it is
  /// fetched as a file.
  package init(_ text: String, isCalDAV: Bool = false) throws(FieldError) {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw FieldError("address", "is empty. Enter a file, a folder or an address")
    }
    let lower = text.lowercased()
    if ["http://", "https://", "webcal://", "webcals://"].contains(where: lower.hasPrefix) {
      guard let url = URL(string: text), url.host?.isEmpty == false else {
        throw FieldError("address", "is \(FieldError.shown(text)), but must be a valid address")
      }
      guard url.user == nil, url.password == nil else {
        throw FieldError(
          "address", "must not contain a name or password. Enter them separately")
      }
      guard url.port.map({ (1...65_535).contains($0) }) ?? true else {
        throw FieldError("address", "has the port \(url.port ?? 0), but the highest port is 65535")
      }
      self = isCalDAV ? .calDAV(url) : .subscription(url)
      return
    }
    guard !isCalDAV else {
      throw FieldError(
        "address", "is \(FieldError.shown(text)), but CalDAV needs an https:// address")
    }
    guard !text.contains("://") else {
      throw FieldError(
        "address",
        "is \(FieldError.shown(text)). Enter a path without file://, or an address with https://")
    }
    let url = URL(fileURLWithPath: HomeFolder.expandingTilde(text)).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw FieldError("address", "is \(FieldError.shown(text)), but no such file or folder exists")
    }
    guard url.path != "/", !["/proc", "/sys", "/dev"].contains(url.path) else {
      throw FieldError(
        "address",
        "is \(url.path), which belongs to the system. Choose the folder that contains calendars")
    }
    self = isFolder.boolValue ? .folder(url) : .file(url)
  }

  var kind: SyncLink.Kind {
    switch self {
    case .file: .calendarFile
    case .folder: .calendarFolder
    case .subscription: .calendarSubscription
    case .calDAV: .calDAV
    }
  }

  var address: String {
    switch self {
    case .file(let url), .folder(let url): url.path
    case .subscription(let url), .calDAV(let url): url.absoluteString
    }
  }
}

/// Calendars among the places that the archive synchronises with.
extension SyncJob {
  /// Links a calendar; the next sync imports its events.
  ///
  /// - Parameters:
  ///   - place: the calendar's address or file.
  ///   - name: its display name; its address if nil.
  ///   - credentials: stored in a file next to the archive that only its owner can read.
  ///   - back: the number of days before today to synchronise; nil for the default.
  ///   - ahead: the number of days after today to synchronise.
  /// - Returns: the link.
  /// - Throws: `ArchiveError` if it is already linked, `CalendarSourceError` if the secret cannot
  ///   be stored.
  package func linkCalendar(
    _ place: CalendarPlace, name: String? = nil, credentials: CalendarCredentials = .none,
    back: Int? = nil, ahead: Int? = nil
  ) throws -> SyncLink {
    if try archive.syncLinks().contains(where: { $0.address == place.address }) {
      throw ArchiveError.refused("\(place.address) is already linked.")
    }
    var options = JSONObject()
    if let name { options["name"] = .string(name) }
    if let back { options["back"] = JSON(back) }
    if let ahead { options["ahead"] = JSON(ahead) }
    let link = SyncLink(
      // Linking the same place again gives the same identity, so its meetings still belong to it.
      id: DerivedIdentity.of("calendar", place.kind.rawValue, place.address), kind: place.kind,
      address: place.address,
      options: .object(options), createdAt: archive.clock.now)
    if credentials != .none {
      guard let secrets else {
        throw ArchiveError.refused(
          "An archive in memory can’t store secrets. Choose a folder with --archive.")
      }
      try secrets.write(credentials, for: link.id)
    }
    try archive.add(link)
    try archive.expectCalendarResources(ofLink: link.id)
    return link
  }

  /// Ends a link.
  ///
  /// Imported entries are kept, and the link's secret is deleted.
  package func unlink(_ link: SyncLink) throws {
    try archive.removeSyncLink(link.id)
    guard link.kind.isOnlyRead else { return }
    try secrets?.remove(link.id)
    if let folder = CalendarSync.cacheFolder(of: link, in: archive) {
      try? FileManager.default.removeItem(at: folder)
    }
  }

  /// Synchronises one place of any kind with the archive, and records the result.
  ///
  /// - Parameters:
  ///   - link: the link.
  ///   - window: the days of a calendar; nil to use the link's options.
  ///   - allowsDeletions: true if most rows of a kind may be deleted in a linked database, or here.
  ///   - readsAll: true to read everything that a service has, and not only what is new there.
  ///   - watch: receives the progress of a calendar, address book or service.
  ///   - isCancelled: called frequently; the sync ends when it returns true.
  /// - Returns: the report.
  /// - Throws: an error if the place can't be read or the archive can't be written.
  @concurrent package func bringInLine(
    _ link: SyncLink, window: CalendarSync.Window? = nil, allowsDeletions: Bool = false,
    readsAll: Bool = false,
    watch: @escaping @Sendable (CalendarSync.Progress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws -> SyncReport {
    guard link.kind.isOnlyRead else { return try run(link, allowsDeletions: allowsDeletions) }
    do {
      if link.kind.isService {
        let report = try await syncService(
          link, readsAll: readsAll, watch: watch, isCancelled: isCancelled)
        try archive.note(report.json, of: link, at: archive.clock.now)
        return report
      }
      if link.kind == .cardDAV {
        var sync = try addressBookSync(of: link)
        sync.watch = watch
        sync.isCancelled = isCancelled
        let report = try await sync.run()
        try archive.note(report.json, of: link, at: archive.clock.now)
        return report
      }
      var sync = CalendarSync(
        archive: archive, homeZone: homeZone, link: link, source: try source(of: link),
        window: window)
      sync.watch = watch
      sync.isCancelled = isCancelled
      let report = try await sync.run()
      try archive.note(report.json, of: link, at: sync.completion)
      return report
    } catch {
      try? archive.note(["error": .string("\(error)")], of: link, at: nil)
      throw error
    }
  }

  func source(of link: SyncLink) throws -> any CalendarSource {
    switch link.kind {
    case .calendarFile: return CalendarFileSource(url: URL(fileURLWithPath: link.address))
    case .calendarFolder: return CalendarFolderSource(url: URL(fileURLWithPath: link.address))
    default: break
    }
    guard let url = URL(string: link.address) else {
      throw ArchiveError.refused("\(link.name) isn’t a valid address. Link it again.")
    }
    let credentials = try secrets?.read(link.id) ?? .none
    if link.kind == .calDAV { return CalDAVSource(collection: url, credentials: credentials) }
    guard let folder = CalendarSync.cacheFolder(of: link, in: archive) else {
      throw ArchiveError.refused("An archive in memory can’t be linked to an address.")
    }
    return CalendarSubscription(url: url, credentials: credentials, cacheFolder: folder)
  }

  /// The secrets stored next to the archive; nil for an archive in memory.
  var secrets: CalendarSecrets? {
    archive.databaseFile.map {
      CalendarSecrets(
        file: $0.deletingLastPathComponent().appendingPathComponent(CalendarSecrets.fileName))
    }
  }
}
