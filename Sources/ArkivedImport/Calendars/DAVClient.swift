import Foundation
import NIOHTTP1

/// A client for WebDAV servers, whose answers describe many resources at once.
struct DAVClient: Sendable {
  let client: CalendarClient

  /// A request that the server rejects.
  struct Refusal {
    var status: Int
    /// The conditions that the server reports, such as `DAV:valid-sync-token`.
    var conditions: [String]
    /// The error to report if no other request is possible.
    var error: CalendarSourceError
  }

  enum Outcome {
    /// A successful answer.
    ///
    /// - Parameters:
    ///   - token: the sync token, if the answer contains one.
    ///   - address: the final address of the answer.
    case told(token: String?, address: CalendarAddress)
    case refused(Refusal)
  }

  /// Sends a `PROPFIND` or `REPORT` request.
  ///
  /// - Parameters:
  ///   - method: `PROPFIND` or `REPORT`.
  ///   - address: the address.
  ///   - depth: the value of the header `Depth`.
  ///   - body: the body of the request.
  ///   - limit: the maximum size of an answer, in bytes.
  ///   - textLimit: the maximum size of text kept for one property, in bytes.
  ///   - take: receives each resource once the whole answer has arrived.
  /// - Returns: how the request ended.
  /// - Throws: `CalendarSourceError` if another kind of request would fail, too.
  func ask(
    _ method: String, _ address: CalendarAddress, depth: String, _ body: String,
    limit: Int = 64 << 20, textLimit: Int = 1 << 16, _ take: (DAVResponse) throws -> Void
  ) async throws -> Outcome {
    var request = CalendarClient.Request(method: HTTPMethod(rawValue: method), address: address)
    request.headers = [
      ("Content-Type", "application/xml; charset=utf-8"), ("Depth", depth),
      ("Accept", "application/xml, text/xml;q=0.9"),
    ]
    request.body = Array(("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + body).utf8)
    let answer = try await client.send(request)
    guard answer.status == 207 else { return .refused(try await refusal(answer)) }
    let bytes = try await client.collect(answer, limit: limit)
    try Task.checkCancellation()
    var token: String?
    var isMultistatus = false
    do {
      try DAVElement.read(bytes, textLimit: textLimit) { element, root in
        isMultistatus = root == "DAV:multistatus"
        if element.name == "DAV:response" { try take(DAVResponse(element)) }
        if element.name == "DAV:sync-token" { token = element.text }
      }
    } catch let problem as DAVElement.Problem {
      throw unusable(bytes, "its XML is invalid or cut off at line \(problem.line)")
    }
    // If nothing was read, the root wasn't seen.
    let text = String(decoding: bytes.suffix(200), as: UTF8.self)
    guard isMultistatus || text.contains("multistatus") else {
      throw unusable(bytes, "it’s XML with unexpected content")
    }
    return .told(token: token.flatMap { $0.isEmpty ? nil : $0 }, address: answer.address)
  }

  private func unusable(_ bytes: [UInt8], _ reason: String) -> CalendarSourceError {
    var shape = CalendarShape(client.kind)
    shape.add(bytes)
    let isPage = shape.otherwise.contains("page")
    return isPage
      ? .notACalendar(place: client.place, came: client.credentials.redacted(shape.otherwise))
      : .unusableAnswer(place: client.place, reason: reason)
  }

  private func refusal(_ answer: CalendarClient.Answer) async throws -> Refusal {
    let error = client.refusal(answer)
    switch answer.status {
    case 401, 408, 425, 429, 500, 502, 503, 504: throw error
    default: break
    }
    // The body gives more detail; if it can't be read, the status has to do.
    let bytes: [UInt8]
    do {
      bytes = try await client.collect(answer, limit: 1 << 18)
    } catch let error as CancellationError {
      throw error
    } catch {
      bytes = []
    }
    if (200..<300).contains(answer.status) {
      throw unusable(bytes, "its status is \(answer.status) instead of 207")
    }
    var conditions: [String] = []
    try? DAVElement.read(bytes, textLimit: 1024) { element, root in
      if root == "DAV:error" { conditions.append(element.name) }
    }
    return Refusal(status: answer.status, conditions: conditions, error: error)
  }

  /// Returns a text escaped for XML.
  static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }

  /// Returns a request for properties such as `DAV:getetag`.
  static func propfind(_ properties: [String]) -> String {
    "<D:propfind \(spaces)><D:prop>" + properties.map { "<\($0)/>" }.joined()
      + "</D:prop></D:propfind>"
  }

  static let spaces =
    "xmlns:D=\"DAV:\" xmlns:C=\"\(DAVElement.calDAV)\" xmlns:K=\"\(DAVElement.cardDAV)\" "
    + "xmlns:S=\"\(DAVElement.server)\" xmlns:A=\"\(DAVElement.apple)\""
}
