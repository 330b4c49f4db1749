import Testing

@testable import ArkivedCore

@Suite("Counts of items by type") struct ItemCountTests {
  @Test func typesAreNamedForPeopleInBothLanguages() {
    let counts = ["activity": 20_921, "personalValue": 1, "alignment": 26, "assignment": 1]
    #expect(ItemCount.text([:]) == "nothing")
    #expect(ItemCount.text(counts) == "20,921 entries, 26 value links, 1 commitment, 1 value")
    ShownDates.speaking(.german) {
      #expect(
        ItemCount.text(counts) == "20.921 Einträge, 26 Wertverknüpfungen, 1 Vorhaben, 1 Wert")
    }
  }

  @Test func everyTypeOfDataHasItsOwnName() {
    for type in [
      "activity", "day", "person", "tag", "attachment", "metric", "goal", "value", "term",
      "lifetime", "contribution", "alignment", "assignment", "meeting", "note", "thread", "message",
      "history", "tombstone", "row",
    ] {
      let (one, two) = (ItemCount.text(1, of: type), ItemCount.text(2, of: type))
      #expect(one.hasPrefix("1 ") && two.hasPrefix("2 "))
      #expect(one.dropFirst(2) != two.dropFirst(2), "\(type)")
      #expect(ShownDates.speaking(.german) { ItemCount.text(2, of: type) } != two, "\(type)")
    }
    #expect(ItemCount.text(3, of: "sonnet") == "3 sonnet")
  }
}
