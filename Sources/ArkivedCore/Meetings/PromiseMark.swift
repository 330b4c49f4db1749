/// Ticks checkboxes in a note.
package enum PromiseMark {
  /// Returns the text with the checkbox of one line ticked or cleared and everything else
  /// unchanged.
  ///
  /// - Parameters:
  ///   - isDone: true if it is done.
  ///   - line: the line number from 1, as in `Promise.line`.
  ///   - text: the text.
  ///   - expected: the promise as displayed, or nil to accept any.
  /// - Returns: nil if the line contains no promise or a different one.
  package static func set(
    _ isDone: Bool, line: Int, in text: String, expecting expected: String? = nil
  ) -> String? {
    replace(line: line, in: text, expecting: expected, isDone: isDone, with: isDone ? "x" : " ")
  }

  /// Returns the text with the open checkbox of one line marked as given up, `[-]`, and everything
  /// else unchanged.
  ///
  /// - Returns: nil if the line contains no open promise or a different one.
  package static func letGo(line: Int, in text: String, expecting expected: String) -> String? {
    let marked = replace(line: line, in: text, expecting: expected, isDone: true, with: "-")
    return marked == text ? nil : marked
  }

  private static func replace(
    line: Int, in text: String, expecting expected: String?, isDone: Bool, with sign: String
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
    marked.replaceSubrange(mark...mark, with: sign)
    return marked
  }
}
