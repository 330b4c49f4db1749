import ArkivedCore
import ArkivedStore
import Foundation

/// The links to something, shown at the terminal.
struct BacklinkText {
  /// The number of links shown with an item.
  static let limit = 10

  let context: Context
  let links: Backlinks

  init(_ context: Context, _ archive: Archive, _ subject: LinkSubject) throws {
    self.context = context
    links = try archive.backlinks(to: subject, limit: Self.limit)
  }

  init(_ context: Context, _ links: Backlinks) {
    self.context = context
    self.links = links
  }

  var json: JSON { links.json }

  /// The section below the thing itself; empty if nothing links to it.
  var section: [String] {
    guard !links.links.isEmpty else { return [] }
    let head = context.output.bold(said("Linked from (\(links.count))"))
    return ["", head] + lines.map { "  \($0)" }
  }

  /// A line for each link.
  var lines: [String] {
    links.links.map { link in
      let title =
        link.title.map(EntryText.oneLine) ?? (link.type == .day ? said("Day note") : said("Note"))
      let text = EntryText.oneLine(link.snippet)
      let id = context.output.faint(String(link.id.uuidString.prefix(Archive.shortLength)))
      let shown = text.isEmpty || text == title ? title : "\(title): \(text)"
      return "\(link.dayKey) \(shown)  \(id)"
    }
  }
}
