import ArkivedCore
import CMark
import Foundation

/// A link `[[name]]` as displayed in HTML.
package struct WrittenLink: Hashable, Sendable {
  package var words: String
  package var href: String?
  /// The reason the link has no address, for users who can't see that the words are crossed out.
  package var gone: String?

  package init(words: String, href: String? = nil, gone: String? = nil) {
    self.words = words
    self.href = href
    self.gone = gone
  }
}

/// A Markdown text whose links `[[name]]` are written in Markdown's own syntax while it is parsed.
///
/// The parser would otherwise split such a link at its brackets and change the quotes in it. If the
/// parser finds a link in code, such as an indented line, the original text is restored.
struct LinkedMarkdown {
  let markdown: String
  private let links: [WrittenLink]
  /// The links as written in the text and as passed to the parser.
  private var originals: [String] = []
  private var replacements: [String] = []

  private static let scheme = "arkived-link:"

  init(_ source: String, write: ([TextLink]) -> [WrittenLink]) {
    let found = TextLink.links(in: source)
    guard !found.isEmpty else {
      markdown = source
      links = []
      return
    }
    let written = write(found)
    links = found.indices.map {
      written.indices.contains($0) ? written[$0] : WrittenLink(words: found[$0].shown)
    }
    let bytes = Array(source.utf8)
    var result: [UInt8] = []
    var end = 0
    for (index, link) in found.enumerated() {
      let replacement = "[\(Self.escaped(links[index].words))](<\(Self.scheme)\(index)>)"
      originals.append(String(decoding: bytes[link.range], as: UTF8.self))
      replacements.append(replacement)
      result += bytes[end..<link.range.lowerBound]
      result += replacement.utf8
      end = link.range.upperBound
    }
    markdown = String(decoding: result + bytes[end...], as: UTF8.self)
  }

  /// Escapes every character that Markdown might interpret.
  private static func escaped(_ words: String) -> String {
    var text = ""
    for character in words {
      if let ascii = character.asciiValue, (0x21...0x7E).contains(ascii), !character.isLetter,
        !character.isNumber
      {
        text.append("\\")
      }
      text.append(character.isNewline ? " " : character)
    }
    return text
  }

  /// Writes the links of a parsed document.
  func apply(to document: OpaquePointer) {
    guard !links.isEmpty else { return }
    let literals = [CMARK_NODE_CODE, CMARK_NODE_CODE_BLOCK, CMARK_NODE_TEXT]
    for node in SafeMarkdown.nodes(of: literals, in: document) {
      guard let literal = cmark_node_get_literal(node).map({ String(cString: $0) }),
        literal.contains(Self.scheme)
      else { continue }
      _ = cmark_node_set_literal(node, restored(literal))
    }
    for node in SafeMarkdown.nodes(of: [CMARK_NODE_LINK], in: document) {
      guard let url = cmark_node_get_url(node).map({ String(cString: $0) }),
        url.hasPrefix(Self.scheme), let index = Int(url.dropFirst(Self.scheme.count)),
        links.indices.contains(index)
      else { continue }
      write(links[index], for: node)
    }
  }

  private func write(_ link: WrittenLink, for node: OpaquePointer) {
    if let href = link.href {
      _ = cmark_node_set_url(node, href)
      return
    }
    guard let span = cmark_node_new(CMARK_NODE_CUSTOM_INLINE) else { return }
    if let gone = link.gone {
      let why = gone.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing("\"", with: "&quot;")
      _ = cmark_node_set_on_enter(span, "<span class=\"link-gone\" title=\"\(why)\"><s>")
      _ = cmark_node_set_on_exit(
        span, "</s><span class=\"visually-hidden\"> (\(why))</span></span>")
    }
    while let child = cmark_node_first_child(node) { _ = cmark_node_append_child(span, child) }
    _ = cmark_node_replace(node, span)
    cmark_node_free(node)
  }

  /// Returns a text with its links in their original form.
  private func restored(_ literal: String) -> String {
    var result = ""
    var rest = literal[...]
    let mark = "](<\(Self.scheme)"
    while let found = rest.range(of: mark) {
      let digits = rest[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
      let end = digits.endIndex
      guard let index = Int(digits), replacements.indices.contains(index),
        rest[end...].hasPrefix(">)")
      else {
        result += rest[..<found.upperBound]
        rest = rest[found.upperBound...]
        continue
      }
      let after = rest.index(end, offsetBy: 2)
      if rest[..<after].hasSuffix(replacements[index]) {
        result += rest[..<after].dropLast(replacements[index].count) + originals[index]
      } else {
        result += rest[..<after]
      }
      rest = rest[after...]
    }
    return result + rest
  }
}
