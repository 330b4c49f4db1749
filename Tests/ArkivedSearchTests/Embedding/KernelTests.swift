import CKernels
import Foundation
import Testing

/// Numbers between −1 and 1 that are the same in every run.
struct DrawnNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
  }

  mutating func floats(_ count: Int, scale: Float = 1) -> [Float] {
    (0..<count).map { _ in next() * scale }
  }
}

@Suite("The arithmetic for each kind of processor")
struct KernelTests {
  /// Which kernels this processor runs.
  static let levels: [Int32] = (0..<3).filter { ck_kernels_at($0) != nil }

  private func kernels(_ level: Int32) throws -> ck_kernels {
    try #require(ck_kernels_at(level)).pointee
  }

  @Test(
    "a product is right for any number of rows", arguments: levels,
    [1, 2, 3, 4, 5, 6, 7, 48, 49, 55])
  func linear(level: Int32, rows: Int) throws {
    let kernels = try kernels(level)
    for (inputs, outputs) in [(16, 4), (400, 68), (1536, 4)] {
      var numbers = DrawnNumbers(seed: UInt64(rows))
      let x = numbers.floats(rows * inputs)
      let w = numbers.floats(outputs * inputs)
      let bias = numbers.floats(outputs)
      var y = [Float](repeating: .nan, count: rows * outputs + 1)
      kernels.linear(x, rows, inputs, w, bias, outputs, &y)
      #expect(y.removeLast().isNaN)
      for row in 0..<rows {
        for output in 0..<outputs {
          var sum = Double(bias[output])
          for k in 0..<inputs {
            sum += Double(x[row * inputs + k]) * Double(w[output * inputs + k])
          }
          guard abs(sum - Double(y[row * outputs + output])) < 1e-4 else {
            Issue.record("row \(row), output \(output): \(y[row * outputs + output]), not \(sum)")
            return
          }
        }
      }
      var alone = [Float](repeating: 0, count: outputs)
      kernels.linear(Array(x.suffix(inputs)), 1, inputs, w, bias, outputs, &alone)
      #expect(alone == Array(y.suffix(outputs)))
    }
  }

  @Test(
    "attention is the softmax's mean of the values", arguments: levels, [1, 2, 4, 7, 17, 64, 253])
  func attention(level: Int32, tokens: Int) throws {
    let (heads, width) = (2, 32)
    let stride = heads * width
    var numbers = DrawnNumbers(seed: 5)
    let q = numbers.floats(tokens * stride, scale: 8)
    let k = numbers.floats(tokens * stride, scale: 8)
    let v = numbers.floats(tokens * stride)
    var scores = [Float](
      repeating: .nan, count: Int(CK_SCORE_ROWS) * ((tokens + 15) / 16 * 16))
    var context = [Float](repeating: .nan, count: tokens * stride)
    try kernels(level).attention(q, k, v, tokens, heads, width, &scores, &context)
    var worst = 0.0
    for head in 0..<heads {
      for row in 0..<tokens {
        let shares = (0..<tokens).map { column in
          (0..<width).reduce(0.0) { sum, index in
            sum + Double(q[row * stride + head * width + index])
              * Double(k[column * stride + head * width + index])
          } / Double(width).squareRoot()
        }
        let most = shares.max() ?? 0
        let weights = shares.map { exp($0 - most) }
        let total = weights.reduce(0, +)
        for index in 0..<width {
          let place = head * width + index
          let mean = (0..<tokens).reduce(0.0) { $0 + weights[$1] * Double(v[$1 * stride + place]) }
          worst = max(worst, abs(mean / total - Double(context[row * stride + place])))
        }
      }
    }
    #expect(worst < 1e-5)
  }

  @Test("GELU follows the error function", arguments: levels)
  func gelu(level: Int32) throws {
    let x =
      (0..<4000).map { (Float($0) - 2000) / 100 } + [-1000, 1000, -88, 88, -1e-20, 0, 1e30, -1e30]
      + [Float](repeating: 0, count: 8)
    var y = x
    try kernels(level).gelu(&y, y.count)
    for (value, result) in zip(x, y) {
      let exact = Double(value) / 2 * erfc(-Double(value) / 2.0.squareRoot())
      #expect(abs(exact - Double(result)) <= 3e-7 * max(1, abs(Double(value))))
    }
  }

  @Test("a layer norm has mean 0 and variance 1 before gain and bias", arguments: levels)
  func layerNorm(level: Int32) throws {
    let (rows, width) = (3, 48)
    var numbers = DrawnNumbers(seed: 6)
    let x = numbers.floats(rows * width)
    let residual = numbers.floats(rows * width)
    let gain = numbers.floats(width)
    let bias = numbers.floats(width)
    var y = x
    try kernels(level).layer_norm(&y, residual, rows, width, gain, bias, 1e-12)
    for row in 0..<rows {
      let sums = (0..<width).map {
        Double(x[row * width + $0]) + Double(residual[row * width + $0])
      }
      let mean = sums.reduce(0, +) / Double(width)
      let variance = sums.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(width)
      for index in 0..<width {
        let exact =
          (sums[index] - mean) / variance.squareRoot() * Double(gain[index]) + Double(bias[index])
        #expect(abs(exact - Double(y[row * width + index])) < 1e-5)
      }
    }
  }

  @Test("a mean has length 1, and nothing stays nothing", arguments: levels)
  func unitMean(level: Int32) throws {
    var mean = [Float](repeating: .nan, count: 16)
    let rows = [Float](repeating: 1, count: 16) + [Float](repeating: 3, count: 16)
    try kernels(level).unit_mean(rows, 2, 16, &mean)
    #expect(mean == [Float](repeating: 0.25, count: 16))
    try kernels(level).unit_mean([Float](repeating: 0, count: 16), 1, 16, &mean)
    #expect(mean == [Float](repeating: 0, count: 16))
  }
}
