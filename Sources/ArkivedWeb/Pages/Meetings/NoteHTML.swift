import ArkivedCore
import CMark
import Foundation

/// A note as HTML, with checkboxes as buttons and people as links to their pages.
struct NoteHTML {
  let html: String
  /// True if the note continues beyond the HTML.
  let isCut: Bool

  /// The length beyond which a list shows only the beginning of a note.
  static let listLimit = 20_000

  /// Renders a note.
  ///
  /// - Parameters:
  ///   - note: the note.
  ///   - form: the ID of the page's form that the buttons submit, or nil to show pictures of
  ///     them.
  ///   - isAlone: true if the page shows no other note, so addresses can name its lines.
  ///   - limit: the length beyond which only the beginning of a note is shown, without buttons.
  ///   - level: the level of the page's heading above the note.
  init(
    _ note: Note, form: String?, isAlone: Bool = false, limit: Int = NoteHTML.listLimit,
    under level: Int = 2
  ) {
    guard note.text.utf8.count <= limit else {
      html = Markdown.html(
        NotePreview.head(of: note.text), limit: 4 * NoteParts.partSize, under: level)
      isCut = true
      return
    }
    isCut = false
    // Every line ending counts as one here, as it does for promises.
    let source = note.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .joined(separator: "\n")
    let promises = Dictionary(
      PromiseReader().promises(in: source, writtenOn: nil).map { ($0.line, $0) }
    ) { first, _ in first }
    let people = note.people.compactMap { mention in
      mention.personID.map { (name: mention.name, id: $0) }
    }
    html = Markdown.html(source, limit: 8 * limit + 20_000, under: level) { document in
      NoteMarks(
        promises: promises, form: form, anchor: isAlone ? "line-" : "\(form ?? "")-line-",
        people: Array(people.prefix(12))
      )
      .apply(to: document)
    }
  }
}

/// Adds buttons and links to a note's document.
private struct NoteMarks {
  let promises: [Int: Promise]
  let form: String?
  /// The prefix of the buttons' IDs.
  let anchor: String
  let people: [(name: String, id: UUID)]

  func apply(to document: OpaquePointer) {
    guard let walk = cmark_iter_new(document) else { return }
    var items: [OpaquePointer] = []
    var texts: [OpaquePointer] = []
    var links = 0
    while true {
      let event = cmark_iter_next(walk)
      guard event != CMARK_EVENT_DONE else { break }
      guard let node = cmark_iter_get_node(walk) else { continue }
      switch cmark_node_get_type(node) {
      case CMARK_NODE_ITEM where event == CMARK_EVENT_ENTER: items.append(node)
      case CMARK_NODE_LINK, CMARK_NODE_IMAGE: links += event == CMARK_EVENT_ENTER ? 1 : -1
      case CMARK_NODE_TEXT where links == 0: texts.append(node)
      default: break
      }
    }
    cmark_iter_free(walk)
    for item in items { tick(item) }
    var left = people.isEmpty ? 0 : Self.linkLimit
    for text in texts {
      var rest: OpaquePointer? = text
      while left > 0, let text = rest {
        rest = link(text)
        left -= 1
      }
    }
  }

  /// The largest number of texts and names examined.
  private static let linkLimit = 400

  /// Replaces the brackets at the beginning of an item with a button.
  private func tick(_ item: OpaquePointer) {
    let line = Int(cmark_node_get_start_line(item))
    guard let promise = promises[line], let paragraph = cmark_node_first_child(item),
      cmark_node_get_type(paragraph) == CMARK_NODE_PARAGRAPH,
      let text = cmark_node_first_child(paragraph), cmark_node_get_type(text) == CMARK_NODE_TEXT,
      let literal = cmark_node_get_literal(text).map({ String(cString: $0) }),
      ["[ ]", "[x]", "[X]"].contains(literal.prefix(3)),
      let button = cmark_node_new(CMARK_NODE_CUSTOM_INLINE)
    else { return }
    _ = cmark_node_set_literal(text, String(literal.dropFirst(3)))
    _ = cmark_node_set_on_enter(
      button, form.map { self.button(promise, form: $0) } ?? picture(promise))
    _ = cmark_node_insert_before(text, button)
  }

  private func picture(_ promise: Promise) -> String {
    "<span class=\"tick\(promise.isDone ? " is-done" : "")\"><span></span></span>"
  }

  private func button(_ promise: Promise, form: String) -> String {
    var html = HTMLWriter()
    html.raw("<button class=\"tick\(promise.isDone ? " is-done" : "")\" type=\"submit\" form=\"")
    html.value(form)
    html.raw("\" name=\"promise\" id=\"\(anchor)\(promise.line)\" value=\"")
    html.value(PromiseToken(promise, isDone: !promise.isDone).text)
    html.raw("\" aria-pressed=\"\(promise.isDone)\" aria-label=\"")
    html.value(VisibleText.of("Done: " + ClippedText.of(promise.text, limit: 120)))
    html.raw("\"><span aria-hidden=\"true\"></span></button>")
    return html.text
  }

  /// Links the first mention of a person by name in a text to that person.
  ///
  /// - Returns: the text after it, or nil if no one is named.
  private func link(_ text: OpaquePointer) -> OpaquePointer? {
    guard let literal = cmark_node_get_literal(text).map({ String(cString: $0) }),
      let (range, id) = first(in: literal)
    else { return nil }
    guard let link = cmark_node_new(CMARK_NODE_LINK), let name = cmark_node_new(CMARK_NODE_TEXT),
      let rest = cmark_node_new(CMARK_NODE_TEXT)
    else { return nil }
    _ = cmark_node_set_url(link, MeetingWords.href(person: id))
    _ = cmark_node_set_literal(name, String(literal[range]))
    _ = cmark_node_append_child(link, name)
    _ = cmark_node_set_literal(rest, String(literal[range.upperBound...]))
    _ = cmark_node_insert_after(text, link)
    _ = cmark_node_insert_after(link, rest)
    _ = cmark_node_set_literal(text, String(literal[..<range.lowerBound]))
    return rest
  }

  private func first(in text: String) -> (Range<String.Index>, UUID)? {
    var found: (Range<String.Index>, UUID)?
    for person in people {
      let given = person.name.split(separator: " ").first.map(String.init) ?? person.name
      let spelt = person.name.replacingOccurrences(of: " ", with: ".")
      for name in ["@\(spelt)", "@\(given)", person.name] {
        guard let range = whole(name, in: text) else { continue }
        if found.map({ range.lowerBound < $0.0.lowerBound }) ?? true { found = (range, person.id) }
        break
      }
    }
    return found
  }

  /// Returns the range of a name that occurs as separate words.
  private func whole(_ name: String, in text: String) -> Range<String.Index>? {
    var start = text.startIndex
    while start < text.endIndex,
      let range = text.range(of: name, options: .caseInsensitive, range: start..<text.endIndex)
    {
      let before =
        range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
      let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
      func joins(_ character: Character) -> Bool { character.isLetter || character.isNumber }
      if !joins(before), before != "@" || name.hasPrefix("@"), !joins(after) { return range }
      start = range.upperBound
    }
    return nil
  }
}
