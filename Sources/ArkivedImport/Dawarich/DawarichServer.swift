package import ArkivedCore
import Foundation
import NIOHTTP1

/// A Dawarich server, which is only read: the number of positions in a time, and the positions.
///
/// Source of the interface: Dawarich 0.18 to 1.3 (`/api/v1/health`, `/api/v1/points` with
/// `start_at`, `end_at`, `page`, `per_page` and `order`, headers `X-Current-Page` and
/// `X-Total-Pages`, `Authorization: Bearer`).
package struct DawarichServer: Sendable {
  /// The number of positions in a page.
  private static let pageSize = 1_000
  /// The maximum number of pages: twenty million positions.
  private static let pageLimit = 20_000
  private static let path = "/api/v1/points"
  /// The first day from which positions are read, because earlier times are faulty.
  package static let firstDay = DayKey(clamping: 7_305)

  private let client: LinkedServiceClient

  /// Creates a server.
  ///
  /// - Throws: `LinkedServiceFailure` if the key would be sent unencrypted.
  package init(
    _ address: String, key: String, allowsPlainHTTP: Bool = false,
    network: CalendarNetwork = .system
  ) async throws {
    client = try await LinkedServiceClient(
      .dawarich, address: address, key: key, allowsPlainHTTP: allowsPlainHTTP, network: network)
  }

  /// The address for display.
  package var place: String { client.place }

  /// Checks that the server is Dawarich and accepts the key.
  ///
  /// - Throws: `LinkedServiceFailure`.
  package func check() async throws {
    let health = try await client.ask("/api/v1/health")
    guard health.json["status"]?.string == "ok",
      health.headers.first(name: "X-Dawarich-Response") != nil
    else { throw client.notTheService("a different program") }
    let start = Zone.utc.start(of: Self.firstDay)
    _ = try await count(from: start, until: start.adding(seconds: 1))
  }

  /// Returns the number of positions in a time.
  ///
  /// - Parameters:
  ///   - start: the first instant.
  ///   - end: the instant after the last.
  /// - Returns: the number.
  /// - Throws: `LinkedServiceFailure`.
  package func count(from start: Instant, until end: Instant) async throws -> Int {
    let answer = try await client.ask(
      Self.path, Self.query(start, end, page: 1, size: 1) + [("slim", "true")])
    guard answer.json.array != nil else { throw client.unusable("it has no list of positions") }
    return try pageCount(answer)
  }

  /// Passes on the positions in a time, the oldest first.
  ///
  /// - Parameters:
  ///   - start: the first instant.
  ///   - end: the instant after the last.
  ///   - take: receives the positions of a page, and the number of those without a time.
  /// - Throws: `LinkedServiceFailure`; `.endless` if a page repeats the one before; and what `take`
  ///   throws.
  package func points(
    from start: Instant, until end: Instant, _ take: ([DawarichPoint], Int) throws -> Void
  ) async throws {
    var page = 1
    var before: JSON?
    var count = 0
    while true {
      let answer = try await client.ask(
        Self.path, Self.query(start, end, page: page, size: Self.pageSize))
      guard let items = answer.json.array else {
        throw client.unusable("it has no list of positions")
      }
      let pages = try pageCount(answer)
      // A server without pages returns everything again and again.
      count += items.count
      guard pages <= Self.pageLimit, count <= Self.pageLimit * Self.pageSize,
        items.isEmpty || items.first != before
      else { throw LinkedServiceFailure.endless(place: client.place) }
      before = items.first
      let points = items.compactMap { DawarichPoint($0) }
      try take(points, items.count - points.count)
      guard page < pages, !items.isEmpty else { return }
      page += 1
    }
  }

  private static func query(
    _ start: Instant, _ end: Instant, page: Int, size: Int
  ) -> [(String, String)] {
    [
      // The server counts whole seconds, and both ends.
      ("start_at", start.description), ("end_at", end.adding(seconds: -1).description),
      ("order", "asc"), ("page", "\(page)"), ("per_page", "\(size)"),
    ]
  }

  private func pageCount(_ answer: LinkedServiceClient.Answer) throws -> Int {
    guard let text = answer.headers.first(name: "X-Total-Pages"), let count = Int(text),
      count >= 0
    else {
      throw client.unusable("it doesn’t say how many pages there are. Update Dawarich")
    }
    return count
  }
}
