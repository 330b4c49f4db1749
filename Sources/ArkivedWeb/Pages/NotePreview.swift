import Foundation

/// The beginning of a note for the page of its day.
struct NotePreview {
  /// The sanitised HTML.
  let html: String
  /// The way to see the rest.
  let rest: Rest

  enum Rest {
    /// The note is complete.
    case none
    /// The rest is in the HTML, folded by the page.
    case folded
    /// The rest is on the note's own page.
    case elsewhere
  }

  /// The length beyond which a note is folded or cut.
  static let scalarLimit = 600
  static let lineLimit = 8
  /// The size limit of the HTML of a folded note.
  private static let htmlLimit = 30_000

  /// Creates a preview.
  ///
  /// - Parameters:
  ///   - beginning: the note, or the part of it that was read.
  ///   - goesOn: true if the note continues after that.
  init(_ beginning: String, goesOn: Bool) {
    let isLong =
      beginning.unicodeScalars.count > NotePreview.scalarLimit
      || beginning.utf8.reduce(0, { $0 + ($1 == 0x0A ? 1 : 0) }) >= NotePreview.lineLimit
    if !goesOn {
      let whole = Markdown.html(beginning)
      if whole.utf8.count <= NotePreview.htmlLimit {
        (html, rest) = (whole, isLong ? .folded : .none)
        return
      }
    }
    html = Markdown.html(NotePreview.head(of: beginning), limit: NotePreview.htmlLimit)
    rest = .elsewhere
  }

  /// Returns the first paragraphs of a note, about `scalarLimit` characters at most, or the
  /// beginning of a longer first paragraph.
  static func head(of note: String) -> String {
    let parts = NoteParts(String(note.drop { $0.isWhitespace }), size: scalarLimit)
    let head = parts.markdown(0)
    let isWhole = parts.count == 1
    let last = head.unicodeScalars.last
    guard !isWhole, last != "\n", !head.hasSuffix("```\n"), !head.hasSuffix("~~~\n") else {
      return head
    }
    return tidied(head) + "…"
  }

  /// Returns a truncated paragraph without elements broken by the cut: a link, code, emphasis.
  private static func tidied(_ paragraph: String) -> String {
    var text = paragraph[...]
    while text.last?.isWhitespace == true { text = text.dropLast() }
    let start = text.range(of: "\n\n", options: .backwards)?.upperBound ?? text.startIndex
    // In "[words](addr" and "`code", the text before the element is intact.
    if let bracket = text[start...].lastIndex(of: "[") {
      let tail = text[bracket...]
      let isClosed = tail.contains("]") && (!tail.contains("](") || tail.contains(")"))
      if !isClosed { text = text[..<bracket] }
    }
    if !text[start...].filter({ $0 == "`" }).count.isMultiple(of: 2),
      let tick = text[start...].lastIndex(of: "`")
    {
      text = text[..<tick]
    }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    var closing = ""
    for mark in ["**", "__"] {
      let marks = text[start...].components(separatedBy: mark).count - 1
      if !marks.isMultiple(of: 2) { closing = mark + closing }
    }
    return String(text) + closing
  }
}
