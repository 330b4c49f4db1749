import ArkivedStore
public import Foundation

/// A change to the archive: everything that a person or a program did in one step.
public struct LibraryChange: Hashable, Sendable, Identifiable {
  /// The ID, with which it can be undone.
  public var id: UUID
  /// The time of the change.
  public var at: Instant
  /// The author: `owner`, `import`, `assistant`, or the name of a program.
  public var author: String
  /// The action: `add`, `edit`, `delete`, `note`, `tag`, `import`, `undo`, `restore`, and others.
  public var action: String
  /// A sentence for lists, in English: Added “ran 5 km”.
  public var summary: String
  /// True if a later undo reverted it.
  public var isUndone: Bool

  init(_ change: Change) {
    id = change.id
    at = change.at
    author = change.author.rawValue
    action = change.action
    summary = change.summary
    isUndone = change.isUndone
  }
}

/// The result of an undo.
public struct UndoResult: Hashable, Sendable {
  /// The undo, which is a change itself and can be undone.
  public var change: LibraryChange
  /// The change that was reverted.
  public var undid: LibraryChange
  /// The number of imported entries that were kept because they had been changed or used since.
  public var kept: Int
}

/// An old version of an item, stored when it was changed or deleted.
public struct OldVersion: Hashable, Sendable, Identifiable {
  /// The ID of the version.
  public var id: UUID
  /// The time at which it stopped being the current version.
  public var archivedAt: Instant
  /// The reason that it was stored: `update`, `delete`, `import`, `restore` or `manual_archive`.
  public var reason: String
  /// The whole old version, as a JSON object.
  public var json: String
}

extension Library {
  /// Returns the latest changes, newest first.
  public func changes(limit: Int = 20) async throws(LibraryError) -> [LibraryChange] {
    try await waiting { [self] in try archive.changes(limit: limit).map(LibraryChange.init) }
  }

  /// Reverts a change: additions are removed, and everything it changed or deleted is restored.
  ///
  /// - Parameter id: the change; by default the latest that isn't undone and isn't an import.
  /// - Returns: a summary of the undo.
  /// - Throws: ``LibraryError/Code/notFound`` if there is nothing to undo,
  ///   ``LibraryError/Code/conflict`` if an entry has been changed since.
  @discardableResult
  public func undo(_ id: LibraryChange.ID? = nil) async throws(LibraryError) -> UndoResult {
    try await waiting { [self] in
      let undone = try archive.undo(id)
      return UndoResult(
        change: LibraryChange(undone.change), undid: LibraryChange(undone.undid),
        kept: undone.kept)
    }
  }

  /// Returns the old versions of an item that has a history, newest first.
  public func history(of thing: some Archivable) async throws(LibraryError) -> [OldVersion] {
    let id = thing.id
    return try await waiting { [self] in
      try archive.history(of: id).map { record in
        OldVersion(
          id: record.id, archivedAt: record.archivedAt, reason: record.reason.rawValue,
          json: record.record.text())
      }
    }
  }

  /// Makes an old version the current one; the current one is saved in the history.
  ///
  /// - Throws: ``LibraryError/Code/notFound``, ``LibraryError/Code/conflict`` if something that it
  ///   needs is already taken.
  @discardableResult
  public func restore(_ version: OldVersion) async throws(LibraryError) -> LibraryChange {
    try await waiting { [self] in
      let record = try archive.historyRecord(matching: version.id.uuidString)
      return LibraryChange(try archive.restore(record))
    }
  }
}
