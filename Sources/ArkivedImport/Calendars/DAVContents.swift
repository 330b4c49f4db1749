import ArkivedCrypto
import Foundation
import NIOHTTP1

extension DAVCollection {
  /// The content of a resource.
  enum Content {
    case text([UInt8], tag: String)
    case gone
    /// A resource that can't be fetched, with the problem and its consequence as a sentence without
    /// a subject.
    case refused(String)
  }

  private var tooLarge: String { kind.tooLarge(Self.largestItem >> 20) }

  /// Fetches several items at once.
  ///
  /// - Returns: The server's answers by name, some of which may be missing; nil if it doesn't
  ///   support the request.
  /// - Throws: `.tooLarge` if fewer items should be requested.
  func contents(of items: [Item]) async throws -> [String: Content]? {
    let hrefs = items.map { "<D:href>\(DAVClient.escaped($0.path))</D:href>" }.joined()
    let body =
      "<\(kind.multigetRequest) \(DAVClient.spaces)><D:prop><D:getetag/><\(kind.dataRequest)/>"
      + "</D:prop>\(hrefs)</\(kind.multigetRequest)>"
    var contents: [String: Content] = [:]
    let outcome = try await client.ask(
      "REPORT", address, depth: "1", body, limit: Self.largestBatch, textLimit: Self.largestItem
    ) { response in
      for item in response.hrefs.compactMap(item) { contents[item.name] = content(response) }
    }
    if case .refused = outcome { return nil }
    return contents
  }

  private func content(_ response: DAVResponse) -> Content? {
    if let status = response.status, !(200..<300).contains(status) { return Self.refusal(status) }
    guard let data = response.property(kind.data) else {
      // Without a reason, the item is requested individually.
      return response.refused.first.map(Self.refusal)
    }
    if data.isCut { return .refused(tooLarge) }
    return .text(data.bytes, tag: response.property("DAV:getetag")?.text ?? "")
  }

  private static func refusal(_ status: Int) -> Content {
    [404, 410].contains(status)
      ? .gone
      : .refused("can’t be fetched: the server returned \(status). It was left unchanged.")
  }

  /// Fetches a single item.
  func content(of item: Item) async throws -> Content {
    let client = client.client
    var request = CalendarClient.Request(address: address.with(path: item.path))
    request.headers = [("Accept", "\(kind.mediaType), */*;q=0.5")]
    let answer = try await client.send(request)
    switch answer.status {
    case 200: break
    case 401, 408, 425, 429, 500...: throw client.refusal(answer)
    default: return Self.refusal(answer.status)
    }
    do {
      let bytes = try await client.collect(answer, limit: Self.largestItem)
      return .text(bytes, tag: answer.headers.first(name: "ETag") ?? "")
    } catch CalendarSourceError.tooLarge {
      return .refused(tooLarge)
    }
  }
}

extension CalendarShape {
  func hash(of bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).hexadecimal
  }
}
