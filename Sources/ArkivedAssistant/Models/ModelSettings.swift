import ArkivedCore
package import ArkivedSearch
import ArkivedStore
package import Foundation

/// The settings of the assistant's language model: `assistant.json` in the archive's folder,
/// readable only by its owner; `voice.json` has the same format for transcription.
///
/// Without the file, no model is used.
package struct ModelSettings: Hashable, Sendable {
  /// The address of the chat endpoint: `http://127.0.0.1:11434/v1/chat/completions`.
  package var address: EmbeddingAddress
  /// The server's name for the model.
  package var model: String
  /// True if the owner allows texts to be sent to another computer.
  package var allowsRemote: Bool
  /// The size of the model's context in tokens.
  package var context: Int
  /// The secret sent as `Authorization: Bearer`.
  package var key: String?

  /// The purpose of a model.
  package enum Purpose: Sendable {
    case chat
    /// Transcribing recordings.
    case voice

    package var fileName: String { self == .chat ? "assistant.json" : "voice.json" }
    /// The end of the address, after `/v1`.
    fileprivate var ending: String {
      self == .chat ? "/chat/completions" : "/audio/transcriptions"
    }
  }

  /// The environment variable with the key if the file has none.
  package static let keyVariable = "ARKIVED_MODEL_KEY"
  package static let contexts = 1_024...2_000_000
  package static let usualContext = 8_192

  package init(
    address: EmbeddingAddress, model: String, allowsRemote: Bool = false,
    context: Int = ModelSettings.usualContext, key: String? = nil
  ) {
    self.address = address
    self.model = model
    self.allowsRemote = allowsRemote
    self.context = context
    self.key = key
  }

  /// Parses an address as a person types it: the endpoint itself, or the server's base (`…/v1`).
  ///
  /// - Throws: `EmbeddingAddress.Refusal`.
  package static func address(
    _ text: String, for purpose: Purpose = .chat
  ) throws(EmbeddingAddress.Refusal) -> EmbeddingAddress {
    var text = text.trimmingCharacters(in: .whitespaces)
    while text.hasSuffix("/") { text.removeLast() }
    return try EmbeddingAddress(
      text.hasSuffix("/v1") ? text + purpose.ending : text, ending: "/v1\(purpose.ending)")
  }

  // MARK: The file

  private static func file(in folder: URL, _ purpose: Purpose) -> URL {
    folder.appendingPathComponent(purpose.fileName)
  }

  /// Reads the settings.
  ///
  /// - Parameters:
  ///   - folder: the archive's folder.
  ///   - purpose: the purpose of the model.
  ///   - environment: the environment variables.
  /// - Returns: nil if no model is configured.
  /// - Throws: `FieldError` that names the file and the problem.
  package static func read(
    in folder: URL, for purpose: Purpose = .chat,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> ModelSettings? {
    let file = AddressSettingsFile(file(in: folder, purpose))
    let read = try file.read({ try ModelSettings($0, purpose) }, hasSecret: { $0.key != nil })
    guard var settings = read else { return nil }
    if let key = environment[keyVariable], !key.isEmpty {
      guard EmbeddingSettings.isToken(key) else {
        throw FieldError(keyVariable, "must be one line of letters, digits and symbols")
      }
      settings.key = key
    }
    // The variable may be meant for another server, and the file may have been written by hand.
    guard settings.key == nil || settings.address.isEncrypted || settings.address.isLoopback else {
      let isFromFile = environment[keyVariable]?.isEmpty ?? true
      throw FieldError(
        isFromFile ? folder.appendingPathComponent(purpose.fileName).path : keyVariable,
        keyInTheOpen)
    }
    return settings
  }

  /// Parses the settings from JSON.
  ///
  /// - Throws: `FieldError` that names a field that is missing or invalid.
  private init(_ object: JSONObject, _ purpose: Purpose) throws {
    var fields = FieldReader(object)
    let text = try fields.required("address")
    do throws(EmbeddingAddress.Refusal) {
      address = try EmbeddingAddress(text, ending: "/v1\(purpose.ending)")
    } catch {
      throw FieldError("address", error.problem)
    }
    model = try fields.required("model")
    allowsRemote = try fields.bool("allowRemote") ?? false
    guard allowsRemote || address.isLoopback else {
      throw FieldError("address", "is on another computer, which “allowRemote” doesn’t allow")
    }
    context = try fields.int("context") ?? Self.usualContext
    guard Self.contexts.contains(context) else {
      throw FieldError(
        "context", "is \(context), but must be at least \(Self.contexts.lowerBound) tokens")
    }
    key = try fields.string("key")
    guard !model.isEmpty, key.map(EmbeddingSettings.isToken) ?? true else {
      throw FieldError("model", "is empty, or “key” contains characters that can’t be sent")
    }
  }

  private var json: JSON {
    var object: JSONObject = [
      "address": .string(address.url), "model": .string(model), "allowRemote": .bool(allowsRemote),
      "context": JSON(context),
    ]
    if let key { object["key"] = .string(key) }
    return .object(object)
  }

  /// Saves the settings durably.
  package func save(in folder: URL, for purpose: Purpose = .chat) throws {
    try DurableFile.write(
      Data((json.text(indented: true) + "\n").utf8), to: ModelSettings.file(in: folder, purpose))
  }

  /// Removes the settings durably, so no model is used.
  package static func remove(in folder: URL, for purpose: Purpose = .chat) throws {
    let file = file(in: folder, purpose)
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    try FileManager.default.removeItem(at: file)
    try DurableFile.toleratingUnflushable { try DurableFile.synchronise(folder) }
  }
}
