import ArkivedEngine
import ArkivedImport
import Foundation

/// The drawing of a route from its stored line, with north at the top and a dot at the start; no
/// map service is used.
enum WayPicture {
  private static let width = 160.0
  private static let height = 120.0
  private static let margin = 12.0
  /// A teal that is visible on light and dark backgrounds.
  private static let ink = "#2b8a83"

  /// Draws a route.
  ///
  /// - Returns: nil without a line.
  static func svg(_ lines: [[WayFile.Point]], _ size: Thumbnails.Size) -> String? {
    let lines = fitted(lines)
    guard let start = lines.first?.first, let end = lines.last?.last else { return nil }
    let path = lines.map { line in
      "M" + line.map { "\(text($0.x)) \(text($0.y))" }.joined(separator: "L")
    }.joined()
    let factor = size == .small ? 1 : 6
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
      width="\(Int(width) * factor)" height="\(Int(height) * factor)">\
      <path d="\(path)" fill="none" stroke="\(ink)" stroke-width="2.5" stroke-linecap="round" \
      stroke-linejoin="round"/>\
      <circle cx="\(text(start.x))" cy="\(text(start.y))" r="4.5" fill="\(ink)"/>\
      <circle cx="\(text(end.x))" cy="\(text(end.y))" r="3.5" fill="none" stroke="\(ink)" \
      stroke-width="2"/></svg>
      """
  }

  /// Returns the lines scaled to fit the picture; points that coincide are merged.
  private static func fitted(_ lines: [[WayFile.Point]]) -> [[SIMD2<Double>]] {
    guard let origin = lines.first?.first else { return [] }
    let narrowing = max(0.01, cos(origin.lat * .pi / 180))
    let flat = lines.map { line in
      line.map { point in
        var east = point.lon - origin.lon
        // This handles lines that cross the date line.
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        return SIMD2(east * narrowing, origin.lat - point.lat)
      }
    }
    let (xs, ys) = (flat.joined().map(\.x), flat.joined().map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return [] }
    let scale = min(
      (width - 2 * margin) / max(right - left, 1e-9),
      (height - 2 * margin) / max(bottom - top, 1e-9))
    let middle = SIMD2((left + right) / 2, (top + bottom) / 2)
    let centre = SIMD2(width / 2, height / 2)
    return flat.map { line in
      var places: [SIMD2<Double>] = []
      for point in line {
        let place = (point - middle) * scale + centre
        let rounded = SIMD2((place.x * 10).rounded() / 10, (place.y * 10).rounded() / 10)
        if places.last != rounded { places.append(rounded) }
      }
      // A line of one point is visible as a dot.
      return places.count == 1 ? places + places : places
    }
  }

  private static func text(_ value: Double) -> String { String(format: "%.1f", value) }
}
