import Testing

@testable import ArkivedAssistant

@Suite("Sentences are read into frames")
struct FrameTests {
  private func frame(_ text: String, _ people: [String] = []) -> SentenceFrame {
    FrameReader(people: people.map { (name: $0, words: $0.split(separator: " ").map(String.init)) })
      .read(WordCutter.words(of: text))
  }

  private func text(_ words: [Word]?) -> String {
    (words ?? []).map(\.text).joined(separator: " ")
  }

  @Test("The forms of a word have one key")
  func keys() {
    for forms in [
      ["bake", "baked", "baking", "bakes"], ["run", "ran", "running"],
      ["swim", "swam", "swimming"],
      ["berry", "berries"], ["dumpling", "dumplings"], ["dish", "dishes"], ["cycle", "cycling"],
    ] {
      #expect(Set(forms.map { Lemma.key($0) }).count == 1, "\(forms)")
    }
    #expect(Lemma.key("left") == Lemma.key("leave"))
    #expect(Lemma.key("meeting") != Lemma.key("meet"))
  }

  @Test("Somebody's doing is theirs")
  func subjects() {
    let frame = frame("Jonas cooked fish pie for Amara", ["Jonas Brandt", "Amara Diallo"])
    #expect(frame.subjects == ["Jonas Brandt"])
    #expect(frame.verb == Lemma.key("cook"))
    #expect(text(frame.object) == "fish pie")
    #expect(frame.peopleByRole["for"] == ["Amara Diallo"])
  }

  @Test("A sentence without a verb tells its thing, its company and its place")
  func nounOnly() {
    let frame = frame("bean soup with Clara at the Mill", ["Clara Weiss"])
    #expect(frame.verb == nil)
    #expect(text(frame.object) == "bean soup")
    #expect(frame.peopleByRole["with"] == ["Clara Weiss"])
    #expect(text(frame.role("at")) == "the Mill")
  }

  @Test("What follows a colon or a comma is a detail")
  func details() {
    #expect(text(frame("choir: the Bach chorale").details.first) == "the Bach chorale")
    #expect(
      text(frame("cooked for Jan, bean chilli", ["Jan Overbeck"]).details.first) == "bean chilli")
  }

  @Test("Running into somebody is no run")
  func phrasalVerbs() {
    let keys = WordCutter.words(of: "ran into Helga at the post office").map(\.key)
    #expect(keys.first == "run_into")
    #expect(!keys.contains("run"))
  }

  @Test("Amounts are read from texts")
  func amounts() {
    func read(_ text: String) -> [String: Double] {
      TextAmounts.read(WordCutter.words(of: text), text: text)
    }
    #expect(read("ran 8 km in 52 minutes") == ["km": 8, "minutes": 52])
    #expect(read("half an hour of piano") == ["minutes": 30])
    #expect(read("two hours and 15 minutes at the pool") == ["minutes": 135])
    #expect(read("a 90-minute walk") == ["minutes": 90])
    #expect(read("5.5km before school") == ["km": 5.5])
    #expect(read("paid €12.50 for shoes") == ["€": 12.5])
    #expect(read("three days ago") == [:])
  }

  @Test("Numbers before a noun are its count, those of other things are not")
  func quantities() {
    let key = Lemma.key("pies")
    func count(_ text: String) -> Double? {
      Quantities.amount(of: key, in: WordCutter.words(of: text))
    }
    #expect(count("Mum had made 59 mince pies") == 59)
    #expect(count("seventy-six mince pies") == 76)
    #expect(count("a pie") == 1)
    #expect(count("two hours later, pies") == nil)
  }

  @Test("Names are found where somebody stands, and towns are none")
  func names() {
    let sentences = [
      "Ran with Priyanka in Cardiff", "Lunch with Helga in Cardiff", "Called Mum about the car",
      "Drove to Cardiff with Priyanka",
    ].map { WordCutter.words(of: $0) }
    #expect(TextPeople.names(in: sentences) == ["Helga", "Mum", "Priyanka"])
  }
}
