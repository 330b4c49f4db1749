/// Why the archive did not do what it was asked. Every case tells its reader what to do next.
package enum ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No entity of that type and identity.
  case notFound(String)
  /// A short identity fits several entries.
  case ambiguous(String)
  /// The entry was changed since it was read.
  case conflict(String)
  /// The archive was written by a newer Arkived.
  case newerArchive(path: String)
  /// The folder or file cannot be opened or made.
  case cannotOpen(path: String, reason: String)
  /// The file is no archive, or is damaged.
  case damaged(path: String, reason: String)
  /// The file was moved away, replaced or removed while it was open.
  case displaced(path: String)
  /// The archive already holds something, where an empty one is needed.
  case notEmpty(String)
  /// Something else has to end first.
  case busy(String)
  /// Not allowed here.
  case refused(String)

  package var description: String {
    switch self {
    case .notFound(let what): "There is no \(what)."
    case .ambiguous(let what): what
    case .conflict(let what): what
    case .newerArchive(let path):
      "The archive at \(path) was written by a newer Arkived. Update Arkived to open it; nothing "
        + "was changed."
    case .cannotOpen(let path, let reason): "The archive at \(path) cannot be opened: \(reason)"
    case .damaged(let path, let reason):
      "The archive at \(path) is damaged: \(reason). Run arkived doctor."
    case .displaced(let path):
      "The files of the archive at \(path) were moved, replaced or removed while it was open. "
        + "Nothing was written. Put them back, or start Arkived again."
    case .notEmpty(let what): what
    case .busy(let what): what
    case .refused(let what): what
    }
  }
}
