import CMark
import Foundation

/// Converts a note's Markdown to HTML for the book; nothing in the result is executed or fetched.
enum BookMarkdown {
  /// Returns HTML as `SafeMarkdown` does, with external pictures replaced by their text.
  static func html(_ given: String) -> String {
    let source = given.replacingOccurrences(of: "\0", with: "\u{FFFD}")
    let html = SafeMarkdown.html(
      source, under: 3,
      edit: { document in
        SafeMarkdown.nodes(of: [CMARK_NODE_IMAGE], in: document).forEach(showWords)
      })
    return html ?? "<p>\(BookText.escaped(source))</p>\n"
  }

  /// Replaces a picture with its alternative text.
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
