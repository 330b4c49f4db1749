import ArkivedCore
import ArkivedStore
import Foundation

/// The list “Linked from” of a page.
struct BacklinkContext: Sendable {
  /// The number of links shown at first.
  static let limit = 12

  private let links: Backlinks
  /// The address of all links.
  private let allHref: String

  init(_ subject: LinkSubject, archive: Archive) throws {
    links = try archive.backlinks(to: subject, limit: Self.limit)
    allHref = TextLinkController.href(of: subject)
  }

  /// Adds the list to a page's context.
  func add(to page: inout [String: Any]) {
    page["hasBacklinks"] = !links.links.isEmpty
    guard !links.links.isEmpty else { return }
    page["backlinks"] = Self.rows(links.links)
    let count = Self.count(links.count)
    page["backlinkCount"] = count
    page["hasMoreBacklinks"] = links.count > links.links.count
    page["moreBacklinksHref"] = allHref
    page["moreBacklinks"] = said("Show all \(count)")
  }

  static func count(_ count: Int) -> String {
    count >= Archive.backlinkCountLimit
      ? said("\(AmountText.shown(Double(Archive.backlinkCountLimit))) or more")
      : AmountText.shown(Double(count))
  }

  static func rows(_ links: [Backlink]) -> [[String: Any]] {
    links.map { link in
      let day = EntryContext.dayLabel(link.dayKey)
      let title = link.title.map { ClippedText.of($0, limit: 120) } ?? ""
      let name = title.isEmpty ? day : title
      let snippet = ClippedText.of(link.snippet, limit: 300)
      return [
        "backlinkHref": href(link), "backlinkName": name, "hasBacklinkDay": name != day,
        "backlinkDay": day, "backlinkISO": link.dayKey.description,
        "hasBacklinkText": !snippet.isEmpty && snippet != title, "backlinkText": snippet,
      ]
    }
  }

  private static func href(_ link: Backlink) -> String {
    switch link.type {
    case .day: "/day/\(link.dayKey)#note"
    case .note: "/notes/\(link.id.uuidString)"
    default: EntryContext.href(link.dayKey, link.id, isLarge: true)
    }
  }
}
