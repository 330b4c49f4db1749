import Foundation

/// The explicitly marked parts of a line: #tags, @people and kind:words.
struct QuickAddMarks {
  struct Mark {
    enum Kind { case tag, person, kind }
    var kind: Kind
    var range: Range<String.Index>
    /// The name without its sign, with spaces where it has them.
    var name: String
  }

  /// Returns the marks of a line, in order.
  ///
  /// A tag is `#` at the start of a word, followed by letters, digits, `_`, `-` and `/`, but not
  /// digits alone: "#1" is a number. Plus signs and a sharp after a letter belong to it ("#C++",
  /// "#C#"). A person is `@` followed by a name, in which `_` and `.` replace spaces, or by a
  /// quoted name.
  static func marks(in line: String, upTo limit: String.Index) -> [Mark] {
    var marks: [Mark] = []
    var position = line.startIndex
    var before: Character = " "
    while position < limit {
      let character = line[position]
      let isStart = before.isWhitespace || "([{\"“,;".contains(before)
      var end = line.index(after: position)
      if isStart, character == "#", let mark = tag(line, position, limit) {
        marks.append(mark)
        end = mark.range.upperBound
      } else if isStart, character == "@", let mark = person(line, position, limit) {
        marks.append(mark)
        end = mark.range.upperBound
      } else if isStart, character == "k" || character == "K",
        let mark = kind(line, position, limit)
      {
        marks.append(mark)
        end = mark.range.upperBound
      }
      before = line[line.index(before: end)]
      position = end
    }
    return marks
  }

  private static func run(
    _ line: String, _ start: String.Index, _ limit: String.Index,
    where isPart: (Character) -> Bool
  ) -> String.Index {
    var end = start
    while end < limit, isPart(line[end]) { line.formIndex(after: &end) }
    return end
  }

  private static func tag(_ line: String, _ start: String.Index, _ limit: String.Index) -> Mark? {
    let name = line.index(after: start)
    var end = run(line, name, limit) {
      $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "/"
    }
    while end > name, "-/".contains(line[line.index(before: end)]) { end = line.index(before: end) }
    let sign = run(line, end, limit) { $0 == "+" }
    let signed = sign == end && end < limit && line[end] == "#" ? line.index(after: end) : sign
    if signed > end, end > name, line[line.index(before: end)].isLetter,
      signed == limit || !line[signed].isLetter && !line[signed].isNumber && line[signed] != "#"
    {
      end = signed
    }
    let text = String(line[name..<end])
    guard text.contains(where: \.isLetter), text.utf8.count <= 200 else { return nil }
    return Mark(kind: .tag, range: start..<end, name: text)
  }

  private static func person(
    _ line: String, _ start: String.Index, _ limit: String.Index
  ) -> Mark? {
    let name = line.index(after: start)
    guard name < limit else { return nil }
    if line[name] == "\"" || line[name] == "“" {
      let inner = line.index(after: name)
      let end = run(line, inner, limit) { $0 != "\"" && $0 != "”" }
      let text = String(line[inner..<end]).trimmingCharacters(in: .whitespaces)
      guard end < limit, text.contains(where: \.isLetter), text.count <= 100 else { return nil }
      return Mark(kind: .person, range: start..<line.index(after: end), name: text)
    }
    guard line[name].isLetter else { return nil }
    var end = run(line, name, limit) {
      $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" || $0 == "'" || $0 == "’"
    }
    while end > name, "._-'’".contains(line[line.index(before: end)]) {
      end = line.index(before: end)
    }
    // A second @ makes it a mail address.
    guard end == limit || line[end] != "@" else { return nil }
    var text = String(line[name..<end])
    if text.hasSuffix("'s") || text.hasSuffix("’s") {
      text = String(text.dropLast(2))
      end = line.index(end, offsetBy: -2)
    }
    let spaced = String(text.map { $0 == "_" || $0 == "." ? " " : $0 })
    return Mark(kind: .person, range: start..<end, name: spaced)
  }

  private static func kind(_ line: String, _ start: String.Index, _ limit: String.Index) -> Mark? {
    let key = run(line, start, limit) { $0.isLetter }
    guard key < limit, line[key] == ":", line[start..<key].lowercased() == "kind" else {
      return nil
    }
    let value = line.index(after: key)
    let end = run(line, value, limit) { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    guard value < end, line[value].isLetter, line.distance(from: value, to: end) <= 64 else {
      return nil
    }
    return Mark(kind: .kind, range: start..<end, name: String(line[value..<end]))
  }
}

/// The words of a text with their positions, for finding names.
struct NameWords {
  private var words: [String] = []
  private var places: [String: [Int]] = [:]

  private static func split(_ text: String) -> [String] {
    NameFolding.loose(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  mutating func add(_ text: String) {
    for word in NameWords.split(text) {
      if places[word, default: []].count < 100 { places[word, default: []].append(words.count) }
      words.append(word)
    }
  }

  func contains(_ name: String) -> Bool {
    let parts = NameWords.split(name)
    guard let first = parts.first else { return false }
    return (places[first] ?? []).contains { words[$0...].starts(with: parts) }
  }
}
