import ArkivedCore
import Foundation
import Synchronization

/// A small Dawarich server on 127.0.0.1 with the positions that a test gives it.
package final class DawarichScript: Sendable {
  package struct Position: Hashable, Sendable {
    /// In seconds since 1970.
    package var time: Int
    package var lat: Double
    package var lon: Double
    package var accuracy = 5
    package var tracker = "phone"

    package init(time: Int, lat: Double, lon: Double) {
      (self.time, self.lat, self.lon) = (time, lat, lon)
    }

    /// The position as the server's interface writes it.
    fileprivate var json: JSON {
      [
        "id": JSON(time), "timestamp": JSON(time), "latitude": .string("\(lat)"),
        "longitude": .string("\(lon)"), "accuracy": JSON(accuracy), "altitude": 40,
        "velocity": "0", "battery": 80, "tracker_id": .string(tracker), "city": "Berlin",
        "country": "Germany", "geodata": [:],
      ]
    }

    /// The position as a feature of the server's export.
    fileprivate var feature: JSON {
      [
        "type": "Feature",
        "geometry": ["type": "Point", "coordinates": [JSON(lon), JSON(lat)]],
        "properties": [
          "battery_status": "unplugged", "battery": 80, "altitude": 40, "velocity": "0",
          "accuracy": JSON(accuracy), "vertical_accuracy": .null,
          "tracker_id": .string(tracker), "timestamp": JSON(time), "city": "Berlin",
          "country": "Germany", "latitude": .null, "longitude": .null,
        ],
      ]
    }
  }

  package static let key = "dawarich-key-7"

  /// The number of positions in a page, however many the client asks for.
  private static let pageSize = 100

  package let server: CalendarServer
  private let positions = Mutex<[Position]>([])

  package init(_ positions: [Position] = []) throws {
    server = try CalendarServer()
    self.positions.withLock { $0 = positions }
    answerAll()
  }

  package var address: String { server.origin }

  /// Changes what the server has.
  package func change(_ body: @Sendable (inout [Position]) -> Void) {
    positions.withLock { body(&$0) }
  }

  /// Answers every request as Dawarich does.
  package func answerAll() {
    server.reply { [weak self] in self?.reply($0) ?? .answer(500) }
  }

  /// The server's own export.
  package var export: String {
    let features = positions.withLock { $0 }.sorted { $0.time < $1.time }.map(\.feature)
    return JSON.object(["type": "FeatureCollection", "features": .array(features)]).text()
  }

  /// Returns positions at one place, one a minute.
  package static func stay(
    _ start: String, minutes: Int, lat: Double, lon: Double
  ) -> [Position] {
    way(start, minutes: minutes, from: (lat, lon), to: (lat, lon))
  }

  /// Returns positions on a straight line, one a minute.
  package static func way(
    _ start: String, minutes: Int, from: (lat: Double, lon: Double), to: (lat: Double, lon: Double)
  ) -> [Position] {
    let first = Int((Instant(start) ?? .earliest).milliseconds / 1_000)
    return (0..<minutes).map { minute in
      let part = Double(minute) / Double(max(1, minutes))
      return Position(
        time: first + minute * 60, lat: from.lat + (to.lat - from.lat) * part,
        lon: from.lon + (to.lon - from.lon) * part)
    }
  }

  /// Answers one request.
  package func reply(_ request: CalendarServer.Request) -> CalendarServer.Reply {
    let isKnown = request.headers["authorization"] == "Bearer \(Self.key)"
    let path = request.path.prefix { $0 != "?" }
    if path == "/api/v1/health" {
      return .answer(
        200,
        headers: [
          "X-Dawarich-Response": isKnown ? "Hey, I'm alive and authenticated!" : "Hey, I'm alive!"
        ], "{\"status\":\"ok\"}")
    }
    guard isKnown else { return .answer(401) }
    guard path == "/api/v1/points", request.method == "GET" else { return .answer(404) }
    let arguments = Self.arguments(request.path)
    func seconds(_ name: String) -> Int? {
      arguments[name].flatMap { Instant($0) }.map { Int($0.milliseconds / 1_000) }
    }
    let (start, end) = (seconds("start_at") ?? 0, seconds("end_at") ?? .max)
    let found = positions.withLock { $0 }.filter { (start...end).contains($0.time) }
      .sorted { $0.time < $1.time }
    let size = min(arguments["per_page"].flatMap { Int($0) } ?? 100, Self.pageSize)
    let page = arguments["page"].flatMap { Int($0) } ?? 1
    let shown = found.dropFirst((page - 1) * size).prefix(size)
    return .answer(
      200,
      headers: [
        "Content-Type": "application/json", "X-Current-Page": "\(page)",
        "X-Total-Pages": "\((found.count + size - 1) / size)",
      ], JSON.array(shown.map(\.json)).text())
  }

  private static func arguments(_ path: String) -> [String: String] {
    let query = path.drop { $0 != "?" }.dropFirst()
    let pairs = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    return Dictionary(
      pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }
    ) { first, _ in first }
  }
}
