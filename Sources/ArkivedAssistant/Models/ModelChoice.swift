package import ArkivedCore
import ArkivedSearch
import Foundation

/// A model's settings as the owner types them, field by field.
package struct ModelChoice: Hashable, Sendable {
  package var address = ""
  package var model = ""
  package var context: Int?
  /// A file with the secret; nil to keep the one stored for the address.
  package var keyFile: String?
  /// True if the owner allows texts or recordings to leave this computer.
  package var allowsRemote = false
  /// True if the owner also allows that anyone along the way can read them.
  package var allowsUnencrypted = false

  package init() {}

  /// Returns the settings.
  ///
  /// - Parameters:
  ///   - purpose: the purpose of the model.
  ///   - kept: the current settings, whose secret stays with its address.
  /// - Returns: the settings.
  /// - Throws: `FieldError` for address, model, context, keyFile, allowsRemote or
  ///   allowsUnencrypted.
  package func settings(
    for purpose: ModelSettings.Purpose, keeping kept: ModelSettings?
  ) throws(FieldError) -> ModelSettings {
    let place: EmbeddingAddress
    do throws(EmbeddingAddress.Refusal) {
      place = try ModelSettings.address(address, for: purpose)
    } catch {
      throw FieldError("address", error.problem)
    }
    guard model.contains(where: { !$0.isWhitespace }), model.utf8.count <= 500 else {
      throw FieldError(
        "model", "is empty or too long. Enter the name that the server uses for the model")
    }
    let tokens = context ?? ModelSettings.usualContext
    guard ModelSettings.contexts.contains(tokens) else {
      throw FieldError(
        "context", "is \(tokens), but must be at least \(ModelSettings.contexts.lowerBound)")
    }
    guard allowsRemote || place.isLoopback else {
      throw FieldError(
        "allowsRemote",
        "is not set, and \(place.host) is another computer. Nothing is sent there until you allow it"
      )
    }
    let isInTheOpen = !place.isEncrypted && !place.isLoopback
    guard allowsUnencrypted || !isInTheOpen else {
      throw FieldError(
        "allowsUnencrypted",
        "is not set, and http:// is unencrypted: anyone along the way can read what is sent. Use "
          + "https:// or allow it")
    }
    var key = kept?.address == place ? kept?.key : nil
    if let keyFile {
      do throws(SecretFile.Problem) {
        key = try SecretFile.token(in: keyFile)
      } catch {
        throw FieldError("keyFile", "can’t be used: \(error.description)")
      }
    }
    guard key == nil || !isInTheOpen else {
      throw FieldError("keyFile", ModelSettings.keyInTheOpen)
    }
    return ModelSettings(
      address: place, model: model, allowsRemote: allowsRemote, context: tokens, key: key)
  }
}

extension ModelSettings {
  /// The problem with a key for an unencrypted address on another computer, as the rest of a
  /// sentence.
  package static let keyInTheOpen =
    "can’t be used over http://, where anyone along the way can read the key. Use https://"
}

/// A single request that tests a server.
package enum ModelTrial {
  /// Returns a chat's reply to two words.
  ///
  /// - Throws: `ModelError` if the server fails, `CancellationError` if the task is cancelled.
  package static func chat(_ settings: ModelSettings, patience: Duration) async throws -> String {
    let request = ModelRequest(
      messages: [ModelMessage(.user, "Say: ready")], tokenLimit: 16)
    return try await ChatClient(asked(settings), patience: patience).reply(to: request) { _ in }
      .text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the transcript of a second of silence.
  ///
  /// - Throws: `ModelError` if the server fails, `CancellationError` if the task is cancelled.
  package static func voice(_ settings: ModelSettings, patience: Duration) async throws -> String {
    try await TranscriptionClient(asked(settings), patience: patience)
      .text(of: silence, name: "silence.wav")
  }

  /// Returns settings with the secret from the environment, as in normal use.
  ///
  /// A test doesn't send it over `http://` to another computer.
  private static func asked(_ settings: ModelSettings) -> ModelSettings {
    var asked = settings
    let isOpen = !settings.address.isEncrypted && !settings.address.isLoopback
    if let key = ProcessInfo.processInfo.environment[ModelSettings.keyVariable], !key.isEmpty,
      !isOpen
    {
      asked.key = key
    }
    return asked
  }

  /// A second of silence as a WAV file: 16,000 samples of 16 bits, one channel.
  private static var silence: Data {
    func little(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
    var bytes = Array("RIFF".utf8) + little(36 + 32_000, 4) + Array("WAVEfmt ".utf8)
    bytes += little(16, 4) + little(1, 2) + little(1, 2) + little(16_000, 4) + little(32_000, 4)
    bytes += little(2, 2) + little(16, 2) + Array("data".utf8) + little(32_000, 4)
    return Data(bytes) + Data(count: 32_000)
  }
}
