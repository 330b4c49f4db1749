import ArkivedCore
import ArkivedSearch
import Foundation
import Testing

@Suite("Texts that stand in many documents")
struct VectorSharedTextTests {
  @Test("Equal texts are kept once, and each of their documents is found")
  func once() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let (run, tea) = (fixture.direction(), fixture.direction())
    try fixture.add(
      (0..<10).map { (fixture.entry($0, hash: $0 % 2 == 0 ? 1 : 2), $0 % 2 == 0 ? run : tea) },
      to: writer)
    #expect(writer.textCount == 2 && writer.count == 10)
    #expect(writer.hasVector(forHash: 1) && !writer.hasVector(forHash: 3))
    // Known texts need no vector, new ones do, and then nothing of the addition is kept.
    #expect(throws: VectorIndexError.self) {
      try writer.append([fixture.entry(20, hash: 1), fixture.entry(21, hash: 3)], vectors: [:])
    }
    #expect(writer.count == 10)
    let walk = fixture.direction()
    try writer.append(
      [
        fixture.entry(20, hash: 1), fixture.entry(21, hash: 3), fixture.entry(22, hash: 3),
      ], vectors: [3: walk])
    try writer.commit()
    #expect(writer.textCount == 3 && writer.count == 13)
    let index = try fixture.index()
    #expect(try index.textCount == 3)
    let found = try index.search(VectorQuery(vector: walk, limit: 2))
    #expect(found.map(\.document) == [22, 21])
    #expect(found[0].score > 0.999 && found[0].score == found[1].score)
    #expect(
      try index.search(VectorQuery(vector: run, limit: 6)).map(\.document) == [20, 8, 6, 4, 2, 0])
    #expect(try index.entries(of: 22) == [fixture.entry(22, hash: 3)])
    try index.verify()
  }

  @Test("Twenty thousand documents of one text crowd nothing out, and the newest of them are given")
  func routine() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let (topic, run) = (fixture.direction(), fixture.direction())
    let nearer = (0..<5).map { number in
      (entry: fixture.entry(30_000 + number, hash: 10 + number), vector: topic)
    }
    let routine = (0..<20_000).map { number in
      (entry: fixture.entry(number * 7 % 20_000, hash: 1), vector: fixture.near(topic, by: 0))
    }
    let far = (0..<3000).map { number in
      (
        entry: fixture.entry(40_000 + number, hash: 100 + number),
        vector: fixture.near(run, by: 0.7)
      )
    }
    try writer.append(far + routine + nearer)
    try writer.commit()
    #expect(writer.textCount == 3006)
    let index = try fixture.index()
    // Five texts with the same vector are equals of the routine.
    let newest = (0..<5).map { Int64(30_004 - $0) } + (0..<20_000).map { Int64(19_999 - $0) }
    for limit in [1, 4, 20, 200] {
      let found = try index.search(VectorQuery(vector: topic, limit: limit))
      #expect(found.map(\.document) == Array(newest.prefix(limit)))
    }
    let other = try index.search(VectorQuery(vector: run))
    #expect(other.count == 20 && other.allSatisfy { $0.document >= 40_000 })
    let all = try index.search(VectorQuery(vector: topic, limit: 50_000))
    #expect(all.count == 23_005 && Set(all.map(\.document)).count == 23_005)
    #expect(all.prefix(20_005).map(\.document) == newest)
  }

  @Test("A text takes part as long as one of its places passes")
  func someOfItsPlaces() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let topic = fixture.direction()
    try writer.append(
      (0..<6).map { (fixture.entry($0, hash: 1, day: $0), topic) }
        + (10..<40).map { (fixture.entry($0, hash: $0, day: 3), fixture.direction()) })
    try writer.commit()
    let index = try fixture.index()
    func best(_ change: (inout VectorQuery) -> Void) throws -> [Int64] {
      var query = VectorQuery(vector: topic, limit: 40)
      change(&query)
      return try index.search(query).filter { $0.score > 0.99 }.map(\.document)
    }
    #expect(try best { _ in } == [5, 4, 3, 2, 1, 0])
    #expect(try best { $0.days = 2...3 } == [3, 2])
    #expect(try best { $0.allowed = [1, 4, 30] } == [4, 1])
    #expect(try best { $0.excluded = [5, 3] } == [4, 2, 1, 0])
    #expect(try best { $0.allowed = [30] } == [])
    for (gone, left) in [(5, [4, 3, 2, 1, 0]), (2, [4, 3, 1, 0])] as [(Int64, [Int64])] {
      try writer.remove(document: gone)
      try writer.commit()
      #expect(try best { _ in } == left)
    }
    #expect(writer.unusedTextCount == 0 && writer.removedCount == 2)
    for document in [0, 1, 3, 4] as [Int64] { try writer.remove(document: document) }
    #expect(writer.unusedTextCount == 1)
    try writer.commit()
    #expect(try best { _ in } == [])
    #expect(try index.search(VectorQuery(vector: topic, limit: 99)).count == 30)
    // The vector is still there, and counts again.
    try writer.append([fixture.entry(7, hash: 1)], vectors: [:])
    try writer.commit()
    #expect(writer.unusedTextCount == 0)
    #expect(try best { _ in } == [7])
  }

  @Test("Compacting drops texts that no place has, and keeps the others' places")
  func compaction() throws {
    let fixture = try VectorFixture()
    var writer: VectorIndexWriter? = try fixture.writer()
    let vectors = (0..<6000).map { _ in fixture.direction() }
    try fixture.add(
      (0..<30_000).map { (fixture.entry($0, hash: $0 % 6000), vectors[$0 % 6000]) },
      to: try #require(writer))
    let removed = (0..<30_000).filter { $0 % 6000 < 2500 || $0 % 5 == 0 }
    for document in removed {
      #expect(try writer?.remove(document: Int64(document)) == 1)
    }
    fixture.forget(documents: Set(removed.map(Int64.init)))
    try writer?.commit()
    let size = try fixture.size
    let query = VectorQuery(vector: fixture.direction(), limit: 30)
    let index = try fixture.index()
    let before = try index.search(query)
    // Opened again, it counts the same.
    writer = nil
    writer = try fixture.writer()
    #expect(writer?.unusedTextCount == 3200 && writer?.removedCount == removed.count)
    try writer?.compact()
    #expect(writer?.textCount == 2800 && writer?.unusedTextCount == 0 && writer?.removedCount == 0)
    #expect(try fixture.size < size)
    #expect(try index.count == 30_000 - removed.count && index.textCount == 2800)
    #expect(try index.search(query) == before)
    #expect(before.map(\.document).count == 30)
    #expect(writer?.hasVector(forHash: 3) == false && writer?.hasVector(forHash: 2501) == true)
    var entries: [VectorEntry] = []
    try index.forEachEntry { entries.append($0) }
    #expect(entries == fixture.rows.map(\.entry))
    try index.verify()
  }

  @Test("Searches are those of a comparison with all places, on data with repeats and filters")
  func bruteForce() throws {
    var random = Splitmix(state: 77)
    for round in 0..<40 {
      let fixture = try VectorFixture(seed: UInt64(round))
      let writer = try fixture.writer()
      let texts = Int.random(in: 1...400, using: &random)
      // Numbers whose products are exact, so that many texts are equally near.
      var vectors = (0..<texts).map { _ in fixture.direction().map { $0 < 0 ? Float(-1) : 1 } }
      for _ in 0..<texts / 10 {
        vectors[Int.random(in: 0..<texts, using: &random)] = vectors[0]
      }
      let documents = Int.random(in: 1...600, using: &random)
      for _ in 0..<3 {
        try fixture.add(
          (0..<Int.random(in: 1...400, using: &random)).map { _ in
            // A few texts have most of the places.
            let text = Int(Double(texts) * pow(Double.random(in: 0..<1, using: &random), 3))
            let document = Int.random(in: 0..<documents, using: &random)
            let start = Int.random(in: 0..<90, using: &random)
            var entry = fixture.entry(document, hash: text, day: document / 20)
            entry.chunk = start..<start + 9
            return (entry, vectors[text])
          }, to: writer)
        for _ in 0..<Int.random(in: 0...20, using: &random) {
          let document = Int64.random(in: 0..<Int64(documents), using: &random)
          try writer.remove(document: document)
          fixture.forget(document: document)
        }
        try writer.commit()
        if round % 4 == 0 { try writer.compact() }
      }
      let index = try fixture.index()
      for _ in 0..<20 {
        var query = VectorQuery(vector: vectors[Int.random(in: 0..<texts, using: &random)])
        query.limit = [1, 3, 20, 150, 5000].randomElement(using: &random) ?? 1
        if Bool.random(using: &random) {
          query.vector = fixture.direction().map { $0 < 0 ? Float(-1) : 1 }
        }
        if Bool.random(using: &random) {
          let first = Int32.random(in: -2...30, using: &random)
          query.days = first...first + Int32.random(in: 0...9, using: &random)
        }
        func some() -> DocumentSet {
          DocumentSet((0..<200).map { _ in Int64.random(in: 0..<700, using: &random) })
        }
        if Bool.random(using: &random) { query.allowed = some() }
        if Bool.random(using: &random) { query.excluded = some() }
        let found = try index.search(query)
        let expected = fixture.expected(query)
        #expect(found == expected)
      }
      try index.verify()
    }
  }
}
