import ArkivedCore
import Testing

@Suite struct QuickAddWordFormsTests {
  @Test(arguments: [
    ("run", ["run", "ran"]), ("ran", ["run", "ran"]), ("went", ["go", "goes", "went", "gone"]),
    ("Ate", ["eat", "ate", "eaten"]), ("children", ["child", "children"]),
    ("people", ["person", "people"]), ("walk", ["walk"]), ("swum", ["swim", "swam", "swum"]),
  ])
  func joinsIrregularForms(word: String, forms: [String]) {
    #expect(WordForms.english.forms(of: word) == forms)
  }

  @Test func keepsBothBasesOfAnAmbiguousForm() {
    // "saw" is a tool's verb and the past of "see".
    #expect(Set(WordForms.english.forms(of: "saw")) == ["saw", "sawn", "see", "seen"])
    #expect(WordForms.english.forms(of: "found") == ["find", "found"])
  }

  @Test func knowsStopWords() {
    for word in ["the", "And", "don't", "don’t", "who"] { #expect(StopWords.contains(word)) }
    for word in ["run", "Sam", "not-a-word", ""] { #expect(!StopWords.contains(word)) }
  }
}
