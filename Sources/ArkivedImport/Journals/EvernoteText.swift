import Foundation

/// A task of a note in Evernote 10.
struct EvernoteTask {
  var title = ""
  var isDone = false
  var weight = ""
  var group = ""
}

/// The text of a note (ENML) as Markdown.
///
/// No entity that a document type declares is expanded.
struct EvernoteText {
  private(set) var markdown = ""
  /// The number of encrypted parts, which only Evernote can read.
  private(set) var encrypted = 0
  /// The MD5 of the files to which the text refers, in order.
  private(set) var files: [String] = []

  private var tokens: [HTMLTokens.Token] = []
  private var tasks: [EvernoteTask]
  /// For each open list, true if its items are tasks.
  private var lists: [Bool] = []
  /// The depth of lists' items and of tables.
  private var items = 0
  private var cells = 0
  /// The state of a list made from lines with check boxes.
  private var boxes = Boxes.none
  /// The depth of blocks inside a block of code; 0 outside.
  private var code = 0
  private var isCodeLineOpen = false
  /// The line breaks to write before the next text of the block of code.
  private var codeBreaks = 0
  private var isSecret = false

  private enum Boxes {
    case none, list, item
  }

  private static let lines: Set<String> = [
    "div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "center",
  ]
  /// The lines that mean nothing beyond a line, so a list of check boxes continues across them.
  private static let plainLines: Set<String> = ["div", "p", "center"]

  /// Converts a text.
  ///
  /// - Parameters:
  ///   - enml: the note's content.
  ///   - tasks: the note's tasks.
  ///   - marker: returns the Markdown for a file, given its MD5.
  init(_ enml: String, tasks: [EvernoteTask], marker: @escaping (String) -> String?) {
    self.tasks = tasks
    // A document type may have declarations before the text.
    let start = enml.range(of: "<en-note")?.lowerBound ?? enml.startIndex
    for token in HTMLTokens(String(enml[start...])).tokens { take(token) }
    endBoxes()
    if code > 0 { tokens.append(.close("pre")) }
    let left = self.tasks
    self.tasks = []
    add(left)
    markdown = HTMLMarkdown.text(tokens, picture: { hash, _ in marker(hash) })
  }

  private mutating func take(_ token: HTMLTokens.Token) {
    switch token {
    case .text(let text):
      guard !isSecret else { return }
      if boxes == .list, text.allSatisfy(\.isWhitespace) { return }
      if boxes == .list { endBoxes() }
      guard code > 0 else { return tokens.append(token) }
      // Spaces between the lines' elements are not part of the code.
      if text.allSatisfy(\.isWhitespace), !isCodeLineOpen, text.contains("\n") { return }
      tokens.append(.text(String(repeating: "\n", count: codeBreaks) + text))
      codeBreaks = 0
      isCodeLineOpen = true
    case .open(let name, let attributes):
      isSecret = false
      open(name, attributes)
    case .close(let name):
      isSecret = false
      close(name)
    }
  }

  private mutating func open(_ name: String, _ attributes: [String: String]) {
    let style = (attributes["style"] ?? "").filter { !$0.isWhitespace }.lowercased()
    switch name {
    case "en-note": return
    case "en-todo": return check(attributes["checked"]?.lowercased() == "true")
    case "en-crypt":
      if boxes == .list { endBoxes() }
      encrypted += 1
      isSecret = true
      return tokens.append(.text("(encrypted text not imported)"))
    case "en-media":
      if boxes == .list { endBoxes() }
      let hash = (attributes["hash"] ?? "").lowercased()
      files.append(hash)
      return tokens.append(.open("img", ["src": hash]))
    case "img":
      // A picture on the web becomes a link; nothing is fetched.
      guard let source = attributes["src"].flatMap(HTMLMarkdown.address) else { return }
      let alt = JournalEntry.words(attributes["alt"]) ?? source
      if boxes == .list { endBoxes() }
      return tokens += [.open("a", ["href": source]), .text(alt), .close("a")]
    default: break
    }
    if code > 0 {
      if Self.lines.contains(name) { code += 1 }
      if name == "br" { endCodeLine() }
      return
    }
    switch boxes {
    case .list where name == "br" || Self.plainLines.contains(name) && !style.contains("-en-"):
      return
    case .list: endBoxes()
    case .item where name == "br": return endBox()
    case .item where Self.lines.contains(name) || ["ul", "ol", "table", "hr"].contains(name):
      endBox()
      if Self.plainLines.contains(name), !style.contains("-en-") { return }
      endBoxes()
    default: break
    }
    if name == "div", style.contains("-en-codeblock:true") {
      code = 1
      (isCodeLineOpen, codeBreaks) = (false, 0)
      return tokens.append(.open("pre", [:]))
    }
    if style.contains("-en-task-group:true"), let id = Self.value("--en-id:", in: style) {
      let group = tasks.filter { $0.group.lowercased() == id }
      tasks.removeAll { $0.group.lowercased() == id }
      add(group)
    }
    var attributes = attributes
    switch name {
    case "ul", "ol": lists.append(style.contains("-en-todo:true"))
    case "li":
      items += 1
      if style.contains("-en-checked:") || lists.last == true {
        attributes["data-checked"] = "\(style.contains("-en-checked:true"))"
      }
    case "td", "th": cells += 1
    default: break
    }
    tokens.append(.open(name, attributes))
  }

  private mutating func close(_ name: String) {
    guard !["en-note", "en-todo", "en-crypt", "en-media"].contains(name) else { return }
    if code > 0 {
      guard Self.lines.contains(name) else { return }
      code -= 1
      if code == 0 {
        tokens.append(.close("pre"))
      } else if isCodeLineOpen {
        endCodeLine()
      }
      return
    }
    if boxes == .item, Self.lines.contains(name) || ["td", "th", "li"].contains(name) {
      endBox()
      if Self.plainLines.contains(name) { return }
    }
    if boxes == .list {
      if Self.plainLines.contains(name) { return }
      endBoxes()
    }
    switch name {
    case "ul", "ol": if !lists.isEmpty { lists.removeLast() }
    case "li": items = max(0, items - 1)
    case "td", "th": cells = max(0, cells - 1)
    default: break
    }
    tokens.append(.close(name))
  }

  private mutating func endCodeLine() {
    codeBreaks += 1
    isCodeLineOpen = false
  }

  // MARK: Check boxes

  /// Takes a check box: the state of its item, and outside of lists the beginning of one.
  private mutating func check(_ isChecked: Bool) {
    let state = isChecked ? "true" : "false"
    if items > 0 || cells > 0 || code > 0 {
      let checked = isChecked ? ["checked": ""] : [:]
      return tokens.append(
        .open("input", ["type": "checkbox"].merging(checked) { first, _ in first }))
    }
    if boxes == .item { endBox() }
    if boxes == .none { tokens.append(.open("ul", [:])) }
    tokens.append(.open("li", ["data-checked": state]))
    boxes = .item
  }

  private mutating func endBox() {
    tokens.append(.close("li"))
    boxes = .list
  }

  private mutating func endBoxes() {
    if boxes == .item { endBox() }
    guard boxes == .list else { return }
    tokens.append(.close("ul"))
    boxes = .none
  }

  private mutating func add(_ tasks: [EvernoteTask]) {
    guard !tasks.isEmpty else { return }
    tokens.append(.open("ul", [:]))
    for task in tasks.sorted(by: { $0.weight < $1.weight }) {
      tokens.append(.open("li", ["data-checked": task.isDone ? "true" : "false"]))
      tokens.append(.text(task.title))
      tokens.append(.close("li"))
    }
    tokens.append(.close("ul"))
  }

  /// Returns a property of a style without spaces.
  private static func value(_ name: String, in style: String) -> String? {
    style.split(separator: ";").first { $0.hasPrefix(name) }.map {
      String($0.dropFirst(name.count))
    }
  }
}
