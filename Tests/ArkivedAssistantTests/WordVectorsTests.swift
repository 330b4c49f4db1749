import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("Word vectors")
struct WordVectorsTests {
  let words: WordVectors

  init() throws { words = try #require(WordVectors.shared) }

  @Test(arguments: [
    ("spend", "spent", "garden"), ("bought", "purchased", "river"), ("sad", "unhappy", "bicycle"),
    ("doctor", "physician", "guitar"), ("Schwester", "sister", "bridge"),
    ("Krankenhaus", "hospital", "cheese"), ("gekauft", "bought", "schwimmen"),
    ("Geld", "money", "berg"), ("Kopfschmerzen", "headache", "cheese"),
  ])
  func wordsOfLikeMeaningAreNear(_ word: String, _ like: String, _ other: String) throws {
    let near = try #require(words.similarity(word, like))
    let far = try #require(words.similarity(word, other))
    #expect(near > 0.4 && near > far + 0.3, "\(near), \(far)")
  }

  @Test(arguments: [
    ("wochenendeinkaufszettel", "zettel"), ("gartenschlauchhalterung", "halterung"),
    ("sleepy-bike", "bike"), ("muede", "müde"), ("plumber’s", "plumber"),
  ])
  func unlistedWordsTakeAfterTheirParts(_ word: String, _ part: String) throws {
    #expect(try #require(words.similarity(word, part)) > 0.6)
  }

  @Test func unknownAndHostileWordsHaveNone() {
    for word in ["", "-", "'", "xqzt", "12", "\u{0}", "🦄", String(repeating: "ab", count: 5_000)] {
      #expect(words.vector(of: word) == nil)
    }
    #expect(words.similarity("xqzt", "house") == nil)
  }

  @Test func brokenFilesAreRefused() {
    let heading = Array("AWV1".utf8)
    for bytes in [
      [], heading, heading + [UInt8](repeating: 0, count: 12),
      heading + [UInt8](repeating: 255, count: 12),
      heading + [1, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 1, 2],
      Array("AWV2".utf8) + [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5],
    ] as [[UInt8]] {
      #expect(WordVectors(FixedMemory(copying: bytes)) == nil)
    }
  }
}
