/// An error of the archive.
///
/// Every case suggests what to do next.
package enum ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No entity of that type and identity.
  case notFound(String)
  /// A shortened identity matches several entries.
  case ambiguous(String)
  /// The entry was changed since it was read.
  case conflict(String)
  /// The archive was written by a newer Arkived.
  case newerArchive(path: String)
  /// The folder or file cannot be opened or created.
  case cannotOpen(path: String, reason: String)
  /// The file is not an archive, or is damaged.
  case damaged(path: String, reason: String)
  /// The folder had an archive, but its database is missing or empty.
  case missing(path: String, leftovers: [String])
  /// The database doesn't belong to the same archive as the files next to it.
  case otherArchive(path: String)
  /// The parts of a copy are from different points in time.
  case torn(path: String, reason: String)
  /// The file was moved away, replaced or removed while it was open.
  case displaced(path: String)
  /// The archive has content, but an empty one is needed.
  case notEmpty(String)
  /// Another operation has to end first.
  case busy(String)
  /// The operation is not allowed.
  case refused(String)

  package var description: String {
    switch self {
    case .notFound(let what): what
    case .ambiguous(let what): what
    case .conflict(let what): what
    case .newerArchive(let path):
      "The archive at \(path) was written by a newer version of Arkived. Nothing was changed. "
        + "Update Arkived to open it."
    case .cannotOpen(let path, let reason): "The archive at \(path) can’t be opened: \(reason)"
    case .damaged(let path, let reason):
      "The archive at \(path) is damaged: \(reason). Run arkived doctor."
    case .missing(let path, let leftovers):
      "The archive’s database \(path) is missing or empty, but other parts of the archive are "
        + "still there: \(leftovers.prefix(4).joined(separator: ", ")). Nothing was changed. Put "
        + "the file back, restore a backup (arkived restore FILE), or start a new archive here "
        + "(arkived init --new)."
    case .otherArchive(let path):
      "The database \(path) belongs to a different archive than the files next to it. Nothing was "
        + "changed. Put the right one back, or open the other archive in a folder of its own."
    case .torn(let path, let reason):
      "The archive at \(path) was copied while it was in use, and the copy is incomplete: "
        + "\(reason). Nothing was changed. Use the original, restore a backup (arkived restore "
        + "FILE), or make a complete copy of the original (arkived backup --plain FOLDER)."
    case .displaced(let path):
      "The files of the archive at \(path) were moved, replaced or removed while it was open. "
        + "Nothing was written. Put them back, or start Arkived again."
    case .notEmpty(let what): what
    case .busy(let what): what
    case .refused(let what): what
    }
  }
}
