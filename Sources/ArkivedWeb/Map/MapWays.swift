import ArkivedAssistant
import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// The lines of journeys, read from their files and kept in memory.
///
/// There may be tens of thousands in a lifetime. A request reads files for a limited time and
/// reports how many are left. So a map can immediately show the journeys read so far, and then ask
/// again.
final class MapWays: Sendable {
  /// The line of a journey in the plane of the map.
  struct Way: Sendable {
    var parts: [[SIMD2<Float>]]
    /// The corners of its bounding box.
    var low: SIMD2<Float>
    var high: SIMD2<Float>

    static let none = Way(parts: [], low: .zero, high: .zero)

    var count: Int { parts.reduce(0) { $0 + $1.count } }

    func simplified(_ tolerance: Float) -> Way {
      var way = self
      way.parts = parts.map { MapLine.simplified($0, tolerance: tolerance) }
      return way
    }
  }

  /// The lines in memory, by the hashes of their files.
  private struct Known: Sendable {
    var ways: [String: Way] = [:]
    /// The tolerance with which they are kept.
    var tolerance = MapWays.keptTolerance
    /// The files that weren't there, by their hashes, with the turn in which they were last tried.
    var absent: [String: Int] = [:]
    private var turn = 0

    private var count: Int { ways.values.reduce(0) { $0 + $1.count } }

    /// Makes room for more lines: those of other days go, then the rest loses detail.
    ///
    /// If the rest went too, a map with more points would be read again and again.
    mutating func makeRoom(for files: [MapFile], limit: Int) {
      guard count >= limit else { return }
      let wanted = Set(files.compactMap(\.lineHash))
      ways = ways.filter { wanted.contains($0.key) }
      while count >= limit, tolerance < MapWays.coarsestTolerance {
        let coarser = tolerance * 2
        tolerance = coarser
        ways = ways.mapValues { $0.simplified(coarser) }
      }
    }

    /// Stores what was found in a file; nil if it wasn't there.
    mutating func keep(_ way: Way?, for hash: String) {
      if let way {
        ways[hash] = way
        absent[hash] = nil
      } else {
        turn += 1
        absent[hash] = turn
      }
    }
  }

  /// Lines for a map.
  struct Shown: Sendable {
    /// The lines, each with the row number of its entry.
    var lines: [(row: Int64, parts: [[SIMD2<Float>]])]
    /// The number of journeys whose files haven't been read.
    var unread: Int
    /// The area of all lines that have been read; nil if there are none.
    var bounds: MapBox?
  }

  private let archive: Archive
  private let keptLimit: Int
  private let patience: Duration
  private let known = Mutex(Known())

  /// The number of files that are looked up together.
  private static let batch = 64
  /// The number of absent files that one request looks for again.
  private static let retryLimit = 512
  /// The largest number of points in an answer.
  private static let pointLimit = 20_000
  /// The tolerance with which lines are kept, about 10 m at the equator.
  private static let keptTolerance: Float = 2.5e-7
  /// The tolerance at which a line across the world has only its ends.
  private static let coarsestTolerance: Float = 1

  /// Creates the lines of an archive.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - keptLimit: the number of points in memory, of 8 bytes each, above which lines are kept
  ///     with less detail.
  ///   - patience: the time for reading files in one request.
  init(
    _ archive: Archive, keptLimit: Int = 8_000_000, patience: Duration = .milliseconds(150)
  ) {
    (self.archive, self.keptLimit, self.patience) = (archive, keptLimit, patience)
  }

  /// Returns the lines in an area, simplified to the points of a zoom level.
  ///
  /// - Parameters:
  ///   - files: the journeys in chronological order; the latest are read first.
  ///   - box: the area.
  ///   - zoom: the zoom level.
  /// - Returns: the lines, and the number of journeys that are still unread.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func shown(_ files: [MapFile], in box: MapBox, zoom: Int) throws -> Shown {
    let unread = try read(files)
    let (low, high) = (
      SIMD2(Float(MapPlane.x(box.west)), Float(MapPlane.y(box.north))),
      SIMD2(Float(MapPlane.x(box.east)), Float(MapPlane.y(box.south)))
    )
    let isTurned = box.west > box.east
    var area: (low: SIMD2<Float>, high: SIMD2<Float>)?
    let ways = known.withLock { known in
      files.compactMap { file -> (row: Int64, way: Way)? in
        guard let hash = file.lineHash, let way = known.ways[hash], !way.parts.isEmpty else {
          return nil
        }
        area = (
          pointwiseMin(area?.low ?? way.low, way.low),
          pointwiseMax(area?.high ?? way.high, way.high)
        )
        guard way.low.y <= high.y, way.high.y >= low.y,
          isTurned
            ? way.high.x >= low.x || way.low.x <= high.x
            : way.low.x <= high.x && way.high.x >= low.x
        else { return nil }
        return (file.row, way)
      }
    }
    let bounds = area.map { area in
      MapBox(
        west: MapPlane.longitude(Double(area.low.x)), south: MapPlane.latitude(Double(area.high.y)),
        east: MapPlane.longitude(Double(area.high.x)), north: MapPlane.latitude(Double(area.low.y)))
    }
    var tolerance = Float(0.75 / MapPlane.side(zoom: zoom))
    while true {
      if let lines = Self.simplified(ways, tolerance) {
        return Shown(lines: lines, unread: unread, bounds: bounds)
      }
      tolerance *= 2
    }
  }

  /// Returns simplified lines; nil if they have too many points.
  private static func simplified(
    _ ways: [(row: Int64, way: Way)], _ tolerance: Float
  ) -> [(row: Int64, parts: [[SIMD2<Float>]])]? {
    var count = 0
    var lines: [(row: Int64, parts: [[SIMD2<Float>]])] = []
    for (row, way) in ways {
      let size = way.high - way.low
      // Lines smaller than a few points look like their entry's dot.
      guard max(size.x, size.y) > tolerance * 4 else { continue }
      let parts = way.parts.map { MapLine.simplified($0, tolerance: tolerance) }
      count += parts.reduce(0) { $0 + $1.count }
      guard count <= pointLimit else { return nil }
      lines.append((row, parts))
    }
    return lines
  }

  /// Reads files that aren't known, the latest first, for a limited time, but at least a few.
  ///
  /// Files that weren't there before come last and don't count, because many of them would keep
  /// the others from being read, and a map waits for those that are left.
  ///
  /// - Returns: the number of files that are left.
  private func read(_ files: [MapFile]) throws -> Int {
    let (unknown, absent, tolerance) = known.withLock { known -> ([MapFile], [MapFile], Float) in
      let missing = files.filter { $0.lineHash.map { known.ways[$0] == nil } ?? false }
      guard !missing.isEmpty else { return ([], [], known.tolerance) }
      known.makeRoom(for: files, limit: keptLimit)
      var unknown: [MapFile] = []
      var absent: [(file: MapFile, turn: Int)] = []
      for file in missing {
        if let turn = file.lineHash.flatMap({ known.absent[$0] }) {
          absent.append((file, turn))
        } else {
          unknown.append(file)
        }
      }
      // The one that wasn't tried for longest is at the end.
      absent.sort { $0.turn > $1.turn }
      return (unknown, absent.suffix(Self.retryLimit).map { $0.file }, known.tolerance)
    }
    guard !(unknown.isEmpty && absent.isEmpty) else { return 0 }
    var (missing, again) = (unknown, absent)
    let end = ContinuousClock.now + patience
    repeat {
      let isAgain = missing.isEmpty
      let batch = Array((isAgain ? again : missing).suffix(Self.batch))
      if isAgain { again.removeLast(batch.count) } else { missing.removeLast(batch.count) }
      let attachments = try archive.attachments(batch.map(\.key))
      for file in batch.reversed() {
        guard let hash = file.lineHash else { continue }
        // A file from another device may arrive later. A damaged one isn't read again.
        let way = attachments[file.key].flatMap { self.way($0, tolerance) }
        known.withLock { $0.keep(way, for: hash) }
      }
    } while !(missing.isEmpty && again.isEmpty) && ContinuousClock.now < end
    return missing.count
  }

  /// Reads a line; returns nil if its file isn't there.
  private func way(_ attachment: Attachment, _ tolerance: Float) -> Way? {
    guard let content = try? archive.content(of: attachment) else { return nil }
    var parts: [[SIMD2<Float>]] = []
    for line in WayFile.lines(content) {
      let points = line.map {
        SIMD2(Float(MapPlane.x($0.lon)), Float(MapPlane.y($0.lat)))
      }
      // A line that crosses 180° continues on the other side of the map.
      var start = 0
      for index in points.indices.dropFirst()
      where abs(points[index].x - points[index - 1].x) > 0.5 {
        parts.append(Array(points[start..<index]))
        start = index
      }
      parts.append(Array(points[start...]))
    }
    parts = parts.filter { $0.count > 1 }.map {
      MapLine.simplified($0, tolerance: tolerance)
    }
    guard let first = parts.first?.first else { return Way.none }
    var way = Way(parts: parts, low: first, high: first)
    for point in parts.joined() {
      way.low = pointwiseMin(way.low, point)
      way.high = pointwiseMax(way.high, point)
    }
    return way
  }
}

/// Simplifies lines with the algorithm of Ramer, Douglas and Peucker.
enum MapLine {
  /// Returns the points of a line, dropping those closer to the simplified line than the tolerance.
  static func simplified(_ points: [SIMD2<Float>], tolerance: Float) -> [SIMD2<Float>] {
    guard points.count > 2 else { return points }
    var isKept = [Bool](repeating: false, count: points.count)
    isKept[0] = true
    isKept[points.count - 1] = true
    var open = [(0, points.count - 1)]
    let limit = tolerance * tolerance
    while let (start, end) = open.popLast() {
      let origin = points[start]
      let line = points[end] - origin
      let square = (line * line).sum()
      var (farthest, distance) = (start, limit)
      for index in start + 1..<max(end, start + 1) {
        var away = points[index] - origin
        if square > 0 {
          away -= line * min(1, max(0, (away * line).sum() / square))
        }
        let length = (away * away).sum()
        if length > distance { (farthest, distance) = (index, length) }
      }
      guard farthest > start else { continue }
      isKept[farthest] = true
      open.append((start, farthest))
      open.append((farthest, end))
    }
    return points.indices.filter { isKept[$0] }.map { points[$0] }
  }
}
