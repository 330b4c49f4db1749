import ArkivedCore
package import Foundation

/// Where the embedding models are kept: the bilingual one goes before the English one where both are there.
package struct EmbeddingModelFolder: Sendable, Hashable {
  package let url: URL
  /// Where the model of earlier versions lies, which is used until the present one is there.
  package let older: URL

  /// The model's name, and its folder's.
  package static let name = "multilingual-e5-small"
  /// The name of the model of earlier versions.
  private static let olderName = "all-MiniLM-L6-v2"

  package init(_ url: URL, older: URL? = nil) {
    self.url = url
    self.older = older ?? url
  }

  /// The folder that `ARKIVED_MODEL` names, else the one where `index --fetch` and setup put it:
  /// `arkived/models/multilingual-e5-small` in `XDG_DATA_HOME`, else in `~/.local/share` (XDG Base
  /// Directory Specification).
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

  /// What pieces of words are read from to cut texts for a model elsewhere, where it is there.
  var vocabulary: URL { older.appendingPathComponent("vocab.txt") }

  /// True if the files of the present model are there.
  package var hasModel: Bool { has([MultilingualE5.fileName], in: url) }

  /// True if the files of the earlier model are there.
  package var hasOlder: Bool { has(["model.safetensors", "vocab.txt"], in: older) }

  private func has(_ files: [String], in folder: URL) -> Bool {
    files.allSatisfy {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
    }
  }

  /// The model, or in words why there is none. Everything goes on without it, on words alone.
  package enum Found: Sendable {
    case model(any TextEmbedder)
    case absent(reason: String)
  }

  /// Opens the model if it is there and whole; else the one of earlier versions, if it is there.
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

  /// Opens the model of earlier versions, to search vectors that it made.
  package func openOlder(threads: Int) -> MiniLM? {
    hasOlder ? try? MiniLM(folder: older, threads: threads) : nil
  }
}
