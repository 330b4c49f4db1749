import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// A channel that carries records in order from an importer's thread to the thread that writes,
/// with a limited number in transit, so reading and writing use one core each.
final class RecordChannel: Sendable {
  enum Item: Sendable {
    case entry(Entry)
    case diagnostic(Diagnostic)
    /// The number of bytes of the file read so far.
    case reached(Int)
  }

  /// An entry, boxed because it is large and should not be copied.
  final class Entry: Sendable {
    let record: ImportedRecord
    /// The row of a plain activity, so the writer doesn't need to create it.
    let row: ActivityRow?

    init(_ record: ImportedRecord) {
      self.record = record
      row = ActivityRow.plain(record)
    }
  }

  /// Items received together, and the number already used.
  struct Chunk {
    let items: [Item]
    private var position = 0

    init(_ items: [Item] = []) { self.items = items }

    var isUsedUp: Bool { position == items.count }

    mutating func next() -> Item? {
      guard position < items.count else { return nil }
      defer { position += 1 }
      return items[position]
    }
  }

  /// The error that the reading thread throws when nobody receives its records any more.
  struct Closed: Error {}

  private struct State {
    var chunks: [[Item]] = []
    /// The chunks that were received and used up.
    var used: [[Item]] = []
    var isClosed = false
    var outcome: Result<Void, any Error>?
  }

  /// The number of items per chunk, because each transfer has a cost.
  private static let chunkSize = 128
  private static let chunkLimit = 32
  /// The time in milliseconds to wait for a reader to stop.
  private static let patience = 300

  private let state = Mutex(State())
  private let filled = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)

  /// Starts reading on a separate thread.
  init(_ read: @escaping @Sendable (any ImportSink) throws -> Void) {
    // A semaphore may not be deallocated below its initial value, and this one may end at any
    // value.
    for _ in 0..<Self.chunkLimit { room.signal() }
    let thread = Thread { [self] in
      let sink = Sink(channel: self)
      let outcome: Result<Void, any Error>
      do {
        try read(sink)
        try sink.flush()
        outcome = .success(())
      } catch {
        // Records read before the error are delivered too.
        try? sink.flush()
        outcome = .failure(error)
      }
      state.withLock { $0.outcome = outcome }
      filled.signal()
    }
    // Importers may recurse into nested input as deep as on the main thread.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Returns a used chunk to the reading thread, which frees its items: it allocated them, and
  /// freeing another thread's memory makes both wait.
  func giveBack(_ chunk: [Item]) {
    guard !chunk.isEmpty else { return }
    state.withLock { $0.used.append(chunk) }
  }

  /// Returns the next chunk in order; an empty one if the reader takes longer than the given time,
  /// nil if it is done.
  ///
  /// - Throws: what the reader threw, after everything that it had read.
  func next(within milliseconds: Int) throws -> [Item]? {
    guard filled.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return [] }
    return try first()
  }

  private func first() throws -> [Item]? {
    let (chunk, outcome) = state.withLock { state in
      (state.chunks.isEmpty ? nil : state.chunks.removeFirst(), state.outcome)
    }
    if let chunk {
      room.signal()
      return chunk
    }
    // Lets a second call return the same result.
    filled.signal()
    try outcome?.get()
    return nil
  }

  /// Returns the reader's progress, if a chunk contains nothing else.
  static func news(_ items: [Item]) -> Int? {
    var reached: Int?
    for item in items {
      guard case .reached(let offset) = item else { return nil }
      reached = offset
    }
    return reached
  }

  /// Tells the reader to stop, and gives it a moment to do so.
  ///
  /// A reader that has found nothing yet notices this only when it finds something; until then it
  /// continues reading in vain.
  func close() {
    let end = DispatchTime.now() + .milliseconds(Self.patience)
    state.withLock { $0.isClosed = true }
    while state.withLock({ $0.outcome == nil }) {
      room.signal()
      guard filled.wait(timeout: end) == .success else { return }
    }
  }

  private func send(_ chunk: [Item]) throws {
    room.wait()
    var used: [[Item]] = []
    let isClosed = state.withLock { state in
      if !state.isClosed { state.chunks.append(chunk) }
      swap(&used, &state.used)
      return state.isClosed
    }
    filled.signal()
    if isClosed { throw Closed() }
  }

  private final class Sink: ImportSink {
    private let channel: RecordChannel
    private var items: [Item] = []
    private var told = 0
    var isOver: Bool { channel.state.withLock { $0.isClosed } }

    private static let newsBytes = 1 << 20

    init(channel: RecordChannel) { self.channel = channel }

    func take(_ record: ImportedRecord) throws {
      items.append(.entry(Entry(record)))
      if items.count >= RecordChannel.chunkSize { try flush() }
    }

    func diagnose(_ diagnostic: Diagnostic) {
      items.append(.diagnostic(diagnostic))
      // If the channel is closed, the next record throws.
      if items.count >= RecordChannel.chunkSize { try? flush() }
    }

    func reach(_ offset: Int) {
      items.append(.reached(offset))
      // Progress in a long file with few entries is reported on its own.
      guard offset - told >= Self.newsBytes || offset < told else { return }
      told = offset
      try? flush()
    }

    func flush() throws {
      guard !items.isEmpty else { return }
      let chunk = items
      items.removeAll(keepingCapacity: true)
      try channel.send(chunk)
    }
  }
}

extension ActivityRow {
  /// Returns the row of an activity that has its own identity and nothing that must be looked up or
  /// stored first; nil for others, and for an invalid one.
  fileprivate static func plain(_ record: ImportedRecord) -> ActivityRow? {
    guard case .activity(var activity) = record.value, record.original == nil,
      !record.isEditedHere,
      record.hasOwnIdentity || !activity.externalRefs.isEmpty, activity.attachments.isEmpty,
      activity.externalRefs.allSatisfy({ !$0.provider.isEmpty && !$0.externalID.isEmpty }),
      !record.linksPeople || activity.people.allSatisfy({ $0.personID != nil })
    else { return nil }
    ImportedContent.settle(&activity, of: record)
    return try? ActivityRow(activity)
  }
}
