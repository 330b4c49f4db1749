import ArkivedCore
import ArkivedSearch
import Foundation

/// Assembles the response of an OpenAI-compatible chat server: server-sent events
/// (`data: {"choices":[{"delta":{…}}]}`, finally `data: [DONE]`), or a single document.
struct ChatStream {
  /// A problem with the response, as the rest of a sentence about the address.
  struct Problem: Error {
    var text: String
  }

  private(set) var text = ""
  /// The new text from the bytes being parsed.
  private var fresh = ""
  /// The calls so far, each with its index and the identifier that the server gave it.
  private var calls: [(key: Int, id: String?, call: ModelCall)] = []
  private var finish: String?
  private var tokens: Int?
  /// True after the mark that ends the response.
  private(set) var isDone = false
  private var line: [UInt8] = []
  private var size = 0

  /// The maximum size of a response, which no real turn reaches.
  static let sizeLimit = 8 << 20
  private static let lineLimit = 1 << 20
  private static let textLimit = 200_000
  private static let callLimit = 32
  private static let argumentLimit = 65_536

  /// Parses bytes as they arrive.
  ///
  /// - Returns: the new text.
  mutating func take(_ bytes: some Sequence<UInt8>) throws(Problem) -> String {
    fresh = ""
    for byte in bytes {
      size += 1
      if byte == UInt8(ascii: "\n") {
        try takeLine()
      } else {
        line.append(byte)
      }
    }
    guard size <= Self.sizeLimit, line.count <= Self.lineLimit else {
      throw Problem(text: "sent a response that is too long")
    }
    return fresh
  }

  private mutating func takeLine() throws(Problem) {
    defer { line.removeAll(keepingCapacity: true) }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.starts(with: "data:".utf8), !isDone else { return }
    let content = line.dropFirst(5).drop { $0 == UInt8(ascii: " ") }
    guard !content.isEmpty else { return }
    if content.elementsEqual("[DONE]".utf8) {
      isDone = true
      return
    }
    let json: JSON
    do {
      json = try JSON(parsing: Array(content))
    } catch {
      throw Problem(
        text: "sent something that isn’t valid JSON (\(error)): \(AddressHTTP.shown(content))")
    }
    try take(json, member: "delta")
  }

  /// Parses a complete response in a single document.
  mutating func takeDocument(_ bytes: [UInt8]) throws(Problem) {
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw Problem(
        text: "didn’t respond with valid JSON (\(error)): \(AddressHTTP.shown(bytes))")
    }
    guard json["choices"]?.array?.isEmpty == false || json["error"] != nil else {
      throw Problem(
        text:
          "sent a response without the field “choices”. Is this the right address for chat? The "
          + "response was: "
          + AddressHTTP.shown(bytes))
    }
    try take(json, member: "message")
    isDone = true
  }

  private mutating func take(_ json: JSON, member: String) throws(Problem) {
    if let error = json["error"], error != .null {
      let message = error["message"]?.string ?? error.string ?? error.text()
      throw Problem(text: "says: \(AddressHTTP.shown(Array(message.utf8)))")
    }
    if let count = json["usage"]?["completion_tokens"]?.int { tokens = count }
    guard let choice = json["choices"]?.array?.first else { return }
    if let reason = choice["finish_reason"]?.string { finish = reason }
    guard let delta = choice[member] else { return }
    // No text in the archive may contain a NUL, and the whole answer would be lost for one.
    if let piece = delta["content"]?.string?.replacing("\0", with: "") {
      text += piece
      fresh += piece
    }
    guard text.utf8.count <= Self.textLimit else {
      throw Problem(text: "sent more than \(Self.textLimit / 1_000) kB and was stopped")
    }
    for piece in delta["tool_calls"]?.array ?? [] {
      try take(call: piece, isWhole: member == "message")
    }
  }

  /// Adds a call, or a piece of one.
  ///
  /// - Parameters:
  ///   - piece: the call or the piece.
  ///   - isWhole: true if it is complete, so it belongs to no other.
  /// - Throws: `Problem` if the calls are too many or too long.
  private mutating func take(call piece: JSON, isWhole: Bool) throws(Problem) {
    let id = piece["id"]?.string.flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
    let function = piece["function"]
    let isNamed = function?["name"]?.string?.isEmpty == false
    // Some servers omit the index; then a new identifier begins a new call.
    let key = piece["index"]?.int ?? (id == nil ? max(0, calls.count - 1) : calls.count)
    let place: Int
    // Others give all calls the same index, and each an identifier and a name of its own.
    if !isWhole, let known = calls.lastIndex(where: { $0.key == key }),
      !isNamed || id == nil || calls[known].id == nil || calls[known].id == id
    {
      place = known
    } else {
      guard calls.count < Self.callLimit else {
        throw Problem(text: "called more than \(Self.callLimit) tools at once and was stopped")
      }
      place = calls.count
      calls.append((key, id, ModelCall(id: "call_\(place + 1)", name: "", arguments: "")))
    }
    if let id {
      calls[place].id = id
      calls[place].call.id = id
    }
    if let name = function?["name"]?.string { calls[place].call.name += name }
    if let arguments = function?["arguments"], arguments != .null {
      // Some servers send an object instead of the text that the protocol requires.
      calls[place].call.arguments += arguments.string ?? arguments.text()
    }
    let call = calls[place].call
    guard call.arguments.utf8.count <= Self.argumentLimit, call.name.utf8.count <= 200 else {
      throw Problem(text: "called a tool with arguments that are too long and was stopped")
    }
  }

  /// Returns the reply once the response is complete.
  func reply() throws(Problem) -> ModelReply {
    guard isDone || finish != nil else {
      throw Problem(text: "closed the connection before its response was complete")
    }
    return ModelReply(text: text, calls: calls.map(\.call), finish: finish, tokens: tokens)
  }
}
