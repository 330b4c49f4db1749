import ArkivedCore

/// Links to a part of a page's text, which the browser scrolls to and marks (WICG, “URL Fragment Text
/// Directives”). A browser that doesn't find the text goes to the page's anchor.
enum TextFragment {
  /// How many words say where a passage begins, and where it ends.
  private static let words = 5

  /// The address of a found entry, leading to the passage that its snippet shows; without the passage
  /// where the entry is no longer than its title.
  static func href(_ address: String, to hit: SearchHit) -> String {
    let hasText = hit.type == .note || hit.type == .day || hit.titleBesideSnippet != nil
    guard hasText, [.note, .day, .activity].contains(hit.type),
      let text = directive(hit.snippet.text)
    else { return address }
    return address + (address.contains("#") ? "" : "#") + ":~:text=" + text
  }

  /// The ends of a passage. Each has to stand in one block of the page, so both are taken from lines.
  private static func directive(_ passage: String) -> String? {
    let lines = MarkdownText.plain(passage.replacing("…", with: " ")).split(separator: "\n")
      .map { $0.split(whereSeparator: \.isWhitespace) }.filter { !$0.isEmpty }
    guard let first = lines.first, let last = lines.last else { return nil }
    if lines.count == 1, first.count <= 2 * words { return escaped(first[...]) }
    return escaped(first.prefix(words)) + "," + escaped(last.suffix(words))
  }

  /// A hyphen would set words before and behind the text apart.
  private static func escaped(_ words: ArraySlice<Substring>) -> String {
    URLText.escaped(words.joined(separator: " ")).replacing("-", with: "%2D")
  }
}
