import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// A job that imports the new positions of a linked Dawarich server.
///
/// The server can't list what changed, and phones upload positions late. So the number of positions
/// of each day is remembered, and compared with the server's: of the whole history first, then of
/// smaller and smaller parts of it. Days that have more positions than ever are read as a whole and
/// become the same stays and journeys as Dawarich's own export. Each part of up to a year appears
/// completely or not at all. Positions that were removed from the server remove nothing here.
struct DawarichSync: Sendable {
  let archive: Archive
  let homeZone: Zone
  let link: SyncLink
  let server: DawarichServer
  /// True to read every day again.
  var readsAll = false
  var watch: @Sendable (CalendarSync.Progress) -> Void = { _ in }
  var isCancelled: @Sendable () -> Bool = { false }
  /// The program that reads positions in a separate process.
  var readers = ReaderProgram.own

  /// The number of days in a part.
  private static let partDays = 366
  /// The number of questions for a number of positions, after which a part that differs is read
  /// as a whole.
  private static let questionLimit = 300

  func run() async throws -> SyncReport {
    var report = SyncReport(link)
    try await server.check()
    var counts = DayCounts(try archive.serviceMarks(of: link.id))
    // A phone ahead of the home zone is already in tomorrow.
    let last = homeZone.dayKey(at: archive.clock.now).advanced(by: 1)
    let days = DawarichServer.firstDay...max(last, DawarichServer.firstDay)
    let total = try await count(days)
    var questions = 0
    let ranges =
      readsAll ? [days] : try await changed(days, total, counts, &questions, isWhole: true)
    var done = 0
    for part in try await parts(of: ranges, counts) {
      done += try await take(part, &counts, &report, done: done)
    }
    return report
  }

  private func look() throws {
    if isCancelled() { throw ImportCancelled() }
    try Task.checkCancellation()
  }

  private func count(_ days: ClosedRange<DayKey>) async throws -> Int {
    try await server.count(from: start(days), until: end(days))
  }

  private func start(_ days: ClosedRange<DayKey>) -> Instant {
    homeZone.start(of: days.lowerBound)
  }

  private func end(_ days: ClosedRange<DayKey>) -> Instant {
    homeZone.start(of: days.upperBound.advanced(by: 1))
  }

  // MARK: Finding changed days

  /// Returns the parts of a range in which the server has another number of positions than before.
  ///
  /// - Parameters:
  ///   - days: the range.
  ///   - total: the server's number of positions in it.
  ///   - counts: the numbers from before.
  ///   - questions: counts the questions to the server.
  ///   - isWhole: true for the whole history, whose end changes most often.
  /// - Returns: the parts in order.
  /// - Throws: `LinkedServiceFailure`, `ImportCancelled`.
  private func changed(
    _ days: ClosedRange<DayKey>, _ total: Int, _ counts: DayCounts, _ questions: inout Int,
    isWhole: Bool = false
  ) async throws -> [ClosedRange<DayKey>] {
    try look()
    let before = counts.sum(days)
    guard total != before else { return [] }
    guard total > 0, before > 0, days.lowerBound < days.upperBound,
      questions < Self.questionLimit
    else { return [days] }
    var middle = days.lowerBound.advanced(by: days.lowerBound.distance(to: days.upperBound) / 2 + 1)
    if isWhole, let last = counts.last { middle = last.advanced(by: -1) }
    middle = min(max(middle, days.lowerBound.advanced(by: 1)), days.upperBound)
    let older = days.lowerBound...middle.advanced(by: -1)
    let newer = middle...days.upperBound
    questions += 1
    let recent = try await count(newer)
    let early = try await changed(older, max(0, total - recent), counts, &questions)
    return try await early + changed(newer, recent, counts, &questions)
  }

  /// Divides ranges into parts of up to a year, without years that have no positions.
  private func parts(
    of ranges: [ClosedRange<DayKey>], _ counts: DayCounts
  ) async throws -> [[ClosedRange<DayKey>]] {
    let pieces = ranges.flatMap(Self.pieces)
    var parts: [[ClosedRange<DayKey>]] = []
    var part: [ClosedRange<DayKey>] = []
    var dayCount = 0
    for piece in pieces {
      try look()
      if pieces.count > 1, piece.dayCount > 1, counts.sum(piece) == 0 {
        guard try await count(piece) > 0 else { continue }
      }
      if dayCount + piece.dayCount > Self.partDays, !part.isEmpty {
        parts.append(part)
        (part, dayCount) = ([], 0)
      }
      part.append(piece)
      dayCount += piece.dayCount
    }
    return part.isEmpty ? parts : parts + [part]
  }

  private static func pieces(of days: ClosedRange<DayKey>) -> [ClosedRange<DayKey>] {
    var pieces: [ClosedRange<DayKey>] = []
    var start = days.lowerBound
    while start <= days.upperBound {
      let end = min(start.advanced(by: partDays - 1), days.upperBound)
      pieces.append(start...end)
      start = end.advanced(by: 1)
    }
    return pieces
  }

  // MARK: Importing

  /// Reads a part and imports its days that have more positions than before.
  ///
  /// - Returns: the number of positions read.
  private func take(
    _ part: [ClosedRange<DayKey>], _ counts: inout DayCounts, _ report: inout SyncReport, done: Int
  ) async throws -> Int {
    let scratch = ScratchFolder(on: archive.scratchHome)
    defer { scratch.remove() }
    let file = try scratch.make().appendingPathComponent("points.geojson")
    let zones = try ImportJob(archive: archive, homeZone: homeZone)
      .formerZones(of: GeoJSONImporter())
    // Days of another home zone begin and end within the neighbouring ones.
    let margin = zones.isEmpty ? 0 : 1
    let fetched = try await fetch(part, margin: 2 * margin, to: file, done: done)
    if fetched.unusable > 0 {
      report.warn(
        link.name, "skipped positions without a valid place or time: \(fetched.unusable)")
    }
    var marks: [String: String] = [:]
    var wanted: Set<DayKey> = []
    for day in Set(part.flatMap(counts.days)).union(fetched.counts.keys) {
      let (count, before) = (fetched.counts[day] ?? 0, counts[day])
      // What came from more positions is better than what is left on the server.
      let most = counts.largest(day)
      if count > most || (readsAll && count == most) {
        wanted.formUnion((-margin...margin).map { day.advanced(by: $0) })
      }
      counts[day] = count
      if count != before { marks[day.description] = counts.mark(day) }
    }
    guard !wanted.isEmpty else {
      if !marks.isEmpty { try archive.setServiceMarks(marks, of: link.id) }
      return fetched.total
    }
    watch(.init(step: .taking, done: done + fetched.total, total: nil))
    report.add(try publish(file, wanted, marks, zones, scratch))
    return fetched.total
  }

  /// The positions of a part, which are in a file.
  private struct Fetched {
    /// The number of positions on each day of the part.
    var counts: [DayKey: Int] = [:]
    var unusable = 0
    var total = 0
  }

  /// Fetches the positions of a part, and of some days before and after each range.
  private func fetch(
    _ part: [ClosedRange<DayKey>], margin: Int, to file: URL, done: Int
  ) async throws -> Fetched {
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    var fetched = Fetched()
    for days in part {
      let read = days.widened(by: margin)
      try await server.points(from: start(read), until: end(read)) { points, unusable in
        try look()
        var lines = ""
        for point in points {
          if let line = point.line {
            lines += line
            lines += "\n"
          } else {
            fetched.unusable += 1
          }
          let day = homeZone.dayKey(at: Instant(milliseconds: Int64(point.time) * 1_000))
          if days.contains(day) { fetched.counts[day, default: 0] += 1 }
        }
        try handle.write(contentsOf: Data(lines.utf8))
        fetched.unusable += unusable
        fetched.total += points.count
        watch(.init(step: .fetching, done: done + fetched.total, total: nil))
      }
    }
    return fetched
  }

  private func publish(
    _ file: URL, _ days: Set<DayKey>, _ marks: [String: String], _ zones: [HomeZones.Span],
    _ scratch: ScratchFolder
  ) throws -> ImportRun {
    let reader = ReaderProcess(readers, in: scratch, isCancelled: isCancelled)
    defer { reader.end() }
    let context = ImportContext(
      now: archive.clock.now, homeZone: homeZone, identities: archive.identities,
      placeNames: PlaceNames.installed(), formerZones: zones,
      scratchFolder: { try scratch.make() })
    let importer = reader.confined(GeoJSONImporter())
    let staged = try StagedImport(
      archive, action: "import", summary: "Synced with \(link.name)", overridesOwner: false,
      watch: ImportWatch(waitsSeconds: 30, isCancelled: isCancelled), cacheMegabytes: 64)
    let taken = TakenPlaces(days)
    do {
      staged.takesFiles(of: scratch)
      try staged.take { [name = link.name] sink in
        try importer.read(
          ImportFile(url: file, name: name), context: context, into: PlacesSink(sink, taken))
      }
      let format = LinkedService.dawarich.rawValue
      let run = try staged.publish(format: format, source: link.name) { scope, run in
        for day in days {
          for old in try scope.untouchedPlaces(on: day, format: format) where taken.replaces(old) {
            try scope.removeReplaced(old.id)
            run.updated += 1
          }
        }
        try scope.setServiceMarks(marks, of: link.id)
      }
      if run.created.isEmpty, run.updated == 0 { try archive.forget(emptyRun: run.id) }
      return run
    } catch {
      staged.discard()
      throw error
    }
  }
}

extension ClosedRange<DayKey> {
  fileprivate var dayCount: Int { lowerBound.distance(to: upperBound) + 1 }

  fileprivate func widened(by days: Int) -> ClosedRange<DayKey> {
    lowerBound.advanced(by: -days)...upperBound.advanced(by: days)
  }
}
