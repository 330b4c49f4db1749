package import Foundation

/// A temporary file or folder in an archive's folder: a program is still writing it, or was stopped
/// before it was done.
package struct UnfinishedFile: Hashable, Sendable {
  /// The path relative to the archive's folder.
  package let path: String
  /// The size in bytes of the file, or of all files in the folder.
  package internal(set) var bytes: Int
  /// The time of the last change, by the clock of the computer that has the disk.
  package internal(set) var changed: Date
  let kind: Kind

  enum Kind: Hashable, Sendable {
    /// A file under a temporary name, or a folder of such files.
    ///
    /// A program that writes one changes it more than once a day.
    case draft
    /// A file of an attachment that was about to be removed and may be needed again.
    case aside
    /// The files that a restore or a merge unpacks.
    ///
    /// A process that works there holds `restore.lock`.
    case restore
    /// The files that an import unpacks.
    ///
    /// A process that works there holds the `.lock` in it.
    case imports
    /// The files that a check of the inbox copies.
    ///
    /// A process that works there holds `inbox-round.lock`.
    case inbox
    /// A new version of the vectors.
    ///
    /// The process that writes it holds the lock next to the old one.
    case vectors
  }

  /// The prefixes of temporary names: those of this version, of an archive being created or copied,
  /// of Foundation's atomic writes in earlier versions, and of the scripts that fetch models.
  fileprivate static let draftPrefixes = [
    IncomingFile.prefix, ArchiveFolder.draftPrefix, Archive.plainCopyDraft, ".dat.nosync",
    ".fetching-",
  ]
}

extension UnfinishedFile.Kind {
  /// Determines the kind of a name; nil if it isn't a temporary name.
  ///
  /// - Parameter path: the path from the archive's folder.
  init?(path: String) {
    let parts = path.split(separator: "/").map(String.init)
    guard let name = parts.last, let first = parts.first else { return nil }
    // Files that were set aside are the owner's to keep or remove.
    guard !first.hasPrefix("set-aside-") else { return nil }
    switch (parts.count, first) {
    case (1, _) where name.hasPrefix(Archive.workPrefix): self = .restore
    case (1, Archive.inboxWorkName): self = .inbox
    case (2, Archive.scratchName): self = .imports
    // Including SQLite's files next to it.
    case (2, "snapshots") where name.hasPrefix(".") && name.contains(".incoming"): self = .draft
    case (2, "index") where name.hasSuffix(".vectors.new"): self = .vectors
    case _ where UnfinishedFile.draftPrefixes.contains(where: { name.hasPrefix($0) }):
      self = .draft
    case _ where name.hasPrefix(".") && UUID(uuidString: String(name.dropFirst())) != nil:
      self = first == "attachments" ? .aside : .draft
    default: return nil
    }
  }
}
