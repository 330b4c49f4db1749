import CTexts

/// First names of many countries, from `Resources/names.txt`.
enum FirstNames {
  /// The other meanings of a name.
  struct Meanings: OptionSet {
    let rawValue: UInt8
    static let english = Meanings(rawValue: 1)
    static let german = Meanings(rawValue: 2)
    static let place = Meanings(rawValue: 4)
  }

  /// Returns the other meanings of a first name, or nil if the word isn't a known first name.
  ///
  /// The list is sorted by bytes and is searched where it lies, so that a line costs nothing at
  /// start.
  ///
  /// - Parameter word: the name, in any case, with or without accents.
  /// - Returns: the words and places that are spelt like the name.
  static func meanings(of word: String) -> Meanings? {
    let name = Array(NameFolding.loose(word).utf8)
    guard !name.isEmpty else { return nil }
    let bytes = ctx_names().buffer
    var range = 0..<bytes.count
    while !range.isEmpty {
      var start = range.lowerBound + range.count / 2
      while start > range.lowerBound, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      let line = bytes[start..<end]
      let known = line.prefix { $0 != UInt8(ascii: "\t") }
      if known.elementsEqual(name) { return meanings(line.dropFirst(known.count)) }
      range =
        known.lexicographicallyPrecedes(name)
        ? end + 1..<max(end + 1, range.upperBound)
        : range.lowerBound..<start
    }
    return nil
  }

  private static func meanings(_ letters: Slice<UnsafeBufferPointer<UInt8>>) -> Meanings {
    var found: Meanings = []
    for letter in letters {
      switch letter {
      case UInt8(ascii: "e"): found.insert(.english)
      case UInt8(ascii: "g"): found.insert(.german)
      case UInt8(ascii: "p"): found.insert(.place)
      default: break
      }
    }
    return found
  }
}
