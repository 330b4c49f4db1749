import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedSearch

@Suite("How well a document fits a query")
struct RelevanceTests {
  private static let miniLM = SimilarityScale(unrelated: 0.12, related: 0.57)

  private func relevance(
    _ scale: SimilarityScale = miniLM, isHeldWhole: Bool = false
  ) -> Relevance {
    Relevance(
      scale: scale, chance: Relevance.Chance([], scale: scale), isHeldWhole: isHeldWhole)
  }

  private func words(_ presence: Double, cosine: Double? = nil) -> Relevance.Evidence {
    .init(presence: presence, prominence: presence / 2, words: ["bike"], cosine: cosine)
  }

  @Test("Half of the words is worth less than half of all")
  func wordsGrow() {
    let relevance = relevance()
    #expect(relevance.own(words(0.5)) < relevance.own(words(1)) / 2)
    #expect(relevance.own(words(0.5)) > 0)
  }

  @Test(
    "A document with all the words stands before whatever meaning and neighbours make of others")
  func exactFirst() throws {
    let relevance = relevance(isHeldWhole: true)
    let lent = relevance.lent(by: [(own: relevance.own(words(1, cosine: 1)), distance: 1)])
    let exact = try #require(relevance.total(words(1, cosine: 0), lent: 0))
    let other = try #require(relevance.total(words(0.9, cosine: 1), lent: lent))
    #expect(exact > other)
  }

  @Test("The strongest neighbour lends a part, and less from further away")
  func neighboursLend() {
    let relevance = relevance()
    let near = relevance.lent(by: [(own: 10, distance: 1)])
    #expect(near > 0 && near < 5)
    #expect(
      relevance.lent(by: [(own: 10, distance: 2)]) < near
        && relevance.lent(by: [(own: 10, distance: 2)]) > 0)
    #expect(relevance.lent(by: [(own: 10, distance: 1), (own: 9, distance: 1)]) == near)
    #expect(relevance.lent(by: [(own: Double, distance: Int)]()) == 0)
  }

  @Test("Models with other ranges of cosines rank alike")
  func modelsAreComparable() {
    // As far between unrelated and related in each.
    let narrow = SimilarityScale(unrelated: 0.75, related: 0.9)
    for place in [0.2, 0.5, 0.9] {
      func own(_ scale: SimilarityScale) -> Double {
        let cosine = scale.unrelated + place * (scale.related - scale.unrelated)
        return relevance(scale).own(.init(cosine: cosine))
      }
      #expect(abs(own(Self.miniLM) - own(narrow)) < 1e-9)
    }
    let some = Relevance.Evidence(cosine: 0.7)
    #expect(
      relevance().total(some, lent: 0) != nil && relevance(narrow).total(some, lent: 0) == nil)
  }

  @Test("What the archive's texts are to a query outweighs the model's scale")
  func chanceIsMeasured() {
    let sample = (0..<256).map { Float(0.4 + 0.01 * Double($0 % 11)) }
    let chance = Relevance.Chance(sample, scale: Self.miniLM)
    #expect((0.42...0.45).contains(chance.mean))
    #expect(chance.spread < Relevance.Chance([], scale: Self.miniLM).spread)
    #expect(Relevance.Chance([], scale: Self.miniLM).mean == Self.miniLM.unrelated)
  }

  @Test("What has no word and no near meaning doesn't fit, unless a neighbour makes it likely")
  func strangersAreLeftOut() {
    let relevance = relevance()
    #expect(relevance.total(.init(cosine: 0.3), lent: 0) == nil)
    #expect(relevance.total(.init(cosine: 0.3), lent: 4) != nil)
    #expect(relevance.total(.init(cosine: 0.05), lent: 100) == nil)
    #expect(relevance.total(.init(cosine: 0.5), lent: 0) != nil)
    #expect(relevance.total(.init(), lent: 100) == nil)
    #expect(relevance.total(words(0.1), lent: 0) != nil)
  }

  @Test("Where documents hold all the words, those with few of them are left out")
  func fewWordsAreNoise() {
    let relevance = relevance(isHeldWhole: true)
    #expect(relevance.total(words(0.3), lent: 0) == nil)
    #expect(relevance.total(words(0.6), lent: 0) != nil)
    #expect(relevance.total(words(0.3, cosine: 0.5), lent: 0) != nil)
  }
}

@Suite("The documents beside others")
struct WordIndexNeighbourTests {
  private func index(_ documents: [(row: Int64, day: Int32, order: Int64)]) throws -> WordIndex {
    let folder = try TemporaryFolder()
    try WordCorpus(
      documents.map { .init(row: $0.row, day: $0.day, order: $0.order, columns: [["w"], [], []]) }
    ).build(at: folder.index)
    return try WordIndex(contentsOf: folder.index)
  }

  private func near(_ row: Int64, _ index: WordIndex, _ reach: Int = 2) throws -> [Int64: Int] {
    let found = try index.neighbours(of: [row], within: reach, isPage: { $0 % 8 == 1 })
    return Dictionary(
      uniqueKeysWithValues: (found[row] ?? []).map { ($0.document, $0.distance) })
  }

  @Test("are those before and behind it on its day, and the day's page")
  func neighboursOfADay() throws {
    let index = try index([
      (8, 1, 10), (16, 2, 10), (24, 2, 20), (32, 2, 30), (40, 2, 40), (48, 2, 50), (57, 2, 60),
      (64, 3, 10),
    ])
    #expect(try near(32, index) == [24: 1, 40: 1, 16: 2, 48: 2, 57: 2])
    #expect(try near(16, index) == [24: 1, 32: 2, 57: 2])
    #expect(try near(57, index) == [48: 1, 40: 2])
    #expect(try near(8, index).isEmpty && near(64, index).isEmpty)
    #expect(try near(99, index).isEmpty)
  }
}
