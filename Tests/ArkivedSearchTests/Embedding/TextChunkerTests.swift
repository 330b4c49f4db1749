import ArkivedTestSupport
import Testing

@testable import ArkivedSearch

@Suite("Cutting notes into chunks")
struct TextChunkerTests {
  let folder: TemporaryFolder
  let tokenizer: WordPieceTokenizer

  init() throws {
    folder = try TemporaryFolder()
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    tokenizer = try folder.tokenizer(["the", "end", ".", "!", "。", "日"] + letters)
  }

  /// A sentence of that many pieces, its full stop among them.
  private func sentence(_ pieces: Int) -> String {
    String(repeating: "the ", count: pieces - 2) + "end."
  }

  @Test("a short text is one chunk, without the space around it")
  func short() {
    let chunks = tokenizer.chunks(of: "  the end.\n")
    #expect(chunks == [TextChunk(range: 2..<10, text: "the end.")])
  }

  @Test("a text without anything to read has no chunk", arguments: ["", " \n\t", "\u{0}\u{200B}"])
  func empty(text: String) {
    #expect(tokenizer.chunks(of: text).isEmpty)
  }

  @Test("every chunk is its range of the text, short enough, and together they cover it")
  func cover() {
    let text = (0..<300).map { sentence(5 + $0 % 40) + ($0 % 7 == 0 ? "\n\n" : " ") }.joined()
    let chunks = tokenizer.chunks(of: text, limits: ChunkLimits(chunks: 1000))
    let utf8 = Array(text.utf8)
    var end = 0
    for chunk in chunks {
      #expect(Array(chunk.text.utf8) == Array(utf8[chunk.range]))
      #expect(tokenizer.tokens(of: chunk.text).count <= 202)
      #expect(chunk.range.upperBound > end)
      if end > 0 { #expect(chunk.range.lowerBound <= end + 2) }
      end = chunk.range.upperBound
    }
    #expect(end >= utf8.count - 2)
    #expect(chunks.count > 20)
  }

  @Test("a cut falls on the end of a paragraph before that of a sentence")
  func paragraphs() {
    let text = [sentence(60), sentence(60) + "\n\n" + sentence(60), sentence(60)]
      .joined(separator: " ")
    let chunks = tokenizer.chunks(of: text, limits: ChunkLimits(overlap: 0))
    #expect(chunks.map { tokenizer.tokens(of: $0.text).count - 2 } == [120, 120])
    #expect(text.utf8.dropFirst(chunks[0].range.upperBound).starts(with: "\n\n".utf8))
  }

  @Test("without a paragraph's end a cut falls on the last sentence's, else on a word's")
  func sentences() {
    let sentences = Array(repeating: sentence(30), count: 10).joined(separator: " ")
    let chunks = tokenizer.chunks(of: sentences, limits: ChunkLimits(overlap: 0))
    #expect(chunks.allSatisfy { $0.text.hasSuffix("end.") && $0.text.hasPrefix("the") })
    #expect(tokenizer.tokens(of: chunks[0].text).count - 2 == 180)
    let words = String(repeating: "the ", count: 450)
    #expect(
      tokenizer.chunks(of: words, limits: ChunkLimits(overlap: 0))
        .map { tokenizer.tokens(of: $0.text).count - 2 } == [200, 200, 50])
  }

  @Test("a chunk begins with the last short sentence of the one before")
  func overlap() {
    let text = Array(repeating: sentence(20), count: 30).joined(separator: " ")
    let chunks = tokenizer.chunks(of: text)
    for (before, after) in zip(chunks, chunks.dropFirst()) {
      #expect(before.range.upperBound - after.range.lowerBound == sentence(20).utf8.count)
    }
  }

  @Test("writing without spaces is cut behind its full stops")
  func wide() {
    let text = String(repeating: String(repeating: "日", count: 30) + "。", count: 12)
    let chunks = tokenizer.chunks(of: text, limits: ChunkLimits(overlap: 0))
    #expect(chunks.count == 2)
    #expect(chunks.allSatisfy { $0.text.hasSuffix("。") })
  }

  @Test("a text of too many chunks keeps the first, the last and some between")
  func spread() {
    let text = String(repeating: sentence(50) + "\n\n", count: 1000)
    let all = tokenizer.chunks(of: text, limits: ChunkLimits(chunks: 100_000))
    let some = tokenizer.chunks(of: text, limits: ChunkLimits(chunks: 7))
    #expect(some.count == 7 && all.count > 200)
    #expect(some.first == all.first && some.last == all.last)
    #expect(Set(some).isSubset(of: Set(all)))
  }

  @Test("what no model reads is cut short")
  func blob() {
    let text = "the end. " + String(repeating: "é", count: 20_000) + " the end."
    let chunks = tokenizer.chunks(of: text)
    #expect(chunks.allSatisfy { $0.text.utf8.count <= 8192 })
    #expect(chunks.first?.text == "the end." && chunks.last?.text.hasSuffix("the end.") == true)
    let signs = String(repeating: "!", count: 20_000)
    #expect(tokenizer.chunks(of: signs).allSatisfy { $0.text.count <= 200 })
  }
}
