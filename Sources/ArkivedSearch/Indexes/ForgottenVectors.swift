import ArkivedCore
package import ArkivedStore
import Foundation

/// Removes vectors of permanently forgotten texts.
package enum ForgottenVectors {
  /// Rewrites every file of vectors without the texts that a purge removed; this needs no model.
  ///
  /// A file that cannot be rewritten is removed, and rebuilt by the next run of the indexes.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - seconds: the time to wait for a process that writes to a file.
  /// - Returns: false if another process is still writing to a file; that process then removes the
  ///   vectors when it finishes.
  /// - Throws: an error if a file can't be removed.
  package static func remove(from archive: Archive, waits seconds: Double) throws -> Bool {
    guard let mark = try archive.forgottenVectors(),
      let folder = archive.home?.appendingPathComponent("index")
    else { return true }
    let states = try [SearchIndexes.meaningName, SearchIndexes.nextMeaningName].map {
      (name: $0, state: try archive.indexState($0, limit: SearchIndexes.deltaLimit))
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasSuffix(".vectors.new") {
      // This is a new version that was never finished.
      let file = folder.appendingPathComponent(String(name.dropLast(".new".count)))
      if !names.contains(file.lastPathComponent) {
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
      }
    }
    for name in names where name.hasSuffix(".vectors") {
      let file = folder.appendingPathComponent(name)
      let known = states.first {
        $0.state.file == name || $0.state.file == SearchIndexes.begun(name)
      }
      do {
        guard let known else {
          // It is unknown what has changed since it was created.
          throw VectorIndexError.unusable(path: file.path, reason: .missing)
        }
        try thin(file, archive, known.state, waits: seconds)
      } catch VectorIndexError.busy {
        return false
      } catch {
        try? FileManager.default.removeItem(at: file)
        // A file that no index uses, such as one that isn't complete yet, takes none away.
        if let known { try? archive.removeSearchIndex(known.name) }
      }
    }
    try archive.settleForgottenVectors(mark)
    return true
  }

  private static func thin(
    _ file: URL, _ archive: Archive, _ state: Archive.IndexState, waits seconds: Double
  ) throws {
    let handle = try FileHandle(forReadingFrom: file)
    let page = [UInt8](try handle.read(upToCount: VectorLayout.pageSize) ?? Data())
    try handle.close()
    let header = try VectorHeader(page)
    let writer = try VectorIndexWriter(
      at: file.path, embedder: header.embedder, dimensions: header.dimensions, waits: seconds)
    let present = DocumentSet(
      try archive.withIndexSource { try $0.documents().all }.lazy.map(\.rowNumber))
    var gone = state.outdated
    try writer.forEachEntry { entry in
      if !present.contains(entry.document) { gone.insert(entry.document) }
    }
    try writer.remove(documents: gone)
    try writer.compact()
  }
}
