import ArkivedCore
import ArkivedStore
import Testing

@testable import ArkivedSearch

@Suite struct FusionTests {
  private func document(_ number: Int64, _ words: [String] = []) -> Archive.FoundDocument {
    Archive.FoundDocument(document: number, score: 1, words: words)
  }

  @Test func entriesThatHoldLittleOfTheQueryStandBehindTheirMeaning() {
    let fusion = Fusion(WordQuery("bike theft"), holdsAll: false, isCorrected: false)
    let lists = [
      Fusion.List(
        documents: [document(1, ["bike"]), document(2, ["bike"])], weight: fusion.words,
        share: { $0.words == ["bike"] ? 0.4 : 0.6 }),
      Fusion.List(documents: [document(7), document(2)], weight: fusion.meaning),
    ]
    // None is lost, and a word alone decides nothing.
    #expect(fusion.merge(lists).map(\.document) == [7, 2, 1])
  }

  @Test func entriesThatHoldMostOfTheQueryCount() {
    let fusion = Fusion(WordQuery("bike theft"), holdsAll: false, isCorrected: false)
    let lists = [
      Fusion.List(
        documents: [document(1, ["theft"])], weight: fusion.words,
        share: { $0.words == ["bike"] ? 0.4 : 0.6 }),
      Fusion.List(documents: [document(7), document(1)], weight: fusion.meaning),
    ]
    #expect(fusion.merge(lists).map(\.document) == [1, 7])
  }

  @Test func wordsAloneKeepWhatHoldsLittle() {
    let fusion = Fusion(WordQuery("bike theft"), holdsAll: false, isCorrected: false)
    let lists = [
      Fusion.List(
        documents: [document(1, ["bike"]), document(2, ["theft"])], weight: fusion.words,
        share: { $0.words == ["bike"] ? 0.4 : 0.6 })
    ]
    #expect(fusion.merge(lists).map(\.document) == [2, 1])
  }
}
