import ArkivedCore
import Foundation

/// The attributes of a run of text.
struct RunAttributes: Equatable {
  var isBold = false
  var isItalic = false
  var isStruck = false
  var isCode = false
  var link: String?
  var isAutolink = false
  var line: LineStyle?
  /// The run is Markdown already.
  var isMarkdown = false

  init() {}

  init(_ json: JSON?) {
    func flag(_ key: String) -> Bool { json?[key]?.bool ?? false }
    isBold = flag("bold")
    isItalic = flag("italic")
    isStruck = flag("strikethrough")
    isCode = flag("inlineCode")
    isAutolink = flag("autolink")
    link = json?["linkURL"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    line = json?["line"].flatMap(LineStyle.init)
  }

  /// A part of a line, without its line break.
  func markdown(_ text: String) -> String {
    guard !isMarkdown else { return text }
    let inner = text.trimmingCharacters(in: .whitespaces)
    guard !inner.isEmpty else { return text }
    var marked = isCode ? Self.code(inner) : MarkdownEscapes.escaped(inner)
    if !isCode {
      if isStruck { marked = "~~\(marked)~~" }
      if isItalic { marked = "*\(marked)*" }
      if isBold { marked = "**\(marked)**" }
    }
    if let link, link != inner {
      marked = "[\(marked)](\(Self.address(link)))"
    } else if link != nil || isAutolink {
      // A bare address is itself a link, and its special characters are part of it.
      marked = inner.contains(where: \.isWhitespace) ? marked : "<\(inner)>"
    }
    // Emphasis marks have to touch the words.
    let before = text.prefix { $0.isWhitespace }
    let after = text.reversed().prefix { $0.isWhitespace }.reversed()
    return before + marked + String(after)
  }

  private static func code(_ text: String) -> String {
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let space = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
    return fence + space + text + space + fence
  }

  static func address(_ url: String) -> String {
    let isPlain = !url.contains { $0.isWhitespace || "()<>\\".contains($0) }
    guard !isPlain else { return url }
    let tame = url.map { "<>\n\r\\".contains($0) ? " " : $0 }
    return "<\(String(tame))>"
  }
}

/// The style of a line on the page.
struct LineStyle: Equatable {
  enum Kind: Equatable {
    case paragraph, quote, code
    case header(Int)
    case bullet
    case number(Int?)
    case box(Bool)
  }

  var kind: Kind
  /// The level of indentation, starting from 1 for the outermost item of a list.
  var indent: Int
  var identifier: String?

  init(_ kind: Kind, indent: Int = 1) {
    (self.kind, self.indent) = (kind, indent)
  }

  init?(_ json: JSON) {
    guard json.object != nil else { return nil }
    func number(_ key: String) -> Int? { json[key]?.int ?? json[key]?.string.flatMap { Int($0) } }
    indent = min(max(number("indentLevel") ?? 1, 1), 20)
    identifier = json["identifier"]?.string
    if json["codeBlock"]?.bool == true {
      kind = .code
    } else if json["quote"]?.bool == true {
      kind = .quote
    } else if let level = number("header"), (1...6).contains(level) {
      kind = .header(level)
    } else {
      switch json["listStyle"]?.string {
      case "bulleted": kind = .bullet
      case "numbered": kind = .number(number("listIndex"))
      case "checkbox": kind = .box(json["checked"]?.bool ?? false)
      default: kind = .paragraph
      }
    }
  }

  /// The group of line styles that may follow each other without a blank line between them.
  var family: String {
    switch kind {
    case .paragraph: "paragraph"
    case .quote: "quote"
    case .code: "code"
    case .header: "header"
    case .bullet, .number, .box: "list"
    }
  }
}

/// Combines runs into lines, and lines into a page of Markdown with every special character of the
/// original text escaped with a backslash.
struct RichTextWriter {
  private var output: [String] = []
  private var line = ""
  private var plainLine = ""
  private var style: LineStyle?
  private var hasLine = false
  private var lastRun: RunAttributes?
  private var family: String?
  private var code: [String] = []
  /// The number of the last numbered item at each level of indentation.
  private var numbers: [Int: Int] = [:]

  mutating func write(_ text: String, _ attributes: RunAttributes) {
    if beginsLine(attributes) { endLine() }
    lastRun = attributes
    let parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { endLine() }
      guard !part.isEmpty || index < parts.count - 1 else { continue }
      // The style of a line's first character applies to the whole line.
      if !hasLine { style = attributes.line }
      hasLine = true
      let part = String(Substring(part))
      plainLine += part
      line += attributes.markdown(part)
    }
  }

  /// Returns true if a run is on a separate line although no line break precedes it: some programs
  /// write lists with one run per item and no line breaks.
  private func beginsLine(_ attributes: RunAttributes) -> Bool {
    guard hasLine, let new = attributes.line, let last = lastRun else { return false }
    if let one = new.identifier, let other = style?.identifier { return one != other }
    let isAlike = (style?.kind ?? .paragraph) == new.kind && (style?.indent ?? 1) == new.indent
    // Two identical runs on one line would be a single run.
    return !isAlike || (new.kind != .paragraph && last == attributes)
  }

  mutating func write(block: String) {
    endLine()
    endCode()
    separate(from: nil)
    output.append(block)
    family = "block"
    lastRun = nil
  }

  mutating func finish() -> String {
    endLine()
    endCode()
    return output.joined(separator: "\n")
  }

  private mutating func endLine() {
    guard hasLine else { return }
    defer {
      line = ""
      plainLine = ""
      hasLine = false
      style = nil
    }
    if style?.kind == .code {
      if code.isEmpty { separate(from: "code") }
      code.append(plainLine)
      family = "code"
      return
    }
    endCode()
    let isBlank = plainLine.allSatisfy(\.isWhitespace)
    guard let style, style.kind != .paragraph, !isBlank else {
      numbers = [:]
      if isBlank {
        if output.last != "" { output.append("") }
      } else {
        separate(from: "paragraph")
        output.append(line)
        family = "paragraph"
      }
      return
    }
    separate(from: style.family)
    family = style.family
    let indent = String(repeating: "    ", count: style.indent - 1)
    switch style.kind {
    case .header(let level): output.append(String(repeating: "#", count: level) + " " + line)
    case .quote: output.append(String(repeating: "> ", count: style.indent) + line)
    case .bullet: output.append("\(indent)- \(line)")
    case .box(let isChecked): output.append("\(indent)- [\(isChecked ? "x" : " ")] \(line)")
    case .number(let given):
      let number = given ?? (numbers[style.indent] ?? 0).addingReportingOverflow(1).partialValue
      numbers = numbers.filter { $0.key < style.indent }
      numbers[style.indent] = number
      output.append("\(indent)\(number). \(line)")
    case .paragraph, .code: output.append(line)
    }
  }

  private mutating func endCode() {
    guard !code.isEmpty else { return }
    output.append(DayOneObject.fenced(code.joined(separator: "\n")))
    code = []
  }

  /// Writes a blank line if the next line is of a different kind from the line above; headings are
  /// always separated.
  private mutating func separate(from next: String?) {
    guard let last = output.last, !last.isEmpty else { return }
    if next == nil || next != family || next == "header" { output.append("") }
  }
}
