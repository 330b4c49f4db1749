import ArkivedEngine

/// Turns a note's Markdown into HTML that cannot run anything.
enum Markdown {
  /// As `SafeMarkdown`, of what can be seen in the text.
  ///
  /// - Parameters:
  ///   - level: of the page's heading above the note.
  ///   - edit: changes the document before it is written.
  static func html(
    _ given: String, under level: Int = 2, edit: (OpaquePointer) -> Void = { _ in }
  ) -> String {
    let source = VisibleText.of(given)
    return SafeMarkdown.html(source, under: level, edit: edit) ?? plain(source)
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
}
