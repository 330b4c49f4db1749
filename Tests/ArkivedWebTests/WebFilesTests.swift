import Foundation
import Testing

@testable import ArkivedWeb

@Suite("Files of the web app in the program")
struct WebFilesTests {
  private static let resources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/ArkivedWeb/Resources")

  @Test func everyFileOfTheFolderIsInTheProgramAsItIs() throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Self.resources.path)
      .filter { $0 != "templates" }
    // After a file came or went, run Scripts/embed_web_files.py.
    #expect(WebFiles.paths == (names + ["changelog.md"]).sorted())
    for name in names + ["changelog.md"] {
      let file =
        name == "changelog.md"
        ? Self.resources.appendingPathComponent("../../../CHANGELOG.md").standardizedFileURL
        : Self.resources.appendingPathComponent(name)
      let content = try Data(contentsOf: file)
      #expect(WebFiles.content(name) == Array(content), "\(name)")
    }
  }

  @Test func everyAssetIsAFile() {
    for asset in Asset.all {
      #expect(!asset.content.isEmpty && asset.type != "application/octet-stream", "\(asset.name)")
    }
  }
}
