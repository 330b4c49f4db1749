/// Ticking checkboxes of a note.
package enum PromiseMark {
  /// The text with the checkbox of one line ticked or cleared; nothing else in it changes.
  ///
  /// - Parameters:
  ///   - line: from 1, as `Promise.line`.
  ///   - expected: the promise as it was shown; nil where any will do.
  /// - Returns: nil where that line holds no promise, or another one.
  package static func set(
    _ isDone: Bool, line: Int, in text: String, expecting expected: String? = nil
  ) -> String? {
    let promises = PromiseReader().promises(in: text, writtenOn: nil)
    guard let promise = promises.first(where: { $0.line == line }),
      expected.map({ $0 == promise.text }) ?? true
    else { return nil }
    if promise.isDone == isDone { return text }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(line - 1), let item = MarkdownText.item(lines[line - 1]),
      MarkdownText.task(item) != nil
    else { return nil }
    let mark = text.index(after: item.startIndex)
    var marked = text
    marked.replaceSubrange(mark...mark, with: isDone ? "x" : " ")
    return marked
  }
}
