import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine
@testable import ArkivedKit

@Suite("A library for apps: its errors")
struct LibraryErrorTests {
  static let languages: [(SpokenLanguage, String)] = [
    (.english, "The import was cancelled. Only part of it was imported."),
    (.german, "Der Import wurde abgebrochen. Es wurde nur ein Teil importiert."),
  ]

  @Test(arguments: languages)
  func aCancelledImportSaysThatAPartIsKept(language: SpokenLanguage, words: String) throws {
    let run = ImportRun(
      id: UUID(), format: "jsonl", source: "a.jsonl", startedAt: TestArchive.now,
      finishedAt: TestArchive.now, created: ["activity": 3])
    let error = Library.worded(
      ImportInterruption(published: [run], cause: ImportCancelled()), in: language)
    #expect(error.code == .cancelled)
    #expect(error.message == words)
    let whole = Library.worded(ImportCancelled(), in: language)
    #expect(whole.code == .cancelled && whole.message != words)
  }
}
