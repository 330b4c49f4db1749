package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// A job that brings the meetings of one linked calendar in line with it.
///
/// First, changes in the calendar are fetched and stored, each resource as a whole. Then the
/// pending resources become meetings in one change that appears completely or not at all. If the
/// program stops between or during these steps, the last good state remains, and the next sync
/// continues from there.
package struct CalendarSync: Sendable {
  /// The days to synchronise.
  package struct Window: Hashable, Sendable {
    /// The number of days before and after today.
    package var back: Int
    package var ahead: Int
    /// The first day to synchronise, instead of only the last days.
    package var from: DayKey?
    /// The only day to synchronise.
    package var day: DayKey?

    package static let defaultBack = 30
    package static let defaultAhead = 7
    /// The number of days ahead for which repeating events in a file are expanded; a file is always
    /// read as a whole.
    package static let fileAhead = 366

    package init(back: Int = defaultBack, ahead: Int = defaultAhead) {
      self.back = back
      self.ahead = ahead
    }

    /// Creates the default window of a link: as set in its options; otherwise everything for a
    /// file, and a range of days for other places.
    package init(of link: SyncLink) {
      let isFile = link.kind == .calendarFile || link.kind == .calendarFolder
      self.init(
        back: link.options["back"]?.int ?? (isFile ? 40_000 : Window.defaultBack),
        ahead: link.options["ahead"]?.int ?? (isFile ? Window.fileAhead : Window.defaultAhead))
    }

    func days(_ today: DayKey, takesAll: Bool) -> ClosedRange<DayKey> {
      if let day { return day...day }
      let last = today.advanced(by: max(0, min(ahead, 36_600)))
      if takesAll { return min(.earliest, last)...last }
      let first = from ?? today.advanced(by: -max(0, min(back, 4_000_000)))
      return min(first, last)...last
    }
  }

  package let archive: Archive
  package let homeZone: Zone
  package let link: SyncLink
  package let source: any CalendarSource
  package var window: Window
  package var watch: @Sendable (Progress) -> Void = { _ in }
  package var isCancelled: @Sendable () -> Bool = { false }
  /// The program that reads calendars in a separate process.
  package var readers = ReaderProgram.own

  /// The progress of a sync.
  package struct Progress: Sendable {
    package enum Step: String, Sendable { case fetching, taking }
    package var step: Step
    package var done: Int
    package var total: Int?
  }

  /// Creates a sync.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - homeZone: the home time zone.
  ///   - link: the link.
  ///   - source: the calendar.
  ///   - window: the days to synchronise; nil to use the link's options.
  package init(
    archive: Archive, homeZone: Zone, link: SyncLink, source: any CalendarSource,
    window: Window? = nil
  ) {
    self.archive = archive
    self.homeZone = homeZone
    self.link = link
    self.source = source
    self.window = window ?? Window(of: link)
  }

  /// Fetches changes and turns them into meetings.
  ///
  /// - Throws: `CalendarSourceError`, `ImportCancelled`, `CancellationError`, and errors from the
  ///   archive. Anything fetched by then is kept; meetings all change together or not at all.
  package func run() async throws -> SyncReport {
    var report = SyncReport(link)
    let sink = KeepingSink(archive: archive, link: link.id, isCancelled: isCancelled, watch: watch)
    let state = try await source.fetch(
      known: try archive.calendarVersions(of: link.id),
      state: try archive.syncState(of: link.id), into: sink)
    try sink.finish()
    if try archive.syncState(of: link.id) != state {
      try archive.setSyncState(state, of: link.id)
    }
    report.warnings = sink.warnings
    // An event that was dropped from one file may be in another one.
    if try takeOpen(&report) { _ = try takeOpen(&report) }
    return report
  }

  /// Creates meetings from the pending resources.
  ///
  /// - Returns: true if there may be more to process.
  private func takeOpen(_ report: inout SyncReport) throws -> Bool {
    let today = homeZone.dayKey(at: archive.clock.now)
    // If the owner said how far back to go, that applies to the first sync too.
    let takesAll =
      link.syncedAt == nil && window.day == nil && window.from == nil
      && link.options["back"] == nil
    let days = window.days(today, takesAll: takesAll)
    // After a sync of other days than usual, the usual ones still have to be read.
    let isUsual = includesUsualDays(days, today)
    let open = try archive.openCalendarResources(
      of: link.id, followingTo: days.upperBound, all: window.from != nil || window.day != nil)
    guard !open.isEmpty else { return false }
    let scratch = try ScratchFolders.make()
    defer { ScratchFolders.remove(scratch) }
    let reader = ReaderProcess(readers, in: ScratchFolder(at: scratch), isCancelled: isCancelled)
    defer { reader.end() }
    let reading = ResourceReading(
      sync: self, open: open, scratch: scratch, window: days, reader: reader)
    let staged = try StagedImport(
      archive, action: "calendar", summary: "Synced with \(link.recordedName)",
      overridesOwner: false,
      watch: ImportWatch(waitsSeconds: 30, isCancelled: isCancelled), window: days,
      // Syncs run repeatedly in the background, and a calendar needs less memory than a whole
      // archive.
      cacheMegabytes: 64)
    do {
      try staged.take { sink in try reading.read(into: sink) }
      var goneOn = 0
      var dropped: [String] = []
      let run = try staged.publish(format: "calendar", source: link.recordedName) { scope, run in
        for resource in open {
          guard let outcome = reading.outcome(of: resource) else { continue }
          if outcome.isWhole {
            for meeting in try scope.meetings(
              ofLink: link.id, resource: resource.name, besides: outcome.seen)
            {
              guard
                try isInside(
                  meeting, days, scope, withLater: isUsual, isGone: resource.version == nil)
              else { continue }
              if try scope.drop(meeting) {
                goneOn += 1
              } else if !meeting.isEventDeleted {
                dropped.append(meeting.seriesIdentifier ?? meeting.eventIdentifier)
              }
            }
          }
          guard isUsual else { continue }
          try scope.settle(
            resource, ofLink: link.id, followedTo: outcome.goesOn ? days.upperBound : nil)
        }
        if goneOn > 0 {
          for type in ["activity", "meeting"] {
            run.created[type] = run.created[type].map { $0 - goneOn }.flatMap { $0 > 0 ? $0 : nil }
          }
        }
        if !dropped.isEmpty { try scope.reopenCalendars(holding: dropped) }
        run.updated += goneOn + dropped.count
      }
      report.add("new", run.created["meeting"] ?? 0)
      report.add("changed", run.updated - dropped.count)
      report.add("deleted", dropped.count)
      report.warnings += run.warnings.prefix(ImportState.warningLimit - report.warnings.count)
      if run.created.isEmpty, run.updated == 0 { try archive.forget(emptyRun: run.id) }
      return !dropped.isEmpty
    } catch {
      staged.discard()
      throw error
    }
  }

  /// Returns true if some days include all those of a sync with the link's options.
  private func includesUsualDays(_ days: ClosedRange<DayKey>, _ today: DayKey) -> Bool {
    let usual = Window(of: link).days(today, takesAll: false)
    return days.lowerBound <= usual.lowerBound && days.upperBound >= usual.upperBound
  }

  /// The time to record for a successful sync; nil if only one day was read, so the first sync
  /// still imports everything.
  var completion: Instant? {
    link.syncedAt == nil && window.day != nil ? nil : archive.clock.now
  }

  /// Returns true if a meeting that wasn't found would have been, because its day was read.
  ///
  /// - Parameters:
  ///   - meeting: the meeting.
  ///   - days: the days that were read.
  ///   - scope: the change.
  ///   - isUsual: true if later days count as well, if that is certain: a single event is found on
  ///     any day, and a repeating one only as far as it is followed.
  ///   - isGone: true if the whole resource is gone.
  /// - Returns: true if it would have been found.
  /// - Throws: an error if the archive can't be read.
  private func isInside(
    _ meeting: Meeting, _ days: ClosedRange<DayKey>, _ scope: ChangeScope,
    withLater isUsual: Bool, isGone: Bool
  ) throws -> Bool {
    guard let entry = try scope.meeting(meeting.id) else { return false }
    let day = meeting.event?.dayKey ?? entry.activity.dayKey
    guard !days.contains(day) else { return true }
    return isUsual && day > days.upperBound
      && (isGone || meeting.eventIdentifier == meeting.seriesIdentifier)
  }

  /// Returns the file of a resource's content; nil if the archive stores it itself.
  func file(of name: String) -> URL? {
    switch link.kind {
    case .calendarFile: URL(fileURLWithPath: link.address)
    case .calendarFolder: URL(fileURLWithPath: link.address).appendingPathComponent(name)
    case .calendarSubscription:
      CalendarSync.cacheFolder(of: link, in: archive)?.appendingPathComponent(name)
    default: nil
    }
  }

  /// Returns the folder for a subscription's file; nil for an archive in memory.
  package static func cacheFolder(of link: SyncLink, in archive: Archive) -> URL? {
    archive.databaseFile?.deletingLastPathComponent()
      .appendingPathComponent("calendars").appendingPathComponent(link.id.uuidString)
  }
}

extension SyncReport {
  fileprivate mutating func add(_ what: String, _ count: Int) {
    if count > 0 { pulled[what, default: 0] += count }
  }
}

extension SyncLink {
  /// The display name: the given name, or the address without its secrets.
  package var name: String {
    if let name = options["name"]?.string, !name.isEmpty { return name }
    guard var parts = URLComponents(string: address), parts.scheme != nil else { return address }
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.string ?? address
  }

  /// The name in the history and in the list of imports, which programs and paired devices can
  /// read; without the path of a subscription, which may be secret.
  package var recordedName: String {
    kind == .calendarSubscription && options["name"]?.string?.isEmpty ?? true
      ? AddressText.withoutPath(name) : name
  }
}
