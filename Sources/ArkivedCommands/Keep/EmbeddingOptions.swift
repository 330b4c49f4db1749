import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// The options that choose the model for searching by meaning.
struct EmbeddingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model for search by meaning: built-in, or one at an address.",
      discussion: "For example http://127.0.0.1:11434/v1/embeddings. Saved with the archive.",
      valueName: "built-in|address"))
  var use: String?

  @Option(help: ArgumentHelp("The model’s name on the server.", valueName: "name"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "The number of dimensions per vector, if the server lets you choose.", valueName: "n"))
  var dimensions: Int?

  @Option(
    help: ArgumentHelp(
      "A file with the server’s key that only you can read. The key is copied.", valueName: "file"))
  var tokenFile: String?

  @Flag(help: "Allow text from the archive to be sent to another computer.")
  var allowRemote = false

  /// Returns the choice; nil to leave everything unchanged.
  ///
  /// - Throws: `CommandFailure` if options conflict.
  func choice() throws -> EmbeddingChoice? {
    let hasMore = model != nil || dimensions != nil || tokenFile != nil || allowRemote
    guard let use else {
      guard !hasMore else {
        throw CommandFailure(
          .usage,
          said(
            """
            --model, --dimensions, --token-file and --allow-remote only apply to an address. Add \
            it with --use.
            """))
      }
      return nil
    }
    if use == "built-in" {
      guard !hasMore else {
        throw CommandFailure(
          .usage,
          said(
            """
            --use built-in can’t be combined with --model, --dimensions, --token-file or \
            --allow-remote.
            """
          ))
      }
      return .builtIn
    }
    let address: EmbeddingAddress
    do {
      address = try EmbeddingAddress(use)
    } catch {
      throw CommandFailure(
        .usage, "--use: \(FieldError.shown(use)) \(saidAgain(error.problem)).")
    }
    guard let model, model.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure(
        .usage, said("--use needs --model, the name of the model on the server."))
    }
    if let dimensions, !VectorWidth.range.contains(dimensions) {
      throw CommandFailure(
        .usage,
        said("--dimensions is \(dimensions), but must be 1 to \(VectorWidth.range.upperBound)."))
    }
    guard allowRemote || address.isLoopback else {
      throw CommandFailure(
        .usage,
        said(
          """
          \(address.host) isn’t this computer. The texts of the archive and your searches would be \
          sent there. To allow this, add --allow-remote.
          """))
    }
    return .address(
      address, model: model, dimensions: dimensions, allowsRemote: allowRemote,
      token: try tokenFile.map { try SecretFile.token(in: $0, option: "--token-file") })
  }
}

/// The new model for searching by meaning.
enum EmbeddingChoice {
  case builtIn
  case address(
    EmbeddingAddress, model: String, dimensions: Int?, allowsRemote: Bool, token: String?)

  /// Saves the choice in an archive.
  ///
  /// An address must first answer a request.
  func keep(in archive: Archive, _ output: Output) async throws {
    guard let home = archive.home else {
      throw CommandFailure(.usage, said("--use needs an archive in a folder."))
    }
    switch self {
    case .builtIn: try EmbeddingSettings.remove(in: home)
    case .address(let address, let model, let dimensions, let allowsRemote, let token):
      if !address.isLoopback {
        output.say(
          said(
            "The texts of this archive and your searches will be sent to \(address.host)")
            + (address.isEncrypted
              ? "." : said(", unencrypted and readable by anyone along the way.")))
      }
      let settings: EmbeddingSettings
      do {
        settings = try await Interrupt.cancelling {
          try await AddressEmbedder.settings(
            for: address, model: model, dimensions: dimensions, allowsRemote: allowsRemote,
            token: token)
        }
      } catch let error as EmbeddingError {
        throw CommandFailure(
          .unavailable, saidAgain("\(error)") + " " + said("Nothing was changed."))
      } catch is CancellationError {
        throw CommandFailure(.failed, said("Cancelled. Nothing was changed."))
      }
      if !settings.scale.tellsApart {
        output.say(
          said(
            """
            \(model) barely tells similar texts from unrelated ones. It may not be suited to search.
            """))
      }
      try settings.save(in: home)
    }
  }
}
