package import ArkivedCore
package import ArkivedStore
package import Foundation

/// Keeps the vectors of an archive's texts: cuts texts into chunks, embeds those that were never
/// embedded, and writes them. One at a time writes; others are told that it is busy.
package final class MeaningIndexer {
  private let archive: Archive
  private let model: any TextEmbedder
  private let writer: VectorIndexWriter
  /// A note says many things: a sentence or two have a meaning that can be found, a page has none.
  private static let limits = ChunkLimits(tokens: 40, overlap: 0, chunks: 256)
  /// Texts that were embedded.
  package private(set) var embedded = 0

  /// - Parameters:
  ///   - file: the vectors' file; made anew where it cannot be used.
  ///   - replacing: makes it anew in any case.
  /// - Throws: `VectorIndexError.busy` when another process writes to it.
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

  /// How many chunks there are.
  package var count: Int { writer.count }

  /// Whether the document has vectors.
  package func has(_ document: Int64) throws -> Bool {
    try !writer.entries(of: document).isEmpty
  }

  /// Forgets documents.
  package func remove(_ documents: some Sequence<Int64>) throws {
    try writer.remove(documents: documents)
  }

  /// Forgets whatever is not among some documents.
  package func keepOnly(_ documents: DocumentSet) throws {
    var gone = DocumentSet()
    try writer.forEachEntry { if !documents.contains($0.document) { gone.insert($0.document) } }
    try remove(gone)
  }

  /// Embeds documents and adds their vectors, in one commit.
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

  /// Makes what was removed count, and the file small where much of it is removed.
  ///
  /// - Parameter compacts: whether nothing of what was removed may stay in the file.
  package func finish(compacts: Bool = false) throws {
    let isMostlyGone = writer.removedCount > 1_000 && writer.removedCount > writer.count / 3
    // Texts hold most of the space.
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
