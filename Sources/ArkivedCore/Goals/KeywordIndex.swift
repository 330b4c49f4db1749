/// Finds which of many keywords a text may contain, by the words the keywords begin with.
///
/// Each distinct word is compared with the keywords once and looked up afterwards. A hit may still
/// not be a match, because the rest of a phrase and the tags are not checked; a keyword that is not
/// hit never matches.
struct KeywordIndex {
  /// A set of keywords, one bit each.
  struct Hits: Sendable {
    fileprivate var bits: [UInt64]
    fileprivate(set) var isEmpty = true
  }

  private let keywords: [Keyword]
  /// The bits of each matcher's keywords.
  private let masks: [[UInt64]]
  private let width: Int
  /// The position of each word's bits in `bits`, or −1 if no keyword begins with the word.
  private var places: [String: Int] = [:]
  private var bits: [UInt64] = []
  private static let mostWords = 200_000

  init(_ matchers: [GoalMatcher]) {
    var numbers: [Keyword: Int] = [:]
    var keywords: [Keyword] = []
    let numbered = matchers.map { matcher in
      matcher.keywords.map { keyword in
        if let number = numbers[keyword] { return number }
        numbers[keyword] = keywords.count
        keywords.append(keyword)
        return keywords.count - 1
      }
    }
    self.keywords = keywords
    let width = (keywords.count + 63) / 64
    self.width = width
    masks = numbered.map { numbers in
      var mask = [UInt64](repeating: 0, count: width)
      for number in numbers { mask[number / 64] |= 1 << (number % 64) }
      return mask
    }
  }

  /// Returns the keywords that may occur in some texts.
  mutating func hits(in texts: [String]) -> Hits {
    var hits = Hits(bits: [UInt64](repeating: 0, count: width))
    guard width > 0 else { return hits }
    for text in texts {
      if !add(ascii: text, to: &hits) {
        for word in Keyword.words(of: text) { add(word.text, to: &hits) }
      }
    }
    return hits
  }

  /// Returns true if one of a matcher's keywords is among the hits.
  func mayStand(_ matcher: Int, _ hits: Hits) -> Bool {
    guard !hits.isEmpty else { return false }
    for index in 0..<width where masks[matcher][index] & hits.bits[index] != 0 { return true }
    return false
  }

  /// Adds the words of an ASCII text, split as `Keyword.words` does; returns false for other texts.
  private mutating func add(ascii text: String, to hits: inout Hits) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      var start = 0
      func isWord(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return (0x61...0x7A).contains(lower) || (0x30...0x39).contains(byte) || byte == 0x27
      }
      while start < bytes.count {
        guard isWord(bytes[start]) else {
          start += 1
          continue
        }
        var end = start
        while end < bytes.count, isWord(bytes[end]) { end += 1 }
        var last = end
        if last - start >= 2, bytes[last - 2] == 0x27, bytes[last - 1] | 0x20 == 0x73 { last -= 2 }
        let length = last - start
        let word = String(unsafeUninitializedCapacity: length) { target in
          for index in 0..<length {
            let byte = bytes[start + index]
            target[index] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
          }
          return length
        }
        add(word, to: &hits)
        start = end
      }
      return true
    }
  }

  private mutating func add(_ word: String, to hits: inout Hits) {
    let place = place(of: word)
    guard place >= 0 else { return }
    hits.isEmpty = false
    for index in 0..<width { hits.bits[index] |= bits[place + index] }
  }

  private mutating func place(of word: String) -> Int {
    if let known = places[word] { return known }
    if places.count >= Self.mostWords {
      places = [:]
      bits = []
    }
    let compared = Keyword.Word(word)
    var mask = [UInt64](repeating: 0, count: width)
    for (number, keyword) in keywords.enumerated() where keyword.begins(with: compared) {
      mask[number / 64] |= 1 << (number % 64)
    }
    let place = mask.contains { $0 != 0 } ? bits.count : -1
    if place >= 0 { bits += mask }
    places[word] = place
    return place
  }
}
