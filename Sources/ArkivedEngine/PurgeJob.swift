import ArkivedSearch
package import ArkivedStore
import Foundation

/// A job that deletes entries permanently, including from the search indexes.
package struct PurgeJob: Sendable {
  package let archive: Archive

  /// The time in seconds to wait for an index run to end.
  private static let patience = 20.0

  package init(archive: Archive) { self.archive = archive }

  /// Deletes entries permanently.
  ///
  /// - Parameters:
  ///   - selection: the entries.
  ///   - mark: the mark of the plan that the owner was shown; nil if they were shown none.
  /// - Returns: an account of the deletions, and true if no file of vectors contains any of the
  ///   entries.
  /// - Throws: as `Archive.purge`.
  package func run(
    _ selection: PurgeSelection, asShown mark: String? = nil
  ) throws -> (purged: Archive.Purged, areVectorsGone: Bool) {
    let purged = try archive.purge(selection, asShown: mark)
    ImportRecovery.clearScratch(of: archive)
    // The data has been deleted; anything that cannot be cleaned up at this point is cleaned up
    // later.
    let areGone = try? ForgottenVectors.remove(from: archive, waits: Self.patience)
    return (purged, areGone ?? false)
  }

  /// Continues a deletion that was interrupted.
  package func finish() throws {
    try archive.finishPurge()
    ImportRecovery.clearScratch(of: archive)
    _ = try ForgottenVectors.remove(from: archive, waits: 0)
  }

  /// The message for a file that is still being written.
  package static let vectorsRemain =
    "The meaning index is being written right now. Deleted data is removed from it when that’s "
    + "done."
}
