import ArkivedCore
package import Foundation

/// Where the embedding model is kept.
package struct EmbeddingModelFolder: Sendable, Hashable {
  package let url: URL

  /// The model's name, and its folder's.
  package static let name = "all-MiniLM-L6-v2"
  /// The files that the folder has to hold.
  package static let files = ["model.safetensors", "vocab.txt"]

  package init(_ url: URL) { self.url = url }

  /// The folder that `ARKIVED_MODEL` names, else the one where `index --fetch` and setup put it:
  /// `arkived/models/all-MiniLM-L6-v2` in `XDG_DATA_HOME`, else in `~/.local/share` (XDG Base
  /// Directory Specification).
  package init(environment: [String: String]) {
    if let named = environment["ARKIVED_MODEL"], !named.isEmpty {
      let path = HomeFolder.expandingTilde(named)
      url = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
      return
    }
    let home = HomeFolder.url()
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? home.appendingPathComponent(".local/share")
    url = data.appendingPathComponent(
      "arkived/models/\(EmbeddingModelFolder.name)", isDirectory: true)
  }

  /// What its pieces of words are read from.
  var vocabulary: URL { url.appendingPathComponent("vocab.txt") }

  /// The model, or in words why there is none. Everything goes on without it, on words alone.
  package enum Found: Sendable {
    case model(any TextEmbedder)
    case absent(reason: String)
  }

  /// Opens the model if it is there and whole.
  package func open(threads: Int = MiniLM.usualThreads) -> Found {
    let missing = EmbeddingModelFolder.files.first {
      !FileManager.default.fileExists(atPath: url.appendingPathComponent($0).path)
    }
    if let missing {
      return .absent(
        reason: "Search by meaning is off: there is no \(missing) in \(url.path). Type "
          + "arkived index --fetch to have the model fetched, or name its folder in ARKIVED_MODEL.")
    }
    do {
      return .model(try MiniLM(folder: url, threads: threads))
    } catch {
      return .absent(reason: "Search by meaning is off. \(error)")
    }
  }
}
