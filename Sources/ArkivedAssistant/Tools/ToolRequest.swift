import ArkivedCore
import ArkivedCrypto
package import ArkivedStore
import Foundation

/// A request to run a tool that may be repeated.
///
/// Whatever the tool adds is saved together with the answer, so a repetition doesn't add it again.
package struct ToolRequest: Sendable {
  package let key: RequestKey
  /// Makes the answer that is stored.
  let kept: @Sendable (ToolAnswer) -> KeptAnswer

  package init(key: RequestKey, kept: @escaping @Sendable (ToolAnswer) -> KeptAnswer) {
    self.key = key
    self.kept = kept
  }

  /// Creates the request for a call that is part of a larger request, such as a message to the
  /// assistant, so that a repetition of the larger one repeats the call.
  init(_ call: ToolCall, partOf request: RequestKey) {
    let hash = Data(SHA256.hash(data: Data(JSON.object(call.arguments).bytes())))
    self.init("\(call.name) \(hash.base64EncodedString())", partOf: request)
  }

  /// Creates the request for the only call of a larger request.
  ///
  /// The arguments aren't included, because they may depend on the time: “an hour ago”.
  init(onlyPartOf request: RequestKey) { self.init("act", partOf: request) }

  private init(_ name: String, partOf request: RequestKey) {
    let key = RequestKey(key: "\(request.part) \(name)", requestHash: request.requestHash)
    self.init(key: key) { KeptAnswer(status: 200, body: Data($0.json.bytes())) }
  }
}

extension RequestKey {
  /// The beginning of the keys for what is done in the course of this request.
  ///
  /// The hash is included, because a request that wasn't answered may be followed by a different one
  /// with its key.
  var part: String { "\(key) \(requestHash)" }
}

extension ToolWork {
  /// Runs a write that stores the answer in its own transaction.
  ///
  /// - Parameter write: receives the key of the request and a function that makes the answer of a
  ///   result.
  /// - Returns: the result of this request or, if it was made before, of the first one.
  /// - Throws: what `write` throws.
  func answering(
    _ write: (_ key: RequestKey?, _ answer: (JSON) -> KeptAnswer) throws -> KeptAnswer
  ) throws -> JSON {
    var own: JSON?
    let kept = try write(once?.key) { result in
      own = result
      return once?.kept(ToolAnswer(to: call, .result(result))) ?? KeptAnswer(status: 200)
    }
    if let own { return own }
    // Another program answered the same request in the meantime.
    let first = try JSON(parsing: String(decoding: kept.body, as: UTF8.self)).object ?? [:]
    return try ToolAnswer(first).result ?? .null
  }
}
