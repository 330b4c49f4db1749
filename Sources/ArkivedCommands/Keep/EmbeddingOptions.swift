import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// The options that choose the model which reads for meaning.
struct EmbeddingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which model reads for meaning: built-in, or the one behind an address.",
      discussion: "Such as http://127.0.0.1:11434/v1/embeddings; kept with the archive.",
      valueName: "built-in|address"))
  var use: String?

  @Option(help: ArgumentHelp("What the server calls the model.", valueName: "name"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "How many numbers a vector is to have, where the server can choose.", valueName: "n"))
  var dimensions: Int?

  @Option(
    help: ArgumentHelp(
      "A file with the server's secret, which only you may read; it is copied.", valueName: "file"))
  var tokenFile: String?

  @Flag(help: "Let the texts of the archive be sent to another computer.")
  var allowRemote = false

  /// What is chosen; nil where everything stays as it is.
  ///
  /// - Throws: `CommandFailure` where options do not fit.
  func choice() throws -> EmbeddingChoice? {
    let hasMore = model != nil || dimensions != nil || tokenFile != nil || allowRemote
    guard let use else {
      guard !hasMore else {
        throw CommandFailure(
          .usage,
          said(
            """
            --model, --dimensions, --token-file and --allow-remote say more about an address; \
            name it with --use.
            """))
      }
      return nil
    }
    if use == "built-in" {
      guard !hasMore else {
        throw CommandFailure(
          .usage,
          said("--use built-in takes no --model, --dimensions, --token-file or --allow-remote."))
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
      throw CommandFailure(.usage, said("--use needs --model: what the server calls the model."))
    }
    if let dimensions, !VectorWidth.range.contains(dimensions) {
      throw CommandFailure(
        .usage,
        said("--dimensions is \(dimensions); it must be 1 to \(VectorWidth.range.upperBound)."))
    }
    guard allowRemote || address.isLoopback else {
      throw CommandFailure(
        .usage,
        said(
          """
          \(address.host) is not this computer: the texts of the archive, and what you search for, \
          would be sent there. If that is what you want, add --allow-remote.
          """))
    }
    return .address(
      address, model: model, dimensions: dimensions, allowsRemote: allowRemote,
      token: try tokenFile.map { try SecretFile.token(in: $0, option: "--token-file") })
  }
}

/// Which model is to read for meaning from now on.
enum EmbeddingChoice {
  case builtIn
  case address(
    EmbeddingAddress, model: String, dimensions: Int?, allowsRemote: Bool, token: String?)

  /// Keeps the choice with an archive. An address is asked first, and has to answer.
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
            "The texts of this archive, and what you search for, will be sent to \(address.host)")
            + (address.isEncrypted ? "." : said(", readable by everybody on the way.")))
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
        throw CommandFailure(.failed, said("Broken off. Nothing was changed."))
      }
      if !settings.scale.tellsApart {
        output.say(
          said(
            """
            \(model) finds texts that say the same hardly more alike than others; it may be no model \
            for search.
            """))
      }
      try settings.save(in: home)
    }
  }
}
