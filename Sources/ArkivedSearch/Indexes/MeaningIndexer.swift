package import ArkivedCore
package import ArkivedStore
package import Foundation

/// Maintains the vectors of an archive's texts: it splits texts into chunks, embeds new ones and
/// writes them.
///
/// Only one process writes at a time; others get an error that says another process is writing.
package final class MeaningIndexer {
  private let archive: Archive
  private let model: any TextEmbedder
  private let writer: VectorIndexWriter
  /// The limits for chunks, which are short because a note contains many statements: a sentence or
  /// two has a meaning that can be found, but a page does not.
  private static let limits = ChunkLimits(tokens: 40, overlap: 0, chunks: 256)
  /// The number of texts embedded.
  package private(set) var embedded = 0

  /// Opens the vectors.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - model: the model that computes the vectors.
  ///   - file: the file of the vectors; it is rebuilt if it cannot be used.
  ///   - replacing: true to rebuild it in any case.
  /// - Throws: `VectorIndexError.busy` if another process is writing to it.
  package init(_ archive: Archive, model: any TextEmbedder, at file: URL, replacing: Bool) throws {
    self.archive = archive
    self.model = model
    func open(replacing: Bool) throws -> VectorIndexWriter {
      try VectorIndexWriter(
        at: file.path, embedder: model.identity, dimensions: model.dimensions,
        replacing: replacing)
    }
    do {
      writer = try open(replacing: replacing)
    } catch VectorIndexError.unusable {
      writer = try open(replacing: true)
    }
  }

  /// The number of chunks.
  package var count: Int { writer.count }

  /// Returns true if the document has vectors.
  package func has(_ document: Int64) throws -> Bool {
    try !writer.entries(of: document).isEmpty
  }

  /// Removes documents.
  package func remove(_ documents: some Sequence<Int64>) throws {
    try writer.remove(documents: documents)
  }

  /// Removes everything except some documents.
  package func keepOnly(_ documents: DocumentSet) throws {
    var gone = DocumentSet()
    try writer.forEachEntry { if !documents.contains($0.document) { gone.insert($0.document) } }
    try remove(gone)
  }

  /// Embeds documents and adds their vectors in one commit.
  package func add(_ documents: [IndexSource.Document]) async throws {
    var entries: [VectorEntry] = []
    var texts: [String] = []
    var places: [UInt64: Int] = [:]
    for source in try archive.meaningTexts(of: documents) {
      for chunk in model.chunks(of: source.text, limits: Self.limits) {
        let hash = Self.hash(chunk.text)
        entries.append(
          VectorEntry(
            document: source.document.rowNumber, chunk: chunk.range, contentHash: hash,
            day: source.document.day))
        if !writer.hasVector(forHash: hash), places[hash] == nil {
          places[hash] = texts.count
          texts.append(chunk.text)
        }
      }
    }
    let new = try await model.embed(texts)
    embedded += texts.count
    try writer.append(entries, vectors: places.mapValues { Array(new[$0]) })
    try writer.commit()
  }

  /// Commits removals, and compacts the file if much of it was removed.
  ///
  /// - Parameter compacts: true to make sure that nothing removed stays in the file.
  /// - Throws: `VectorIndexError` if the file can't be written.
  package func finish(compacts: Bool = false) throws {
    let isMostlyGone = writer.removedCount > 1_000 && writer.removedCount > writer.count / 3
    // Most of the space is used by texts.
    let isMostlyUnused =
      writer.unusedTextCount > 1_000 && writer.unusedTextCount > writer.textCount / 3
    if compacts || isMostlyGone || isMostlyUnused {
      try writer.compact()
    } else {
      try writer.commit()
    }
  }

  private static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { XXHash64.hash(UnsafeRawBufferPointer($0)) }
  }
}
