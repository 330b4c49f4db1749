import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The addresses of links in texts (`[[2024-03-05]]`, `[[Alex Kim]]`) on a page.
///
/// It is set for the duration of a request, like the formats of dates; without it, links are shown
/// as plain words.
struct PageLinks: Sendable {
  let archive: Archive

  @TaskLocal static var current: PageLinks?

  /// Returns how each link is shown.
  static func written(_ links: [TextLink]) -> [WrittenLink] {
    guard let page = current, let targets = try? page.archive.targets(of: links) else { return [] }
    return zip(links, targets).map { link, targets in written(link, targets) }
  }

  private static func written(_ link: TextLink, _ targets: [LinkTarget]?) -> WrittenLink {
    var words = link.shown
    if let target = targets?.first, targets?.count == 1 {
      // An ID means nothing to a reader.
      if link.label == nil, case .entry? = link.keys.first { words = Self.words(target) }
      return WrittenLink(words: words, href: href(target))
    }
    if targets?.isEmpty == true, link.keys.allSatisfy(\.isEntry) {
      return WrittenLink(words: words, gone: said("deleted"))
    }
    // Nothing has this name, several things have it, or it was not looked up; its page shows which.
    return WrittenLink(words: words, href: TextLinkController.href(name: link.name))
  }

  private static func words(_ target: LinkTarget) -> String {
    let day = target.kind == .activity ? target.day : nil
    let label = day.map { target.label.trimmingPrefix("\($0) ") }.map(String.init)
    return ClippedText.of(MarkdownText.plain(label ?? target.label), limit: 80)
  }

  /// Returns the address of a link's target.
  static func href(_ target: LinkTarget) -> String {
    let id = target.id?.uuidString ?? ""
    return switch target.kind {
    case .day: target.day.map { "/day/\($0)" } ?? "/"
    case .person: "/people/\(id)"
    case .note: "/notes/\(id)"
    case .activity:
      if let day = target.day, let id = target.id {
        EntryContext.href(day, id, isLarge: true)
      } else {
        "/activities/\(id)/edit"
      }
    case .meeting: "/meetings/\(id)"
    case .goal: "/goals/\(id)"
    case .value: "/values/\(id)"
    case .term: "/terms/\(id)"
    case .tag: "/search?tag=\(URLText.escaped(target.label))"
    }
  }

  /// Returns a plain text as HTML with working links.
  static func html(ofPlain text: String) -> String {
    let links = TextLink.links(in: text)
    guard !links.isEmpty else { return HTMLText.escaped(VisibleText.of(text)) }
    let written = written(links)
    let bytes = Array(text.utf8)
    var html = HTMLWriter()
    var end = 0
    func plain(_ range: Range<Int>) {
      html.value(VisibleText.of(String(decoding: bytes[range], as: UTF8.self)))
    }
    for (index, link) in links.enumerated() {
      plain(end..<link.range.lowerBound)
      end = link.range.upperBound
      let shown = written.indices.contains(index) ? written[index] : WrittenLink(words: link.shown)
      if let href = shown.href {
        html.raw("<a href=\"")
        html.value(href)
        html.raw("\">")
        html.value(VisibleText.of(shown.words))
        html.raw("</a>")
      } else if let gone = shown.gone {
        html.raw("<span class=\"link-gone\"><s>")
        html.value(VisibleText.of(shown.words))
        html.raw("</s><span class=\"visually-hidden\"> (")
        html.value(gone)
        html.raw(")</span></span>")
      } else {
        html.value(VisibleText.of(shown.words))
      }
    }
    plain(end..<bytes.count)
    return html.text
  }
}

extension LinkKey {
  fileprivate var isEntry: Bool {
    if case .entry = self { true } else { false }
  }
}
