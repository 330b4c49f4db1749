import ArkivedAssistant
import ArkivedCore
import Foundation

/// The map of some days as one picture (SVG), for browsers without scripts and for saving.
struct MapDrawing {
  static let (width, height) = (960.0, 540.0)
  /// The space around the places, and the nearest zoom level.
  private static let margin = 60.0
  private static let nearest = 11
  /// The number of base squares above which a coarser base map is drawn.
  private static let squareLimit = 48
  private static let markLimit = 120
  private static let nameLimit = 14

  private let answer: MapDesk.Answer
  /// The width of the world in points.
  private let side: Double
  private let left: Double
  private let top: Double
  private let zoom: Int
  private var html = HTMLWriter()

  /// Draws the places of the question's days.
  ///
  /// - Throws: an error if the archive can't be read.
  static func svg(_ question: InsightQuestion, _ desk: MapDesk) throws -> String {
    let bounds = try desk.answer(question, in: .world, zoom: 0).bounds ?? .world
    // An area across 180° is drawn as the whole world.
    let area = bounds.west <= bounds.east ? bounds : .world
    let (west, east) = (MapPlane.x(area.west), MapPlane.x(area.east))
    let (north, south) = (MapPlane.y(area.north), MapPlane.y(area.south))
    let zoom =
      (0...nearest).last { zoom in
        let side = MapPlane.side(zoom: zoom)
        return (east - west) * side <= width - 2 * margin
          && (south - north) * side <= height - 2 * margin
      } ?? 0
    // At the lowest levels, the world would be smaller than the picture.
    let side = max(MapPlane.side(zoom: zoom), width)
    let left = (west + east) / 2 * side - width / 2
    let top = (north + south) / 2 * side - height / 2
    var drawing = MapDrawing(
      answer: try desk.answer(question, in: area, zoom: zoom), side: side,
      left: min(max(left, 0), side - width), top: min(max(top, 0), side - height), zoom: zoom)
    drawing.draw(label: question.span.words)
    return drawing.html.text
  }

  private init(answer: MapDesk.Answer, side: Double, left: Double, top: Double, zoom: Int) {
    (self.answer, self.side, self.zoom) = (answer, side, zoom)
    (self.left, self.top) = (left, top)
  }

  private mutating func draw(label: String) {
    let (width, height) = (Int(Self.width), Int(Self.height))
    html.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\"")
    html.raw(" width=\"\(width)\" height=\"\(height)\" font-family=\"sans-serif\" role=\"img\">")
    html.raw("<title>")
    html.shown(label)
    html.raw("</title><rect width=\"\(width)\" height=\"\(height)\" fill=\"#d5e4ea\"/>")
    drawBase()
    drawWays()
    drawMarks()
    html.raw("</svg>\n")
  }

  private func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (x * side - left, y * side - top)
  }

  // MARK: The base map

  /// The paths of one layer, in the picture's points.
  private struct Layer {
    private(set) var path = ""
    /// The finished paths: one for each square, because squares overlap and the even-odd rule would
    /// leave a gap there.
    private(set) var finished: [String] = []
    private var last: (x: Int, y: Int)?

    /// Adds a point in tenths, unless it has the same position as the last one.
    mutating func add(_ x: Double, _ y: Double, isFirst: Bool) {
      let point = (x: Int((x * 10).rounded()), y: Int((y * 10).rounded()))
      if !isFirst, let last, abs(last.x - point.x) + abs(last.y - point.y) < 6 { return }
      last = point
      path += isFirst ? "M" : "L"
      path += "\(Self.text(point.x)) \(Self.text(point.y))"
    }

    mutating func finish() {
      if !path.isEmpty { finished.append(path) }
      path = ""
    }

    private static func text(_ tenths: Int) -> String {
      let size = abs(tenths)
      return "\(tenths < 0 ? "-" : "")\(size / 10)\(size % 10 == 0 ? "" : ".\(size % 10)")"
    }
  }

  private mutating func drawBase() {
    let fine = MapTiles.detail()?.map
    // The finest base map that isn't too detailed for one picture.
    let bases = [(MapTiles.fine, fine)] + MapTiles.coarse.reversed().map { ($0, MapTiles.world) }
    for (base, map) in bases {
      guard let map, base <= zoom + 2 || base == 0 else { continue }
      let count = 1 << base
      func squares(_ from: Double, _ length: Double) -> ClosedRange<Int> {
        let first = Int(from / side * Double(count))
        let last = Int((from + length) / side * Double(count))
        return min(max(first, 0), count - 1)...min(max(last, 0), count - 1)
      }
      let (columns, rows) = (squares(left, Self.width), squares(top, Self.height))
      guard columns.count * rows.count <= Self.squareLimit || base == 0 else { continue }
      var layers = [Layer(), Layer(), Layer()]
      for x in columns {
        for y in rows {
          let scale = side / Double(count)
          add(
            map.square(zoom: base, x: x, y: y), at: (Double(x) * scale - left),
            Double(y) * scale - top, scale: scale, to: &layers)
          for index in layers.indices { layers[index].finish() }
        }
      }
      let styles = [
        "fill=\"#f6f3ec\" fill-rule=\"evenodd\"", "fill=\"#d5e4ea\" fill-rule=\"evenodd\"",
        "fill=\"none\" stroke=\"#b9b2a4\" stroke-width=\"0.8\"",
      ]
      for (layer, style) in zip(layers, styles) {
        for path in layer.finished { html.raw("<path \(style) d=\"\(path)\"/>") }
      }
      return
    }
  }

  /// Adds the lines of a square, whose format `Scripts/world_map.py` describes.
  private func add(
    _ square: Data, at left: Double, _ top: Double, scale: Double, to layers: inout [Layer]
  ) {
    var bytes = square.makeIterator()
    func number() -> Int? {
      var value = 0
      for shift in stride(from: 0, to: 56, by: 7) {
        guard let byte = bytes.next() else { return nil }
        value |= Int(byte & 127) << shift
        if byte < 128 { return value }
      }
      return nil
    }
    func step() -> Int? { number().map { $0 & 1 == 1 ? -($0 + 1) / 2 : $0 / 2 } }
    let unit = scale / 8_192
    while let layer = bytes.next(), let lines = number() {
      let index = Int(layer) - 1
      for _ in 0..<lines {
        guard let points = number() else { return }
        var (x, y) = (0, 0)
        for place in 0..<points {
          guard let across = step(), let down = step() else { return }
          (x, y) = (x + across, y + down)
          // A file of a later version may have more layers.
          guard layers.indices.contains(index) else { continue }
          layers[index].add(
            left + Double(x) * unit, top + Double(y) * unit, isFirst: place == 0)
        }
      }
    }
  }

  // MARK: Ways and marks

  private mutating func drawWays() {
    var layer = Layer()
    for part in answer.ways.lines.flatMap({ $0.parts }) {
      for (index, found) in part.enumerated() {
        let (x, y) = point(Double(found.x), Double(found.y))
        layer.add(x, y, isFirst: index == 0)
      }
    }
    guard !layer.path.isEmpty else { return }
    html.raw("<path fill=\"none\" stroke=\"#2f6f8f\" stroke-width=\"2\" stroke-linejoin=\"round\"")
    html.raw(" stroke-opacity=\"0.8\" d=\"\(layer.path)\"/>")
  }

  private mutating func drawMarks() {
    var names: [(x: Double, y: Double, width: Double)] = []
    let clusters = answer.clusters.prefix(Self.markLimit)
    for cluster in clusters {
      let (x, y) = point(MapPlane.x(cluster.longitude), MapPlane.y(cluster.latitude))
      let radius = min(16, 4 + log2(Double(max(1, cluster.entries))) * 1.2)
      html.raw("<circle cx=\"\(Int(x.rounded()))\" cy=\"\(Int(y.rounded()))\"")
      html.raw(" r=\"\(Int(radius.rounded()))\" fill=\"#8f4a2f\" fill-opacity=\"0.85\"")
      html.raw(" stroke=\"#ffffff\" stroke-width=\"1.5\"><title>")
      html.shown("\(cluster.name): \(MapPage.sum(entries: cluster.entries, days: cluster.days))")
      html.raw("</title></circle>")
    }
    for cluster in clusters where cluster.place != nil && names.count < Self.nameLimit {
      let (x, y) = point(MapPlane.x(cluster.longitude), MapPlane.y(cluster.latitude))
      let name = ClippedText.of(cluster.name, limit: 24)
      let width = Double(name.count) * 7.5
      // A name that would overlap another one is shown only in the table.
      guard x + width + 14 < Self.width,
        !names.contains(where: { abs($0.y - y) < 15 && x < $0.x + $0.width && $0.x < x + width })
      else { continue }
      names.append((x, y, width))
      html.raw(
        "<text x=\"\(Int(x.rounded()) + 12)\" y=\"\(Int(y.rounded()) + 4)\" font-size=\"13\"")
      html.raw(" fill=\"#2c2a26\" stroke=\"#f6f3ec\" stroke-width=\"3\" paint-order=\"stroke\">")
      html.shown(name)
      html.raw("</text>")
    }
  }
}
