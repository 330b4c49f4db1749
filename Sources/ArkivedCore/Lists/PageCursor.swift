package import Foundation

/// A position in a list from which the next page continues, even if items before it were added or
/// removed in the meantime.
package struct PageCursor: Hashable, Sendable {
  /// The number of items before the page when it was offered.
  package let offset: Int
  /// The last items before the page, the very last first.
  package let last: [UUID]
  /// The first item of the page, if it was known: everything before may be gone by now.
  package let following: UUID?

  /// The number of items in a cursor, of which one must still be in the list.
  private static let anchors = 5

  /// Creates the cursor that continues after items.
  ///
  /// - Parameters:
  ///   - items: the items of a page, in order.
  ///   - offset: the number of items before the next page.
  ///   - following: the first item of the next page; nil if it isn't known.
  package init(after items: [UUID], offset: Int, before following: UUID? = nil) {
    self.offset = offset
    self.following = following
    last = items.suffix(Self.anchors).reversed()
  }

  /// Reads a text that `text` wrote; returns nil for any other.
  package init?(_ text: String) {
    var parts = text.split(separator: ".", omittingEmptySubsequences: false)
    var following: UUID?
    if let part = parts.last, part.first == Self.followingMark {
      guard let id = UUID(uuidString: String(part.dropFirst())) else { return nil }
      following = id
      parts.removeLast()
    }
    guard let first = parts.first, let offset = Int(first),
      (0...ListPage.largestOffset).contains(offset), parts.count <= Self.anchors + 1
    else { return nil }
    let ids = parts.dropFirst().compactMap { UUID(uuidString: String($0)) }
    guard ids.count == parts.count - 1 else { return nil }
    self.offset = offset
    last = ids
    self.following = following
  }

  /// The letter before the ID of the following item.
  private static let followingMark: Character = "n"

  /// The cursor as a text without characters that an address has to escape.
  package var text: String {
    let next = following.map { "\(Self.followingMark)\($0.uuidString)" }
    return ([String(offset)] + last.map(\.uuidString) + [next].compactMap(\.self))
      .joined(separator: ".")
  }
}

/// A page of a list, with the cursor of the next one.
package struct CursorPage<Item> {
  package var items: [Item]
  /// The cursor of the next page; nil if there is none.
  package var next: PageCursor?

  /// The cursor as `after` expects it.
  package var nextJSON: JSON { JSON(next?.text) }
}

extension CursorPage: Sendable where Item: Sendable {}

extension ListPage {
  /// The number of places by which changes may have moved the items after a page.
  private static let reach = 50
  /// The number of places if none of the page's last items is found nearby.
  private static let wideReach = 1_000
  /// The number of items that are read together in search of them.
  private static let readTogether = 5_000

  /// Reads the page from a list.
  ///
  /// With a cursor, it continues after the last items of the page before, wherever they are by now;
  /// if all of these are gone, with the item that followed them, and if that is gone as well, at the
  /// same number of items as before.
  ///
  /// - Parameters:
  ///   - id: returns the ID of an item.
  ///   - read: returns a part of the list by limit and offset.
  /// - Returns: the page.
  /// - Throws: what `read` throws.
  package func items<Item>(
    id: (Item) -> UUID, _ read: (_ limit: Int, _ offset: Int) throws -> [Item]
  ) rethrows -> CursorPage<Item> {
    guard let after else {
      let found = try read(limit + 1, offset)
      return page(of: found, from: 0, at: offset, isCut: false, id)
    }
    let first = max(0, after.offset - Self.reach)
    let count = after.offset - first + Self.reach + limit + 1
    let near = try read(count, first)
    var places: [UUID: Int] = [:]
    for (index, item) in near.enumerated() { places[id(item)] = first + index }
    let nearby = Self.next(after, places)
    if let nearby {
      let start = nearby - first
      // More may follow than what was read.
      let isCut = near.count == count
      if !isCut || near.count - start >= limit {
        return page(of: near, from: start, at: nearby, isCut: isCut, id)
      }
    }
    let place = try nearby ?? placeBehind(after, id, read)
    let next = place ?? after.offset
    return page(of: try read(limit + 1, next), from: 0, at: next, isCut: false, id)
  }

  /// Returns the place after the last items of the page before, otherwise that of the item that
  /// followed them; nil if all of these are gone.
  private static func next(_ cursor: PageCursor, _ places: [UUID: Int]) -> Int? {
    anchor(cursor, places).map { $0 + 1 } ?? cursor.following.flatMap { places[$0] }
  }

  /// Returns the same place, looked for in a larger part of the list.
  ///
  /// It reads the list in parts, because a whole lifetime of entries doesn't fit in memory.
  private func placeBehind<Item>(
    _ after: PageCursor, _ id: (Item) -> UUID,
    _ read: (_ limit: Int, _ offset: Int) throws -> [Item]
  ) rethrows -> Int? {
    var places: [UUID: Int] = [:]
    let end = after.offset + Self.wideReach
    var start = 0
    while start < end {
      let wanted = min(Self.readTogether, end - start)
      let found = try read(wanted, start)
      for (index, item) in found.enumerated() {
        let item = id(item)
        if item == after.following || after.last.contains(item) { places[item] = start + index }
      }
      guard found.count == wanted else { break }
      start += wanted
    }
    return Self.next(after, places)
  }

  /// Returns the place of the last item of the page before that is still where most of its
  /// neighbours are; nil if none of them has a place.
  ///
  /// A single one may have moved since, such as a note that was edited: after it, the page would
  /// repeat many items, or skip some.
  private static func anchor(_ cursor: PageCursor, _ places: [UUID: Int]) -> Int? {
    let found = cursor.last.compactMap { places[$0] }
    guard !found.isEmpty else { return nil }
    // The distances from where they would be if only the items that weren't found were gone.
    let shifts = found.enumerated().map { number, place in place - (cursor.offset - 1 - number) }
    let sorted = shifts.sorted()
    let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    let usual = abs(low) < abs(high) ? low : high
    return shifts.firstIndex(of: usual).map { found[$0] }
  }

  private func page<Item>(
    of found: [Item], from start: Int, at offset: Int, isCut: Bool, _ id: (Item) -> UUID
  ) -> CursorPage<Item> {
    let items = Array(found.dropFirst(start).prefix(limit))
    let hasMore = found.count > start + limit || isCut
    guard hasMore, !items.isEmpty else { return CursorPage(items: items) }
    let following = start + limit < found.count ? id(found[start + limit]) : nil
    return CursorPage(
      items: items,
      next: PageCursor(
        after: items.map(id), offset: offset + items.count, before: following))
  }
}
