import ArkivedSearch
import Foundation
import Synchronization
import Testing

@Suite("Writing a vector index")
struct VectorIndexWriterTests {
  @Test("What was committed is there again, with its vectors; what was not is gone")
  func reopening() throws {
    let fixture = try VectorFixture()
    let rows = fixture.makeRows(9000)
    do {
      let writer = try fixture.writer()
      try writer.append(Array(rows[..<4096]))
      try writer.commit()
      for row in rows[4096..<4200] { try writer.append(row.entry, vector: row.vector) }
      try writer.append(Array(rows[4200..<8500]))
      try writer.commit()
      try writer.append(Array(rows[8500...]))
      #expect(writer.count == 9000)
      #expect(try fixture.index().count == 8500)
    }
    let writer = try fixture.writer()
    #expect(writer.count == 8500)
    var entries: [VectorEntry] = []
    try writer.forEachEntry { entries.append($0) }
    #expect(entries == rows[..<8500].map(\.entry))
    for row in [0, 4095, 4096, 8499] {
      let vector = try #require(try writer.vector(forHash: rows[row].entry.contentHash))
      #expect(VectorFixture.cosine(vector, rows[row].vector) > 0.9999)
    }
    #expect(try writer.vector(forHash: rows[8500].entry.contentHash) == nil)
    try fixture.index().verify()
  }

  @Test("A document's chunks are found, replaced and removed by readers and the writer alike")
  func changing() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let rows = fixture.makeRows(5000)
    try writer.append(rows)
    try writer.commit()
    let index = try fixture.index()
    let document = rows[100].entry.document
    let old = rows.map(\.entry).filter { $0.document == document }
    #expect(try writer.entries(of: document) == old)
    #expect(try writer.contains(document: document, contentHash: old[1].contentHash))
    let vector = fixture.direction()
    let new = VectorEntry(document: document, chunk: 5..<50, contentHash: 77, day: 9)
    try writer.replace(document: document, with: [(new, vector)])
    #expect(try writer.entries(of: document) == [new])
    #expect(try !writer.contains(document: document, contentHash: old[1].contentHash))
    #expect(try index.entries(of: document) == old)
    try writer.commit()
    #expect(try index.entries(of: document) == [new])
    #expect(try index.search(VectorQuery(vector: vector, limit: 1)).first?.chunk == 5..<50)
    #expect(try writer.remove(document: document) == 1)
    #expect(try writer.remove(document: document) == 0)
    try writer.commit()
    #expect(try index.search(VectorQuery(vector: vector, limit: 1)).first?.document != document)
    #expect(try index.count == 4998 && writer.count == 4998 && writer.removedCount == 3)
    #expect(try writer.vector(forHash: 77) != nil)
  }

  @Test("More removals than a block holds are kept")
  func manyRemovals() throws {
    let fixture = try VectorFixture()
    var writer: VectorIndexWriter? = try fixture.writer()
    let topic = fixture.direction()
    // A block holds 20,480 places of 64 dimensions.
    try writer?.append(
      (0..<21_400).map { fixture.entry($0, hash: $0 % 3) }, vectors: [0: topic, 1: topic, 2: topic])
    for document in 0..<1000 { try writer?.remove(document: Int64(document)) }
    let gone = (0..<21_000).map { Int64($0) }
    #expect(try writer?.remove(documents: gone + gone + [99_999]) == 20_000)
    try writer?.commit()
    writer = nil
    let index = try fixture.index()
    #expect(try index.count == 400)
    #expect(
      try index.search(VectorQuery(vector: topic, limit: 1000)).map(\.document)
        == (21_000..<21_400).reversed().map { Int64($0) })
    try index.verify()
    #expect(try fixture.writer().count == 400)
  }

  @Test("Compacting leaves what counts, and readers go over to the new file")
  func compacting() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    try fixture.add(fixture.makeRows(6000), to: writer)
    try writer.commit()
    let index = try fixture.index()
    for document in stride(from: Int64(1), to: 12_000, by: 16) {
      try writer.remove(document: document)
      fixture.forget(document: document)
    }
    try writer.compact()
    #expect(writer.removedCount == 0 && writer.count == fixture.rows.count)
    #expect(try index.count == fixture.rows.count)
    let query = VectorQuery(vector: fixture.direction(), limit: 10, days: 20...26)
    #expect(
      try index.search(query).map(\.document) == fixture.expected(query).map(\.document))
    try index.verify()
    try fixture.add(fixture.makeRows(10, firstDocument: 100_001), to: writer)
    try writer.commit()
    #expect(try index.count == fixture.rows.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).count == 2)
  }

  @Test("There is one writer at a time")
  func lock() throws {
    let fixture = try VectorFixture()
    var writer: VectorIndexWriter? = try fixture.writer()
    #expect(throws: VectorIndexError.busy(path: fixture.path)) { try fixture.writer() }
    #expect(writer?.count == 0)
    writer = nil
    _ = try fixture.writer()
  }

  @Test("An index of another model or of none is said to be so, and can be replaced")
  func otherModel() throws {
    let fixture = try VectorFixture()
    #expect(throws: VectorIndexError.unusable(path: fixture.path, reason: .missing)) {
      try fixture.index()
    }
    try fixture.writer().append(fixture.makeRows(10))
    for (embedder, dimensions) in [("test 2", 64), ("test 1", 128)] {
      let expected = VectorIndexError.unusable(
        path: fixture.path, reason: .otherEmbedder("test 1, 64 dimensions"))
      #expect(throws: expected) {
        try VectorIndex(at: fixture.path, embedder: embedder, dimensions: dimensions)
      }
      #expect(throws: expected) {
        try VectorIndexWriter(at: fixture.path, embedder: embedder, dimensions: dimensions)
      }
    }
    let reader = try fixture.index()
    _ = try VectorIndexWriter(
      at: fixture.path, embedder: "test 2", dimensions: 64, replacing: true)
    #expect(throws: VectorIndexError.self) { try reader.count }
    try Data("notes".utf8).write(to: URL(fileURLWithPath: fixture.path))
    #expect(throws: VectorIndexError.self) { try fixture.writer() }
    try fixture.writer(replacing: true).append(fixture.makeRows(3))
    try FileManager.default.removeItem(atPath: fixture.path)
    #expect(throws: VectorIndexError.self) { try fixture.index() }
  }

  @Test("What cannot be kept is an error, and nothing of it is kept")
  func invalid() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let good = fixture.makeRows(1)[0]
    var late = good
    late.entry.chunk = 0..<Int(UInt32.max) + 1
    var early = good
    early.entry.chunk = -1..<4
    for bad in [late, early, (good.entry, [1]), (good.entry, [Float](repeating: 0, count: 64))] {
      #expect(throws: VectorIndexError.self) { try writer.append([good, bad]) }
    }
    #expect(throws: VectorIndexError.self) { try writer.replace(document: 99, with: [good]) }
    #expect(writer.count == 0)
    for dimensions in [0, -64, 63, 100, 8192, .max] {
      #expect(throws: VectorIndexError.self) {
        try VectorIndexWriter(at: fixture.path + "2", embedder: "x", dimensions: dimensions)
      }
    }
    _ = try VectorIndexWriter(at: fixture.path + "3", embedder: "x", dimensions: 4096)
  }

  @Test("Readers see whole commits while a writer appends, replaces and compacts")
  func concurrency() async throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let batches = (0..<24).map { fixture.makeRows(100, firstDocument: 1 + Int64($0) * 8000) }
    let query = VectorQuery(vector: fixture.direction())
    try writer.append(batches[0])
    try writer.commit()
    let index = try fixture.index()
    let end = End()
    let readers = (0..<2).map { _ in
      Task { @concurrent in
        var searches = 0
        while !end.isReached || searches == 0 {
          let count = try index.count
          #expect(count % 100 == 0)
          #expect(try index.search(query).count == 20)
          searches += 1
          try await Task.sleep(for: .milliseconds(1))
        }
      }
    }
    for (number, batch) in batches.enumerated().dropFirst() {
      try writer.append(batch)
      if number % 5 == 0 {
        // The whole of an earlier batch, so that the number of rows stays a multiple of 100.
        for row in batches[number - 5] { try writer.remove(document: row.entry.document) }
      }
      try writer.commit()
      if number % 10 == 0 { try writer.compact() }
    }
    end.reach()
    for reader in readers { try await reader.value }
    try index.verify()
  }
}

/// Tells tasks that it is enough.
private final class End: Sendable {
  private let reached = Mutex(false)
  var isReached: Bool { reached.withLock { $0 } }
  func reach() { reached.withLock { $0 = true } }
}
