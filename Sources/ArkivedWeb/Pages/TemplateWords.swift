import Foundation

/// Translates a template once, when the templates are loaded.
///
/// A message is the text between two block elements, or between section tags: it has variables as
/// `{name}` and inline elements (links, emphasis, keys) as `<1>…</1>`. If a stretch has no letters
/// outside its elements, each element is a message. Attributes that are read aloud are messages
/// too. `Scripts/words.py` finds the same messages for the catalogues; decision page 025 gives the
/// reasons.
struct TemplateWords {
  /// Returns the sentence for a message, with its placeholders, or nil if there is none.
  let sentence: (String) -> String?

  /// Inline elements.
  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "br", "cite", "code", "em", "i", "kbd", "mark", "q", "small", "span",
    "strong", "sub", "sup", "time", "wbr",
  ]
  /// Inline elements without an end tag.
  private static let void: Set<String> = ["br", "wbr"]
  /// Attributes whose text is shown or read out.
  private static let spoken: Set<String> = ["aria-label", "title", "placeholder", "alt"]

  private struct Piece {
    enum Kind { case text, variable, tag, opaque, stop }
    var kind: Kind
    var text: Substring

    /// The element's name in lower case.
    var name: String {
      text.dropFirst(isEnd ? 2 : 1).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        .lowercased()
    }
    var isEnd: Bool { text.hasPrefix("</") }
    /// True for a tag, and for a whole picture, whose own tag may have a label.
    var isMarkup: Bool { text.hasPrefix("<") }
    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    /// True if it contains a letter outside entities such as `&nbsp;`.
    var hasLetters: Bool {
      guard kind == .text else { return false }
      var isInside = false
      for character in text {
        if character == "&" { isInside = true }
        if !isInside, character.isLetter { return true }
        if character == ";" || character.isWhitespace { isInside = false }
      }
      return false
    }
  }

  /// Returns the template with all its messages in the other language.
  func translated(_ source: String) -> String {
    var result = ""
    var run: [Piece] = []
    for var piece in Self.pieces(of: source[...]) {
      if piece.isMarkup { piece.text = Substring(attributes(of: piece.text)) }
      guard piece.kind == .stop else {
        run.append(piece)
        continue
      }
      result += "\(said(run))\(piece.text)"
      run = []
    }
    return result + said(run)
  }

  // MARK: Splitting

  private static func pieces(of source: Substring) -> [Piece] {
    var pieces: [Piece] = []
    var rest = source
    while let first = rest.first {
      let piece: Piece
      if rest.hasPrefix("{{") {
        piece = mustache(rest)
      } else if first == "<" {
        piece = element(rest)
      } else {
        var end = rest.startIndex
        while end < rest.endIndex, rest[end] != "<", !rest[end...].hasPrefix("{{") {
          rest.formIndex(after: &end)
        }
        piece = Piece(kind: .text, text: rest[..<end])
      }
      pieces.append(piece)
      rest = rest[piece.text.endIndex...]
    }
    return pieces
  }

  private static func mustache(_ rest: Substring) -> Piece {
    let isTriple = rest.hasPrefix("{{{")
    let close = isTriple ? "}}}" : "}}"
    let end = rest.firstRange(of: close)?.upperBound ?? rest.endIndex
    let text = rest[..<end]
    let mark = text.dropFirst(2).first ?? " "
    let isVariable = isTriple || !"#^/>!%$<=&".contains(mark)
    return Piece(kind: isVariable ? .variable : .stop, text: text)
  }

  private static func element(_ rest: Substring) -> Piece {
    var end = rest.startIndex
    var isQuoted = false
    while end < rest.endIndex {
      let character = rest[end]
      rest.formIndex(after: &end)
      if character == "\"" { isQuoted.toggle() }
      if character == ">", !isQuoted { break }
    }
    var piece = Piece(kind: .stop, text: rest[..<end])
    let name = piece.name
    if name == "svg", !piece.isEnd {
      piece.text = rest[..<(rest.firstRange(of: "</svg>")?.upperBound ?? end)]
      piece.kind = .opaque
    } else if inline.contains(name) {
      piece.kind = .tag
    }
    return piece
  }

  // MARK: Runs

  /// Translates a stretch between stops, splitting it at elements whose other end is outside.
  private func said(_ run: [Piece]) -> String {
    let partners = Self.partners(in: run)
    var result = ""
    var start = 0
    for (index, piece) in run.enumerated()
    where piece.kind == .tag && !Self.void.contains(piece.name) && partners[index] == nil {
      result += "\(balanced(run, partners, start..<index))\(piece.text)"
      start = index + 1
    }
    return result + balanced(run, partners, start..<run.count)
  }

  /// Returns the other end of each element that begins and ends in a stretch.
  private static func partners(in run: [Piece]) -> [Int: Int] {
    var partners: [Int: Int] = [:]
    var open: [(name: String, index: Int)] = []
    for (index, piece) in run.enumerated()
    where piece.kind == .tag && !void.contains(piece.name) {
      if !piece.isEnd {
        open.append((piece.name, index))
      } else if let last = open.last, last.name == piece.name {
        open.removeLast()
        partners[last.index] = index
        partners[index] = last.index
      }
    }
    return partners
  }

  private func balanced(_ run: [Piece], _ partners: [Int: Int], _ range: Range<Int>) -> String {
    var parts: [Range<Int>] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let end = (partners[index] ?? index) + 1
      parts.append(index..<end)
      index = end
    }
    guard parts.contains(where: { $0.count == 1 && run[$0.lowerBound].hasLetters }) else {
      return parts.map { part -> String in
        guard part.count > 1 else { return String(run[part.lowerBound].text) }
        let inside = balanced(run, partners, part.lowerBound + 1..<part.upperBound - 1)
        return "\(run[part.lowerBound].text)\(inside)\(run[part.upperBound - 1].text)"
      }.joined()
    }
    func isEdge(_ piece: Piece) -> Bool {
      piece.kind == .opaque || piece.kind == .text && piece.isBlank
    }
    var core = range
    while let first = core.first, isEdge(run[first]) { core = first + 1..<core.upperBound }
    while let last = core.last, isEdge(run[last]) { core = core.lowerBound..<last }
    func plain(_ range: Range<Int>) -> String { run[range].map { String($0.text) }.joined() }
    return plain(range.lowerBound..<core.lowerBound) + message(Array(run[core]), isAttribute: false)
      + plain(core.upperBound..<range.upperBound)
  }

  // MARK: Messages

  /// Returns a message in the other language, keeping the surrounding blanks.
  private func message(_ pieces: [Piece], isAttribute: Bool) -> String {
    let plain = pieces.map { String($0.text) }.joined()
    var key = ""
    var places: [String: Substring] = [:]
    var number = 0
    var open: [Int] = []
    func place(_ mark: String, _ text: Substring) {
      key += mark
      places[mark] = text
    }
    for piece in pieces {
      switch piece.kind {
      case .text, .stop: key += piece.text
      case .variable:
        let name = piece.text.filter { !"{} ".contains($0) }
        place(name == "." ? "{it}" : "{\(name)}", piece.text)
      case .opaque, .tag:
        if piece.isEnd, let last = open.popLast() {
          place("</\(last)>", piece.text)
        } else {
          number += 1
          let isWhole = piece.kind == .opaque || Self.void.contains(piece.name)
          if !isWhole { open.append(number) }
          place(isWhole ? "<\(number)/>" : "<\(number)>", piece.text)
        }
      }
    }
    let words = key.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let sentence = sentence(words) else { return plain }
    let lead = plain.prefix { $0.isWhitespace }
    let last = plain.lastIndex { !$0.isWhitespace } ?? plain.startIndex
    let tail = plain[last...].dropFirst()
    return "\(lead)\(Self.filled(sentence, places, isAttribute: isAttribute))\(tail)"
  }

  /// Inserts variables and elements at their placeholders; a sentence can't contain its own markup.
  private static func filled(
    _ sentence: String, _ places: [String: Substring], isAttribute: Bool
  ) -> String {
    var result = ""
    var rest = sentence[...]
    while let first = rest.first {
      if first == "{" || first == "<" {
        let close: Character = first == "{" ? "}" : ">"
        if let end = rest.firstIndex(of: close), let place = places[String(rest[...end])] {
          result += place
          rest = rest[rest.index(after: end)...]
          continue
        }
      }
      switch first {
      case "<": result += "&lt;"
      case "{": result += "&#123;"
      case "\"" where isAttribute: result += "&quot;"
      default: result.append(first)
      }
      rest = rest.dropFirst()
    }
    return result
  }

  /// Returns an element's start tag with its spoken attributes in the other language.
  private func attributes(of tag: Substring) -> String {
    var result = ""
    var rest = tag
    while let sign = rest.firstRange(of: "=\"") {
      let value = rest[sign.upperBound...]
      guard let end = value.firstIndex(of: "\"") else { break }
      let head = rest[..<sign.lowerBound]
      let name = head.suffix(from: head.lastIndex(where: \.isWhitespace) ?? head.startIndex)
      result += rest[..<sign.upperBound]
      let isSpoken =
        name.first?.isWhitespace == true && Self.spoken.contains(String(name.dropFirst()))
      result += isSpoken ? attribute(value[..<end]) : String(value[..<end])
      result += "\""
      rest = value[value.index(after: end)...]
    }
    return result + rest
  }

  private func attribute(_ value: Substring) -> String {
    var result = ""
    var run: [Piece] = []
    func end() {
      result +=
        run.contains(where: \.hasLetters)
        ? message(run, isAttribute: true) : run.map { String($0.text) }.joined()
      run = []
    }
    for piece in Self.pieces(of: value) {
      if piece.kind == .stop {
        end()
        result += piece.text
      } else {
        run.append(piece)
      }
    }
    end()
    return result
  }
}
