/// Vectors of length 1.
enum UnitVector {
  /// Returns a vector scaled to length 1.
  ///
  /// - Throws: `VectorIndexError.wrongDimensions`, `.noDirection`.
  static func of(_ vector: [Float], dimensions: Int) throws -> [Float] {
    guard vector.count == dimensions else {
      throw VectorIndexError.wrongDimensions(expected: dimensions, found: vector.count)
    }
    // Dividing by the largest number first keeps the squares from vanishing or overflowing.
    let largest = vector.reduce(0) { $1.isNaN ? .nan : max($0, abs($1)) }
    guard largest > 0, largest.isFinite else { throw VectorIndexError.noDirection }
    let scaled = vector.map { $0 / largest }
    let length = scaled.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return scaled.map { $0 / length }
  }

  /// Returns one bit for each dimension, set if the vector is positive there.
  static func signs(of vector: [Float]) -> [UInt64] {
    stride(from: 0, to: vector.count, by: 64).map { start in
      var word: UInt64 = 0
      for bit in 0..<min(64, vector.count - start) where vector[start + bit] > 0 {
        word |= 1 << UInt64(bit)
      }
      return word
    }
  }
}
