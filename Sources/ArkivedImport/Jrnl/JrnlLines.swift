import Foundation

/// The lines of a journal's text, without their ends, in bounded memory.
struct JrnlLines {
  /// The maximum length of a line in bytes; a longer one is skipped.
  static let lengthLimit = 64 << 20

  /// The line that `next` found, in UTF-8 or the file's other encoding.
  private(set) var line: [UInt8] = []
  /// The line's number, from 1.
  private(set) var number = 0
  private(set) var isTooLong = false
  /// True to remove the terminal colours that jrnl prints.
  var takesOutColours = false {
    didSet { if takesOutColours { takeOutColours() } }
  }
  private(set) var hadColours = false
  /// True if the line has a line end.
  var hasEnd: Bool { source.hadLineEnd }

  private var source: TextBytes

  init(_ url: URL) throws { source = try TextBytes(url) }

  func close() { source.close() }

  /// Reads the next line; returns false at the end of the file.
  mutating func next() throws -> Bool {
    line.removeAll(keepingCapacity: line.capacity < 1 << 16)
    isTooLong = false
    guard try source.readLine(into: &line, limit: Self.lengthLimit, tooLong: &isTooLong) else {
      return false
    }
    number += 1
    if line.last == 0x0D { line.removeLast() }
    if takesOutColours { takeOutColours() }
    return true
  }

  private mutating func takeOutColours() {
    guard line.contains(0x1B) else { return }
    hadColours = true
    line = JrnlPrint.withoutColours(line)
  }

  var isBlank: Bool {
    !isTooLong && line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}

/// The start of an entry: its date-time, and the rest of that line.
struct JrnlHeader {
  var stamp: JrnlStamp
  /// The index of the first byte after the date-time and the following space.
  var textStart: Int
}

/// The form of the headers that separate the entries of a journal's text.
enum JrnlHeaderForm: Hashable {
  /// `[2016-05-07 09:30] Title`, as jrnl writes since version 2.
  case bracketed
  /// `2016-05-07 09:30 Title`, as version 1 wrote and every version prints, with the number of
  /// words in the date-time and their shape.
  case bare(words: Int, shape: String)

  /// Returns the header in a line, or nil if it isn't one.
  func header(_ line: [UInt8]) -> JrnlHeader? {
    switch self {
    case .bracketed: return Self.bracketed(line)
    case .bare(let words, let shape):
      guard let header = Self.bare(line, words: words), header.stamp.shape == shape else {
        return nil
      }
      return header
    }
  }

  private static func bracketed(_ line: [UInt8]) -> JrnlHeader? {
    guard line.first == UInt8(ascii: "["),
      let end = line.prefix(4 * JrnlStamp.lengthLimit).firstIndex(of: UInt8(ascii: "]")),
      end + 1 < line.count, line[end + 1] == 0x20,
      let stamp = JrnlStamp(String(decoding: line[1..<end], as: UTF8.self)), stamp.date != nil
    else { return nil }
    return JrnlHeader(stamp: stamp, textStart: end + 2)
  }

  /// Returns a header with only a time, `[09:30] Title`, in a journal whose path gives the day.
  static func timeOnly(_ line: [UInt8]) -> JrnlHeader? {
    guard line.first == UInt8(ascii: "["),
      let end = line.prefix(32).firstIndex(of: UInt8(ascii: "]")), end + 1 < line.count,
      line[end + 1] == 0x20,
      let stamp = JrnlStamp(String(decoding: line[1..<end], as: UTF8.self)), stamp.date == nil
    else { return nil }
    return JrnlHeader(stamp: stamp, textStart: end + 2)
  }

  /// Returns true if a line would begin an entry if a space followed its bracket.
  static func lacksSpace(_ line: [UInt8]) -> Bool {
    line.first == UInt8(ascii: "[") && line.last == UInt8(ascii: "]") && line.count <= 64
      && bracketed(line + [0x20])?.stamp.second != nil
  }

  private static func bare(_ line: [UInt8], words: Int) -> JrnlHeader? {
    guard let first = line.first, first != 0x20, first != 0x09 else { return nil }
    var spaces = 0
    var end = 0
    while end < line.count, end <= 2 * JrnlStamp.lengthLimit {
      // A one-digit day may be padded with a space.
      if line[end] == 0x20, line[end - 1] != 0x20 {
        spaces += 1
        if spaces == words { break }
      }
      end += 1
    }
    guard spaces == words || (end == line.count && spaces == words - 1),
      let stamp = JrnlStamp(String(decoding: line[..<end], as: UTF8.self)), stamp.date != nil,
      !stamp.hasFraction
    else { return nil }
    return JrnlHeader(stamp: stamp, textStart: min(end + 1, line.count))
  }

  /// Returns the ways to read a line as a bare header, starting with the one with the fewest words.
  static func bareForms(_ line: [UInt8], allowsDaysAlone: Bool) -> [JrnlHeaderForm] {
    var forms: [JrnlHeaderForm] = []
    var daysAlone: [JrnlHeaderForm] = []
    for words in 1...8 {
      guard let stamp = bare(line, words: words)?.stamp else { continue }
      let form = JrnlHeaderForm.bare(words: words, shape: stamp.shape)
      if stamp.second != nil { forms.append(form) } else { daysAlone.append(form) }
    }
    return forms.isEmpty && allowsDaysAlone ? daysAlone : forms
  }
}
