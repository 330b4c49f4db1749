/// Simplifies lines with the algorithm of Ramer, Douglas and Peucker: the dropped points are closer
/// to the line than the tolerance.
enum PathLine {
  /// The tolerance in metres.
  static let tolerance = 10.0
  /// The maximum number of points; longer lines use a greater tolerance.
  static let pointLimit = 1_000
  /// The maximum number of points given to the algorithm, which takes quadratic time at worst.
  private static let inputLimit = 8_000

  static func simplified(_ points: [GeoPoint]) -> [GeoPoint] {
    var input = points
    if input.count > inputLimit {
      let step = (input.count + inputLimit - 1) / inputLimit
      input = stride(from: 0, to: points.count, by: step).map { points[$0] }
      if let last = points.last { input.append(last) }
    }
    guard let first = input.first, input.count > 2 else { return input }
    let plane = LocalPlane(around: first)
    let positions = input.map(plane.position)
    var tolerance = Self.tolerance
    while true {
      let kept = kept(positions, tolerance)
      if kept.count <= pointLimit { return kept.map { input[$0] } }
      tolerance *= 2
    }
  }

  private static func kept(_ positions: [SIMD2<Double>], _ tolerance: Double) -> [Int] {
    var isKept = [Bool](repeating: false, count: positions.count)
    isKept[0] = true
    isKept[positions.count - 1] = true
    var open = [(0, positions.count - 1)]
    while let (start, end) = open.popLast() {
      guard end - start > 1 else { continue }
      var (farthest, distance) = (start, tolerance)
      for index in start + 1..<end {
        let length = distanceOf(positions[index], from: positions[start], to: positions[end])
        if length > distance { (farthest, distance) = (index, length) }
      }
      guard farthest > start else { continue }
      isKept[farthest] = true
      open.append((start, farthest))
      open.append((farthest, end))
    }
    return isKept.indices.filter { isKept[$0] }
  }

  private static func distanceOf(
    _ point: SIMD2<Double>, from start: SIMD2<Double>, to end: SIMD2<Double>
  ) -> Double {
    let line = end - start
    let square = line.x * line.x + line.y * line.y
    guard square > 0 else { return (point - start).length }
    let along = ((point - start) * line).sum() / square
    return (point - (start + line * min(1, max(0, along)))).length
  }

  /// Returns one or several lines as GeoJSON (RFC 7946), rounded to a metre.
  static func geoJSON(_ lines: [[GeoPoint]]) -> String {
    func degrees(_ value: Int32) -> String {
      let units = (abs(Int(value)) + 50) / 100
      let fraction = String(units % 100_000)
      return (value < 0 ? "-" : "") + "\(units / 100_000)."
        + String(repeating: "0", count: 5 - fraction.count) + fraction
    }
    let parts = lines.map { line in
      "[" + line.map { "[\(degrees($0.lonE7)),\(degrees($0.latE7))]" }.joined(separator: ",") + "]"
    }
    return parts.count == 1
      ? "{\"type\":\"LineString\",\"coordinates\":\(parts[0])}\n"
      : "{\"type\":\"MultiLineString\",\"coordinates\":[\(parts.joined(separator: ","))]}\n"
  }
}
