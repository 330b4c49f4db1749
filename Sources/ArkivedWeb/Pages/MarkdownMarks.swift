import ArkivedCore
import ArkivedEngine
import CMark
import Foundation

/// The display of a note's parts beyond CommonMark: the archive's own pictures and checkboxes.
enum MarkdownMarks {
  /// Replaces the addresses of own pictures and the brackets of check boxes in a document.
  static func apply(to document: OpaquePointer) {
    for node in SafeMarkdown.nodes(of: [CMARK_NODE_IMAGE, CMARK_NODE_ITEM], in: document) {
      if cmark_node_get_type(node) == CMARK_NODE_IMAGE { showOwnPicture(node) } else { tick(node) }
    }
  }

  private static let folder = "/attachments/"

  /// Shows the large thumbnail of an attachment, linked to the file: a photo may be of a kind that
  /// browsers don't show, or of any size.
  private static func showOwnPicture(_ image: OpaquePointer) {
    guard let address = cmark_node_get_url(image).map({ String(cString: $0) }),
      address.hasPrefix(folder), let id = UUID(uuidString: String(address.dropFirst(folder.count)))
    else { return }
    let file = folder + id.uuidString
    _ = cmark_node_set_url(image, file + "/thumbnail?size=large")
    guard let parent = cmark_node_parent(image), cmark_node_get_type(parent) != CMARK_NODE_LINK,
      let link = cmark_node_new(CMARK_NODE_LINK)
    else { return }
    _ = cmark_node_set_url(link, file)
    _ = cmark_node_insert_before(image, link)
    _ = cmark_node_append_child(link, image)
  }

  /// Shows the brackets at the beginning of an item as a check box.
  private static func tick(_ item: OpaquePointer) {
    guard let paragraph = cmark_node_first_child(item),
      cmark_node_get_type(paragraph) == CMARK_NODE_PARAGRAPH,
      let text = cmark_node_first_child(paragraph), cmark_node_get_type(text) == CMARK_NODE_TEXT
    else { return }
    // Brackets are separate nodes until they are joined.
    cmark_consolidate_text_nodes(paragraph)
    guard let first = cmark_node_first_child(paragraph),
      let literal = cmark_node_get_literal(first).map({ String(cString: $0) }),
      let isDone = ["[ ] ": false, "[x] ": true, "[X] ": true][literal.prefix(4)],
      let box = cmark_node_new(CMARK_NODE_CUSTOM_INLINE)
    else { return }
    _ = cmark_node_set_literal(first, String(literal.dropFirst(4)))
    var html = HTMLWriter()
    html.raw("<span class=\"tick\(isDone ? " is-done" : "")\" role=\"img\" aria-label=\"")
    html.value(isDone ? said("done") : said("not done"))
    html.raw("\"><span></span></span>")
    _ = cmark_node_set_on_enter(box, html.text)
    _ = cmark_node_insert_before(first, box)
  }
}
