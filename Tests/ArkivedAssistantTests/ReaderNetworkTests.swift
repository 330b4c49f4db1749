import ArkivedCore
import CTexts
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("Reader network")
struct ReaderNetworkTests {
  let network: ReaderNetwork

  init() throws { network = try #require(ReaderNetwork.shared) }

  /// `Training/train.py` writes what PyTorch makes of the same weights.
  private static func taught() throws -> [JSON] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Readings/readings.jsonl")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { try JSON(parsing: String($0)) }
  }

  private static func numbers(_ json: JSON?) -> [Double] {
    (json?.array ?? []).compactMap { $0.double }
  }

  @Test func itReadsAsItWasTaught() throws {
    let readings = try Self.taught()
    #expect(readings.count > 5)
    for told in readings {
      let tokens = (told["tokens"]?.array ?? []).compactMap { $0.string }
      let reading = network.read(tokens)
      let probability = try #require(told["probability"]?.double)
      #expect(abs(reading.probability - probability) < 1e-3, "\(tokens)")
      let roles = try #require(told["roles"]?.array)
      #expect(roles.count == reading.roles.count)
      for (row, own) in zip(roles, reading.roles) {
        let scores = Self.numbers(row)
        #expect(scores.count == own.count)
        for (score, own) in zip(scores, own) { #expect(abs(score - Double(own)) < 1e-3) }
      }
      for (name, own) in reading.heads {
        let scores = Self.numbers(told["heads"]?[name]).sorted(by: >)
        #expect(scores.count == own.count)
        for (score, own) in zip(scores, own) { #expect(abs(score - Double(own.score)) < 1e-3) }
      }
    }
  }

  /// A question with a word that no slot was taught with, and one whose like is in the other
  /// language.
  @Test(arguments: [
    ("how often did i go snorkelling <time>", "count"),
    ("wie oft war ich <time> schnorcheln", "count"),
    ("when did i last see a chiropractor", "last"),
    ("wann war ich zuletzt beim chiropraktiker", "last"),
    ("how much have i splashed out on orchids <time>", "sum"),
    ("what is the capital of france", "world"),
    ("wie hoch ist der mount everest", "world"),
  ])
  func strangeWordsAreRead(_ question: String, _ fold: String) {
    let reading = network.read(question.split(separator: " ").map(String.init))
    #expect(reading.heads["fold"]?.first?.value == fold)
  }

  @Test func probabilitiesAddUp() {
    for tokens in [["what"], ["<time>"], [""], Array(repeating: "swim", count: 96)] {
      let reading = network.read(tokens)
      #expect((0...1).contains(reading.probability))
      #expect(reading.roles.count == tokens.count)
      for scores in reading.roles + reading.heads.values.map({ $0.map(\.score) }) {
        #expect(abs(scores.reduce(0) { $0 + exp($1) } - 1) < 1e-4)
      }
    }
  }

  @Test func aReadingTakesMilliseconds() {
    let tokens = "which of the films that i saw <time> without <person> did i like most and why"
      .split(separator: " ").map(String.init)
    _ = network.read(tokens)
    let clock = ContinuousClock()
    let best = (0..<5).map { _ in clock.measure { _ = network.read(tokens) } }.min()
    // Twenty in a debug build on a processor of its own.
    #expect(best ?? .zero < .milliseconds(100))
  }

  @Test func weightsThatDoNotFitAreRefused() throws {
    let words = try #require(WordVectors.shared)
    let whole = Array(ctx_reader().buffer)
    func made(_ bytes: [UInt8]) -> ReaderNetwork? {
      bytes.withUnsafeBufferPointer { ReaderNetwork($0, words: words) }
    }
    #expect(made(whole) != nil)
    #expect(made(Array(whole.dropLast())) == nil)
    #expect(made(whole + [0]) == nil)
    for bytes in [
      [], Array("AQR1".utf8) + whole.dropFirst(4), Array("AQR2".utf8),
      Array("AQR2\u{FF}\u{FF}\u{FF}\u{7F}{}".utf8), Array("AQR2\u{2}\0\0\0{}".utf8),
    ] {
      #expect(made(bytes) == nil)
    }
    // Each figure of the heading has to fit the others.
    let length = (0..<4).reduce(0) { $0 | Int(whole[4 + $1]) << (8 * $1) }
    let heading = String(decoding: whole[8..<8 + length], as: UTF8.self)
    for (known, other) in [
      (#""buckets":"#, #""buckets":9"#), (#""width":"#, #""width":9"#),
      (#""vector":"#, #""vector":1"#),
      (#""hidden":"#, #""hidden":9"#), (#""attending":"#, #""attending":1"#),
      (#""layers":[1"#, #""layers":[1,1,1,1,1,1"#), (#""confidence":["#, #""confidence":[1,"#),
      (#""roles":["O","#, #""roles":["#), (#""temperature":"#, #""temperature":-"#),
    ] {
      #expect(heading.contains(known))
      let changed = Array(heading.replacing(known, with: other, maxReplacements: 1).utf8)
      let count = (0..<4).map { UInt8(truncatingIfNeeded: changed.count >> (8 * $0)) }
      #expect(made(whole[..<4] + count + changed + whole[(8 + length)...]) == nil, "\(other)")
    }
  }
}
