import ArkivedCore
import Foundation
import GRDB

/// Removing files of attachments that nothing refers to any more.
extension Archive {
  /// Removes files of attachments that nothing refers to any more.
  ///
  /// - Returns: the number of files removed.
  /// - Throws: `ArchiveError.busy` while files are being added.
  func removeFiles(_ paths: Set<String>) throws -> Int {
    guard attachmentsFolder != nil, !paths.isEmpty else { return 0 }
    // Whoever stores a file holds it until something refers to the file.
    let lock = try filesLock.map { try FileLock(at: $0, waits: 3) }
    defer { lock?.release() }
    let begun = Date()
    return try paths.sorted().slices().reduce(0) { try $0 + removeSome(Set($1), since: begun) }
  }

  /// A file under a name that nothing refers to.
  private struct Aside {
    let path: String
    let file: URL
    let aside: URL
  }

  /// Removes some of the files.
  ///
  /// They are looked up together, because each lookup reads all old versions.
  private func removeSome(_ paths: Set<String>, since begun: Date) throws -> Int {
    guard let folder = attachmentsFolder else { return 0 }
    var gone: [Aside] = []
    for path in try paths.subtracting(neededPaths(among: paths)).sorted() {
      guard !path.contains(".."), !path.hasPrefix("/") else { continue }
      let file = folder.appendingPathComponent(path)
      let found = try? FileManager.default.attributesOfItem(atPath: file.path)
      guard found?[.type] as? FileAttributeType == .typeRegular else {
        // A path from elsewhere could name a folder that contains others' files.
        guard found == nil else { continue }
        // Thumbnails of an original that is stored elsewhere.
        removeDerived(ofContent: file.deletingPathExtension().lastPathComponent)
        continue
      }
      // If the same content is being stored at this moment and is referred to shortly afterwards,
      // it is restored from here.
      let aside = file.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
      guard rename(file.path, aside.path) == 0 else { continue }
      gone.append(Aside(path: path, file: file, aside: aside))
    }
    guard !gone.isEmpty else { return 0 }
    let needed: Set<String>
    do {
      needed = try neededPaths(among: Set(gone.map(\.path)))
      try forgetReplicaFiles(at: gone.map(\.path).filter { !needed.contains($0) })
    } catch {
      for one in gone { _ = rename(one.aside.path, one.file.path) }
      throw error
    }
    var count = 0
    var shelves: Set<URL> = []
    for one in gone {
      guard !needed.contains(one.path), !Self.isStored(one.aside, since: begun) else {
        _ = rename(one.aside.path, one.file.path)
        continue
      }
      try? FileManager.default.removeItem(at: one.aside)
      removeDerived(ofContent: one.file.deletingPathExtension().lastPathComponent)
      shelves.insert(one.file.deletingLastPathComponent())
      count += 1
    }
    for shelf in shelves {
      try DurableFile.toleratingUnflushable { try DurableFile.synchronise(shelf) }
    }
    return count
  }

  /// Returns true if the same content was stored in the meantime and is about to be referred to
  /// (`Archive.store`).
  private static func isStored(_ file: URL, since begun: Date) -> Bool {
    let found = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (found?[.modificationDate] as? Date).map { $0 >= begun } ?? false
  }

  /// Removes data derived from a removed file, such as a thumbnail, which is named by its content.
  private func removeDerived(ofContent hash: String) {
    guard hash.count >= 32, let folder = databaseFile?.deletingLastPathComponent() else { return }
    let thumbnails = folder.appendingPathComponent("thumbnails")
    for shelf in [thumbnails, thumbnails.appendingPathComponent(String(hash.prefix(2)))] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: shelf.path)) ?? []
      for name in names where name.hasPrefix(hash) {
        try? FileManager.default.removeItem(at: shelf.appendingPathComponent(name))
      }
    }
  }

  /// Returns those of some paths that an attachment, an old version or an interrupted import refers
  /// to.
  func neededPaths(among paths: Set<String>) throws -> Set<String> {
    try read { db in
      var needed = try String.fetchSet(
        db,
        sql: """
          SELECT relative_path FROM attachments
          WHERE relative_path IN (SELECT value FROM json_each(?))
          """, arguments: [JSON(paths.sorted()).text()])
      for sql in [
        "SELECT record FROM history WHERE record LIKE '%relativePath%'",
        "SELECT record FROM import_pending",
      ] {
        let records = try String.fetchCursor(db, sql: sql)
        while let text = try records.next() {
          guard let record = try? JSON(parsing: text) else {
            // It may need any of them.
            needed.formUnion(paths.filter { text.contains($0) })
            continue
          }
          Self.gather(paths, in: record, to: &needed)
        }
      }
      return needed
    }
  }

  private static func gather(_ paths: Set<String>, in json: JSON, to found: inout Set<String>) {
    switch json {
    case .string(let text): if paths.contains(text) { found.insert(text) }
    case .array(let values): for value in values { gather(paths, in: value, to: &found) }
    case .object(let object):
      for (_, value) in object.members { gather(paths, in: value, to: &found) }
    case .null, .bool, .integer, .number: break
    }
  }
}
