import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// A source of tables in other programs' databases, which the store opens for importers that have
/// no SQL.
struct ForeignTables: TableSource {
  func open(_ file: URL, copyIn folder: URL) throws -> any TableReading {
    do {
      return try ForeignDatabase(copyOf: file, in: folder)
    } catch ForeignDatabaseError.busy(let reason) {
      throw ArchiveError.busy("\(file.lastPathComponent): \(reason).")
    } catch let error as ForeignDatabaseError {
      throw ImportRefusal(place: file.lastPathComponent, message: error.description)
    }
  }
}

extension ForeignDatabase: TableReading {}
