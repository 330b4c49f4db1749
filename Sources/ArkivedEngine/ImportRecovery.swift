import ArkivedCore
import ArkivedImport
package import ArkivedStore

/// Cleanup after an import that was killed.
package enum ImportRecovery {
  /// Completes what a published run had deferred, matches its goals, and removes everything that
  /// was never published.
  ///
  /// Does nothing while an import is running.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - pause: called now and then; if it throws, the rest is left for the next time.
  /// - Throws: what `pause` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   written.
  package static func run(_ archive: Archive, pause: () throws -> Void = {}) throws {
    while let stage = try ImportStage.unfinished(in: archive) {
      let state = ImportState(archive: archive, overridesOwner: false)
      let start = try stage.write { scope, _ in
        (run: try scope.importRun(), isDone: try !scope.hasPending())
      }
      guard var run = start.run else { break }
      state.account = ImportState.Account(
        created: run.created, updated: run.updated, unchanged: run.unchanged,
        skipped: run.skipped, warnings: run.warnings)
      var isDone = start.isDone
      while !isDone {
        (run, isDone) = try stage.write { scope, _ in
          try ImportWriter(scope: scope, state: state, isStaging: false).decideSome(run)
        }
      }
      try stage.matchGoals()
    }
    try archive.sweepBrokenImports(pause: pause)
    clearScratch(of: archive)
  }

  /// Removes the files that killed imports unpacked in the archive's folder; files in use are kept.
  static func clearScratch(of archive: Archive) {
    if let home = archive.scratchHome { ScratchFolders.clear(in: home) }
  }
}
