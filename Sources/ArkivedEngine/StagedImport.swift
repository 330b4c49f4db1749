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

  /// How many entries were taken without coordinates that they have.
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

  /// Whether the same input would be told the same of another day.
  var isLasting: Bool { state.isLasting }

  /// Takes what an earlier run found in the same input, without reading it.
  func take(_ known: ImportMemory.Known) {
    state.account.unchanged = known.count
    state.account.skipped = known.run.skipped
    state.account.warnings = known.run.warnings
  }

  /// Counts the entries of a file that came in before and has not changed since.
  func takeKnown(_ count: Int) {
    state.account.unchanged += count
    watch.finishFile()
  }

  /// Moves files that entries bring from a folder that the run's importers fill, instead of copying
  /// them; nobody looks at them there any more once their entry was handed on.
  func takesFiles(of scratch: ScratchFolder) { state.scratch = scratch }

  /// Whether something that is here may change when the run is published.
  var hasPutOff: Bool { state.putOffCount > 0 }

  /// How far the run is: entries that it brought or met, and what it told or left to be decided.
  var standing: (entries: Int, open: Int) {
    let account = state.account
    return (
      account.created.values.reduce(0, +) + account.unchanged, state.toldCount + state.putOffCount
    )
  }

  /// Takes one file's entries; when the file is refused, nothing of it remains.
  ///
  /// - Throws: `ImportRefusal`, `ImportCancelled`, and what the archive throws; then the whole
  ///   stage is to be discarded, but for a refusal.
  func take(_ read: @escaping @Sendable (any ImportSink) throws -> Void) throws {
    let part = state.begin()
    let memory = (state.occurrences, state.peopleByImportedID)
    try stage.mark()
    let channel = RecordChannel(read)
    defer { channel.close() }
    do {
      var waiting = RecordChannel.Chunk()
      while true {
        if waiting.isUsedUp {
          // Nothing is asked of the archive until there is something to write.
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
      (state.occurrences, state.peopleByImportedID) = memory
      throw refusal
    }
    watch.finishFile()
  }

  /// Writes entries in one transaction until it has taken long enough, or nothing is left.
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
            // Nobody is kept waiting while the reader thinks.
            guard let items = try channel.next(within: 2), !items.isEmpty else { return }
            rest = RecordChannel.Chunk(items)
          } catch {
            // What came before it is written; it is dealt with outside the transaction.
            failure = error
            return
          }
          continue
        }
        switch item {
        case .entry(let entry):
          watch.count()
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

  /// After how many entries is looked whether to go on with a transaction.
  private static let lookInterval = 64
  /// How many entries' words may wait to be indexed; who waits to write waits for them too.
  private static let documentLimit = 4_096

  /// Makes the run seen, decides about what was put off, and returns its account.
  ///
  /// - Parameter conclude: what is to happen in the run's change when all of it is decided.
  func publish(
    format: String, source: String,
    conclude: ((ChangeScope, inout ImportRun) throws -> Void)? = nil
  ) throws -> ImportRun {
    watch.finish()
    let run = ImportRun(
      id: runID, format: format, source: source, startedAt: startedAt, finishedAt: startedAt)
    // What everybody is to see names these.
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

  /// Throws the run away; what cannot be removed soon stays unseen.
  func discard() { try? stage.discard(within: 2) }
}

extension ImportStage {
  /// Matches the goals that came in with all actions, without keeping anybody from writing. What
  /// the run told of matches stays.
  func matchGoals() throws {
    let mark = try write { scope, _ in try scope.matchingMark() }
    if !mark.new.isEmpty { _ = try archive.inferContributions(goals: mark.new, addsOnly: true) }
    if !mark.changed.isEmpty { _ = try archive.inferContributions(goals: mark.changed) }
    try write { scope, _ in try scope.removeMatchingMarks() }
    // What came to light counts towards goals.
    try archive.settleGoalSums()
  }
}

extension ImportWriter {
  /// How many put-off entries one transaction decides about, so that it stays short.
  private static let pendingBatch = 2_000

  /// Decides about the next entries that were put off, and writes the run's account so far.
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
  /// The same for once more behind all others: what links two may come before what it links.
  fileprivate var laterTry: PendingRecord? {
    guard !isSecondTry, let entity = GoalSide.type(named: type)?.entityType,
      [.contribution, .alignment, .assignment].contains(entity)
    else { return nil }
    var later = self
    later.isSecondTry = true
    return later
  }
}
