import ArkivedCore
package import Foundation

/// The folder of the embedding models.
///
/// The bilingual model takes precedence over the English one if both are present.
package struct EmbeddingModelFolder: Sendable, Hashable {
  package let url: URL
  /// The folder of the model of earlier versions, which is used until the current one is present.
  package let older: URL

  /// The name of the model and of its folder.
  package static let name = "multilingual-e5-small"
  /// The name of the model of earlier versions.
  private static let olderName = "all-MiniLM-L6-v2"

  package init(_ url: URL, older: URL? = nil) {
    self.url = url
    self.older = older ?? url
  }

  /// Creates the folder named by `ARKIVED_MODEL`, or else the one used by `index --fetch` and
  /// setup: `arkived/models/multilingual-e5-small` in `XDG_DATA_HOME`, or else in `~/.local/share`
  /// (XDG Base Directory Specification).
  package init(environment: [String: String]) {
    if let named = environment["ARKIVED_MODEL"], !named.isEmpty {
      let path = HomeFolder.expandingTilde(named)
      self.init(URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL)
      return
    }
    let home = HomeFolder.url()
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? home.appendingPathComponent(".local/share")
    let models = data.appendingPathComponent("arkived/models", isDirectory: true)
    self.init(
      models.appendingPathComponent(EmbeddingModelFolder.name, isDirectory: true),
      older: models.appendingPathComponent(EmbeddingModelFolder.olderName, isDirectory: true))
  }

  /// The file of word pieces used to split texts for a model elsewhere, if present.
  var vocabulary: URL { older.appendingPathComponent("vocab.txt") }

  /// True if the files of the current model are present.
  package var hasModel: Bool { has([MultilingualE5.fileName], in: url) }

  /// True if the files of the earlier model are present.
  package var hasOlder: Bool { has(["model.safetensors", "vocab.txt"], in: older) }

  /// The models that are there.
  struct Presence: Hashable, Sendable {
    let hasModel: Bool
    let hasOlder: Bool
  }

  var presence: Presence { Presence(hasModel: hasModel, hasOlder: hasOlder) }

  private func has(_ files: [String], in folder: URL) -> Bool {
    files.allSatisfy {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
    }
  }

  /// The model, or the reason there is none; everything then works with words alone.
  package enum Found: Sendable {
    case model(any TextEmbedder)
    case absent(reason: String)
  }

  /// Opens the model if it is present and intact, or else the one of earlier versions if that is
  /// present.
  package func open(threads: Int = BertRunner.usualThreads) -> Found {
    do {
      if hasModel { return .model(try MultilingualE5(folder: url, threads: threads)) }
      if hasOlder { return .model(try MiniLM(folder: older, threads: threads)) }
    } catch {
      return .absent(reason: "Search by meaning is off. \(error)")
    }
    return .absent(
      reason:
        "Search by meaning is off: \(MultilingualE5.fileName) is missing from \(url.path). Run "
        + "arkived index --fetch to download the model, or set its folder in ARKIVED_MODEL.")
  }

  /// Opens the model of earlier versions, to search vectors it produced.
  package func openOlder(threads: Int) -> MiniLM? {
    hasOlder ? try? MiniLM(folder: older, threads: threads) : nil
  }
}
