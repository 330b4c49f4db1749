import ArkivedCore

/// Links to a part of a page's text, which the browser scrolls to and marks (WICG, “URL Fragment
/// Text Directives”).
///
/// If a browser doesn't find the text, it goes to the page's anchor.
enum TextFragment {
  /// The number of words that identify the start and the end of a passage.
  private static let words = 5

  /// Returns the address of a found entry with the passage of its snippet, or without it if the
  /// entry is no longer than its title.
  static func href(_ address: String, to hit: SearchHit) -> String {
    let hasText = hit.type == .note || hit.type == .day || hit.titleBesideSnippet != nil
    guard hasText, [.note, .day, .activity].contains(hit.type),
      let text = directive(hit.snippet.text)
    else { return address }
    return address + (address.contains("#") ? "" : "#") + ":~:text=" + text
  }

  /// Returns the two ends of a passage; each must be in one block of the page, so both are taken
  /// from lines.
  private static func directive(_ passage: String) -> String? {
    let lines = MarkdownText.plain(passage.replacing("…", with: " ")).split(separator: "\n")
      .map { $0.split(whereSeparator: \.isWhitespace) }.filter { !$0.isEmpty }
    guard let first = lines.first, let last = lines.last else { return nil }
    if lines.count == 1, first.count <= 2 * words { return escaped(first[...]) }
    return escaped(first.prefix(words)) + "," + escaped(last.suffix(words))
  }

  /// Escapes words; a hyphen would separate words before and after the text.
  private static func escaped(_ words: ArraySlice<Substring>) -> String {
    URLText.escaped(words.joined(separator: " ")).replacing("-", with: "%2D")
  }
}
