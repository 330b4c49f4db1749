import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedSearch

@Suite("A server for embeddings")
struct AddressEmbedderTests {
  private static let noModel = EmbeddingModelFolder(URL(fileURLWithPath: "/nonexistent/model"))
  private static let scale = SimilarityScale(unrelated: 0, related: 1)
  /// Long enough for a good server on a busy machine.
  private static let patience = AddressEmbedder.Patience(
    batch: .seconds(600), search: .seconds(600), rest: .seconds(600))
  /// For servers that never answer.
  private static let short = AddressEmbedder.Patience(
    batch: .milliseconds(200), search: .milliseconds(100), rest: .seconds(600))

  private func embedder(
    _ server: EmbeddingServer, width: Int = 384, dimensions: Int? = nil, token: String? = nil,
    patience: AddressEmbedder.Patience = patience
  ) throws -> AddressEmbedder {
    let settings = EmbeddingSettings(
      address: try EmbeddingAddress(server.url), model: "small", dimensions: dimensions,
      width: width, scale: Self.scale, token: token)
    return AddressEmbedder(settings, model: Self.noModel, patience: patience)
  }

  @Test("gives unit vectors in the texts' order, in batches, whatever order it answers in")
  func vectors() async throws {
    let server = try EmbeddingServer()
    let model = try embedder(server)
    let texts = (0..<70).map { "text number \($0 * $0) of a list" }
    let found = try await model.embed(texts)
    #expect(found.count == 70 && found.dimensions == 384)
    for (index, text) in texts.enumerated() {
      let right = try UnitVector.of(
        EmbeddingServer.Reply.vector(of: text, width: 384).map { Float($0) }, dimensions: 384)
      #expect(zip(found[index], right).allSatisfy { abs($0 - $1) < 1e-6 })
    }
    #expect(server.texts == texts)
    #expect(server.requests.map(\.texts.count) == [32, 32, 6])
    #expect(try await model.embed([]).count == 0)
    #expect(try model.vector(of: texts[3]) == Array(found[3]))
  }

  @Test("is asked as OpenAI's is")
  func request() async throws {
    let server = try EmbeddingServer()
    _ = try await embedder(server, width: 256, dimensions: 256, token: "secret-1").embed(["tea"])
    let request = try #require(server.requests.first)
    #expect(request.line == "POST /v1/embeddings HTTP/1.1")
    #expect(request.headers["authorization"] == "Bearer secret-1")
    #expect(request.headers["content-type"] == "application/json")
    #expect(
      request.body == [
        "model": "small", "input": ["tea"], "encoding_format": "float", "dimensions": 256,
      ])
    _ = try await embedder(server).embed(["tea"])
    let other = try #require(server.requests.last)
    #expect(other.headers["authorization"] == nil && other.body["dimensions"] == nil)
  }

  @Test(
    "may give vectors of any width up to 4096; they are kept in multiples of 64",
    arguments: [
      (1, 64), (100, 128), (256, 256), (384, 384), (768, 768), (1000, 1024), (1024, 1024),
      (1536, 1536), (3072, 3072), (4096, 4096),
    ])
  func widths(width: Int, kept: Int) async throws {
    let server = try EmbeddingServer { .vectors(for: $0, width: width) }
    let settings = try await AddressEmbedder.settings(
      for: try EmbeddingAddress(server.url), model: "small", dimensions: nil, allowsRemote: false,
      token: nil, patience: Self.patience)
    #expect(settings.width == width)
    let model = AddressEmbedder(settings, model: Self.noModel, patience: Self.patience)
    #expect(model.dimensions == kept)

    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("v").path
    let writer = try VectorIndexWriter(
      at: path, embedder: model.identity, dimensions: model.dimensions)
    let texts = ["the dentist pulled a tooth", "watched the game"]
    let vectors = try await model.embed(texts)
    try writer.append(
      texts.indices.map {
        let hash = UInt64($0)
        let entry = VectorEntry(document: Int64($0), chunk: 0..<1, contentHash: hash, day: 0)
        return (entry, Array(vectors[$0]))
      })
    try writer.commit()
    let index = try VectorIndex(
      at: path, embedder: model.identity, dimensions: model.dimensions)
    let query = VectorQuery(vector: try model.vector(of: "watched a soccer game"), limit: 2)
    let best = try #require(try index.search(query).first)
    if width > 1 { #expect(best.document == 1) }
    #expect(best.score > 0.5 && best.score < 1.001)
  }

  @Test("is asked once for what its cosines are like, before it is used")
  func measuring() async throws {
    let server = try EmbeddingServer()
    let address = try EmbeddingAddress(server.url)
    func settings(_ dimensions: Int? = nil) async throws -> EmbeddingSettings {
      try await AddressEmbedder.settings(
        for: address, model: "small", dimensions: dimensions, allowsRemote: false, token: nil,
        patience: Self.patience)
    }
    let found = try await settings()
    #expect(found.scale.tellsApart && found.scale.related < 1)
    #expect(try await settings(128).width == 128)

    server.reply { .vectors($0.texts.map { _ in [0.5, 0.5] }) }
    #expect(try await settings().scale.tellsApart == false)
    let error = await #expect(throws: EmbeddingError.self) { try await settings(128) }
    #expect(error.map { "\($0)" }?.contains("128 numbers, but returned 2") == true)
    server.reply { .vectors(for: $0, width: 4097) }
    let wide = await #expect(throws: EmbeddingError.self) { try await settings() }
    #expect(wide.map { "\($0)" }?.contains("4097 numbers, but only 1 to 4096") == true)
  }

  static let answers: [(reply: EmbeddingServer.Reply, problem: String)] = [
    (.answer(status: 500, body: "out of memory"), "returned 500: “out of memory”"),
    (.answer(status: 404, body: ""), "returned 404: nothing"),
    (
      .answer(status: 401, body: "not secret-1\n\n at all"), "returned 401: “not … at all”"
    ),
    (.answer(body: "<html>"), "JSON"), (.answer(body: ""), "JSON"),
    (.answer(body: #"{"error":"no such model"}"#), "without the field “data”"),
    (.answer(body: #"{"data":{}}"#), "without the field “data”"),
    (.answer(body: #"{"data":[]}"#), "0 instead of 2"),
    (.vectors([[1, 2]]), "1 instead of 2"),
    (.vectors([[1, 2], [1, 2], [1, 2]]), "3 instead of 2"),
    (.vectors([[1, 2], [1, 2, 3]]), "vector of 3 numbers, not 2"),
    (.vectors([[1, 2, 3], [1, 2, 3]]), "vector of 3 numbers, not 2"),
    (.vectors([[], []]), "vector of 0 numbers, not 2"),
    (.vectors([[1, 2], [0, 0]]), "zero vector"),
    (.vectors([[1, 2], [1e300, 0]]), "aren’t all finite numbers"),
    (
      .answer(body: #"{"data":[{"index":0,"embedding":[1,null]},{"embedding":[1,2]}]}"#),
      "aren’t all finite numbers"
    ),
    (
      .answer(body: #"{"data":[{"index":0,"embedding":"AAAA"},{"embedding":[1,2]}]}"#),
      "isn’t a list of numbers"
    ),
    (.answer(body: #"{"data":[{"index":0},{"index":1}]}"#), "isn’t a list of numbers"),
    (
      .answer(body: #"{"data":[{"index":1,"embedding":[1,2]},{"index":1,"embedding":[1,2]}]}"#),
      "index"
    ),
    (
      .answer(body: #"{"data":[{"index":0,"embedding":[1,2]},{"index":2,"embedding":[1,2]}]}"#),
      "index"
    ),
    (
      .answer(body: #"{"data":[{"index":"0","embedding":[1,2]},{"index":1,"embedding":[1,2]}]}"#),
      "index"
    ),
    (.bytes("what?\r\n\r\n"), "HTTP"), (.bytes(""), "complete"),
    (.bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":["), "complete"),
    (.bytes("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n{"), "more than 8 MB"),
  ]

  @Test("that answers wrongly is named, with what came back", arguments: answers.indices)
  func badAnswers(index: Int) async throws {
    let (reply, problem) = Self.answers[index]
    let server = try EmbeddingServer { _ in reply }
    let model = try embedder(server, width: 2, token: "secret-1", patience: Self.patience)
    let error = await #expect(throws: EmbeddingError.self) {
      try await model.embed(["tea", "pie"])
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(server.url) && text.contains(problem), "\(text)")
    #expect(!text.contains("secret-1"))
  }

  @Test("that answers without end is not listened to for ever")
  func longAnswer() async throws {
    let server = try EmbeddingServer { _ in
      .bytes("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "[", count: 9 << 20))
    }
    let error = await #expect(throws: EmbeddingError.self) {
      try await embedder(server).embed(["tea"])
    }
    #expect(error.map { "\($0)" }?.contains("more than 8 MB") == true)
  }

  @Test("that leads elsewhere is not followed")
  func redirects() async throws {
    let other = try EmbeddingServer()
    let place = other.url
    let server = try EmbeddingServer { _ in
      .answer(status: 307, headers: ["Location": place], body: "")
    }
    let error = await #expect(throws: EmbeddingError.self) {
      try await embedder(server).embed(["tea"])
    }
    #expect(error.map { "\($0)" }?.contains("returned 307") == true)
    #expect(other.requests.isEmpty)
  }

  @Test("that is down is told of at once")
  func down() async throws {
    let model: AddressEmbedder
    do { model = try embedder(try EmbeddingServer()) }
    let error = await #expect(throws: EmbeddingError.self) { try await model.embed(["tea"]) }
    #expect(error.map { "\($0)" }?.contains("no server is running there") == true)
    #expect(throws: EmbeddingError.self) { try model.vector(of: "tea") }
  }

  @Test("that never answers is given up, and left alone by the searches after")
  func silence() async throws {
    let server = try EmbeddingServer { _ in .silence }
    let model = try embedder(server, patience: Self.short)
    let error = await #expect(throws: EmbeddingError.self) { try await model.embed(["tea"]) }
    #expect(error.map { "\($0)" }?.contains("didn’t send a complete response within 0.2 s") == true)
    let first = try #require(throws: EmbeddingError.self) { try model.vector(of: "tea") }
    #expect("\(first)".contains("didn’t send a complete response within 0.1 s"))
    let asked = server.requests.count
    #expect(throws: first) { try model.vector(of: "pie") }
    #expect(server.requests.count == asked)
    // Once it gave vectors for anything it is asked again.
    server.reply { .vectors(for: $0) }
    let patient = try embedder(server)
    server.reply { _ in .answer(status: 503, body: "") }
    #expect(throws: EmbeddingError.self) { try patient.vector(of: "tea") }
    server.reply { .vectors(for: $0) }
    #expect(throws: EmbeddingError.self) { try patient.vector(of: "tea") }
    _ = try await patient.embed(["tea"])
    #expect(try patient.vector(of: "tea").count == 384)
  }

  @Test("is not waited for by a task that was cancelled")
  func cancelling() async throws {
    let server = try EmbeddingServer { _ in .silence }
    let model = try embedder(server)
    let task = Task { try await model.embed(["tea"]) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("gets texts cut without the built-in model's vocabulary, none longer than a model can read")
  func cutting() throws {
    let model = try embedder(try EmbeddingServer())
    let limits = ChunkLimits(tokens: 40, overlap: 0, chunks: 256)
    let sentence = "Sam and I walked along the river until it got dark and cold. "
    let text = String(repeating: sentence, count: 20) + String(repeating: "A1b2", count: 1000)
    let chunks = model.chunks(of: text, limits: limits)
    #expect(chunks.count > 5)
    for chunk in chunks {
      #expect((1...480).contains(chunk.text.utf8.count))
      #expect(Array(text.utf8)[chunk.range].elementsEqual(chunk.text.utf8))
    }
    #expect(chunks[0].text.hasPrefix("Sam and I") && chunks[0].text.hasSuffix("cold."))
    #expect(model.chunks(of: "tea", limits: limits).map(\.text) == ["tea"])
    #expect(model.chunks(of: " \n", limits: limits).isEmpty)
    #expect(model.chunks(of: String(repeating: "日", count: 500), limits: limits).count > 5)
  }
}
