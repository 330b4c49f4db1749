import ArkivedCore
import Foundation
import GRDB

/// A change, its undo, the undo of that, and so on.
///
/// Each has the next as its `undone_by`, so the change has effect while an even number of undos
/// follows it.
struct UndoLine {
  /// The requested change, which may be anywhere in the line.
  let target: Change
  /// The original change that all others undo or redo.
  let root: Change
  /// Row numbers, the root's first.
  private(set) var keys: [Int64]

  var rootKey: Int64 { keys[0] }
  var lastKey: Int64 { keys[keys.count - 1] }
  var isTakenBack: Bool { keys.count.isMultiple(of: 2) }
  /// True if the root is an import, which is undone and redone as a whole.
  var isImport: Bool { UndoLine.isImport(root.action) }

  static func isImport(_ action: String) -> Bool {
    ["import", "sample"].contains(action) || regularSyncs.contains(action)
  }

  /// The actions of importing a calendar's events and an address book's contacts.
  ///
  /// They run automatically, so undo never applies to them without an explicit request.
  static let regularSyncs = ["calendar", "addressBook"]
  /// The same, as the items of a list in SQL.
  static let regularSyncsSQL = regularSyncs.map { "'\($0)'" }.joined(separator: ", ")

  /// Creates a line.
  ///
  /// - Parameters:
  ///   - row: a row of `changes`.
  ///   - db: the database.
  /// - Throws: `DatabaseError` if the archive can't be read.
  init(of row: Row, _ db: Database) throws {
    target = try Archive.change(row, db)
    var first = row
    keys = [row["pk"]]
    while ["undo", "redo"].contains(first["action"] as String),
      let before = try Row.fetchOne(
        db, cached: "SELECT * FROM changes WHERE undone_by = ? ORDER BY pk", arguments: [keys[0]])
    {
      first = before
      keys.insert(before["pk"], at: 0)
    }
    root = try Archive.change(first, db)
    while let next = try UndoLine.undo(of: lastKey, db) { keys.append(next) }
  }

  private static func undo(of key: Int64, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, cached: "SELECT undone_by FROM change_rows WHERE pk = ?", arguments: [key])
  }

  /// Returns true if a change is still undone by this one.
  static func isUndone(by key: Int64?, _ db: Database) throws -> Bool {
    var next = key
    var isUndone = false
    while let key = next {
      isUndone.toggle()
      next = try undo(of: key, db)
    }
    return isUndone
  }
}
