import Foundation

/// A long Markdown text in parts that can be shown separately.
///
/// Parts end between paragraphs or before headings if possible, and never within a character. If a
/// part begins or ends within a fenced code block, the fence is opened or closed for it, and every
/// part can use the link definitions (`[name]: address`) of the whole text.
struct NoteParts {
  /// The range of each part within the text, in bytes.
  let ranges: [Range<Int>]
  private let bytes: [UInt8]
  /// The open fence at the start of each part, as a separate line.
  private let fences: [[UInt8]]
  private let definitions: [UInt8]

  /// The approximate size limit of a part in bytes.
  static let partSize = 200_000

  init(_ text: String, size: Int = NoteParts.partSize) {
    bytes = Array(text.utf8)
    var scan = Scan(bytes: bytes, size: max(size, 16))
    scan.run()
    ranges = scan.ranges
    fences = scan.fences
    definitions = scan.ranges.count > 1 ? scan.definitions : []
  }

  var count: Int { ranges.count }

  /// Returns the Markdown of one part.
  func markdown(_ index: Int) -> String {
    guard ranges.indices.contains(index) else { return "" }
    var part = fences[index]
    part += bytes[ranges[index]]
    if index + 1 < fences.count, !fences[index + 1].isEmpty {
      part += [0x0A] + NoteParts.closing(fences[index + 1])
    }
    if !definitions.isEmpty { part += [0x0A, 0x0A] + definitions }
    return String(decoding: part, as: UTF8.self)
  }

  /// Returns the text of one part without interpreting Markdown.
  func plain(_ index: Int) -> String {
    guard ranges.indices.contains(index) else { return "" }
    return String(decoding: bytes[ranges[index]], as: UTF8.self)
  }

  private static func closing(_ fence: [UInt8]) -> [UInt8] {
    let mark = fence.first { $0 == 0x60 || $0 == 0x7E } ?? 0x60
    return fence.drop { $0 == 0x20 }.prefix { $0 == mark } + [0x0A]
  }

  /// A pass over the lines of a text.
  private struct Scan {
    let bytes: [UInt8]
    let size: Int
    var ranges: [Range<Int>] = []
    var fences: [[UInt8]] = []
    var definitions: [UInt8] = []

    /// The line that opened the current fence, with the mark and count required to close it.
    private var open: (line: [UInt8], mark: UInt8, count: Int)?
    private var start = 0
    private var startFence: [UInt8] = []
    /// The last good position for a cut, and the beginning of the last line.
    private var good: (place: Int, fence: [UInt8])?
    private var line: (place: Int, fence: [UInt8])?

    init(bytes: [UInt8], size: Int) {
      self.bytes = bytes
      self.size = size
    }

    mutating func run() {
      var position = 0
      var followsBlank = true
      while position < bytes.count {
        let end = endOfLine(position)
        note(position, end, followsBlank: followsBlank)
        while end - start > size {
          if let cut = good ?? line, cut.place > start {
            close(at: cut.place, fence: cut.fence)
          } else {
            close(at: splitInLine(before: start + size), fence: open?.line ?? [])
          }
        }
        followsBlank = isBlank(position, end)
        readFence(position, end)
        if open == nil, bytes[position] == 0x5B { readDefinition(position, end) }
        position = end
      }
      if start < bytes.count || ranges.isEmpty { close(at: bytes.count, fence: []) }
    }

    private mutating func close(at place: Int, fence: [UInt8]) {
      ranges.append(start..<place)
      fences.append(startFence)
      start = place
      startFence = fence
      if let one = good, one.place <= place { good = nil }
      if let one = line, one.place <= place { line = nil }
    }

    /// Records the beginning of a line as a position where the text may be cut.
    private mutating func note(_ position: Int, _ end: Int, followsBlank: Bool) {
      guard position > start else { return }
      line = (position, open?.line ?? [])
      let first = bytes[position]
      let isIndented = first == 0x20 || first == 0x09
      let isHeading = first == 0x23
      if open == nil, !isIndented, !isBlank(position, end), followsBlank || isHeading {
        good = (position, [])
      }
    }

    private func endOfLine(_ position: Int) -> Int {
      var end = position
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      return min(end + 1, bytes.count)
    }

    private func isBlank(_ position: Int, _ end: Int) -> Bool {
      for index in position..<end where bytes[index] > 0x20 { return false }
      return true
    }

    /// Tracks code fences (CommonMark 0.30, 4.5).
    private mutating func readFence(_ position: Int, _ end: Int) {
      var index = position
      while index < end, bytes[index] == 0x20 { index += 1 }
      guard index - position <= 3, index < end else { return }
      let mark = bytes[index]
      guard mark == 0x60 || mark == 0x7E else { return }
      var after = index
      while after < end, bytes[after] == mark { after += 1 }
      let count = after - index
      guard count >= 3 else { return }
      if let fence = open {
        if fence.mark == mark, count >= fence.count, isBlank(after, end) { open = nil }
      } else if mark == 0x7E || !bytes[after..<end].contains(0x60) {
        var line = Array(bytes[position..<min(end, position + 200)])
        if line.last != 0x0A { line.append(0x0A) }
        open = (line, mark, count)
      }
    }

    private mutating func readDefinition(_ position: Int, _ end: Int) {
      guard definitions.count + end - position < 65_536, end - position < 2_000,
        let label = bytes[position..<end].firstIndex(of: 0x5D), label + 1 < end,
        bytes[label + 1] == 0x3A
      else { return }
      definitions += bytes[position..<end]
    }

    /// Returns a position in a line longer than a part: after white space, otherwise where a
    /// character begins.
    private func splitInLine(before limit: Int) -> Int {
      let limit = min(limit, bytes.count)
      var index = limit
      while index > start, limit - index < 200 {
        if bytes[index - 1] == 0x20 { return index }
        index -= 1
      }
      index = limit
      while index > start + 1, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
      return index
    }
  }
}
