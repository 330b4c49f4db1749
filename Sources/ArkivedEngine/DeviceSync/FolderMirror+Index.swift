import ArkivedCore
import Foundation

/// What a device knows about the files on the server, stored beside their local copies.
extension FolderMirror {
  private static let indexName = "index.json"

  /// The known state of the server's files, by path.
  struct Index {
    /// The server's version mark of a file when the file was last identical to the local one; empty
    /// if that isn't known.
    var marks: [String: String]
    /// The size and date of each of this device's files when it was last uploaded.
    var stored: [String: String]
    /// The size and date of each file that the server refused, with the time of that.
    var refused: [String: String]

    private static let pause = 3_600.0

    mutating func refuse(_ name: String, _ print: String) {
      refused[name] = "\(Date().timeIntervalSince1970) \(print)"
    }

    /// Returns true if the server refused this version of a file a short time ago.
    func isRefused(_ name: String, _ print: String) -> Bool {
      guard let mark = refused[name], let blank = mark.firstIndex(of: " "),
        mark[mark.index(after: blank)...] == print, let time = Double(mark[..<blank])
      else { return false }
      return abs(Date().timeIntervalSince1970 - time) < Self.pause
    }
  }

  private var indexFile: URL { home.appendingPathComponent(Self.indexName) }

  func readIndex() -> Index {
    let json = (try? Data(contentsOf: indexFile)).flatMap { try? JSON(parsing: $0) }
    func texts(_ key: String) -> [String: String] {
      Dictionary((json?[key]?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") }) { $1 }
    }
    return Index(marks: texts("marks"), stored: texts("stored"), refused: texts("refused"))
  }

  func write(_ index: Index) throws {
    func object(_ texts: [String: String]) -> JSON {
      var object = JSONObject()
      for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
        object.append(uncheckedKey: key, .string(text))
      }
      return .object(object)
    }
    let json: JSON = [
      "marks": object(index.marks), "stored": object(index.stored),
      "refused": object(index.refused),
    ]
    try makeFolder(home)
    try write(Data(json.bytes()), to: indexFile)
  }
}
