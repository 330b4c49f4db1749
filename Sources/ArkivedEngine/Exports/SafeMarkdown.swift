package import ArkivedCore
package import CMark
import Foundation

/// Converts Markdown to safe HTML, for pages and for the book.
package enum SafeMarkdown {
  /// Returns HTML for CommonMark, made by libcmark in its safe mode.
  ///
  /// Links to scripts lose their target. HTML in the text is shown as text. The highest headings
  /// are placed one level below the heading above the text, regardless of the author's levels.
  ///
  /// - Parameters:
  ///   - source: the text, without NUL.
  ///   - level: the level of the heading above the text.
  ///   - links: returns how each link `[[name]]` of the text is written; by default, only the words
  ///     of links are written.
  ///   - edit: changes the document (a `cmark_node`) before it is written.
  /// - Returns: `nil` if there isn't enough memory.
  package static func html(
    _ source: String, under level: Int, links: ([TextLink]) -> [WrittenLink] = { _ in [] },
    edit: (OpaquePointer) -> Void = { _ in }
  ) -> String? {
    let linked = LinkedMarkdown(source, write: links)
    let source = linked.markdown
    guard let document = cmark_parse_document(source, source.utf8.count, CMARK_OPT_SMART) else {
      return nil
    }
    defer { cmark_node_free(document) }
    tame(document, under: Int32(level))
    linked.apply(to: document)
    edit(document)
    guard let rendered = cmark_render_html(document, CMARK_OPT_DEFAULT) else { return nil }
    defer { free(rendered) }
    return String(cString: rendered)
  }

  /// Returns the nodes of some kinds, in the order of the text.
  ///
  /// Change them only after the call, not while it runs.
  package static func nodes(
    of kinds: [cmark_node_type], in document: OpaquePointer
  ) -> [OpaquePointer] {
    guard let walk = cmark_iter_new(document) else { return [] }
    defer { cmark_iter_free(walk) }
    var found: [OpaquePointer] = []
    while true {
      let event = cmark_iter_next(walk)
      guard event != CMARK_EVENT_DONE else { return found }
      guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(walk) else { continue }
      if kinds.contains(cmark_node_get_type(node)) { found.append(node) }
    }
  }

  private static func tame(_ document: OpaquePointer, under level: Int32) {
    let headings = nodes(of: [CMARK_NODE_HEADING], in: document)
    let highest = headings.map { cmark_node_get_heading_level($0) }.min() ?? 1
    for node in headings {
      let own = cmark_node_get_heading_level(node)
      _ = cmark_node_set_heading_level(node, min(6, level + 1 + own - highest))
    }
    nodes(of: [CMARK_NODE_HTML_BLOCK, CMARK_NODE_HTML_INLINE], in: document).forEach(showAsText)
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
}
