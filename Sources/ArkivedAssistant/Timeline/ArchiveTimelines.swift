import ArkivedCore
package import ArkivedSearch
package import ArkivedStore
import Foundation
import Synchronization

/// The timeline of an archive, cached until something changes.
///
/// Everything written up to a certain moment is in a file next to the database
/// (`index/timeline-….index`); later changes are read from the archive and overlaid. The file is
/// derived data: if it is missing, damaged or too old, the next request rebuilds it.
package final class ArchiveTimelines: Sendable {
  package let archive: Archive
  /// The indexes that find entries by their meaning.
  let indexes: SearchIndexes
  private let folder: URL?
  private let open = Mutex<(file: String, base: Base)?>(nil)
  /// The parsed frames of its texts.
  let frames = FrameCache()
  private let building = Mutex<Void>(())
  private let current = Mutex<(key: Key, timeline: ArchiveTimeline)?>(nil)

  /// The archive's name for the file.
  package static let name = "timeline"
  /// The number of changed entries above which the file is rebuilt.
  private static let recentLimit = 4_000
  /// The number of changed entries above which the file is rebuilt in the background.
  package static let keptLimit = 1_000
  /// The number of entries below which an archive needs no file.
  private let smallLimit: Int
  /// The time to wait for another process that is building the file, in seconds.
  private static let patience = 2.0

  private struct Key: Hashable {
    var file: String?
    var marks: SearchMarks
    var change: UUID?
  }

  /// The contents of the file.
  fileprivate struct Base {
    var bytes: TimelineBytes
    var contents: TimelineContents
    var metrics: [String: String]
    var lastMetric: Int64
    /// The position up to which the archive was read; nil if the timeline comes from a file.
    var marks: SearchMarks?
  }

  /// A freshly built timeline and its serialized form.
  private struct Made {
    var base: Base
    var bytes: [UInt8]
    var marks: SearchMarks
    var count: Int
  }

  /// Creates the timelines of an archive.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - indexes: the search indexes, if they are already open.
  ///   - smallLimit: the number of entries below which an archive needs no file.
  package init(_ archive: Archive, indexes: SearchIndexes? = nil, smallLimit: Int = 1_000) {
    self.archive = archive
    self.indexes = indexes ?? SearchIndexes(archive)
    self.smallLimit = smallLimit
    folder = archive.home?.appendingPathComponent("index")
  }

  /// Returns the timeline of the archive's current state.
  ///
  /// - Parameter progress: called while the file is being rebuilt, with the number of entries read
  ///   and the maximum total.
  /// - Returns: the timeline.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func timeline(progress: (Int, Int) -> Void = { _, _ in }) throws -> ArchiveTimeline {
    let change = try archive.newestChange()
    var state = try archive.indexState(Self.name, limit: Self.recentLimit)
    var key = Key(file: state.file, marks: state.now, change: change)
    if let known = current.withLock({ $0 }), known.key == key { return known.timeline }
    var base = usableBase(state)
    if base == nil {
      base = try makeBase(progress: progress)
      state = try archive.indexState(Self.name, limit: Self.recentLimit)
      key = Key(file: state.file, marks: state.now, change: change)
      // A small archive has no file, and recent additions may be too many to look up: the built
      // timeline is reused as is until something changes. If another program has built a file in
      // the meantime, its marks determine the changes.
      if let other = usableBase(state) {
        base = other
      } else if let made = base {
        let found = try timeline(made, nil)
        if made.marks == state.now { current.withLock { $0 = (key, found) } }
        return found
      }
    }
    guard let base, let delta = state.delta else { throw ArchiveError.busy(Self.busySentence) }
    let made = try timeline(base, delta)
    current.withLock { $0 = (key, made) }
    return made
  }

  private static let busySentence =
    "Another program is preparing the entries for questions. Ask again in a minute."

  /// Rebuilds the file if more has changed than can be overlaid quickly; for background maintenance
  /// of the indexes.
  ///
  /// A concurrent question reads the entries itself, because this work yields to everything else
  /// and may be slow.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of changed entries to leave as an overlay.
  ///   - isCancelled: called regularly; the work ends when it returns true.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or the file can't be
  ///   written.
  package func keep(limit: Int = keptLimit, isCancelled: () -> Bool = { false }) throws {
    guard let folder else { return }
    if usableBase(try archive.indexState(Self.name, limit: limit)) == nil {
      let made = try built({ _, _ in }, isCancelled)
      let lock = try? fileLock(in: folder)
      defer { lock?.release() }
      if lock != nil, usableBase(try archive.indexState(Self.name, limit: limit)) == nil {
        keep(made, in: folder)
      }
    }
    // Verifying the checksum read the whole file; a question needs little of it.
    open.withLock { $0?.base.bytes.letGo() }
  }

  // MARK: The file

  /// Returns the contents of the archive's file; nil if there is no usable one.
  private func usableBase(_ state: Archive.IndexState) -> Base? {
    guard let folder, let file = state.file, state.delta != nil else { return nil }
    return open.withLock { known in
      if let known, known.file == file { return known.base }
      guard let bytes = TimelineBytes(mapping: folder.appendingPathComponent(file)),
        let base = Base(bytes)
      else { return nil }
      known = (file, base)
      return base
    }
  }

  /// Rebuilds the file, or waits for another process that does.
  private func makeBase(progress: (Int, Int) -> Void) throws -> Base? {
    // Of several concurrent requests, one builds it.
    try building.withLock { _ in
      // Without a writable folder it is built in memory.
      guard let folder, (try? DurableFile.makeFolder(folder)) != nil else {
        return try built(progress).base
      }
      let lock = try? fileLock(in: folder)
      defer { lock?.release() }
      // Another request may have built it in the meantime.
      if let base = usableBase(try archive.indexState(Self.name, limit: Self.recentLimit)) {
        return base
      }
      let made = try built(progress)
      // The copy in memory is as good; a file saves the next process the work.
      if lock != nil { keep(made, in: folder) }
      return made.base
    }
  }

  private func fileLock(in folder: URL) throws -> FileLock {
    try DurableFile.makeFolder(folder)
    return try FileLock(at: folder.appendingPathComponent("timeline.lock"), waits: Self.patience)
  }

  /// Writes the built timeline to a file if it is large enough; the caller must hold the file's
  /// lock.
  private func keep(_ made: Made, in folder: URL) {
    IncomingFile.removeAbandoned(in: folder)
    guard made.count >= smallLimit else { return }
    let name = "timeline-\(archive.identities.next().uuidString).index"
    let file = folder.appendingPathComponent(name)
    do {
      try DurableFile.write(Data(made.bytes), to: file)
      guard try archive.setSearchIndex(Self.name, file: name, marks: made.marks) else {
        try? FileManager.default.removeItem(at: file)
        return
      }
    } catch {
      // A full disk must not prevent an answer.
      try? FileManager.default.removeItem(at: file)
      return
    }
    remove(from: folder) { $0.hasPrefix("timeline-") && $0 != name }
  }

  private func remove(from folder: URL, where isOld: (String) -> Bool) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where isOld(name) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  private func built(
    _ progress: (Int, Int) -> Void, _ isCancelled: () -> Bool = { false }
  ) throws -> Made {
    var builder = TimelineContentsBuilder()
    // Read before the entries, so that concurrent additions are found later.
    builder.metrics = try archive.metricNames(after: 0)
    var count = 0
    let marks = try archive.withIndexSource { source in
      let total = try source.activityCount()
      try source.forEachEntry { entry in
        builder.add(entry)
        count += 1
        guard count % 1_024 == 0 else { return }
        if isCancelled() { throw CancellationError() }
        progress(min(count, total), total)
      }
      return source.marks
    }
    let bytes = builder.finish()
    guard var base = Base(TimelineBytes(copying: bytes)) else {
      throw ArchiveError.busy("The entries couldn’t be prepared for questions.")
    }
    base.marks = marks
    return Made(base: base, bytes: bytes, marks: marks, count: count)
  }

  // MARK: Changes

  private func timeline(
    _ base: Base, _ delta: SearchDelta?
  ) throws -> ArchiveTimeline {
    var part = TableTimeline.Part(contents: base.contents)
    if let outdated = delta?.outdated {
      part.outdatedActivities = Self.ordinals(of: outdated, in: base.contents.activities)
      part.outdatedNotes = Self.ordinals(of: outdated, in: base.contents.notes)
    }
    // Meetings that did not take place, or without the owner, aren't the owner's activities.
    let missed = try archive.missedMeetings()
    part.leaveOut(missed)
    var parts = [part]
    if let delta, !delta.changed.isEmpty {
      var builder = TimelineContentsBuilder()
      try archive.withIndexSource { source in
        try source.forEachEntry(among: delta.changed.map(\.rowNumber)) { builder.add($0) }
      }
      let bytes = builder.finish(derivedPeople: base.contents.derivedPeople)
      if let recent = TimelineContents(TimelineBytes(copying: bytes)) {
        var part = TableTimeline.Part(contents: recent)
        part.leaveOut(missed)
        parts.append(part)
      }
    }
    let metrics = base.metrics.merging(
      try archive.metricNames(after: base.lastMetric).names,
      uniquingKeysWith: UnitTable.standard.preferred)
    let people = try archive.namedPeople().map {
      TimelinePerson(name: $0.name, aliases: $0.aliases, summary: $0.summary)
    }
    frames.know(people)
    let figures = ArchiveFigures(
      archive: archive, metrics: metrics, span: try archive.figureSpan())
    return ArchiveTimeline(
      table: TableTimeline(parts, people: people, figures: figures), figures: figures)
  }

  /// Returns the ordinals of the rows in a set, in ascending order.
  private static func ordinals(of set: DocumentSet, in table: TimelineTable) -> [Int] {
    guard !set.isEmpty else { return [] }
    if set.count > table.count / 64 {
      return (0..<table.count).filter { set.contains(table.rows[$0]) }
    }
    return set.compactMap { table.ordinal(ofRow: $0) }.sorted()
  }
}

extension ArchiveTimelines.Base {
  init?(_ bytes: TimelineBytes) {
    guard let contents = TimelineContents(bytes) else { return nil }
    self.bytes = bytes
    self.contents = contents
    metrics = contents.metrics
    lastMetric = contents.lastMetric
  }
}

/// The timeline of an archive as of a moment.
struct ArchiveTimeline: Timeline {
  let table: TableTimeline
  let figures: ArchiveFigures

  var people: [TimelinePerson] { table.people }
  var tags: [String: Int] { table.tags }
  var places: [String: Int] { table.places }
  var units: [String: Int] { table.units }
  var metrics: [String: String] { table.metrics }
  var names: TimelineNames { table.names }
  var span: ClosedRange<DayKey>? { table.span }

  func frequency(of key: String) -> Int { table.frequency(of: key) }

  func entries(
    _ type: TimelineEntry.Kind, where condition: IndexCondition
  ) -> [TimelineEntry] {
    table.entries(type, where: condition)
  }

  func count(_ type: TimelineEntry.Kind, where condition: IndexCondition) -> Int {
    table.count(type, where: condition)
  }

  func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)] { table.days(in: days) }
}
