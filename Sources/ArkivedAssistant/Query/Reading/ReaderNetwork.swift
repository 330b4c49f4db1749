import ArkivedCore
import CKernels
import CTexts
import Foundation

/// The trained neural network that interprets questions: a role for each token, and labels for the
/// whole question.
///
/// A token is a learnt projection of its word's vector, its hashed word and its hashed trigrams;
/// convolutions with an attention layer between them run over the tokens; then linear heads.
/// `Training/` contains the data and the script that produce its weights, `reader.bin`.
struct ReaderNetwork: Sendable {
  /// The role of a token in the question; raw values as in the weights.
  enum Role: String, Sendable {
    case talk = "O"
    case concept = "C"
    case kind = "K"
    case event = "E"
    case secondEvent = "F"
    case excluded = "X"
    case firstSide = "A"
    case secondSide = "B"
    case measure = "M"
  }

  /// Log probabilities, calibrated on wordings outside the training set.
  struct Reading {
    /// The scores for each token, one for each role.
    var roles: [[Float]]
    /// The values of each head, most likely first.
    var heads: [String: [(value: String, score: Float)]]
    /// The probability that the most likely value of every head is correct; a low estimate rather
    /// than a high one.
    var probability: Double
  }

  /// A weight matrix, by output and input, and a bias, in the layout that the kernels require.
  private struct Linear: Sendable {
    let weights: [Float]
    let bias: [Float]
    let inputs: Int
    /// The number of outputs, excluding the rows of zeros that pad them to a multiple of four.
    let outputs: Int

    init?(_ weights: [Float]?, _ bias: [Float]?, inputs: Int) {
      guard var weights, var bias, inputs > 0, inputs.isMultiple(of: 16), !bias.isEmpty,
        weights.count == inputs * bias.count
      else { return nil }
      outputs = bias.count
      while !bias.count.isMultiple(of: 4) {
        bias.append(0)
        weights += repeatElement(0, count: inputs)
      }
      (self.weights, self.bias, self.inputs) = (weights, bias, inputs)
    }

    /// Returns the products with the rows of `input`, whose width is `bias.count`.
    func callAsFunction(_ input: [Float]) -> [Float] {
      let rows = input.count / inputs
      return [Float](unsafeUninitializedCapacity: rows * bias.count) { output, count in
        if let output = output.baseAddress {
          ReaderNetwork.kernels.linear(input, rows, inputs, weights, bias, bias.count, output)
        }
        count = rows * bias.count
      }
    }
  }

  private struct Layer: Sendable {
    enum Kind { case convolution(dilation: Int), attention(outer: Linear) }
    let kind: Kind
    let inner: Linear
    let gain: [Float]
    let bias: [Float]
  }

  private struct Head: Sendable {
    let name: String
    let values: [String]
    let temperature: Float
    let linear: Linear
  }

  private static let kernels = ck_kernels_best().pointee
  private static let magic = "AQR2"
  /// PyTorch's default.
  private static let epsilon: Float = 1e-5
  /// A word's vector has length 1; the network was trained with longer ones.
  private static let vectorScale: Float = 4

  let roles: [Role]
  private let words: WordVectors
  private let buckets: Int
  private let width: Int
  private let hidden: Int
  private let attending: Int
  private let table: [Int8]
  private let scale: Float
  private let input: Linear
  private let layers: [Layer]
  private let pool: Linear
  private let roleHead: Linear
  private let roleTemperature: Float
  private let heads: [Head]
  private let confidence: [Double]

  /// The network with the weights in the program; nil if they don't fit this reader.
  static let shared = WordVectors.shared.flatMap { ReaderNetwork(ctx_reader().buffer, words: $0) }

  /// Reads weights in the format written by `Training/train.py`.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, words: WordVectors) {
    guard bytes.count > 8, String(decoding: bytes.prefix(4), as: UTF8.self) == Self.magic else {
      return nil
    }
    let raw = UnsafeRawBufferPointer(bytes)
    let length = Int(
      UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    guard length <= bytes.count - 8,
      let told = try? JSON(parsing: String(decoding: bytes[8..<8 + length], as: UTF8.self)),
      let buckets = told["buckets"]?.int, let width = told["width"]?.int,
      let hidden = told["hidden"]?.int, let attending = told["attending"]?.int,
      let vector = told["vector"]?.int, vector == words.width,
      (1...1 << 20).contains(buckets), (1...1_024).contains(width), (16...4_096).contains(hidden),
      attending > 0, attending.isMultiple(of: 32), hidden.isMultiple(of: attending),
      let arrays = told["arrays"]?.array, let layers = told["layers"]?.array,
      let confidence = told["confidence"]?.array?.compactMap(\.double), confidence.count == 5,
      let roleTemperature = told["roleTemperature"]?.double, roleTemperature > 0
    else { return nil }
    var offset = 8 + length
    var floats: [String: [Float]] = [:]
    var table: (values: [Int8], scale: Float) = ([], 0)
    for array in arrays {
      guard let name = array["name"]?.string, let count = array["count"]?.int,
        (0...bytes.count).contains(count)
      else { return nil }
      let isBytes = array["type"]?.string == "int8"
      let size = isBytes ? count : 4 * count
      guard size <= bytes.count - offset else { return nil }
      if isBytes {
        table.values = [Int8](unsafeUninitializedCapacity: count) { values, made in
          UnsafeMutableRawBufferPointer(values).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: raw[offset..<offset + size]))
          made = count
        }
        table.scale = Float(array["scale"]?.double ?? 0)
      } else {
        floats[name] = (0..<count).map { index in
          let bits = raw.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self)
          return Float(bitPattern: UInt32(littleEndian: bits))
        }
      }
      offset += size
    }
    guard offset == bytes.count, table.values.count == buckets * width else { return nil }
    func linear(_ name: String, _ inputs: Int, outputs: Int? = nil) -> Linear? {
      let linear = Linear(floats[name + ".weight"], floats[name + ".bias"], inputs: inputs)
      return outputs == nil || linear?.outputs == outputs ? linear : nil
    }
    self.layers = layers.enumerated().compactMap { index, layer in
      let name = "layer\(index)."
      guard let dilation = layer.int, (0...64).contains(dilation),
        let gain = floats[name + "norm.weight"], let bias = floats[name + "norm.bias"],
        gain.count == hidden, bias.count == hidden
      else { return nil }
      guard dilation == 0 else {
        return linear(name + "inner", 3 * hidden, outputs: hidden).map {
          Layer(kind: .convolution(dilation: dilation), inner: $0, gain: gain, bias: bias)
        }
      }
      guard let inner = linear(name + "inner", hidden, outputs: 3 * hidden),
        let outer = linear(name + "outer", hidden, outputs: hidden)
      else { return nil }
      return Layer(kind: .attention(outer: outer), inner: inner, gain: gain, bias: bias)
    }
    let roles = told["roles"]?.array?.compactMap { $0.string.flatMap(Role.init) } ?? []
    let heads = told["heads"]?.array?.compactMap { head -> Head? in
      guard let name = head["name"]?.string, let linear = linear(name, 2 * hidden),
        let values = head["values"]?.array?.compactMap(\.string), values.count == linear.outputs,
        let temperature = head["temperature"]?.double, temperature > 0
      else { return nil }
      return Head(name: name, values: values, temperature: Float(temperature), linear: linear)
    }
    guard let input = linear("input", width + vector, outputs: hidden),
      let pool = linear("pool", 2 * hidden),
      let roleHead = linear("roles", hidden + pool.outputs), let heads,
      self.layers.count == layers.count, roles.count == roleHead.outputs,
      heads.count == told["heads"]?.array?.count, heads.contains(where: { $0.name == "fold" })
    else { return nil }
    (self.roles, self.words, self.buckets, self.width) = (roles, words, buckets, width)
    (self.hidden, self.attending, self.table, scale) = (
      hidden, attending, table.values, table.scale
    )
    (self.input, self.pool, self.roleHead, self.heads) = (input, pool, roleHead, heads)
    (self.roleTemperature, self.confidence) = (Float(roleTemperature), confidence)
  }

  private func row(_ text: String) -> Int { Int(FowlerNollVo.hash(text.utf8)) % buckets }

  /// Appends a token's input: the sum of the token's own row and the mean of its trigrams' rows,
  /// then its vector.
  private func append(_ token: String, to input: inout [Float]) {
    let isWord = !token.hasPrefix("<")
    let start = input.count
    input += repeatElement(0, count: width)
    func add(_ row: Int, _ weight: Float) {
      for index in 0..<width { input[start + index] += weight * Float(table[row * width + index]) }
    }
    add(row("=" + token), scale)
    let framed = Array(("^" + token + "$").unicodeScalars)
    if isWord, framed.count > 2 {
      for start in 0..<framed.count - 2 {
        var gram = String.UnicodeScalarView()
        gram.append(contentsOf: framed[start..<start + 3])
        add(row(String(gram)), scale / Float(framed.count - 2))
      }
    }
    if isWord, let vector = words.vector(of: token) {
      input += vector.map { $0 * Self.vectorScale }
    } else {
      input += repeatElement(0, count: words.width)
    }
  }

  private func convolved(_ states: [Float], _ inner: Linear, dilation: Int) -> [Float] {
    let count = states.count / hidden
    var windows: [Float] = []
    windows.reserveCapacity(3 * states.count)
    for place in 0..<count {
      for other in [place - dilation, place, place + dilation] {
        if (0..<count).contains(other) {
          windows += states[other * hidden..<(other + 1) * hidden]
        } else {
          windows += repeatElement(0, count: hidden)
        }
      }
    }
    var output = inner(windows)
    for index in output.indices where output[index] < 0 { output[index] = 0 }
    return output
  }

  private func attended(_ states: [Float], _ inner: Linear, _ outer: Linear) -> [Float] {
    let count = states.count / hidden
    let joint = inner(states)
    func part(_ number: Int) -> [Float] {
      (0..<count).flatMap { joint[(3 * $0 + number) * hidden..<(3 * $0 + number + 1) * hidden] }
    }
    let (queries, keys, values) = (part(0), part(1), part(2))
    var scores = [Float](repeating: 0, count: Int(CK_SCORE_ROWS) * ((count + 15) / 16 * 16))
    var context = [Float](repeating: 0, count: states.count)
    Self.kernels.attention(
      queries, keys, values, count, hidden / attending, attending, &scores, &context)
    return outer(context)
  }

  private static func logarithms(_ scores: some Collection<Float>, _ temperature: Float) -> [Float]
  {
    let most = scores.max() ?? 0
    let sum = scores.reduce(0) { $0 + exp(($1 - most) / temperature) }
    return scores.map { ($0 - most) / temperature - log(sum) }
  }

  /// Interprets a question's tokens, of which there must be at least one.
  func read(_ tokens: [String]) -> Reading {
    var inputs: [Float] = []
    for token in tokens { append(token, to: &inputs) }
    var states = input(inputs).map { max(0, $0) }
    for layer in layers {
      let made =
        switch layer.kind {
        case .convolution(let dilation): convolved(states, layer.inner, dilation: dilation)
        case .attention(let outer): attended(states, layer.inner, outer)
        }
      Self.kernels.layer_norm(
        &states, made, tokens.count, hidden, layer.gain, layer.bias, Self.epsilon)
    }
    var whole = [Float](repeating: 0, count: 2 * hidden)
    for index in 0..<hidden {
      var (most, sum) = (-Float.infinity, Float(0))
      for place in stride(from: index, to: states.count, by: hidden) {
        most = max(most, states[place])
        sum += states[place]
      }
      (whole[index], whole[hidden + index]) = (most, sum / Float(tokens.count))
    }
    let pooled = pool(whole).prefix(pool.outputs).map { max(0, $0) }
    var choices: [String: [(value: String, score: Float)]] = [:]
    for head in heads {
      let scores = head.linear(whole).prefix(head.linear.outputs)
      choices[head.name] = zip(head.values, Self.logarithms(scores, head.temperature))
        .map { (value: $0, score: $1) }.sorted { $0.score > $1.score }
    }
    var joined: [Float] = []
    for place in tokens.indices {
      joined += states[place * hidden..<(place + 1) * hidden]
      joined += pooled
    }
    let scores = roleHead(joined)
    let stride = roleHead.bias.count
    let roles = tokens.indices.map {
      Self.logarithms(scores[$0 * stride..<$0 * stride + roleHead.outputs], roleTemperature)
    }
    return Reading(roles: roles, heads: choices, probability: probability(choices, roles))
  }

  private func probability(
    _ choices: [String: [(value: String, score: Float)]], _ roles: [[Float]]
  ) -> Double {
    // For a question about the world, only the fold matters.
    let isWorld = choices["fold"]?.first?.value == "world"
    let best = choices.compactMap { name, values in
      !isWorld || name == "fold" ? values.first.map { Double($0.score) } : nil
    }
    let words = isWorld ? 0 : roles.reduce(0) { $0 + Double($1.max() ?? 0) } / Double(roles.count)
    let features = [
      1, Self.logit(best.reduce(0, +)), Self.logit(best.min() ?? 0), Self.logit(words),
      log(Double(roles.count)),
    ]
    return 1 / (1 + exp(-zip(confidence, features).reduce(0) { $0 + $1.0 * $1.1 }))
  }

  /// Returns the logit of a probability given by its logarithm.
  private static func logit(_ logarithm: Double) -> Double {
    logarithm - log1p(-min(exp(logarithm), 1 - 1e-4))
  }
}
