import CMark
import Foundation

/// Turns a note's Markdown into HTML that cannot run anything.
enum Markdown {
  /// CommonMark by libcmark in its safe mode: links to scripts lose their target. HTML that stands
  /// in the note is shown as the text it is. Its highest headings come one level below the heading of
  /// the page that the note stands under, whatever levels its author used.
  ///
  /// - Parameters:
  ///   - level: of the page's heading above the note.
  ///   - edit: changes the document before it is written.
  static func html(
    _ given: String, under level: Int = 2, edit: (OpaquePointer) -> Void = { _ in }
  ) -> String {
    let source = VisibleText.of(given)
    guard let document = cmark_parse_document(source, source.utf8.count, CMARK_OPT_SMART) else {
      return plain(source)
    }
    defer { cmark_node_free(document) }
    tame(document, under: Int32(level))
    edit(document)
    guard let rendered = cmark_render_html(document, CMARK_OPT_DEFAULT) else { return "" }
    defer { free(rendered) }
    return String(cString: rendered)
  }

  /// The same, or plain text where the markup would make more than `limit` bytes of HTML: a line of
  /// a thousand `>` is a thousand quotations within each other.
  static func html(
    _ source: String, limit: Int, under level: Int = 2,
    edit: (OpaquePointer) -> Void = { _ in }
  ) -> String {
    let marked = html(source, under: level, edit: edit)
    return marked.utf8.count <= limit ? marked : plain(VisibleText.of(source))
  }

  private static func plain(_ text: String) -> String {
    "<p class=\"plain-text\">\(HTMLText.escaped(text))</p>"
  }

  private static func tame(_ document: OpaquePointer, under level: Int32) {
    guard let walk = cmark_iter_new(document) else { return }
    defer { cmark_iter_free(walk) }
    var raw: [OpaquePointer] = []
    var headings: [OpaquePointer] = []
    while true {
      let event = cmark_iter_next(walk)
      guard event != CMARK_EVENT_DONE else { break }
      guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(walk) else { continue }
      switch cmark_node_get_type(node) {
      case CMARK_NODE_HTML_BLOCK, CMARK_NODE_HTML_INLINE: raw.append(node)
      case CMARK_NODE_HEADING: headings.append(node)
      default: break
      }
    }
    let highest = headings.map { cmark_node_get_heading_level($0) }.min() ?? 1
    for node in headings {
      let own = cmark_node_get_heading_level(node)
      _ = cmark_node_set_heading_level(node, min(6, level + 1 + own - highest))
    }
    for node in raw {
      guard let text = cmark_node_new(CMARK_NODE_TEXT) else { continue }
      _ = cmark_node_set_literal(text, cmark_node_get_literal(node))
      var replacement = text
      if cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK,
        let paragraph = cmark_node_new(CMARK_NODE_PARAGRAPH)
      {
        _ = cmark_node_append_child(paragraph, text)
        replacement = paragraph
      }
      _ = cmark_node_replace(node, replacement)
      cmark_node_free(node)
    }
  }
}
