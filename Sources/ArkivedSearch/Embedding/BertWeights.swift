/// The dimensions of a BERT encoder.
struct BertShape: Sendable, Hashable {
  var layers: Int
  /// The length of a token's vector; a multiple of 32 for each head.
  var width: Int
  var heads: Int
  /// The length of the values between the two halves of a layer's feed-forward part; a multiple of
  /// 16.
  var inner: Int
  /// The largest number of tokens in a text.
  var positions: Int

  /// The shape of multilingual-e5-small.
  static let e5Small = BertShape(layers: 12, width: 384, heads: 12, inner: 1536, positions: 512)
  /// The shape of all-MiniLM-L6-v2.
  static let miniLM = BertShape(layers: 6, width: 384, heads: 12, inner: 1536, positions: 512)
  /// The value the model adds to a variance before dividing by its square root.
  static let epsilon: Float = 1e-12
}

/// The positions of a BERT encoder's weights in its file.
struct BertWeights: Sendable {
  /// A matrix [outputs × inputs], packed or not, with a bias for each output, as byte offsets.
  struct Linear: Sendable {
    let weight: Int
    let bias: Int
    let inputs: Int
    let outputs: Int
  }

  /// The factors and summands of a layer norm, as byte offsets.
  struct Norm: Sendable {
    let gain: Int
    let bias: Int
  }

  struct Layer: Sendable {
    let query: Linear
    let key: Linear
    let value: Linear
    let attended: Linear
    let attendedNorm: Norm
    let inner: Linear
    let output: Linear
    let outputNorm: Norm
  }

  /// True if the matrices and the word table are packed to four bits (`ck_kernels.unpack`).
  var isPacked = false
  let words: Int
  let positions: Int
  let types: Int
  let norm: Norm
  let layers: [Layer]

  /// Finds every tensor by its name in Hugging Face's BERT and checks its shape.
  ///
  /// - Throws: `EmbeddingError.damagedModel` with the name of the tensor.
  init(_ file: SafetensorsFile, shape: BertShape, vocabulary: Int) throws {
    func linear(_ name: String, _ inputs: Int, _ outputs: Int) throws -> Linear {
      Linear(
        weight: try file.tensor("\(name).weight", shape: [outputs, inputs]).offset,
        bias: try file.tensor("\(name).bias", shape: [outputs]).offset, inputs: inputs,
        outputs: outputs)
    }
    func norm(_ name: String) throws -> Norm {
      Norm(
        gain: try file.tensor("\(name).LayerNorm.weight", shape: [shape.width]).offset,
        bias: try file.tensor("\(name).LayerNorm.bias", shape: [shape.width]).offset)
    }
    func table(_ name: String, _ rows: Int) throws -> Int {
      try file.tensor("embeddings.\(name)_embeddings.weight", shape: [rows, shape.width]).offset
    }
    words = try table("word", vocabulary)
    positions = try table("position", shape.positions)
    types = try table("token_type", 2)
    self.norm = try norm("embeddings")
    layers = try (0..<shape.layers).map { index in
      let name = "encoder.layer.\(index)"
      return Layer(
        query: try linear("\(name).attention.self.query", shape.width, shape.width),
        key: try linear("\(name).attention.self.key", shape.width, shape.width),
        value: try linear("\(name).attention.self.value", shape.width, shape.width),
        attended: try linear("\(name).attention.output.dense", shape.width, shape.width),
        attendedNorm: try norm("\(name).attention.output"),
        inner: try linear("\(name).intermediate.dense", shape.width, shape.inner),
        output: try linear("\(name).output.dense", shape.inner, shape.width),
        outputNorm: try norm("\(name).output"))
    }
  }
  /// Finds every tensor by its name in a packed file and checks its size.
  ///
  /// - Throws: `EmbeddingError.damagedModel` with the name of the tensor.
  init(_ file: PackedModelFile, shape: BertShape) throws {
    func linear(_ name: String, _ inputs: Int, _ outputs: Int) throws -> Linear {
      Linear(
        weight: try file.tensor("\(name).w", isPacked: true, count: inputs * outputs),
        bias: try file.tensor("\(name).b", isPacked: false, count: outputs), inputs: inputs,
        outputs: outputs)
    }
    func norm(_ name: String) throws -> Norm {
      Norm(
        gain: try file.tensor("\(name).w", isPacked: false, count: shape.width),
        bias: try file.tensor("\(name).b", isPacked: false, count: shape.width))
    }
    let width = shape.width
    isPacked = true
    words = try file.tensor("emb.word", isPacked: true, count: file.vocabularySize * width)
    positions = try file.tensor("emb.pos", isPacked: false, count: shape.positions * width)
    types = try file.tensor("emb.type", isPacked: false, count: file.typeCount * width)
    self.norm = try norm("emb.ln")
    layers = try (0..<shape.layers).map { index in
      Layer(
        query: try linear("l\(index).q", width, width),
        key: try linear("l\(index).k", width, width),
        value: try linear("l\(index).v", width, width),
        attended: try linear("l\(index).ao", width, width), attendedNorm: try norm("l\(index).aln"),
        inner: try linear("l\(index).fi", width, shape.inner),
        output: try linear("l\(index).fo", shape.inner, width),
        outputNorm: try norm("l\(index).oln"))
    }
  }
}
