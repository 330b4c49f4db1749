import ArkivedSearch
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Lists of related words")
struct RelatedWordsTests {
  /// Files in the formats of WordNet's database, with three synsets of nouns and two of verbs.
  private static let wordnet = [
    "data.noun": """
      1 A licence stands before the data.
    00000100 06 n 01 umbrella 0 002 ~ 00000200 n 0000 @ 00000300 n 0000 | against the rain
    00000200 06 n 02 brolly 0 gamp 0 001 @ 00000100 n 0000 | a colloquial one
    00000300 06 n 01 shelter 0 000 | what keeps off weather
    """,
    "index.noun": """
    umbrella n 1 2 ~ @ 1 0 00000100
    brolly n 1 1 @ 1 0 00000200
    gamp n 1 1 @ 1 0 00000200
    shelter n 1 0 1 0 00000300
    """,
    "data.verb": """
    00000400 40 v 02 mislay 0 lose 0 000 01 + 08 00 | put where one does not find it
    """,
    "index.verb": """
    mislay v 1 0 1 0 00000400
    lose v 1 0 1 0 00000400
    """,
    "data.adj": "", "index.adj": "", "data.adv": "", "index.adv": "",
  ]
  private static let thesaurus = """
    UTF-8
    regenschirm|1
    -|Regenschirm|Schirm|Parapluie (veraltet)|Regenschutz (Oberbegriff)|ein Dach über dem Kopf
    verlieren|2
    -|verlieren|verlegen|verbummeln (ugs.)
    -|unterliegen|den Kürzeren ziehen

    """

  private func words(in folder: TemporaryFolder) throws -> RelatedWords {
    for (name, text) in Self.wordnet { _ = try folder.file(name, text + "\n") }
    let thesaurus = try folder.file("thesaurus.dat", Self.thesaurus)
    let target = folder.url.appendingPathComponent("lists")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scripts/make_thesaurus.py")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path, target.path]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["ARKIVED_WORDNET": folder.url.path, "ARKIVED_OPENTHESAURUS": thesaurus.path]) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try #require(RelatedWords(in: target))
  }

  @Test("Words of one meaning are nearest, wider and narrower ones follow")
  func english() throws {
    let words = try words(in: TemporaryFolder())
    let brolly = words.words(relatedTo: "Brolly", isGerman: false)
    #expect(brolly.map(\.text) == ["gamp", "umbrella"])
    #expect((brolly.first?.closeness ?? 0) > (brolly.last?.closeness ?? 1))
    #expect(words.words(relatedTo: "umbrella", isGerman: false).map(\.text).contains("shelter"))
  }

  @Test("A form of a word is related to its base and to what the base is related to")
  func forms() throws {
    let words = try words(in: TemporaryFolder())
    #expect(words.words(relatedTo: "umbrellas", isGerman: false).first?.text == "umbrella")
    #expect(words.words(relatedTo: "lost", isGerman: false).map(\.text).contains("mislay"))
    #expect(
      words.words(relatedTo: "regenschirme", isGerman: true).map(\.text).contains("schirm"))
  }

  @Test("German words are related both ways, and only where German is meant")
  func german() throws {
    let words = try words(in: TemporaryFolder())
    #expect(words.words(relatedTo: "Schirm", isGerman: true).map(\.text) == ["regenschirm"])
    #expect(words.words(relatedTo: "Schirm", isGerman: false).isEmpty)
    let lost = words.words(relatedTo: "verlieren", isGerman: true).map(\.text)
    #expect(lost.contains("verlegen") && !lost.contains { $0.contains(" ") })
  }

  @Test("It knows the words of both languages in their forms, and no others")
  func known() throws {
    let words = try words(in: TemporaryFolder())
    #expect(words.knows("BROLLIES") && words.knows("mislaying") && words.knows("verlegen"))
    for word in ["", "brollly", "\t", "umbrella\n", "🎉", String(repeating: "a", count: 100_000)] {
      #expect(!words.knows(word), "\(word.prefix(20))")
    }
  }

  @Test("A missing folder and another version are no lists")
  func none() throws {
    let folder = try TemporaryFolder()
    #expect(RelatedWords(in: folder.url) == nil)
    _ = try folder.file("english-related.tsv", "#! Arkived related words 9\nhut\t9 shed\n")
    _ = try folder.file("german-related.tsv", "#! Arkived related words 9\nhut\t9 mütze\n")
    #expect(RelatedWords(in: folder.url) == nil)
  }
}
