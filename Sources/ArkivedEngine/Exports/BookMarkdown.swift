import CMark
import Foundation

/// A note's Markdown as HTML for the book: nothing in it can run, and nothing is fetched.
enum BookMarkdown {
  /// The levels of headings inside of a note begin here.
  private static let firstLevel: Int32 = 4

  /// CommonMark by libcmark. HTML in the note is shown as text, pictures from elsewhere become their
  /// words, and links that could run a script lose their target.
  static func html(_ given: String) -> String {
    let source = given.replacingOccurrences(of: "\0", with: "\u{FFFD}")
    guard let document = cmark_parse_document(source, source.utf8.count, CMARK_OPT_SMART) else {
      return "<p>\(BookText.escaped(source))</p>\n"
    }
    defer { cmark_node_free(document) }
    tame(document)
    guard let rendered = cmark_render_html(document, CMARK_OPT_DEFAULT) else { return "" }
    defer { free(rendered) }
    return String(cString: rendered)
  }

  private static func tame(_ document: OpaquePointer) {
    guard let walk = cmark_iter_new(document) else { return }
    defer { cmark_iter_free(walk) }
    var raw: [OpaquePointer] = []
    var pictures: [OpaquePointer] = []
    var headings: [OpaquePointer] = []
    while true {
      let event = cmark_iter_next(walk)
      guard event != CMARK_EVENT_DONE else { break }
      guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(walk) else { continue }
      switch cmark_node_get_type(node) {
      case CMARK_NODE_HTML_BLOCK, CMARK_NODE_HTML_INLINE: raw.append(node)
      case CMARK_NODE_IMAGE: pictures.append(node)
      case CMARK_NODE_HEADING: headings.append(node)
      default: break
      }
    }
    let highest = headings.map { cmark_node_get_heading_level($0) }.min() ?? 1
    for node in headings {
      let own = cmark_node_get_heading_level(node)
      _ = cmark_node_set_heading_level(node, min(6, firstLevel + own - highest))
    }
    raw.forEach(showAsText)
    pictures.forEach(showWords)
  }

  private static func showAsText(_ node: OpaquePointer) {
    guard let text = cmark_node_new(CMARK_NODE_TEXT) else { return }
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

  /// Puts what a picture says in its place.
  private static func showWords(_ node: OpaquePointer) {
    while let child = cmark_node_first_child(node) {
      cmark_node_unlink(child)
      guard cmark_node_insert_before(node, child) == 1 else {
        cmark_node_free(child)
        return
      }
    }
    cmark_node_unlink(node)
    cmark_node_free(node)
  }
}
