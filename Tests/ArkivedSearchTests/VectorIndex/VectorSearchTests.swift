import ArkivedCore
import ArkivedSearch
import Testing

@Suite("Searching a vector index")
struct VectorSearchTests {
  @Test("The nearest documents are those of a comparison with all rows")
  func recall() throws {
    let fixture = try VectorFixture(dimensions: 384)
    let writer = try fixture.writer()
    try fixture.add(fixture.makeRows(5000, topics: 200), to: writer)
    try writer.commit()
    let index = try fixture.index()
    var recalls: [Double] = []
    for row in stride(from: 0, to: 5000, by: 500) {
      let query = VectorQuery(vector: fixture.near(fixture.rows[row].vector, by: 0.5))
      let found = try index.search(query)
      let expected = fixture.expected(query)
      recalls.append(VectorFixture.recall(found, expected))
      #expect(found.count == 20 && found.map(\.score) == found.map(\.score).sorted(by: >))
      #expect(found.first?.chunk == expected.first?.chunk)
      #expect(abs((found.first?.score ?? 0) - (expected.first?.score ?? 1)) < 0.001)
    }
    #expect(recalls.reduce(0, +) / Double(recalls.count) >= 0.99)
  }

  @Test("A filter gives the true nearest among those it lets pass, also after removals")
  func filters() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    try fixture.add(fixture.makeRows(10_000), to: writer)
    for document in stride(from: Int64(1), to: 3000, by: 24) {
      #expect(try writer.remove(document: document) == 2)
      fixture.forget(document: document)
    }
    try writer.commit()
    let index = try fixture.index()
    let documents = fixture.rows.map(\.entry.document)
    let few = DocumentSet(documents.enumerated().filter { $0.offset % 40 < 2 }.map(\.element))
    let most = DocumentSet(documents).subtracting(few)
    let filters: [(ClosedRange<Int32>?, DocumentSet?, DocumentSet?)] = [
      (3...9, nil, nil), (120...120, nil, nil), (-5...0, nil, nil), (900...1000, nil, nil),
      (nil, few, nil), (nil, nil, most), (0...200, few, nil), (nil, few, most),
      (240 ... .max, nil, few), (nil, DocumentSet(), nil), (nil, few, few),
    ]
    for (days, allowed, excluded) in filters {
      var query = VectorQuery(vector: fixture.direction(), limit: 10)
      query.days = days
      query.allowed = allowed
      query.excluded = excluded
      let found = try index.search(query)
      let expected = fixture.expected(query)
      #expect(found.map(\.document) == expected.map(\.document))
      #expect(found.map(\.chunk) == expected.map(\.chunk))
    }
  }

  @Test("A document is given once, by its nearest chunk, however many chunks it has")
  func chunks() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let topic = fixture.direction()
    let others = (0..<30).map { number in
      let entry = VectorEntry(
        document: 8 * Int64(number + 1), chunk: 0..<50, contentHash: UInt64(number), day: 1)
      return (entry: entry, vector: fixture.near(topic, by: 0.5))
    }
    let long = (0..<9000).map { number in
      let entry = VectorEntry(
        document: 4000, chunk: number..<number + 9, contentHash: UInt64(1000 + number), day: 1)
      return (entry: entry, vector: fixture.near(topic, by: 0.1))
    }
    try fixture.add(long + others, to: writer)
    try writer.commit()
    let query = VectorQuery(vector: topic)
    let found = try fixture.index().search(query)
    let expected = fixture.expected(query)
    #expect(found.map(\.document) == expected.map(\.document))
    #expect(found.first?.chunk == expected.first?.chunk)
  }

  @Test("A text that is there thousands of times does not crowd out others")
  func repeats() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let topic = fixture.direction()
    let standup = fixture.near(topic, by: 0.4)
    let same = (0..<6000).map { number in
      let entry = VectorEntry(
        document: Int64(number), chunk: 0..<7, contentHash: 7, day: Int32(number))
      return (entry: entry, vector: standup)
    }
    let others = (0..<10).map { number in
      let entry = VectorEntry(
        document: Int64(7000 + number), chunk: 0..<5, contentHash: UInt64(100 + number), day: 2)
      return (entry: entry, vector: fixture.near(topic, by: 0.1))
    }
    try fixture.add(same + others, to: writer)
    try writer.commit()
    let found = try fixture.index().search(VectorQuery(vector: topic))
    #expect(Set(found.prefix(10).map(\.document)) == Set(7000..<7010))
    // Of equals, the last entered.
    #expect(found.dropFirst(10).map(\.document) == (5990..<6000).reversed().map { Int64($0) })
  }

  @Test("The same signs with other content are compared on their own")
  func sameSigns() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let near = (0..<64).map { $0 < 32 ? Float(1) : 0.1 }
    let far = (0..<64).map { $0 < 32 ? Float(0.1) : 1 }
    try writer.append(
      VectorEntry(document: 1, chunk: 0..<1, contentHash: 1, day: 0), vector: far)
    try writer.append(
      VectorEntry(document: 2, chunk: 0..<1, contentHash: 2, day: 0), vector: near)
    try writer.commit()
    let found = try fixture.index().search(VectorQuery(vector: near))
    #expect(found.map(\.document) == [2, 1])
    #expect(found[0].score > 0.999 && found[1].score < 0.5)
  }

  @Test("Searches that cannot be made are errors, and empty ones give nothing")
  func edges() throws {
    let fixture = try VectorFixture()
    let writer = try fixture.writer()
    let index = try fixture.index()
    let any = fixture.direction()
    #expect(try index.search(VectorQuery(vector: any)).isEmpty)
    try fixture.add(fixture.makeRows(7), to: writer)
    try writer.commit()
    #expect(try index.search(VectorQuery(vector: any, limit: 0)).isEmpty)
    #expect(try index.search(VectorQuery(vector: any, limit: -3)).isEmpty)
    #expect(try index.search(VectorQuery(vector: any, limit: .max)).count == 4)
    #expect(throws: VectorIndexError.wrongDimensions(expected: 64, found: 63)) {
      try index.search(VectorQuery(vector: Array(any.dropLast())))
    }
    for bad in [Float(0), .nan, .infinity] {
      #expect(throws: VectorIndexError.noDirection) {
        try index.search(VectorQuery(vector: [Float](repeating: bad, count: 64)))
      }
    }
    let tiny = any.map { $0 * 1e-30 }
    #expect(
      try index.search(VectorQuery(vector: tiny)).map(\.document)
        == index.search(VectorQuery(vector: any)).map(\.document))
  }
}
