import Foundation

/// The pieces that a model's words consist of, with their numbers.
///
/// The file has one piece per line, and the line's number, from 0, is the piece's. Pieces within a
/// word begin with `##`.
struct WordPieceVocabulary: Sendable {
  /// The number of pieces.
  let count: Int
  /// Pieces without text.
  let unknown: Int32
  let classifier: Int32
  let separator: Int32
  /// Pieces that a text may contain by name: as in the reference, `[CLS]` written by a person is
  /// the piece of that name.
  let named: [(text: [UInt8], number: Int32)]

  /// The file's bytes, and the start of each piece in them, with one more start than there are
  /// pieces.
  private let bytes: [UInt8]
  private let starts: [UInt32]
  /// Piece numbers by hash with open addressing; −1 is a free slot.
  ///
  /// Hashing prefixes byte by byte finds the longest piece at a position in one pass, without
  /// creating strings.
  private let places: [Int32]
  private let longest: Int

  private static let largestFile = 8 << 20

  /// Reads a vocabulary.
  /// - Throws: `EmbeddingError` if the model or the server fails.
  init(_ file: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: file, options: .mappedIfSafe)
    } catch {
      throw EmbeddingError.noModel(
        path: file.path, reason: "the file can’t be read (\(error.localizedDescription))")
    }
    func damaged(_ place: String, _ reason: String) -> EmbeddingError {
      .damagedModel(file: file.lastPathComponent, place: place, reason: reason)
    }
    guard data.count <= WordPieceVocabulary.largestFile else {
      throw damaged("length", "is \(data.count) bytes, more than a vocabulary has")
    }
    bytes = Array(data)
    var starts: [UInt32] = [0]
    for (offset, byte) in bytes.enumerated() where byte == 0x0A {
      starts.append(UInt32(offset + 1))
    }
    if bytes.last != 0x0A { starts.append(UInt32(bytes.count + 1)) }
    self.starts = starts
    count = starts.count - 1
    guard count > 0, bytes.count > 0 else { throw damaged("length", "is 0") }

    var places = [Int32](repeating: -1, count: (count * 2).nextPowerOfTwo)
    var longest = 0
    for number in 0..<count {
      let piece = bytes[Int(starts[number])..<Int(starts[number + 1]) - 1]
      longest = max(longest, piece.count)
      var hash = PieceHash()
      for byte in piece { hash.add(byte) }
      var place = hash.place(in: places.count)
      while places[place] >= 0 {
        let other = Int(places[place])
        if bytes[Int(starts[other])..<Int(starts[other + 1]) - 1] == piece {
          throw damaged("line \(number + 1)", "repeats line \(other + 1)")
        }
        place = (place + 1) & (places.count - 1)
      }
      places[place] = Int32(number)
    }
    self.places = places
    self.longest = longest

    var named: [(text: [UInt8], number: Int32)] = []
    for text in ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"] {
      let utf8 = Array(text.utf8)
      guard
        let number = WordPieceVocabulary.number(
          of: utf8, bytes: bytes, starts: starts, places: places)
      else { throw damaged("piece \(text)", "is missing") }
      named.append((utf8, number))
    }
    self.named = named
    unknown = named[0].number
    classifier = named[1].number
    separator = named[2].number
  }

  /// Appends the pieces of a word to `numbers`: at each position the longest that fits, or `[UNK]`
  /// for the whole word if none does.
  ///
  /// - Parameters:
  ///   - word: the word in UTF-8.
  ///   - numbers: receives the numbers of the pieces.
  func append(piecesOf word: [UInt8], to numbers: inout [Int32]) {
    let before = numbers.count
    word.withUnsafeBufferPointer { word in
      var start = 0
      while start < word.count {
        guard let found = longestPiece(in: word, at: start) else {
          numbers.removeSubrange(before...)
          numbers.append(unknown)
          return
        }
        numbers.append(found.number)
        start = found.end
      }
    }
  }

  private func longestPiece(
    in word: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (number: Int32, end: Int)? {
    let prefix = start == 0 ? 0 : 2
    var hash = PieceHash()
    if prefix > 0 {
      hash.add(0x23)
      hash.add(0x23)
    }
    var found: (number: Int32, end: Int)?
    var end = start
    let last = min(word.count, start + longest - prefix)
    while end < last {
      hash.add(word[end])
      end += 1
      // A piece ends at the end of a character.
      if end < word.count, word[end] & 0xC0 == 0x80 { continue }
      var place = hash.place(in: places.count)
      while places[place] >= 0 {
        if matches(places[place], word, start, end, prefix) {
          found = (places[place], end)
          break
        }
        place = (place + 1) & (places.count - 1)
      }
    }
    return found
  }

  private func matches(
    _ number: Int32, _ word: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ prefix: Int
  ) -> Bool {
    var offset = Int(starts[Int(number)])
    guard Int(starts[Int(number) + 1]) - 1 - offset == end - start + prefix else { return false }
    for _ in 0..<prefix {
      guard bytes[offset] == 0x23 else { return false }
      offset += 1
    }
    for index in start..<end {
      guard bytes[offset] == word[index] else { return false }
      offset += 1
    }
    return true
  }

  private static func number(
    of piece: [UInt8], bytes: [UInt8], starts: [UInt32], places: [Int32]
  ) -> Int32? {
    var hash = PieceHash()
    for byte in piece { hash.add(byte) }
    var place = hash.place(in: places.count)
    while places[place] >= 0 {
      let number = Int(places[place])
      if bytes[Int(starts[number])..<Int(starts[number + 1]) - 1] == piece[...] {
        return places[place]
      }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }
}

/// FNV-1a with 64 bits, which can be extended byte by byte.
private struct PieceHash {
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  func place(in count: Int) -> Int { Int(truncatingIfNeeded: value ^ (value >> 29)) & (count - 1) }
}

extension Int {
  /// The smallest power of two that is not below this number.
  fileprivate var nextPowerOfTwo: Int {
    self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
  }
}
