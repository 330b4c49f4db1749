import ArkivedCore
import Foundation

/// Writes HTML as Markdown: paragraphs, headings, lists, check boxes, quotes, code, emphasis, links
/// and tables.
///
/// Only these elements are written, and every special character in the text is escaped with a
/// backslash, so nothing in a page can turn into something else. Links can lead only to web, mail
/// and telephone addresses.
struct HTMLMarkdown {
  /// The emphasis that the page's styles assign to classes.
  typealias Styles = [Substring: RunAttributes]

  private var writer = RichTextWriter()
  private let styles: Styles
  /// Returns the text that replaces a picture, given its address and its description; nil leaves
  /// the picture out.
  private let picture: (String, String) -> String?

  private var marks: [(name: String, attributes: RunAttributes)] = []
  private var lists: [(isNumbered: Bool, number: Int)] = []
  private var quotes = 0
  private var code = 0
  private var heading: Int?
  private var isInItem = false
  private var box: Bool?
  /// A number that distinguishes the runs of one line from those of the next.
  private var line = 0
  /// The number of line breaks to write before the next text.
  private var breaks = 0
  private var isAtStart = true
  private var hasSpace = false
  private var hidden = 0
  private var table: [[String]]?
  private var isInCell = false

  /// The maximum depth of lists; deeper ones are written at this depth.
  private static let depthLimit = 20

  /// - Returns: Markdown in which every special character of the text is escaped with a backslash.
  static func text(
    _ tokens: some Sequence<HTMLTokens.Token>, styles: Styles = [:],
    picture: @escaping (String, String) -> String? = { _, _ in nil }
  ) -> String {
    var reader = HTMLMarkdown(styles: styles, picture: picture)
    for token in tokens { reader.take(token) }
    reader.endTable()
    return reader.writer.finish()
  }

  /// Returns text without any markup; line breaks and the edges of blocks become spaces, and
  /// consecutive spaces become one.
  static func plain(_ tokens: some Sequence<HTMLTokens.Token>) -> String {
    var text = ""
    for token in tokens {
      switch token {
      case .text(let part): text += part
      case .open(let name, _), .close(let name):
        if name == "br" || blocks.contains(name) { text += " " }
      }
    }
    return text.split { $0.isWhitespace }.joined(separator: " ")
  }

  private init(styles: Styles, picture: @escaping (String, String) -> String?) {
    self.styles = styles
    self.picture = picture
  }

  // MARK: Tokens

  private static let blocks: Set<String> = [
    "p", "div", "section", "article", "header", "footer", "main", "aside", "figure", "figcaption",
    "address", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "hr",
    "table", "tr", "dl", "dt", "dd", "details", "summary", "form", "td", "th",
  ]
  /// Blocks with a blank line around them; other blocks only end the line.
  private static let spaced: Set<String> = [
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "pre", "table", "figure",
    "hr",
  ]

  private mutating func take(_ token: HTMLTokens.Token) {
    switch token {
    case .text(let text): if hidden == 0 { take(text) }
    case .open(let name, let attributes): open(name, attributes)
    case .close(let name): close(name)
    }
  }

  private mutating func open(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "head", "title", "script", "style", "template", "noscript", "svg", "select": hidden += 1
    case "br": lineEnd()
    case "hr": block("---")
    case "img":
      if let marker = picture(attributes["src"] ?? "", attributes["alt"] ?? "") { raw(marker) }
    case "input" where attributes["type"]?.lowercased() == "checkbox":
      check(attributes["checked"] != nil)
    case "ul", "ol":
      endItem(lists.isEmpty ? 2 : 1)
      let start = attributes["start"].flatMap { Int($0) } ?? 1
      lists.append((name == "ol", min(max(start, 0), 1_000_000) - 1))
    case "li":
      endItem(1)
      if let last = lists.indices.last { lists[last].number += 1 }
      isInItem = true
      box = Self.isChecked(attributes)
    case "blockquote":
      separate(2)
      quotes += 1
    case "pre":
      separate(2)
      code += 1
    case "h1", "h2", "h3", "h4", "h5", "h6":
      separate(2)
      heading = name.last?.wholeNumberValue
    case "table":
      endTable()
      separate(2)
      table = []
    case "tr": if table != nil { table?.append([]) }
    case "td", "th": beginCell()
    default:
      if Self.blocks.contains(name) {
        separate(Self.spaced.contains(name) ? 2 : 1)
      } else {
        mark(name, attributes)
      }
    }
    if let box = Self.classedBox(attributes) { check(box) }
  }

  /// Takes a check box: the state of its item, or outside of lists a sign.
  private mutating func check(_ isChecked: Bool) {
    if isInItem, !isInCell {
      box = isChecked
    } else if hidden == 0 {
      take(isChecked ? "☑ " : "☐ ")
    }
  }

  private mutating func close(_ name: String) {
    switch name {
    case "head", "title", "script", "style", "template", "noscript", "svg", "select":
      hidden = max(0, hidden - 1)
    case "ul", "ol":
      if !lists.isEmpty { lists.removeLast() }
      endItem(lists.isEmpty ? 2 : 1)
    case "li": endItem(1)
    case "blockquote":
      separate(2)
      quotes = max(0, quotes - 1)
    case "pre":
      separate(2)
      code = max(0, code - 1)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      separate(2)
      heading = nil
    case "table": endTable()
    case "tr", "td", "th": isInCell = false
    default:
      if Self.blocks.contains(name) {
        separate(Self.spaced.contains(name) ? 2 : 1)
      } else if let index = marks.lastIndex(where: { $0.name == name }) {
        marks.remove(at: index)
      }
    }
  }

  /// Returns the state of an element that is drawn as a check box, as in Notion's pages.
  private static func classedBox(_ attributes: [String: String]) -> Bool? {
    guard let classes = attributes["class"]?.split(separator: " ") else { return nil }
    if classes.contains("checkbox-on") { return true }
    return classes.contains("checkbox-off") ? false : nil
  }

  /// Returns the state of an item that is a task, as some programs mark it in its HTML.
  private static func isChecked(_ attributes: [String: String]) -> Bool? {
    if let value = attributes["data-checked"] ?? attributes["aria-checked"] {
      return value.lowercased() == "true"
    }
    return nil
  }

  // MARK: Inline formatting

  private mutating func mark(_ name: String, _ attributes: [String: String]) {
    // Unclosed elements would accumulate here.
    guard marks.count < 200, !["input", "meta", "link", "wbr", "source", "col"].contains(name)
    else {
      return
    }
    var own = RunAttributes()
    switch name {
    case "b", "strong": own.isBold = true
    case "i", "em": own.isItalic = true
    case "s", "del", "strike": own.isStruck = true
    case "code", "tt", "kbd": own.isCode = true
    default: break
    }
    for style in (attributes["class"] ?? "").split(separator: " ").compactMap({ styles[$0] }) {
      own.join(style)
    }
    if let style = attributes["style"] { own.join(RunAttributes(css: style)) }
    if name == "a", let link = attributes["href"].flatMap(Self.address) { own.link = link }
    marks.append((name, own))
  }

  /// Returns an address that a reader may follow.
  static func address(_ text: String) -> String? {
    let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let schemes = ["http://", "https://", "mailto:", "tel:", "geo:"]
    guard address.utf8.count <= 4_096, !address.utf8.contains(where: { $0 < 0x20 }),
      schemes.contains(where: { address.lowercased().hasPrefix($0) })
    else { return nil }
    return address
  }

  private var attributes: RunAttributes {
    var all = RunAttributes()
    for (_, attributes) in marks { all.join(attributes) }
    if isInCell { return all }
    if code > 0 {
      all.line = LineStyle(.code)
    } else if isInItem, let list = lists.last {
      let kind: LineStyle.Kind =
        if let box { .box(box) } else { list.isNumbered ? .number(list.number) : .bullet }
      all.line = LineStyle(kind, indent: min(lists.count, Self.depthLimit))
    } else if let heading {
      all.line = LineStyle(.header(heading))
    } else if quotes > 0 {
      all.line = LineStyle(.quote, indent: min(quotes, Self.depthLimit))
    }
    all.line?.identifier = String(line)
    return all
  }

  // MARK: Writing

  /// True if the line or cell of the next text is still empty.
  private var isAtLineStart: Bool {
    isInCell ? table?.last?.last?.isEmpty ?? true : isAtStart || breaks > 0
  }

  private mutating func take(_ text: String) {
    if code > 0, !isInCell { return takeCode(text) }
    var words = ""
    for character in text {
      if character.isWhitespace {
        hasSpace = true
      } else {
        if hasSpace, !(words.isEmpty && isAtLineStart) { words.append(" ") }
        hasSpace = false
        words.append(character)
      }
    }
    guard !words.isEmpty else { return }
    write(words)
  }

  private mutating func takeCode(_ text: String) {
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0, !isAtStart {
        endLines()
        writer.write("\n", attributes)
        line += 1
      }
      if !part.isEmpty { write(String(part)) }
    }
  }

  private mutating func raw(_ markdown: String) {
    var own = attributes
    own.isMarkdown = true
    write((hasSpace && !isAtLineStart ? " " : "") + markdown, own)
    hasSpace = false
  }

  private mutating func write(_ text: String, _ given: RunAttributes? = nil) {
    if isInCell {
      let words = (given ?? attributes).markdown(text)
      guard let row = table?.indices.last, let cell = table?[row].indices.last else { return }
      table?[row][cell] += words
      return
    }
    endLines()
    var attributes = given ?? attributes
    attributes.line?.identifier = String(line)
    writer.write(text, attributes)
    isAtStart = false
  }

  private mutating func endLines() {
    defer { breaks = 0 }
    guard breaks > 0, !isAtStart else { return }
    writer.write(String(repeating: "\n", count: breaks), RunAttributes())
    line += 1
  }

  private mutating func lineEnd() {
    if isInCell || isInItem {
      hasSpace = true
    } else if code > 0 {
      takeCode("\n")
    } else {
      breaks = min(breaks + 1, 2)
      hasSpace = false
    }
  }

  /// Ends the text before a block; several such ends in a row count as one.
  private mutating func separate(_ count: Int) {
    // A list item or table cell is a single line.
    guard !isInCell, !isInItem else {
      hasSpace = true
      return
    }
    breaks = max(breaks, count)
    hasSpace = false
  }

  private mutating func endItem(_ count: Int) {
    isInItem = false
    box = nil
    separate(count)
  }

  private mutating func block(_ markdown: String) {
    guard !isInCell else { return }
    if !isAtStart { breaks = 0 }
    writer.write(block: markdown)
    isAtStart = false
    breaks = 2
  }

  // MARK: Tables

  private mutating func beginCell() {
    guard table != nil else { return separate(1) }
    if table?.isEmpty ?? false { table?.append([]) }
    guard let row = table?.indices.last, (table?[row].count ?? 0) < 200 else { return }
    table?[row].append("")
    isInCell = true
    hasSpace = false
  }

  private mutating func endTable() {
    isInCell = false
    guard let rows = table?.filter({ !$0.isEmpty }), !rows.isEmpty else {
      table = nil
      return
    }
    table = nil
    let width = rows.map(\.count).max() ?? 0
    var lines = rows.map { row in
      let cells = row + Array(repeating: "", count: width - row.count)
      return "| " + cells.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " | ")
        + " |"
    }
    lines.insert("|" + String(repeating: " --- |", count: width), at: 1)
    block(lines.joined(separator: "\n"))
  }
}

extension RunAttributes {
  /// Creates the emphasis that a CSS declaration describes.
  init(css: String) {
    self.init()
    let css = css.lowercased().filter { !$0.isWhitespace }
    isBold = [
      "font-weight:bold", "font-weight:6", "font-weight:7", "font-weight:8", "font-weight:9",
    ]
    .contains { css.contains($0) }
    isItalic = css.contains("font-style:italic")
    isStruck = css.contains("line-through")
  }

  mutating func join(_ other: RunAttributes) {
    isBold = isBold || other.isBold
    isItalic = isItalic || other.isItalic
    isStruck = isStruck || other.isStruck
    isCode = isCode || other.isCode
    link = other.link ?? link
  }
}
