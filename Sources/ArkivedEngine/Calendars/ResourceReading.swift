import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Reads the open resources of a calendar one after the other, and remembers which events each holds.
final class ResourceReading: Sendable {
  /// What a resource was found to hold.
  struct Outcome: Sendable {
    var seen: Set<String> = []
    /// Whether all of it was read, so that what was not seen is gone.
    var isWhole = true
    /// Whether something repeats, or lies beyond the days that are looked at.
    var goesOn = false
  }

  private let sync: CalendarSync
  private let open: [OpenCalendarResource]
  private let scratch: URL
  private let window: ClosedRange<DayKey>
  private let reader: ReaderProcess
  private let outcomes = Mutex<[String: Outcome]>([:])

  /// - Parameter reader: reads the resources, which come from the network.
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

  /// Nil where the resource could not be read at all: then it stays open.
  func outcome(of resource: OpenCalendarResource) -> Outcome? {
    outcomes.withLock { $0[resource.name] }
  }

  func read(into sink: any ImportSink) throws {
    let today = sync.homeZone.dayKey(at: sync.archive.clock.now)
    let context = ImportContext(
      now: sync.archive.clock.now, homeZone: sync.homeZone, identities: sync.archive.identities,
      linkID: sync.link.id,
      // Its day in any zone is no two days away.
      firstDay: window.lowerBound > .earliest ? window.lowerBound.advanced(by: -2) : nil,
      daysAhead: today.distance(to: window.upperBound) + 1,
      // A daily meeting of a lifetime.
      occurrenceLimit: 40_000, scratchFolder: { [scratch] in scratch })
    let importer = reader.confined(ICalendarImporter())
    for (index, resource) in open.enumerated() {
      if sync.isCancelled() { throw ImportCancelled() }
      if index % 50 == 0 { sync.watch(.init(step: .taking, done: index, total: open.count)) }
      guard resource.version != nil else {
        // Nothing of it is there any more.
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
    // One name for all of them: they are read one after the other, on this thread.
    let file = scratch.appendingPathComponent("resource.ics")
    try content.write(to: file)
    return file
  }
}

/// Hands records on and notes which events come by.
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
