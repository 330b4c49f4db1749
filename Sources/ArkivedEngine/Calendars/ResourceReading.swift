import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Reads a calendar's pending resources one after the other, and remembers which events each
/// contains.
final class ResourceReading: Sendable {
  /// The events found in a resource.
  struct Outcome: Sendable {
    var seen: Set<String> = []
    /// True if the resource was read completely; then events that weren't seen are gone.
    var isWhole = true
    /// True if something repeats or occurs after the window.
    var goesOn = false
  }

  private let sync: CalendarSync
  private let open: [OpenCalendarResource]
  private let scratch: URL
  private let window: ClosedRange<DayKey>
  private let reader: ReaderProcess
  private let outcomes = Mutex<[String: Outcome]>([:])

  /// Creates a reading.
  ///
  /// - Parameters:
  ///   - sync: the sync that it belongs to.
  ///   - open: the resources to read.
  ///   - scratch: the folder for temporary files.
  ///   - window: the days to read.
  ///   - reader: reads the resources, which come from the network.
  init(
    sync: CalendarSync, open: [OpenCalendarResource], scratch: URL, window: ClosedRange<DayKey>,
    reader: ReaderProcess
  ) {
    self.sync = sync
    self.open = open
    self.scratch = scratch
    self.window = window
    self.reader = reader
  }

  /// Returns the outcome for a resource; nil if the resource could not be read at all and therefore
  /// remains pending.
  func outcome(of resource: OpenCalendarResource) -> Outcome? {
    outcomes.withLock { $0[resource.name] }
  }

  func read(into sink: any ImportSink) throws {
    let today = sync.homeZone.dayKey(at: sync.archive.clock.now)
    let context = ImportContext(
      now: sync.archive.clock.now, homeZone: sync.homeZone, identities: sync.archive.identities,
      linkID: sync.link.id,
      // In any zone, its day is less than two days away.
      firstDay: window.lowerBound > .earliest ? window.lowerBound.advanced(by: -2) : nil,
      daysAhead: today.distance(to: window.upperBound) + 1,
      // Enough for a daily meeting over a lifetime.
      occurrenceLimit: 40_000, scratchFolder: { [scratch] in scratch })
    let importer = reader.confined(ICalendarImporter(), isOneOfMany: true)
    var losses = 0
    // Nothing is known about a resource if its reader failed, so it remains pending.
    func lose(_ refusal: ImportRefusal) throws {
      losses += 1
      guard losses <= ReaderProcess.lossLimit else { throw refusal }
      sink.diagnose(ReaderProcess.note(on: refusal))
    }
    for (index, resource) in open.enumerated() {
      if sync.isCancelled() { throw ImportCancelled() }
      if index % 50 == 0 { sync.watch(.init(step: .taking, done: index, total: open.count)) }
      guard resource.version != nil else {
        // The resource no longer exists.
        outcomes.withLock { $0[resource.name] = Outcome() }
        continue
      }
      guard let file = try file(of: resource) else {
        sink.diagnose(
          Diagnostic(
            .skipped, place: resource.name,
            message: "it can’t be read right now; Arkived will try again"))
        continue
      }
      let seeing = SeeingSink(sink, window: window)
      do {
        try importer.read(
          ImportFile(url: file, name: resource.name), context: context, into: seeing)
      } catch let lost as ReaderProcess.Lost {
        try lose(lost.refusal)
        continue
      } catch let refusal as ImportRefusal where refusal.mayPass {
        try lose(refusal)
        continue
      } catch let refusal as ImportRefusal {
        seeing.outcome.isWhole = false
        sink.diagnose(Diagnostic(.skipped, place: refusal.place, message: refusal.message))
      }
      let outcome = seeing.outcome
      outcomes.withLock { $0[resource.name] = outcome }
    }
  }

  private func file(of resource: OpenCalendarResource) throws -> URL? {
    if let file = sync.file(of: resource.name) {
      return FileManager.default.isReadableFile(atPath: file.path) ? file : nil
    }
    guard
      let content = try sync.archive.calendarContent(resource.name, ofLink: sync.link.id)
    else { return nil }
    // They share one name because they are read one after the other, on this thread.
    let file = scratch.appendingPathComponent("resource.ics")
    try content.write(to: file)
    return file
  }
}

/// A sink that passes records on and notes their events.
private final class SeeingSink: ImportSink {
  var outcome = ResourceReading.Outcome()
  private let sink: any ImportSink
  private let window: ClosedRange<DayKey>

  init(_ sink: any ImportSink, window: ClosedRange<DayKey>) {
    self.sink = sink
    self.window = window
  }

  func take(_ record: ImportedRecord) throws {
    if case .event(let entry) = record.value {
      outcome.seen.insert(entry.meeting.eventIdentifier)
      if entry.activity.dayKey > window.upperBound { outcome.goesOn = true }
    }
    try sink.take(record)
  }

  func goOn() { outcome.goesOn = true }

  var isOver: Bool { sink.isOver }

  func diagnose(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .skipped || diagnostic.isCut { outcome.isWhole = false }
    sink.diagnose(diagnostic)
  }
}
