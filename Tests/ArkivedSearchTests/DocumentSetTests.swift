import ArkivedCore
import Testing

@Suite("A set of documents")
struct DocumentSetTests {
  @Test("It holds the numbers it was given, in ascending order")
  func membership() {
    var random = Splitmix(state: 3)
    let numbers = (0..<2000).map { _ in Int64.random(in: 0..<9000, using: &random) }
    let set = DocumentSet(numbers)
    let expected = Set(numbers)
    #expect(Array(set) == expected.sorted())
    #expect(set.count == expected.count)
    #expect((0..<9100).allSatisfy { set.contains($0) == expected.contains($0) })
  }

  @Test("Numbers that no document has are no members, and cost nothing")
  func outside() {
    var set: DocumentSet = [5]
    let outside = [-1, .max, DocumentSet.numberLimit].map { set.insert($0) }
    #expect(outside == [false, false, false])
    #expect(!set.contains(-1) && !set.contains(.min) && !set.contains(.max))
    #expect(Array(set) == [5] && set.words.count == 1)
  }

  @Test("Sets with the same members are equal, however they came about")
  func equality() {
    var set: DocumentSet = [1, 700]
    set.remove(700)
    #expect(set == [1] && set.count == 1 && set.contains(1))
    set.remove(1)
    #expect(set == DocumentSet() && set.isEmpty)
    let again = set.remove(1)
    #expect(!again)
  }

  @Test("Union, intersection and difference are those of sets")
  func algebra() {
    let a: Set<Int64> = [1, 63, 64, 900]
    let b: Set<Int64> = [0, 63, 65, 128, 4000]
    #expect(DocumentSet(a).union(DocumentSet(b)) == DocumentSet(a.union(b)))
    #expect(DocumentSet(a).intersection(DocumentSet(b)) == DocumentSet(a.intersection(b)))
    #expect(DocumentSet(a).subtracting(DocumentSet(b)) == DocumentSet(a.subtracting(b)))
    #expect(DocumentSet(b).subtracting(DocumentSet(a)).count == 4)
  }
}
