package import ArkivedCore
import Foundation

/// A server for embeddings on 127.0.0.1, well-behaved or not, on top of a `CalendarServer`, which
/// speaks HTTP; it listens until the last reference to it is released.
package final class EmbeddingServer: Sendable {
  /// A request that the server received.
  package struct Request: Sendable {
    /// The request line: `POST /v1/embeddings HTTP/1.1`.
    package var line: String
    /// The headers, with lower-case names.
    package var headers: [String: String]
    package var body: JSON

    fileprivate init(_ request: CalendarServer.Request) {
      line = "\(request.method) \(request.path) HTTP/1.1"
      headers = request.headers
      body = (try? JSON(parsing: request.body)) ?? .null
    }

    package var texts: [String] { body["input"]?.array?.compactMap(\.string) ?? [] }
  }

  package enum Reply: Sendable {
    case answer(status: Int = 200, headers: [String: String] = [:], body: String)
    /// Raw bytes, then the end of the connection.
    case bytes(String)
    /// The head and the beginning of a response, then a piece of it repeatedly.
    case drip(String, piece: String)
    /// No response, while the client waits.
    case silence

    fileprivate var plain: CalendarServer.Reply {
      switch self {
      case .answer(let status, let headers, let body): .answer(status, headers: headers, body)
      case .bytes(let text): .bytes(Array(text.utf8))
      case .drip(let start, let piece): .drip(Array(start.utf8), piece: Array(piece.utf8))
      case .silence: .silence
      }
    }
  }

  private let server: CalendarServer

  package init(
    _ reply: @escaping @Sendable (Request) -> Reply = { .vectors(for: $0) }
  ) throws {
    server = try CalendarServer { reply(Request($0)).plain }
  }

  package var port: Int { server.port }
  package var url: String { "\(server.origin)/v1/embeddings" }
  package var requests: [Request] { server.requests.map(Request.init) }
  /// All received texts, in order of arrival.
  package var texts: [String] { requests.flatMap(\.texts) }

  /// Changes the replies from here on.
  package func reply(_ reply: @escaping @Sendable (Request) -> Reply) {
    server.reply { reply(Request($0)).plain }
  }
}

extension EmbeddingServer.Reply {
  /// Words that have the same meaning here.
  private static let concepts: [String: String] = [
    "dentist": "tooth", "molar": "tooth", "teeth": "tooth", "football": "game", "soccer": "game",
    "match": "game", "stadium": "game", "bill": "money", "paid": "money", "owed": "money",
    "settled": "money", "power": "electricity", "rained": "wet", "weather": "wet",
    "job": "work", "baked": "loaf", "bread": "loaf", "granny": "grandmother", "rail": "train",
    "sea": "coast", "journey": "train", "late": "delayed", "piano": "grand", "used": "second",
  ]

  /// Returns a text's vector: a number for each word or its concept, at a position derived from its
  /// letters.
  package static func vector(of text: String, width: Int) -> [Double] {
    var vector = [Double](repeating: 0, count: width)
    vector[0] = 0.1
    for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in (concepts[String(word)] ?? String(word)).utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
      vector[Int((hash >> 20) % UInt64(width))] += word.count > 3 ? 1 : 0.2
    }
    return vector
  }

  /// Returns a correct response, with the last text first.
  package static func vectors(for request: EmbeddingServer.Request, width: Int = 384) -> Self {
    let width = request.body["dimensions"]?.int ?? width
    return vectors(request.texts.map { vector(of: $0, width: width) })
  }

  package static func vectors(_ vectors: [[Double]]) -> Self {
    let data = vectors.enumerated().reversed().map { index, vector in
      let numbers = vector.map { "\($0)" }.joined(separator: ",")
      return #"{"object":"embedding","index":\#(index),"embedding":[\#(numbers)]}"#
    }
    return .answer(body: #"{"object":"list","data":[\#(data.joined(separator: ","))]}"#)
  }
}
