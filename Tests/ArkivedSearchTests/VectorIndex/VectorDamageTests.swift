import ArkivedSearch
import CVectorScan
import Foundation
import Testing

@Suite("A vector index after a stop or damage")
struct VectorDamageTests {
  private let page = 4096

  private func bytes(_ fixture: VectorFixture) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: fixture.path))
  }

  /// Puts other content in the index's place, by a new file as any program should.
  private func put(_ data: Data, _ fixture: VectorFixture) throws {
    try data.write(to: URL(fileURLWithPath: fixture.path), options: .atomic)
  }

  /// Opens and uses an index that may be damaged in any way.
  /// - Returns: its number of rows, or nil when it says that it is unusable.
  private func use(_ fixture: VectorFixture) throws -> Int? {
    do {
      let index = try fixture.index()
      let query = VectorQuery(vector: [Float](repeating: 1, count: 64), days: 0...100)
      _ = try index.search(query)
      return try index.count
    } catch VectorIndexError.unusable {
      return nil
    }
  }

  @Test("A stop at any byte of an append leaves the last commit, and the writer goes on from it")
  func stoppedAppend() throws {
    let fixture = try VectorFixture()
    var writer: VectorIndexWriter? = try fixture.writer()
    try writer?.append(fixture.makeRows(4000))
    try writer?.commit()
    let before = try bytes(fixture)
    try writer?.append(fixture.makeRows(300, firstDocument: 100_001))
    try writer?.remove(document: 1)
    let after = try bytes(fixture)
    writer = nil
    #expect(after.count > before.count)
    let changed = after.indices.filter {
      $0 >= before.count ? after[$0] != 0 : after[$0] != before[$0]
    }
    // Any part of what was written may have reached the disk: a first part, or a last one.
    var padded = before
    padded.append(Data(count: after.count - before.count))
    for cut in stride(from: 0, to: changed.count, by: max(1, changed.count / 25)) {
      let place = changed[cut]
      for data in [after[..<place] + padded[place...], padded[..<place] + after[place...]] {
        try put(data, fixture)
        #expect(try use(fixture) == 4000)
      }
      try put(after[..<max(place, before.count)] + Data(), fixture)
      #expect(try use(fixture) == 4000)
    }
    writer = try fixture.writer()
    try writer?.append(fixture.makeRows(500, firstDocument: 200_001))
    try writer?.commit()
    let index = try fixture.index()
    #expect(try index.count == 4500)
    try index.verify()
  }

  @Test("A commit record that was written in part counts wholly or not at all")
  func stoppedCommit() throws {
    let fixture = try VectorFixture()
    var writer: VectorIndexWriter? = try fixture.writer()
    try writer?.append(fixture.makeRows(10))
    try writer?.commit()
    try writer?.append(fixture.makeRows(5, firstDocument: 1001))
    let before = try bytes(fixture)
    try writer?.commit()
    let after = try bytes(fixture)
    writer = nil
    let changed = after.indices.filter { after[$0] != before[$0] }
    let first = try #require(changed.first)
    let last = try #require(changed.last)
    for place in first...last + 1 {
      try put(after[..<place] + before[place...], fixture)
      #expect(try use(fixture) == (place > last ? 15 : 10))
      try put(before[..<place] + after[place...], fixture)
      #expect(try use(fixture) == (place <= first ? 15 : 10))
    }
    // The writer goes on where the record was cut off.
    try put(after[..<(first + 9)] + before[(first + 9)...], fixture)
    writer = try fixture.writer()
    try writer?.append(fixture.makeRows(7, firstDocument: 2001))
    try writer?.commit()
    #expect(try use(fixture) == 17)
  }

  @Test("No flipped byte in the header or the commit records makes a wrong answer")
  func flippedHeader() throws {
    let fixture = try VectorFixture()
    do {
      let writer = try fixture.writer()
      try writer.append(fixture.makeRows(8))
      try writer.commit()
      try writer.append(fixture.makeRows(4, firstDocument: 1001))
      try writer.commit()
    }
    let whole = try bytes(fixture)
    #expect(try use(fixture) == 12)
    var places = Array(0..<40) + Array(page - 4..<page)
    for record in 1...2 {
      places += Array(record * page..<record * page + 80)
      places += record * page + 122..<record * page + 130
    }
    for place in places {
      var data = whole
      data[place] ^= 1 << UInt8(place % 8)
      try put(data, fixture)
      let count = try use(fixture)
      if place < page {
        #expect(count == nil)
      } else {
        // The record before counts again; what is behind a record means nothing.
        #expect(count == 12 || count == 8)
      }
    }
  }

  @Test("A file cut to any length is unusable, and not a crash")
  func cut() throws {
    let fixture = try VectorFixture()
    do {
      let writer = try fixture.writer()
      try writer.append(fixture.makeRows(5000))
      try writer.commit()
    }
    let whole = try bytes(fixture)
    var lengths = Array(stride(from: 0, to: whole.count, by: 50_021))
    lengths += [1, 7, 8, page, 3 * page - 1, 3 * page, whole.count - 1]
    for length in lengths {
      try put(whole[..<length], fixture)
      #expect(try use(fixture) == nil)
    }
  }

  @Test("Verifying finds a flipped bit in either table, and opening one in a last block")
  func flippedRows() throws {
    let fixture = try VectorFixture()
    do {
      let writer = try fixture.writer()
      let rows = fixture.makeRows(9000)
      try writer.append(rows)
      try writer.append(
        (0..<15_000).map { number in
          var entry = rows[number % 9000].entry
          entry.document = Int64(100_000 + number)
          return entry
        }, vectors: [:])
      try writer.remove(document: 1)
      try writer.commit()
    }
    let whole = try bytes(fixture)
    let header = 19 * page
    let block = (whole.count - header) / 5
    // A block begins with its seals. Signs, hashes and vectors; documents, days, chunks, texts and
    // the removals.
    let textSizes = [page] + [8, 8, 128].map { $0 * 4096 }
    let placeSizes = [page] + [8, 4, 8, 4, 4].map { $0 * 20_480 }
    #expect(block == textSizes.reduce(0, +) && block >= placeSizes.reduce(0, +))
    for (number, sizes) in [textSizes, textSizes, textSizes, placeSizes, placeSizes].enumerated() {
      let isLast = number == 2 || number == 4
      for column in sizes.indices {
        // A last block has no seal, and the removals are all in the first block.
        let isRemovals = column == 5
        if isLast, column == 0 || isRemovals { continue }
        var data = whole
        data[header + number * block + sizes[..<column].reduce(0, +) + 3] ^= 0x10
        try put(data, fixture)
        if isLast || isRemovals {
          #expect(throws: VectorIndexError.self) { try fixture.index() }
        } else {
          _ = try use(fixture)
          let index = try fixture.index()
          #expect(throws: VectorIndexError.self) { try index.verify() }
        }
      }
    }
    try put(whole, fixture)
    try fixture.index().verify()
  }

  @Test("No flipped bit in the directory leads to another block")
  func flippedDirectory() throws {
    let fixture = try VectorFixture()
    do {
      let writer = try fixture.writer()
      try writer.append(fixture.makeRows(9000))
      try writer.commit()
    }
    let whole = try bytes(fixture)
    for byte in 0..<4 {
      for bit in 0..<8 {
        var data = whole
        data[3 * page + byte] ^= 1 << UInt8(bit)
        try put(data, fixture)
        #expect(
          throws: VectorIndexError.unusable(path: fixture.path, reason: .damaged("the directory"))
        ) { try fixture.index() }
      }
    }
    // What is behind the blocks that count means nothing.
    var data = whole
    data[3 * page + 4] = 0xff
    try put(data, fixture)
    #expect(try use(fixture) == 9000)
  }

  @Test("A place that names a text which is not there is damage, not a crash or a wrong answer")
  func wildText() throws {
    let fixture = try VectorFixture()
    do {
      let writer = try fixture.writer()
      let rows = fixture.makeRows(100)
      try writer.append(rows)
      try writer.append(
        (0..<21_000).map { number in
          var entry = rows[number % 100].entry
          entry.document = Int64(1000 + number)
          return entry
        }, vectors: [:])
      try writer.commit()
    }
    var data = try bytes(fixture)
    let block = (data.count - 19 * page) / 3
    let texts = 19 * page + block + page + 20 * 20_480
    data[texts + 4 * 700 + 2] = 0xff
    try put(data, fixture)
    let index = try fixture.index()
    let any = fixture.direction()
    for query in [VectorQuery(vector: any), VectorQuery(vector: any, days: -5...100)] {
      #expect(throws: VectorIndexError.self) { try index.search(query) }
    }
    #expect(throws: VectorIndexError.self) { try index.verify() }
    #expect(throws: VectorIndexError.self) { try index.forEachEntry { _ in } }
    #expect(throws: VectorIndexError.self) { try fixture.writer() }
  }

  @Test("A file of an earlier version is foreign")
  func earlierVersion() throws {
    let fixture = try VectorFixture()
    _ = try fixture.writer()
    var data = try bytes(fixture)
    data[12] = 1
    let sum = data[..<(page - 4)].withUnsafeBytes {
      vector_scan_crc32c(0, $0.baseAddress, $0.count)
    }
    for byte in 0..<4 { data[page - 4 + byte] = UInt8(truncatingIfNeeded: sum >> (8 * byte)) }
    try put(data, fixture)
    let expected = VectorIndexError.unusable(
      path: fixture.path,
      reason: .foreign("A vector index of version 1, which this program does not read."))
    #expect(throws: expected) { try fixture.index() }
    #expect(throws: expected) { try fixture.writer() }
    _ = try fixture.writer(replacing: true)
    #expect(try fixture.index().count == 0)
  }

  @Test("A file that is replaced or removed under a reader is noticed")
  func replaced() throws {
    let fixture = try VectorFixture()
    var writer: VectorIndexWriter? = try fixture.writer()
    try writer?.append(fixture.makeRows(5000))
    try writer?.commit()
    writer = nil
    let index = try fixture.index()
    let query = VectorQuery(vector: fixture.direction())
    let found = try index.search(query)
    let whole = try bytes(fixture)
    try put(whole, fixture)
    #expect(try index.search(query) == found)
    try FileManager.default.removeItem(atPath: fixture.path)
    #expect(throws: VectorIndexError.unusable(path: fixture.path, reason: .missing)) {
      try index.search(query)
    }
    try put(whole, fixture)
    #expect(try index.search(query) == found)
    try put(Data("something else".utf8), fixture)
    #expect(throws: VectorIndexError.self) { try index.search(query) }
    try put(whole, fixture)
    #expect(try index.search(query) == found)
  }
}
