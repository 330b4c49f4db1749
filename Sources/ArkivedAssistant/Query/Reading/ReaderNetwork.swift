import ArkivedCore
import CTexts
import Foundation

/// The taught network that reads questions: a role for each token, and choices for the whole question.
///
/// A token is its hashed self and its hashed trigrams; three convolutions over the tokens; linear
/// heads. `Training/` has the data and the script that make its weights, `reader.bin`.
struct ReaderNetwork: Sendable {
  /// What a token does in the question; raw values as in the weights.
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

  /// The logarithms of probabilities.
  struct Reading {
    /// For each token, one for each role.
    var roles: [[Float]]
    /// For each head, its values, the likeliest first.
    var heads: [String: [(value: String, score: Float)]]
  }

  private struct Linear: Sendable {
    var weights: [Float]
    var bias: [Float]

    func callAsFunction(_ input: [Float]) -> [Float] {
      bias.indices.map { row in
        var sum = bias[row]
        let start = row * input.count
        for column in input.indices { sum += weights[start + column] * input[column] }
        return sum
      }
    }
  }

  let roles: [Role]
  private let buckets: Int
  private let width: Int
  private let hidden: Int
  private let table: [Int8]
  private let scale: Float
  private let dilations: [Int]
  /// Weights by place of the kernel, output, input.
  private let layers: [Linear]
  private let pool: Linear
  private let roleHead: Linear
  private let heads: [(name: String, values: [String], linear: Linear)]

  /// The weights that are part of the program; nil where they do not fit this reader.
  static let shared = ReaderNetwork(ctx_reader().buffer)

  /// Reads weights as `Training/train.py` writes them.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count > 8, String(decoding: bytes.prefix(4), as: UTF8.self) == "AQR1" else {
      return nil
    }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
    guard length <= bytes.count - 8,
      let told = try? JSON(parsing: String(decoding: bytes[8..<8 + length], as: UTF8.self)),
      let buckets = told["buckets"]?.int, let width = told["width"]?.int,
      let hidden = told["hidden"]?.int, let arrays = told["arrays"]?.array
    else { return nil }
    var offset = 8 + length
    var floats: [String: [Float]] = [:]
    var table: (values: [Int8], scale: Float) = ([], 0)
    for array in arrays {
      guard let name = array["name"]?.string, let count = array["count"]?.int else { return nil }
      let isBytes = array["type"]?.string == "int8"
      let size = isBytes ? count : 4 * count
      guard size >= 0, size <= bytes.count - offset else { return nil }
      if isBytes {
        table.values = bytes[offset..<offset + size].map { Int8(bitPattern: $0) }
        table.scale = Float(array["scale"]?.double ?? 0)
      } else {
        floats[name] = (0..<count).map { index in
          let start = offset + 4 * index
          let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * $1) }
          return Float(bitPattern: bits)
        }
      }
      offset += size
    }
    func linear(_ name: String, inputs: Int, kernel: Int = 1) -> Linear? {
      guard let weights = floats[name + ".weight"], let bias = floats[name + ".bias"],
        weights.count == kernel * inputs * bias.count
      else { return nil }
      return Linear(weights: weights, bias: bias)
    }
    let dilations = told["dilations"]?.array?.compactMap(\.int) ?? []
    let layers = dilations.indices.compactMap { index in
      linear("conv\(index)", inputs: index == 0 ? width : hidden, kernel: 3)
    }
    let roles = told["roles"]?.array?.compactMap { $0.string.flatMap(Role.init) } ?? []
    let heads = told["heads"]?.array?.compactMap {
      head -> (name: String, values: [String], linear: Linear)? in
      guard let name = head["name"]?.string, let linear = linear(name, inputs: 2 * hidden),
        let values = head["values"]?.array?.compactMap(\.string), values.count == linear.bias.count
      else { return nil }
      return (name, values, linear)
    }
    guard let pool = linear("pool", inputs: 2 * hidden),
      let roleHead = linear("roles", inputs: hidden + pool.bias.count), let heads,
      !layers.isEmpty, layers.count == dilations.count, table.values.count == buckets * width,
      roles.count == roleHead.bias.count, heads.count == told["heads"]?.array?.count
    else { return nil }
    (self.roles, self.buckets, self.width, self.hidden) = (roles, buckets, width, hidden)
    (self.table, scale, self.dilations, self.layers) = (
      table.values, table.scale, dilations, layers
    )
    (self.pool, self.roleHead, self.heads) = (pool, roleHead, heads)
  }

  /// FNV-1a.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  private func row(_ text: String) -> Int { Int(Self.hash(text.utf8)) % buckets }

  private func vector(_ token: String) -> [Float] {
    var sum = [Float](repeating: 0, count: width)
    func add(_ row: Int, _ weight: Float) {
      for index in 0..<width { sum[index] += weight * Float(table[row * width + index]) }
    }
    add(row("=" + token), scale)
    guard !token.hasPrefix("<") else { return sum }
    let framed = Array(("^" + token + "$").unicodeScalars)
    guard framed.count > 2 else { return sum }
    for start in 0..<framed.count - 2 {
      var gram = String.UnicodeScalarView()
      gram.append(contentsOf: framed[start..<start + 3])
      add(row(String(gram)), scale / Float(framed.count - 2))
    }
    return sum
  }

  private func convolved(_ input: [[Float]], _ layer: Linear, _ dilation: Int) -> [[Float]] {
    let (outputs, inputs) = (layer.bias.count, input.first?.count ?? 0)
    return input.indices.map { place in
      var sum = layer.bias
      for kernel in 0..<3 {
        let other = place + (kernel - 1) * dilation
        guard input.indices.contains(other) else { continue }
        layer.weights.withUnsafeBufferPointer { weights in
          input[other].withUnsafeBufferPointer { values in
            for output in 0..<outputs {
              let start = (kernel * outputs + output) * inputs
              var part: Float = 0
              for index in 0..<inputs { part += weights[start + index] * values[index] }
              sum[output] += part
            }
          }
        }
      }
      return sum.map { max(0, $0) }
    }
  }

  private static func logarithms(_ scores: [Float]) -> [Float] {
    let most = scores.max() ?? 0
    let sum = scores.reduce(0) { $0 + exp($1 - most) }
    return scores.map { $0 - most - log(sum) }
  }

  /// Reads a question's tokens; there must be one at least.
  func read(_ tokens: [String]) -> Reading {
    var states = tokens.map(vector)
    for (index, layer) in layers.enumerated() {
      let next = convolved(states, layer, dilations[index])
      states = index == 0 ? next : zip(states, next).map { zip($0, $1).map { $0 + $1 } }
    }
    var top = [Float](repeating: -.infinity, count: hidden)
    var mean = [Float](repeating: 0, count: hidden)
    for state in states {
      for index in 0..<hidden {
        top[index] = max(top[index], state[index])
        mean[index] += state[index] / Float(states.count)
      }
    }
    let whole = top + mean
    let pooled = pool(whole).map { max(0, $0) }
    var choices: [String: [(value: String, score: Float)]] = [:]
    for head in heads {
      choices[head.name] = zip(head.values, Self.logarithms(head.linear(whole)))
        .map { (value: $0, score: $1) }.sorted { $0.score > $1.score }
    }
    return Reading(
      roles: states.map { Self.logarithms(roleHead($0 + pooled)) }, heads: choices)
  }
}
