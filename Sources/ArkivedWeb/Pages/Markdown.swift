import ArkivedEngine

/// Converts a note's Markdown to HTML that cannot run code.
enum Markdown {
  /// Returns HTML as `SafeMarkdown` does, from the visible characters of the text, with links as
  /// `PageLinks` writes them.
  ///
  /// - Parameters:
  ///   - given: the Markdown text.
  ///   - level: the level of the page's heading above the note.
  ///   - edit: changes the document before it is rendered.
  /// - Returns: the HTML; plain text if the Markdown can't be rendered.
  static func html(
    _ given: String, under level: Int = 2, edit: (OpaquePointer) -> Void = { _ in }
  ) -> String {
    let source = VisibleText.of(given)
    let html = SafeMarkdown.html(source, under: level, links: PageLinks.written) { document in
      edit(document)
      MarkdownMarks.apply(to: document)
    }
    return html ?? plain(source)
  }

  /// Returns HTML, or plain text if the markup would produce more than `limit` bytes of HTML: a
  /// line of a thousand `>` is a thousand nested quotations.
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
