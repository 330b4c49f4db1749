import ArkivedTestSupport
import Foundation
import GRDB

@testable import ArkivedStore

/// An archive as the program left it whose last schema step was the one of that number, full in every table.
struct OlderArchive {
  let folder: TemporaryFolder
  let steps: [any Migration.Type]
  let home: URL
  let tables: [String]
  let content: [String: [[DatabaseValue]]]
  /// The columns of each table, by which its rows are read later too.
  let columns: [String: [String]]

  init(steps count: Int) throws {
    steps = Array(Migrations.all.steps.prefix(count))
    folder = try TemporaryFolder()
    home = folder.url.appending(path: "archive")
    let file = home.appending(path: "attachments/\(ColumnValues.filePath)")
    let isPrivate: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    for place in [home, file.deletingLastPathComponent()] {
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: isPrivate)
    }
    try Data(ColumnValues.fileContent.utf8).write(to: file)
    // SQLite opens what is there; the program lets it create no database.
    let database = home.appending(path: "archive.sqlite")
    try Data().write(to: database)
    let queue = try DatabaseQueue(path: database.path)
    try Migrations(steps: steps).migrate(queue)
    try queue.write { try SchemaFiller().fill($0) }
    let (tables, columns) = try queue.read { db in
      let tables = try SchemaFiller.tables(db)
      return (tables, try tables.map { try db.columns(in: $0).map(\.name) })
    }
    self.tables = tables
    self.columns = Dictionary(uniqueKeysWithValues: zip(tables, columns))
    content = try queue.read { db in
      try Dictionary(
        uniqueKeysWithValues: tables.map { ($0, try SchemaFiller.rows(of: $0, db)) })
    }
    try queue.close()
  }

  /// Opens it with the present program.
  func open() throws -> Archive {
    try Archive(
      at: .folder(home), clock: HandClock(TestArchive.now), identities: CountedIdentities())
  }
}
