import ArkivedStore
public import Foundation

/// One change of the archive: what somebody or some program did in one step.
public struct LibraryChange: Hashable, Sendable, Identifiable {
  /// The identity, by which it is undone.
  public var id: UUID
  /// When it was made.
  public var at: Instant
  /// Who made it: `owner`, `import`, `assistant`, or a program by its name.
  public var author: String
  /// What was done: `add`, `edit`, `delete`, `note`, `tag`, `import`, `undo`, `restore`, and others.
  public var action: String
  /// A sentence for lists, in English: Added “ran 5 km”.
  public var summary: String
  /// Whether a later undo took it back.
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

/// What an undo did.
public struct UndoResult: Hashable, Sendable {
  /// The undo, which is a change itself and can be undone.
  public var change: LibraryChange
  /// The change that was taken back.
  public var undid: LibraryChange
  /// How many entries of an import stay because they were changed or used since.
  public var kept: Int
}

/// An old version of something, kept when it was changed or deleted.
public struct OldVersion: Hashable, Sendable, Identifiable {
  /// The identity of the version.
  public var id: UUID
  /// When it stopped being the present one.
  public var archivedAt: Instant
  /// Why it was kept: `update`, `delete`, `import`, `restore` or `manual_archive`.
  public var reason: String
  /// The whole old version, as a JSON object.
  public var json: String
}

extension Library {
  /// Returns the latest changes, the newest first.
  public func changes(limit: Int = 20) async throws(LibraryError) -> [LibraryChange] {
    try await waiting { [self] in try archive.changes(limit: limit).map(LibraryChange.init) }
  }

  /// Takes a change back: what it added goes, and what it changed or deleted comes back as it was.
  ///
  /// - Parameter id: the change; the latest that isn't undone and is no import by default.
  /// - Throws: ``LibraryError/Code/notFound`` if there is nothing to undo,
  ///   ``LibraryError/Code/conflict`` if an entry was changed since.
  @discardableResult
  public func undo(_ id: LibraryChange.ID? = nil) async throws(LibraryError) -> UndoResult {
    try await waiting { [self] in
      let undone = try archive.undo(id)
      return UndoResult(
        change: LibraryChange(undone.change), undid: LibraryChange(undone.undid),
        kept: undone.kept)
    }
  }

  /// Returns the old versions of anything whose old versions are kept, the newest first.
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

  /// Makes an old version the present one; the present one goes to the history.
  ///
  /// - Throws: ``LibraryError/Code/notFound``, ``LibraryError/Code/conflict`` if what it needs is
  ///   taken by now.
  @discardableResult
  public func restore(_ version: OldVersion) async throws(LibraryError) -> LibraryChange {
    try await waiting { [self] in
      let record = try archive.historyRecord(matching: version.id.uuidString)
      return LibraryChange(try archive.restore(record))
    }
  }
}
