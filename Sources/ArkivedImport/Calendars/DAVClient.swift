import Foundation
import NIOHTTP1

/// Asks a WebDAV server, whose answers tell of many resources at once.
struct DAVClient: Sendable {
  let client: CalendarClient

  /// A question that the server does not take.
  struct Refusal {
    var status: Int
    /// The conditions it names: `DAV:valid-sync-token`.
    var conditions: [String]
    /// What it means when there is no other way to ask.
    var error: CalendarSourceError
  }

  enum Outcome {
    /// - Parameters:
    ///   - token: the sync token, where one stands in the answer.
    ///   - address: where the answer came from in the end.
    case told(token: String?, address: CalendarAddress)
    case refused(Refusal)
  }

  /// Asks with `PROPFIND` or `REPORT`.
  ///
  /// - Parameters:
  ///   - limit: the most bytes that an answer may have.
  ///   - textLimit: the most bytes of text that one property keeps.
  ///   - take: is given each resource once the whole answer is there.
  /// - Throws: `CalendarSourceError` where asking otherwise would be of no use either.
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
      throw unusable(bytes, "its XML is invalid or ends at line \(problem.line)")
    }
    // Without anything in it the root is not seen.
    let text = String(decoding: bytes.suffix(200), as: UTF8.self)
    guard isMultistatus || text.contains("multistatus") else {
      throw unusable(bytes, "it’s XML, but about something else")
    }
    return .told(token: token.flatMap { $0.isEmpty ? nil : $0 }, address: answer.address)
  }

  private func unusable(_ bytes: [UInt8], _ reason: String) -> CalendarSourceError {
    var shape = CalendarShape()
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
    // What it says helps to know more; where it cannot be read the status has to do.
    let bytes: [UInt8]
    do {
      bytes = try await client.collect(answer, limit: 1 << 18)
    } catch let error as CancellationError {
      throw error
    } catch {
      bytes = []
    }
    if (200..<300).contains(answer.status) {
      throw unusable(bytes, "it answered \(answer.status) instead of 207")
    }
    var conditions: [String] = []
    try? DAVElement.read(bytes, textLimit: 1024) { element, root in
      if root == "DAV:error" { conditions.append(element.name) }
    }
    return Refusal(status: answer.status, conditions: conditions, error: error)
  }

  /// A text as it may stand in XML.
  static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }

  /// A question for properties: `DAV:getetag`.
  static func propfind(_ properties: [String]) -> String {
    "<D:propfind \(spaces)><D:prop>" + properties.map { "<\($0)/>" }.joined()
      + "</D:prop></D:propfind>"
  }

  static let spaces =
    "xmlns:D=\"DAV:\" xmlns:C=\"\(DAVElement.calDAV)\" xmlns:S=\"\(DAVElement.server)\" "
    + "xmlns:A=\"\(DAVElement.apple)\""
}
