import ArkivedCore
import Testing

@Suite struct QuickAddPersonTests {
  private func names(_ text: String, anyCase: Bool = false) -> [String] {
    let reader = PersonReader(
      people: QuickAddTable.people + [
        KnownPerson(name: "José Álvarez"), KnownPerson(name: "Mary-Ann O'Neill"),
        KnownPerson(name: "Sam"),
      ])
    return reader.mentions(in: text, anyCase: anyCase).map { match in
      "\(text[match.range]):" + match.candidates.map(\.name).joined(separator: "/")
    }
  }

  @Test func findsFullNamesAndAliases() {
    #expect(names("tea with Priya Nair and Pri") == ["Priya Nair:Priya Nair", "Pri:Priya Nair"])
    #expect(names("jose alvarez called") == ["jose alvarez:José Álvarez"])
    #expect(names("Mary-Ann O'Neill's party") == ["Mary-Ann O'Neill:Mary-Ann O'Neill"])
    #expect(names("Priyanka Nair") == [])
    #expect(names("Priya, Nair") == [])
  }

  @Test func takesFirstNamesOnlyAfterWordsThatSpeakOfSomebody() {
    #expect(names("met Priya") == ["Priya:Priya Nair"])
    #expect(names("Priya came") == [])
    #expect(names("with Priya Patel") == [])
    #expect(names("with Priya on Monday") == ["Priya:Priya Nair"])
    #expect(names("lunch with Mum and Priya") == ["Mum:Mum", "Priya:Priya Nair"])
  }

  @Test func tellsWhenANameIsAmbiguous() {
    #expect(names("met Alex") == ["Alex:Alex Kim/Alex Moss"])
    // One whose whole name it is goes before others' first names.
    #expect(names("met Sam") == ["Sam:Sam"])
  }

  @Test func takesCommonWordsForNamesOnlyWhereTheyMustBe() {
    #expect(names("Will it rain") == [])
    #expect(names("lunch with Will") == ["Will:Will Stone"])
  }

  @Test func readsQuestionsInLowerCase() {
    #expect(names("what did i do with priya last month?", anyCase: true) == ["priya:Priya Nair"])
    #expect(names("what did i do with priya last month?") == [])
  }
}
