import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Carries what an importer reads on its own thread to the thread that writes, in order, with a
/// bounded number under way: reading and writing then take one core each.
final class RecordChannel: Sendable {
  enum Item: Sendable {
    case entry(Entry)
    case diagnostic(Diagnostic)
    /// Bytes of the file read so far.
    case reached(Int)
  }

  /// An entry, which is large and is handed on without being copied.
  final class Entry: Sendable {
    let record: ImportedRecord
    /// Its row where it is a plain activity, so that the writer need not make it.
    let row: ActivityRow?

    init(_ record: ImportedRecord) {
      self.record = record
      row = ActivityRow.plain(record)
    }
  }

  /// Items that were handed over, and how far they are used up.
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

  /// What the reading thread throws when nobody takes its records any more.
  struct Closed: Error {}

  private struct State {
    var chunks: [[Item]] = []
    /// Chunks that were taken and used up.
    var used: [[Item]] = []
    var isClosed = false
    var outcome: Result<Void, any Error>?
  }

  /// Items are handed over in chunks, since every hand-over costs.
  private static let chunkSize = 128
  private static let chunkLimit = 32
  /// Milliseconds for which a reader that is to stop is waited for.
  private static let patience = 300

  private let state = Mutex(State())
  private let filled = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)

  /// Starts reading on a thread of its own.
  init(_ read: @escaping @Sendable (any ImportSink) throws -> Void) {
    // A semaphore may not end below the value it began with, and this one may end anywhere.
    for _ in 0..<Self.chunkLimit { room.signal() }
    let thread = Thread { [self] in
      let sink = Sink(channel: self)
      let outcome: Result<Void, any Error>
      do {
        try read(sink)
        try sink.flush()
        outcome = .success(())
      } catch {
        // What was read before the trouble is told as well.
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

  /// Gives back a chunk that was used up. The reading thread frees what is in it: it made it, and
  /// freeing another thread's memory makes both wait.
  func giveBack(_ chunk: [Item]) {
    guard !chunk.isEmpty else { return }
    state.withLock { $0.used.append(chunk) }
  }

  /// The next chunk in order; an empty one when the reader takes longer than that, nil when it is
  /// done.
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
    // Asked again, it says the same.
    filled.signal()
    try outcome?.get()
    return nil
  }

  /// How far the reader is, where a chunk tells nothing else.
  static func news(_ items: [Item]) -> Int? {
    var reached: Int?
    for item in items {
      guard case .reached(let offset) = item else { return nil }
      reached = offset
    }
    return reached
  }

  /// Tells the reader to stop, and gives it a moment to do so. One that has found nothing yet is not
  /// told before it finds something; until then it reads on for nobody.
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
      // Whoever closed the channel is told by the next record.
      if items.count >= RecordChannel.chunkSize { try? flush() }
    }

    func reach(_ offset: Int) {
      items.append(.reached(offset))
      // How far a long file is, is news by itself where it holds few entries.
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
  /// The row of an activity that says itself who it is and brings nothing that must be looked up
  /// or stored first; nil for others, and for one that is not valid.
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
