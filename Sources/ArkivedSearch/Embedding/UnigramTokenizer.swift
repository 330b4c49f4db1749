import Foundation

/// Splits texts into the pieces that a multilingual model reads: the most likely ones, with an
/// independent probability for each piece (Kudo, “Subword Regularization”, 2018, section 3.2).
struct UnigramTokenizer: Sendable {
  private let file: PackedModelFile
  private let pieces: PackedModelFile.Pieces
  /// The numbers of the pieces plus one, by the hash of their bytes; 0 if there is none.
  private let table: [UInt32]
  private let longest: Int
  /// The score of a character without a piece.
  private let unknownScore: Float
  /// The largest number of pieces in a text, including those for the beginning and the end.
  let limit: Int

  /// The largest number of bytes read from a text; a model reads fewer.
  private static let byteLimit = 16_384
  private static let space = Unicode.Scalar(0x20 as UInt8)
  /// The character that represents a space, “▁”.
  private static let spaceMark: [UInt8] = [0xE2, 0x96, 0x81]

  init(_ file: PackedModelFile, limit: Int) {
    self.file = file
    self.limit = max(limit, 2)
    let pieces = file.pieces
    self.pieces = pieces
    var size = 2
    while size < pieces.count * 2 { size *= 2 }
    var lowest = Float.greatestFiniteMagnitude
    var longest = 1
    table = [UInt32](unsafeUninitializedCapacity: size) { table, count in
      table.initialize(repeating: 0)
      count = size
      file.bytes.withUnsafeBytes { bytes in
        for index in 0..<pieces.count {
          let score = bytes.loadUnaligned(
            fromByteOffset: pieces.scores + 4 * index, as: Float.self)
          lowest = min(lowest, score)
          let range = Self.range(of: index, pieces, bytes)
          guard !range.isEmpty else { continue }
          longest = max(longest, range.count)
          var hash = Hash()
          for offset in range { hash.add(bytes[offset]) }
          var place = hash.place(in: size)
          while table[place] != 0 { place = (place + 1) & (size - 1) }
          table[place] = UInt32(index) + 1
        }
      }
    }
    self.longest = longest
    unknownScore = lowest - 10
  }

  /// FNV-1a, which can be extended byte by byte.
  private struct Hash {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    func place(in size: Int) -> Int { Int(truncatingIfNeeded: value ^ value >> 29) & (size - 1) }
  }

  private static func range(
    of piece: Int, _ pieces: PackedModelFile.Pieces, _ bytes: UnsafeRawBufferPointer
  ) -> Range<Int> {
    let at = pieces.starts + 4 * piece
    let start = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
    let end = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
    return pieces.text + Int(start)..<pieces.text + Int(end)
  }

  /// Returns the numbers of a text's pieces between those for the beginning and the end, truncated
  /// at the limit.
  func tokens(of text: String) -> [Int32] {
    let letters = letters(of: text)
    var tokens = [pieces.begin]
    tokens += likeliest(letters.bytes, starts: letters.starts).prefix(limit - 2)
    tokens.append(pieces.end)
    return tokens
  }

  /// Returns a text's characters in the form of the pieces, and the start of each.
  private func letters(of text: String) -> (bytes: [UInt8], starts: [Int]) {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    func add(_ scalar: Unicode.Scalar) {
      if scalar == Self.space {
        // Consecutive gaps count once.
        if let last = starts.last, bytes.count - last == 3,
          bytes[last...].elementsEqual(Self.spaceMark)
        {
          return
        }
        starts.append(bytes.count)
        bytes += Self.spaceMark
      } else {
        // Every text begins with a gap.
        if starts.isEmpty { add(Self.space) }
        starts.append(bytes.count)
        bytes += Array(String(scalar).utf8)
      }
    }
    // Letters and accents may be separate, as in file names on some computers.
    let hasMarks = text.unicodeScalars.contains { (0x300...0x36F).contains($0.value) }
    for scalar in (hasMarks ? text.precomposedStringWithCanonicalMapping : text).unicodeScalars {
      if let replaced = file.replacements[scalar.value] {
        for value in replaced { add(Unicode.Scalar(value) ?? Self.space) }
      } else {
        add(scalar)
      }
      if bytes.count >= Self.byteLimit { break }
    }
    if starts.isEmpty { add(Self.space) }
    starts.append(bytes.count)
    return (bytes, starts)
  }

  /// Returns the pieces with the largest sum of scores (Viterbi), from left to right.
  private func likeliest(_ letters: [UInt8], starts: [Int]) -> [Int32] {
    let count = starts.count - 1
    var best = [Float](repeating: -.greatestFiniteMagnitude, count: count + 1)
    var from = [(start: Int, piece: Int32)](repeating: (0, pieces.unknown), count: count + 1)
    best[0] = 0
    file.bytes.withUnsafeBytes { bytes in
      letters.withUnsafeBytes { letters in
        for start in 0..<count {
          var hash = Hash()
          for end in start + 1...count {
            guard starts[end] - starts[start] <= longest else { break }
            for offset in starts[end - 1]..<starts[end] { hash.add(letters[offset]) }
            guard
              let piece = piece(
                hash, UnsafeRawBufferPointer(rebasing: letters[starts[start]..<starts[end]]), bytes),
              Int32(piece) != pieces.unknown
            else { continue }
            let score =
              best[start]
              + bytes.loadUnaligned(fromByteOffset: pieces.scores + 4 * piece, as: Float.self)
            if score > best[end] {
              best[end] = score
              from[end] = (start, Int32(piece))
            }
          }
          let score = best[start] + unknownScore
          if score > best[start + 1] {
            best[start + 1] = score
            from[start + 1] = (start, pieces.unknown)
          }
        }
      }
    }
    var found: [Int32] = []
    var end = count
    while end > 0 {
      found.append(from[end].piece)
      end = from[end].start
    }
    return found.reversed()
  }

  private func piece(
    _ hash: Hash, _ letters: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer
  ) -> Int? {
    var place = hash.place(in: table.count)
    while table[place] != 0 {
      let piece = Int(table[place]) - 1
      let range = Self.range(of: piece, pieces, bytes)
      if range.count == letters.count, bytes[range].elementsEqual(letters) { return piece }
      place = (place + 1) & (table.count - 1)
    }
    return nil
  }
}
