import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Pages of a list that changes between two requests")
struct PageCursorTests {
  private let identities = CountedIdentities()

  private func ids(_ count: Int) -> [UUID] { (0..<count).map { _ in identities.next() } }

  /// Reads all pages, and changes the list after each.
  private func pages(
    of list: [UUID], limit: Int, change: (inout [UUID], _ page: Int) -> Void = { _, _ in }
  ) throws -> [[UUID]] {
    var (list, read, cursor) = (list, [[UUID]](), PageCursor?.none)
    repeat {
      let current = list
      let page = ListPage(limit: limit, after: cursor).items(id: { $0 }) { limit, offset in
        Array(current.dropFirst(offset).prefix(limit))
      }
      read.append(page.items)
      change(&list, read.count)
      cursor = try page.next.map { try #require(PageCursor($0.text)) }
      try #require(read.count < 1_000)
    } while cursor != nil
    return read
  }

  @Test func aListIsReadToItsEnd() throws {
    for count in [0, 1, 9, 10, 11, 20, 25] {
      let list = ids(count)
      let read = try pages(of: list, limit: 10)
      #expect(read.flatMap(\.self) == list)
      #expect(read.count == max(1, (count + 9) / 10))
    }
  }

  @Test func newItemsAtTheTopRepeatNothing() throws {
    for added in [1, 3, 40, 49, 50, 51, 200] {
      let list = ids(100)
      let read = try pages(of: list, limit: 7) { list, _ in
        list.insert(contentsOf: self.ids(added), at: 0)
      }
      #expect(read.flatMap(\.self) == list, "\(added)")
    }
  }

  @Test func removedItemsSkipNothing() throws {
    let list = ids(100)
    let read = try pages(of: list, limit: 10) { list, _ in list.removeFirst(3) }
    #expect(read.flatMap(\.self) == list)
    // Also if the last item of a page is among them.
    let gone = try pages(of: list, limit: 10) { left, page in
      left.removeAll { $0 == list[page * 10 - 1] || $0 == list[page * 10 - 2] }
    }
    #expect(gone.flatMap(\.self) == list)
  }

  @Test func aPlaceInALongListIsFoundWithoutReadingAllOfItAtOnce() throws {
    let list = ids(30_000)
    let page = ListPage(limit: 10, offset: 25_000).items(id: { $0 }) { limit, offset in
      Array(list.dropFirst(offset).prefix(limit))
    }
    let cursor = try #require(page.next)
    let moved = ids(200) + list
    var most = 0
    let next = ListPage(limit: 10, after: cursor).items(id: { $0 }) { limit, offset in
      most = max(most, limit)
      return Array(moved.dropFirst(offset).prefix(limit))
    }
    #expect(next.items == Array(list[25_010..<25_020]) && next.next?.offset == 25_220)
    #expect(most <= 10_000, "\(most)")
  }

  @Test func anItemThatMovesToTheTopRepeatsNothing() throws {
    for limit in [2, 7, 10] {
      let list = ids(60)
      let read = try pages(of: list, limit: limit) { left, page in
        let last = list[min(page * limit, list.count) - 1]
        left.removeAll { $0 == last }
        left.insert(last, at: 0)
      }
      #expect(read.flatMap(\.self) == list, "\(limit)")
    }
  }

  @Test func anItemThatMovesDownSkipsNothing() throws {
    let list = ids(100)
    let read = try pages(of: list, limit: 10) { left, page in
      guard page == 1 else { return }
      left.remove(at: 9)
      left.insert(list[9], at: 29)
    }
    #expect(read.flatMap(\.self).filter { $0 != list[9] } == list.filter { $0 != list[9] })
  }

  @Test func anItemThatIsRemovedBeforeTheLastOneRepeatsNothing() throws {
    let list = ids(100)
    let read = try pages(of: list, limit: 10) { left, page in
      left.removeAll { $0 == list[page * 10 - 2] || $0 == list[page * 10 - 4] }
    }
    #expect(read.flatMap(\.self) == list)
  }

  @Test func ifNothingOfAPageIsLeftItsPlaceIsUsed() throws {
    let list = ids(100)
    let read = try pages(of: list, limit: 10) { left, page in
      if page == 1 { left = self.ids(10) + left.dropFirst(10) }
    }
    #expect(read.flatMap(\.self) == list)
  }

  @Test func ifEverythingUpToAPageIsGoneNothingIsSkipped() throws {
    for limit in [3, 10, 70] {
      let list = ids(200)
      // Such as what waits for a decision, and is decided page by page.
      let read = try pages(of: list, limit: limit) { left, _ in
        left.removeFirst(min(limit, left.count))
      }
      #expect(read.flatMap(\.self) == list, "\(limit)")
    }
  }

  @Test func onlyItsOwnTextsAreRead() throws {
    let list = ids(30)
    let page = ListPage(limit: 10).items(id: { $0 }) { limit, offset in
      Array(list.dropFirst(offset).prefix(limit))
    }
    let cursor = try #require(page.next)
    #expect(PageCursor(cursor.text) == cursor)
    #expect(cursor.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." })
    let others = ["", "x", "-1", "1.x", "99999999999", "1..", "1 ", "1.n", "1.nx", "n"]
    for text in others + [cursor.text + ".1", cursor.text + ".n"] {
      #expect(PageCursor(text) == nil, "\(text)")
    }
  }
}
