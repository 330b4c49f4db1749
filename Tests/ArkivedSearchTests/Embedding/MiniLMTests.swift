import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedSearch

/// A model of two small layers with drawn weights, in files like the real one's.
private struct SmallModel {
  let folder: TemporaryFolder
  let shape = BertShape(layers: 2, width: 64, heads: 2, inner: 128, positions: 16)
  let pieces = ["a", "b", "c", "##a", "##b", "##c"]
  private(set) var tensors: [(name: String, shape: [Int], values: [Float])] = []

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.tokenizer(pieces)
    var numbers = DrawnNumbers(seed: 3)
    func add(_ name: String, _ sides: Int...) {
      let count = sides.reduce(1, *)
      tensors.append((name, sides, numbers.floats(count, scale: 0.5)))
    }
    add("embeddings.word_embeddings.weight", pieces.count + 5, shape.width)
    add("embeddings.position_embeddings.weight", shape.positions, shape.width)
    add("embeddings.token_type_embeddings.weight", 2, shape.width)
    add("embeddings.LayerNorm.weight", shape.width)
    add("embeddings.LayerNorm.bias", shape.width)
    for layer in 0..<shape.layers {
      let name = "encoder.layer.\(layer)"
      for part in ["self.query", "self.key", "self.value", "output.dense"] {
        add("\(name).attention.\(part).weight", shape.width, shape.width)
        add("\(name).attention.\(part).bias", shape.width)
      }
      add("\(name).attention.output.LayerNorm.weight", shape.width)
      add("\(name).attention.output.LayerNorm.bias", shape.width)
      add("\(name).intermediate.dense.weight", shape.inner, shape.width)
      add("\(name).intermediate.dense.bias", shape.inner)
      add("\(name).output.dense.weight", shape.width, shape.inner)
      add("\(name).output.dense.bias", shape.width)
      add("\(name).output.LayerNorm.weight", shape.width)
      add("\(name).output.LayerNorm.bias", shape.width)
    }
    try write()
  }

  func write(leaving absent: String? = nil, replacing first: Float? = nil) throws {
    var header: [String] = []
    var data = Data()
    for (name, shape, values) in tensors where name != absent {
      var values = values
      if let first, name.hasSuffix("output.dense.weight") { values[0] = first }
      let end = data.count + values.count * 4
      header.append(
        #""\#(name)":{"dtype":"F32","shape":\#(shape),"data_offsets":[\#(data.count),\#(end)]}"#)
      values.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    var text = "{" + header.joined(separator: ",") + "}"
    text += String(repeating: " ", count: (8 - text.utf8.count % 8) % 8)
    var length = UInt64(text.utf8.count).littleEndian
    try (Data(bytes: &length, count: 8) + Data(text.utf8) + data)
      .write(to: folder.url.appendingPathComponent("model.safetensors"))
  }

  func open(threads: Int = 2) throws -> MiniLM {
    try MiniLM(folder: folder.url, shape: shape, limit: 16, identity: "small", threads: threads)
  }

  /// The vector by the formulas, in double precision and without any haste.
  func vector(of tokens: [Int32]) -> [Double] {
    let tensors = Dictionary(
      uniqueKeysWithValues: tensors.map { ($0.name, $0.values.map(Double.init)) })
    func weight(_ name: String) -> [Double] { tensors[name] ?? [] }
    func linear(_ x: [[Double]], _ name: String) -> [[Double]] {
      let (w, bias) = (weight("\(name).weight"), weight("\(name).bias"))
      return x.map { row in
        bias.indices.map { output in
          row.indices.reduce(bias[output]) { $0 + row[$1] * w[output * row.count + $1] }
        }
      }
    }
    func norm(_ x: [[Double]], _ name: String) -> [[Double]] {
      let (gain, bias) = (weight("\(name).LayerNorm.weight"), weight("\(name).LayerNorm.bias"))
      return x.map { row in
        let mean = row.reduce(0, +) / Double(row.count)
        let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)
        return row.indices.map { (row[$0] - mean) / variance.squareRoot() * gain[$0] + bias[$0] }
      }
    }
    func sum(_ x: [[Double]], _ y: [[Double]]) -> [[Double]] {
      zip(x, y).map { zip($0, $1).map { $0 + $1 } }
    }
    let width = shape.width
    func row(_ name: String, _ index: Int) -> ArraySlice<Double> {
      weight("embeddings.\(name)_embeddings.weight")[index * width..<(index + 1) * width]
    }
    var hidden = norm(
      tokens.indices.map { place in
        zip(zip(row("word", Int(tokens[place])), row("position", place)), row("token_type", 0))
          .map { $0.0 + $0.1 + $1 }
      }, "embeddings")
    for layer in 0..<shape.layers {
      let name = "encoder.layer.\(layer)"
      let q = linear(hidden, "\(name).attention.self.query")
      let k = linear(hidden, "\(name).attention.self.key")
      let v = linear(hidden, "\(name).attention.self.value")
      let head = width / shape.heads
      let context = tokens.indices.map { row in
        (0..<width).map { index in
          let part = index / head * head..<(index / head + 1) * head
          let weights = tokens.indices.map { column in
            exp(part.reduce(0) { $0 + q[row][$1] * k[column][$1] } / Double(head).squareRoot())
          }
          return tokens.indices.reduce(0) { $0 + weights[$1] * v[$1][index] }
            / weights.reduce(0, +)
        }
      }
      let attended = norm(
        sum(linear(context, "\(name).attention.output.dense"), hidden), "\(name).attention.output")
      let inner = linear(attended, "\(name).intermediate.dense")
        .map { $0.map { $0 / 2 * erfc(-$0 / 2.0.squareRoot()) } }
      hidden = norm(sum(linear(inner, "\(name).output.dense"), attended), "\(name).output")
    }
    let mean = (0..<width).map { index in hidden.reduce(0) { $0 + $1[index] } }
    let length = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return mean.map { $0 / length }
  }
}

@Suite("Vectors of texts")
struct MiniLMTests {
  private let small: SmallModel
  private let texts = [
    "", "a", "ab ca", "zzz", "abcabc a b c", String(repeating: "abc ", count: 30),
  ]

  init() throws { small = try SmallModel() }

  @Test("a vector is what the model's formulas give")
  func formulas() async throws {
    let model = try small.open()
    let vectors = try await model.embed(texts)
    #expect(vectors.count == texts.count && vectors.dimensions == 64)
    for (index, text) in texts.enumerated() {
      let exact = small.vector(of: model.tokenizer.tokens(of: text))
      for (value, expected) in zip(vectors[index], exact) {
        #expect(abs(Double(value) - expected) < 1e-5)
      }
    }
  }

  @Test("a text's vector is the same to the bit in any company, and on any number of threads")
  func company() async throws {
    let many = (0..<300).map { number in
      (0..<number % 9).map { "abc".dropFirst($0 % 3) + (number % 2 == 0 ? "" : "b") }
        .joined(separator: " ")
    }
    let together = try await small.open(threads: 3).embed(many)
    let model = try small.open(threads: 1)
    for index in stride(from: 0, to: many.count, by: 17) {
      #expect(try await model.embed([many[index]]).values == Array(together[index]))
    }
  }

  @Test("no texts have no vectors")
  func nothing() async throws {
    #expect(try await small.open().embed([]).count == 0)
  }

  @Test("a cancelled task stops")
  func cancelled() async throws {
    let model = try small.open()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await model.embed(texts)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a missing tensor is named")
  func missingTensor() throws {
    let name = "encoder.layer.1.output.LayerNorm.bias"
    try small.write(leaving: name)
    let error = try #require(throws: EmbeddingError.self) { try small.open() }
    #expect("\(error)".contains(name))
  }

  @Test("weights that are no numbers give an error, no vectors")
  func notFinite() async throws {
    try small.write(replacing: .nan)
    let model = try small.open()
    await #expect(throws: EmbeddingError.notFinite) { try await model.embed(texts) }
  }

  @Test("a vocabulary of another size than the weights' is refused")
  func otherVocabulary() throws {
    _ = try small.folder.tokenizer(small.pieces + ["more"])
    let error = try #require(throws: EmbeddingError.self) { try small.open() }
    #expect("\(error)".contains("embeddings.word_embeddings.weight"))
  }

  @Test("without a model there is a reason in words, and nothing else")
  func absent() throws {
    let folder = try TemporaryFolder()
    let found = EmbeddingModelFolder(environment: ["XDG_DATA_HOME": folder.url.path]).open()
    guard case .absent(let reason) = found else {
      Issue.record("found a model in an empty folder")
      return
    }
    #expect(reason.contains("\(folder.url.path)/arkived/models/multilingual-e5-small"))
    // A model of another shape is none either.
    guard case .absent(let other) = EmbeddingModelFolder(small.folder.url).open() else {
      Issue.record("took a small model for the real one")
      return
    }
    #expect(other.contains("has the shape"))
  }

  @Test("ARKIVED_MODEL names the folder before XDG_DATA_HOME")
  func environment() {
    let folder = EmbeddingModelFolder(
      environment: ["ARKIVED_MODEL": "/models/mini", "XDG_DATA_HOME": "/data"])
    #expect(folder.url.path == "/models/mini")
    let other = EmbeddingModelFolder(environment: ["XDG_DATA_HOME": "/data"])
    #expect(other.url.path == "/data/arkived/models/multilingual-e5-small")
  }
}

@Suite(
  "all-MiniLM-L6-v2",
  .enabled(if: InstalledModel.isThere, "the model of earlier versions is not here"))
struct InstalledModelTests {
  @Test("its vectors are sentence-transformers' own")
  func peer() async throws {
    let model = try MiniLM(folder: InstalledModel.folder)
    let vectors = try await model.embed(["Felt anxious about work and couldn't sleep.", "東京 café"])
    let expected: [[Float]] = [
      [0.047681, 0.065717, 0.002510, 0.131385, 0.121377, -0.020603, 0.045546, -0.032777],
      [0.064474, 0.005232, 0.032074, -0.017623, -0.051903, 0.031109, 0.060014, -0.032871],
    ]
    for index in 0..<2 {
      for (value, other) in zip(vectors[index], expected[index]) {
        #expect(abs(value - other) < 2e-5)
      }
    }
  }

  @Test("its cosines are those by which other models are read")
  func scale() async throws {
    let model = try MiniLM(folder: InstalledModel.folder)
    let measured = SimilarityScale(samples: try await model.embed(SimilarityScale.sampleTexts))
    #expect(abs(measured.related - SimilarityScale.miniLM.related) < 0.005, "\(measured)")
    #expect(abs(measured.unrelated - SimilarityScale.miniLM.unrelated) < 0.005, "\(measured)")
  }

  @Test("texts of one meaning are nearer than texts of one word")
  func nearness() async throws {
    let model = try MiniLM(folder: InstalledModel.folder)
    let vectors = try await model.embed([
      "I could not sleep because I was worried", "lay awake all night, anxious",
      "the sleeping car of the train to Lisbon",
    ])
    func nearness(_ left: Int, _ right: Int) -> Float {
      zip(vectors[left], vectors[right]).reduce(0) { $0 + $1.0 * $1.1 }
    }
    #expect(nearness(0, 1) > nearness(0, 2) + 0.2)
  }
}
