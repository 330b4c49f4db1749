import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedSearch

/// The model of earlier versions, where this machine keeps it.
enum InstalledModel {
  static let folder = EmbeddingModelFolder(environment: ProcessInfo.processInfo.environment).older
  static let tokenizer = Result {
    try WordPieceTokenizer(vocabulary: folder.appendingPathComponent("vocab.txt"))
  }
  static let isThere =
    EmbeddingModelFolder(environment: ProcessInfo.processInfo.environment).hasOlder
}

extension TemporaryFolder {
  /// A tokenizer of a few pieces: the named ones, then those given.
  func tokenizer(_ pieces: [String], limit: Int = 256) throws -> WordPieceTokenizer {
    let file = url.appendingPathComponent("vocab.txt")
    let lines = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + pieces
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    return try WordPieceTokenizer(vocabulary: file, limit: limit)
  }
}

@Suite("Cutting texts into pieces")
struct WordPieceTokenizerTests {
  @Test("the longest piece that fits is taken")
  func longestFirst() throws {
    let folder = try TemporaryFolder()
    let tokenizer = try folder.tokenizer(["run", "runn", "##ing", "##ning", "##n", "##in", "##g"])
    #expect(tokenizer.tokens(of: "running") == [2, 6, 7, 3])
    #expect(tokenizer.tokens(of: "RUNNING run") == [2, 6, 7, 5, 3])
    #expect(tokenizer.tokens(of: "runner") == [2, 1, 3])
  }

  @Test("a piece ends where a character ends")
  func wholeCharacters() throws {
    let folder = try TemporaryFolder()
    let tokenizer = try folder.tokenizer(["д", "##д", "##о"])
    #expect(tokenizer.tokens(of: "до") == [2, 5, 7, 3])
    #expect(tokenizer.tokens(of: "дя") == [2, 1, 3])
  }

  @Test("a long text is cut at the limit, and read no further")
  func truncation() throws {
    let folder = try TemporaryFolder()
    let tokenizer = try folder.tokenizer(["a", "##a"], limit: 8)
    #expect(tokenizer.tokens(of: "aaaa aaaa aaaa") == [2, 5, 6, 6, 6, 5, 6, 3])
    #expect(tokenizer.tokens(of: String(repeating: "a ", count: 200_000)).count == 8)
  }

  @Test("a word of more than a hundred characters is unknown")
  func longWords() throws {
    let folder = try TemporaryFolder()
    let tokenizer = try folder.tokenizer(["a", "##a"])
    #expect(tokenizer.tokens(of: String(repeating: "á", count: 100)).count == 102)
    #expect(tokenizer.tokens(of: String(repeating: "á", count: 101)) == [2, 1, 3])
    #expect(tokenizer.tokens(of: String(repeating: "a", count: 300_000)) == [2, 1, 3])
  }

  @Test(
    "a vocabulary that cannot be used is refused with its fault",
    arguments: [
      ("", "length"), ("[PAD]\n[CLS]\n[SEP]\n", "piece [UNK]"),
      ("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\na\n", "line 7"),
    ])
  func damagedVocabulary(content: String, place: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("vocab.txt")
    try Data(content.utf8).write(to: file)
    let error = #expect(throws: EmbeddingError.self) {
      try WordPieceTokenizer(vocabulary: file)
    }
    #expect("\(try #require(error))".contains(place))
  }

  @Test("the last line needs no newline, and bytes that are no text break nothing")
  func oddVocabulary() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("vocab.txt")
    try
      (Data("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n".utf8) + Data([0xFF, 0xFE, 0x0A])
      + Data("end".utf8)).write(to: file)
    #expect(try WordPieceTokenizer(vocabulary: file).tokens(of: "end") == [2, 6, 3])
  }

  @Test(
    "real texts get the reference's pieces",
    .enabled(if: InstalledModel.isThere, "the model of earlier versions is not here"),
    arguments: ReferencePieces.cases)
  func matchesReference(text: String, pieces: [Int32]) throws {
    let tokenizer = try InstalledModel.tokenizer.get()
    #expect(tokenizer.tokens(of: text) == [101] + pieces + [102])
  }
}

private enum ReferencePieces {
  /// Texts, and what the tokenizers library makes of them between `[CLS]` and `[SEP]`.
  static let cases: [(String, [Int32])] = [
    ("", []),
    ("   \u{9}\u{A}", []),
    ("hello", [7592]),
    ("Hello, World!", [7592, 1010, 2088, 999]),
    ("lunch with Sam at Joe's", [6265, 2007, 3520, 2012, 3533, 1005, 1055]),
    ("couldn't sleep — felt anxious", [2481, 1005, 1056, 3637, 1517, 2371, 11480]),
    ("ran 5.2 km", [2743, 1019, 1012, 1016, 2463]),
    ("12:30-13:15", [2260, 1024, 2382, 1011, 2410, 1024, 2321]),
    ("£3.50", [28182, 1012, 2753]),
    ("50%", [2753, 1003]),
    ("user@example.org", [5310, 1030, 2742, 1012, 8917]),
    (
      "https://example.org/a?b=c#d",
      [16770, 1024, 1013, 1013, 2742, 1012, 8917, 1013, 1037, 1029, 1038, 1027, 1039, 1001, 1040]
    ),
    ("#tag @Sam", [1001, 6415, 1030, 3520]),
    ("e-mail", [1041, 1011, 5653]),
    ("C++", [1039, 1009, 1009]),
    ("naïve café", [15743, 7668]),
    ("nai\u{308}ve cafe\u{301}", [15743, 7668]),
    ("Müller Ångström", [12304, 17076, 15687]),
    ("Straße GROẞE", [2358, 27807, 24665, 2080, 17499]),
    ("İstanbul ıspanak", [9960, 1104, 13102, 5162, 2243]),
    ("I\u{307}I", [2462]),
    (
      "ΟΔΥΣΣΕΥΣ Ελληνικά",
      [
        1169, 29722, 29735, 29733, 29733, 29723, 29735, 29733, 1159, 29727, 29727, 24824, 16177,
        18199, 29726, 14608,
      ]
    ),
    (
      "Привет мир Ёлка",
      [1194, 16856, 10325, 25529, 15290, 22919, 1191, 10325, 16856, 1185, 29436, 28598]
    ),
    ("שלום עולם", [1266, 29799, 29792, 29800, 1259, 29792, 29799, 29800]),
    ("שָׁלוֹם", [1266, 29799, 29792, 29800]),
    (
      "مرحبا بالعالم",
      [1295, 17149, 29820, 29816, 25573, 1271, 25573, 23673, 29830, 25573, 23673, 22192]
    ),
    ("नमस्ते दुनिया", [1327, 29867, 29874, 29859, 1325, 29863, 29877, 29868, 29876]),
    ("สวัสดี", [100]),
    ("你好世界", [100, 100, 1745, 100]),
    ("東京タワー", [1879, 1755, 1709, 30262, 30265]),
    ("こんにちは", [1655, 30217, 30194, 30188, 30198]),
    ("ガギグ", [1700, 30227, 30228]),
    ("ｶﾞ", [100]),
    ("안녕하세요", [1463, 30006, 30021, 29992, 30010, 30025, 30005, 30006, 29997, 30009, 29999, 30013]),
    ("\u{1112}\u{1161}\u{11AB}", [1469, 30006, 30021]),
    ("\u{2F800}\u{F900}", [100, 100]),
    ("👩\u{200D}👩\u{200D}👧\u{200D}👦", [100]),
    ("👍🏽 ok", [100, 7929]),
    ("❤\u{FE0F}", [100]),
    ("🇵🇹", [100]),
    ("½ ² ﬁ Ⅷ ①", [1092, 1082, 1984, 100, 100]),
    ("ＡＢＣ", [100]),
    ("a\u{0}b\u{FFFD}c", [5925]),
    ("a\u{200B}b\u{200D}c\u{FEFF}d", [5925, 2094]),
    ("a\u{AD}b", [11113]),
    ("a\u{A0}b\u{3000}c\u{2028}d", [1037, 1038, 1039, 1040]),
    ("a\u{85}b\u{1C}c", [5925]),
    ("\u{E000}x\u{10FFFD}", [1060]),
    ("a\u{378}b", [100]),
    ("\u{301}e", [1041]),
    ("e\u{301}\u{323}\u{300}", [1041]),
    ("\u{37E} \u{1FEF} \u{2260}", [1025, 1036, 1027]),
    ("$+<=>^`|~", [1002, 1009, 1026, 1027, 1028, 1034, 1036, 1064, 1066]),
    ("_a_b_", [1035, 1037, 1035, 1038, 1035]),
    ("…?!", [1529, 1029, 999]),
    ("«oui» “quoted” ‘it’", [1077, 15068, 2072, 1090, 1523, 9339, 1524, 1520, 2009, 1521]),
    ("[CLS] [SEP] [MASK]", [101, 102, 103]),
    ("[cls] [SEP", [1031, 18856, 2015, 1033, 1031, 19802]),
    ("x[UNK]y", [1060, 100, 1061]),
    ("unaffable embeddings", [14477, 20961, 3468, 7861, 8270, 4667, 2015]),
    ("\u{166D}\u{1734}\u{1885}\u{111C}9", [100, 100]),
    ("a\u{1FAE0}b", [100]),
    ("\u{1E9B}\u{323} \u{212B} \u{2126}", [100, 1037, 1179]),
    ("ﷺ", [100]),
    ("\u{202E}abc\u{202C}", [5925]),
    ("\u{A9BD} \u{111C9}", [100, 100]),
  ]
}
