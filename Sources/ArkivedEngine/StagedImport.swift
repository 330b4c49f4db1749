import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// One run of an import, from its first entry to its publication.
final class StagedImport {
  let stage: ImportStage
  private let state: ImportState
  private let watch: ImportWatch
  private let runID: UUID
  private let startedAt: Instant
  /// The paths of the files that entries have as attachments; nil if nobody asks.
  private(set) var attachedPaths: [String]?

  /// Begins to record the files that entries have as attachments.
  func recordAttachedPaths() { attachedPaths = [] }

  init(
    _ archive: Archive, action: String, summary: String, overridesOwner: Bool, watch: ImportWatch,
    window: ClosedRange<DayKey>? = nil, places: PlaceChoice = .keep, cacheMegabytes: Int = 256
  ) throws {
    startedAt = archive.clock.now
    runID = archive.identities.next()
    self.watch = watch
    try ImportRecovery.run(archive, pause: watch.look)
    stage = try StagedImport.stage(archive, action, summary, watch, cacheMegabytes)
    state = ImportState(archive: archive, overridesOwner: overridesOwner)
    state.window = window
    state.places = PlaceReduction(choice: places)
  }

  /// Announces the number of files; the rows of several are compared with each other.
  func expects(fileCount: Int) { state.starts.tracksMade = fileCount > 1 }

  /// The number of entries with coordinates that were imported without them.
  var reducedCount: Int { state.account.reduced }

  /// Begins a stage as soon as no other import is running.
  private static func stage(
    _ archive: Archive, _ action: String, _ summary: String, _ watch: ImportWatch,
    _ cacheMegabytes: Int
  ) throws -> ImportStage {
    let end = ContinuousClock.now.advanced(by: .seconds(watch.waitsSeconds))
    while true {
      do {
        return try ImportStage(
          archive, action, summary, waitsSeconds: min(0.2, watch.waitsSeconds),
          cacheMegabytes: cacheMegabytes)
      } catch ArchiveError.busy where ContinuousClock.now < end {
        try watch.look()
      }
    }
  }

  func diagnose(_ diagnostic: Diagnostic) { state.diagnose(diagnostic) }

  /// True if reading the same input on another day would give the same result.
  var isLasting: Bool { state.isLasting }

  /// Adopts what an earlier run found in the same input, without reading it.
  func take(_ known: ImportMemory.Known) {
    state.account.unchanged = known.count
    state.account.skipped = known.run.skipped
    state.account.warnings = known.run.warnings
  }

  /// Counts the entries of a file that was imported before and has not changed.
  func takeKnown(_ count: Int) {
    state.account.unchanged += count
    watch.finishFile()
  }

  /// Moves the entries' files from a folder that the run's importers fill instead of copying them;
  /// nothing else uses them after their entry has been passed on.
  func takesFiles(of scratch: ScratchFolder) { state.scratch = scratch }

  /// True if something here may change when the run is published.
  var hasPutOff: Bool { state.putOffCount > 0 }

  /// The progress of the run: the number of entries created or found, and the number of warnings
  /// and deferred decisions.
  var standing: (entries: Int, open: Int) {
    let account = state.account
    return (
      account.created.values.reduce(0, +) + account.unchanged,
      state.toldCount + state.putOffCount + state.starts.totalHeld
    )
  }

  /// Imports one file's entries; if the file is refused, nothing from it remains.
  ///
  /// - Throws: `ImportRefusal`, `ImportCancelled`, and what the archive throws; in that case the
  ///   whole stage must be discarded, except after a refusal.
  func take(_ read: @escaping @Sendable (any ImportSink) throws -> Void) throws {
    state.starts.beginFile()
    let part = state.begin()
    let memory = (state.occurrences, state.peopleByImportedID)
    let pathCount = attachedPaths?.count
    try stage.mark()
    let channel = RecordChannel(read)
    defer { channel.close() }
    do {
      var waiting = RecordChannel.Chunk()
      while true {
        if waiting.isUsedUp {
          // The archive is not locked until there is something to write.
          guard let items = try channel.next(within: 100) else { break }
          guard !items.isEmpty else {
            try watch.look()
            continue
          }
          if let reached = RecordChannel.news(items) {
            watch.reach(reached)
            channel.giveBack(items)
            try watch.look()
            continue
          }
          waiting = RecordChannel.Chunk(items)
        }
        try write(&waiting, from: channel)
      }
      try watch.look()
    } catch let refusal as ImportRefusal {
      try stage.takeBack()
      state.takeBack(part)
      state.starts.dropFile()
      (state.occurrences, state.peopleByImportedID) = memory
      attachedPaths = pathCount.flatMap { count in attachedPaths.map { Array($0.prefix(count)) } }
      throw refusal
    }
    watch.finishFile()
  }

  /// Writes entries in one transaction until it has taken long enough or nothing is left.
  private func write(_ waiting: inout RecordChannel.Chunk, from channel: RecordChannel) throws {
    var rest = waiting
    waiting = RecordChannel.Chunk()
    var failure: (any Error)?
    try stage.writeNew { scope, batch in
      let writer = ImportWriter(scope: scope, state: state, isStaging: true)
      var count = 0
      repeat {
        guard let item = rest.next() else {
          do {
            channel.giveBack(rest.items)
            rest = RecordChannel.Chunk()
            // Other writers shouldn't wait while the reader is busy.
            guard let items = try channel.next(within: 2), !items.isEmpty else { return }
            rest = RecordChannel.Chunk(items)
          } catch {
            // Earlier entries are written; the failure is handled outside the transaction.
            failure = error
            return
          }
          continue
        }
        switch item {
        case .entry(let entry):
          watch.count()
          attachedPaths?.append(contentsOf: entry.record.attachedPaths)
          try writer.makeRoom { _, decide in try decide() }
          try writer.take(entry)
        case .diagnostic(let diagnostic): state.diagnose(diagnostic)
        case .reached(let offset): watch.reach(offset)
        }
        count += 1
        if count % Self.lookInterval == 0 { try scope.writeDocuments(moreThan: Self.documentLimit) }
      } while count % Self.lookInterval != 0 || !(batch.isOver || watch.isToStop())
    }
    waiting = rest
    if let failure { throw failure }
    try watch.look()
  }

  /// The number of entries between two checks of whether a transaction should continue.
  private static let lookInterval = 64
  /// The number of entries whose words may wait to be indexed; other writers wait for the indexing
  /// too.
  private static let documentLimit = 4_096

  /// Decides the rows that had to wait until all files were read.
  ///
  /// - Throws: `ImportCancelled`, and what the archive throws.
  func decideHeld() throws {
    while !state.starts.isEmpty {
      try stage.writeNew { scope, batch in
        try ImportWriter(scope: scope, state: state, isStaging: true).decideHeld(
          until: { batch.isOver || watch.isToStop() }
        ) { _, decide in try decide() }
      }
      try watch.look()
    }
  }

  /// Makes the run visible, decides deferred entries, and returns its account.
  ///
  /// - Parameters:
  ///   - format: the format that was read.
  ///   - source: the name of the source.
  ///   - conclude: called in the run's change after everything is decided.
  /// - Returns: the account.
  /// - Throws: what `conclude` throws, and `ArchiveError` or `DatabaseError` if the archive can't
  ///   be written.
  func publish(
    format: String, source: String,
    conclude: ((ChangeScope, inout ImportRun) throws -> Void)? = nil
  ) throws -> ImportRun {
    try decideHeld()
    watch.finish()
    let run = ImportRun(
      id: runID, format: format, source: source, startedAt: startedAt, finishedAt: startedAt)
    // Visible entries refer to these files.
    try state.files.finish()
    state.forgetKnown()
    var outcome = try stage.publish { scope in
      try ImportWriter(scope: scope, state: state, isStaging: false).decideSome(run)
    }
    while !outcome.isDone {
      outcome = try stage.write { scope, _ in
        try ImportWriter(scope: scope, state: state, isStaging: false).decideSome(run)
      }
    }
    if let conclude {
      outcome.run = try stage.write { scope, _ in
        var run = outcome.run
        try conclude(scope, &run)
        if run != outcome.run { try scope.record(run) }
        return run
      }
    }
    try stage.matchGoals()
    return outcome.run
  }

  /// Discards the run; anything that cannot be removed soon stays invisible.
  func discard() { try? stage.discard(within: 2) }
}

extension ImportStage {
  /// Matches the imported goals with all actions without blocking other writers.
  ///
  /// Imported matches are kept.
  func matchGoals() throws {
    let mark = try write { scope, _ in try scope.matchingMark() }
    if !mark.new.isEmpty { _ = try archive.inferContributions(goals: mark.new, addsOnly: true) }
    if !mark.changed.isEmpty { _ = try archive.inferContributions(goals: mark.changed) }
    try write { scope, _ in try scope.removeMatchingMarks() }
    // Newly visible entries count toward goals.
    try archive.settleGoalSums()
  }
}

extension ImportWriter {
  /// The number of deferred entries decided in one transaction, which keeps it short.
  private static let pendingBatch = 2_000

  /// Decides the next deferred entries, and writes the run's account so far.
  func decideSome(_ run: ImportRun) throws -> (run: ImportRun, isDone: Bool) {
    try decide(try scope.takePending(limit: Self.pendingBatch))
    try scope.leave(state.goals)
    state.goals = MatchingMark()
    var run = run
    run.finishedAt = archive.clock.now
    run.created = state.account.created
    run.updated = state.account.updated
    run.unchanged = state.account.unchanged
    run.skipped = state.account.skipped
    run.warnings = state.account.warnings
    try scope.record(run)
    return (run, try !scope.hasPending())
  }

  private func decide(_ pending: [PendingRecord]) throws {
    let defaults = EntryDefaults(
      now: scope.now, homeZone: .utc, identities: archive.identities)
    for record in pending {
      state.overridesOwner = record.overridesOwner
      if record.displacedRow != nil { state.takeOut(record.type) }
      do {
        guard let imported = try record.imported(defaults) else { continue }
        try take(imported, orElse: record.laterTry)
      } catch let error as FieldError {
        diagnose(
          Diagnostic(
            .skipped, place: "\(record.place) field “\(error.field)”",
            message: "skipped: \(error.description)", mayPass: true))
      }
    }
  }
}

extension PendingRecord {
  /// The record to retry after all others, because a link may come before the entries it connects.
  fileprivate var laterTry: PendingRecord? {
    guard !isSecondTry, let entity = GoalSide.type(named: type)?.entityType,
      [.contribution, .alignment, .assignment].contains(entity)
    else { return nil }
    var later = self
    later.isSecondTry = true
    return later
  }
}
