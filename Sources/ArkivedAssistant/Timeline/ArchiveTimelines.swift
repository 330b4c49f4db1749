import ArkivedCore
import ArkivedSearch
package import ArkivedStore
import Foundation
import Synchronization

/// The timeline of an archive, kept for the next question while nothing changes.
///
/// What was written up to some moment lies in a file beside the archive (`index/timeline-….index`);
/// what has changed since is read from the archive and laid over it. The file is derived: where it is
/// missing, damaged or too old, it is made anew by whoever asks.
package final class ArchiveTimelines: Sendable {
  package let archive: Archive
  private let folder: URL?
  private let open = Mutex<(file: String, base: Base)?>(nil)
  /// The frames that were read of its texts.
  let frames = FrameCache()
  private let building = Mutex<Void>(())
  private let current = Mutex<(key: Key, timeline: ArchiveTimeline)?>(nil)

  /// The name under which the archive knows the file.
  package static let name = "timeline"
  /// So many changed entries are laid over the file before it is made anew.
  private static let recentLimit = 4_000
  /// And so many where it is made anew beside other work.
  package static let keptLimit = 1_000
  /// An archive of fewer entries needs no file.
  private let smallLimit: Int
  /// How long to wait for another process that makes the file.
  private static let patience = 2.0

  private struct Key: Hashable {
    var file: String?
    var marks: SearchMarks
    var change: UUID?
  }

  /// What the file holds.
  fileprivate struct Base {
    var bytes: TimelineBytes
    var contents: TimelineContents
    var metrics: [String: String]
    var lastMetric: Int64
    /// Up to where the archive was read; nil for what comes from a file.
    var marks: SearchMarks?
  }

  /// A freshly built timeline and its serialized form.
  private struct Made {
    var base: Base
    var bytes: [UInt8]
    var marks: SearchMarks
    var count: Int
  }

  /// - Parameter smallLimit: an archive of fewer entries needs no file.
  package init(_ archive: Archive, smallLimit: Int = 1_000) {
    self.archive = archive
    self.smallLimit = smallLimit
    folder = archive.home?.appendingPathComponent("index")
  }

  /// The timeline as the archive stands now.
  ///
  /// - Parameter progress: told, while the file is made anew, how many entries were read and how many
  ///   there are at most.
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
      // A small archive has no file, and what came in meanwhile may be too much to look up: what was
      // made stands as it is, for further questions as long as nothing has changed since.
      // Where another program made a file meanwhile, what has changed is told by that one's marks.
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
    "The entries are being read for questions by another program; ask again in a minute."

  /// Makes the file anew where more has changed than is quickly laid over it; for whoever keeps
  /// the indexes beside other work. A question that comes meanwhile reads the entries itself: this may be slow,
  /// because it gives way to everything else.
  ///
  /// - Parameter limit: how many changed entries are left to be laid over it.
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
    // Its sum was compared, which reads all of it; a question needs little.
    open.withLock { $0?.base.bytes.letGo() }
  }

  // MARK: The file

  /// What the archive's file holds; nil where there is none that can be used.
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

  /// Makes the file anew, or waits for another process that does.
  private func makeBase(progress: (Int, Int) -> Void) throws -> Base? {
    // Of several who ask at once, one makes it.
    try building.withLock { _ in
      // Without a folder to write to it is made in memory.
      guard let folder, (try? DurableFile.makeFolder(folder)) != nil else {
        return try built(progress).base
      }
      let lock = try? fileLock(in: folder)
      defer { lock?.release() }
      // Another may have made it while this one waited.
      if let base = usableBase(try archive.indexState(Self.name, limit: Self.recentLimit)) {
        return base
      }
      let made = try built(progress)
      // It is as good in memory; a file spares the next one the work.
      if lock != nil { keep(made, in: folder) }
      return made.base
    }
  }

  private func fileLock(in folder: URL) throws -> FileLock {
    try DurableFile.makeFolder(folder)
    return try FileLock(at: folder.appendingPathComponent("timeline.lock"), waits: Self.patience)
  }

  /// Writes what was made to a file, if there is enough of it; whoever calls holds the file's lock.
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
      // A full disk is no reason not to answer.
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
    // Before the entries, so that what comes meanwhile is looked for.
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
      throw ArchiveError.busy("The entries could not be laid out for questions.")
    }
    base.marks = marks
    return Made(base: base, bytes: bytes, marks: marks, count: count)
  }

  // MARK: What has changed

  private func timeline(
    _ base: Base, _ delta: SearchDelta?
  ) throws -> ArchiveTimeline {
    var part = TableTimeline.Part(contents: base.contents)
    if let outdated = delta?.outdated {
      part.outdatedActivities = Self.ordinals(of: outdated, in: base.contents.activities)
      part.outdatedNotes = Self.ordinals(of: outdated, in: base.contents.notes)
    }
    // What did not take place, or not with the owner, is nothing they did.
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
      try archive.metricNames(after: base.lastMetric).names, uniquingKeysWith: { $1 })
    let people = try archive.namedPeople().map {
      TimelinePerson(name: $0.name, aliases: $0.aliases, summary: $0.summary)
    }
    frames.know(people)
    let figures = ArchiveFigures(
      archive: archive, metrics: metrics, span: try archive.figureSpan())
    return ArchiveTimeline(
      table: TableTimeline(parts, people: people, figures: figures), figures: figures)
  }

  /// The ordinals of the rows of a set, in growing order.
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

/// The timeline of an archive as it stood at a moment.
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
