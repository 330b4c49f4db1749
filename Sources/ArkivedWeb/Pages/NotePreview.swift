import Foundation

/// The beginning of a note for the page of its day.
struct NotePreview {
  /// Sanitised HTML.
  let html: String
  /// How the rest can be seen.
  let rest: Rest

  enum Rest {
    /// There is none.
    case none
    /// It is in the HTML; the page folds it.
    case folded
    /// It is on the note's own page.
    case elsewhere
  }

  /// A longer note is folded or cut.
  static let scalarLimit = 600
  static let lineLimit = 8
  /// A folded note may make no more HTML than this.
  private static let htmlLimit = 30_000

  /// - Parameters:
  ///   - beginning: the note, or as much of it as was read.
  ///   - goesOn: whether the note goes on after that.
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

  /// The first paragraphs of a note, at most about `scalarLimit` characters; of a longer first
  /// paragraph its beginning.
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

  /// A paragraph that was cut, without what the cut left half: a link, code, emphasis.
  private static func tidied(_ paragraph: String) -> String {
    var text = paragraph[...]
    while text.last?.isWhitespace == true { text = text.dropLast() }
    let start = text.range(of: "\n\n", options: .backwards)?.upperBound ?? text.startIndex
    // "[words](addr" and "`code": what stands before them is whole.
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
