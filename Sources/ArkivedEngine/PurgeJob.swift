import ArkivedSearch
package import ArkivedStore
import Foundation

/// Forgets for ever, also in the indexes beside the archive.
package struct PurgeJob: Sendable {
  package let archive: Archive

  /// How long a run of the indexes is waited for.
  private static let patience = 20.0

  package init(archive: Archive) { self.archive = archive }

  /// - Returns: what was done, and whether no file of vectors holds any of it.
  /// - Throws: as `Archive.purge`.
  package func run(
    _ selection: PurgeSelection
  ) throws -> (purged: Archive.Purged, areVectorsGone: Bool) {
    let purged = try archive.purge(selection)
    ImportRecovery.clearScratch(of: archive)
    // It is forgotten; what trouble keeps from being cleaned up now is cleaned up later.
    let areGone = try? ForgottenVectors.remove(from: archive, waits: Self.patience)
    return (purged, areGone ?? false)
  }

  /// Goes on with one that was stopped.
  package func finish() throws {
    try archive.finishPurge()
    ImportRecovery.clearScratch(of: archive)
    _ = try ForgottenVectors.remove(from: archive, waits: 0)
  }

  /// What to say where a file is still being written.
  package static let vectorsRemain =
    "The meaning index is being written right now. Deleted data is removed from it when that’s "
    + "done."
}
