import ArkivedCore
import CTexts
import Foundation

/// Vectors of the most common English and German words in one space: words with a similar meaning
/// are close together.
///
/// `Training/vectors.py` distils them from multilingual-e5-small into `Resources/words.bin`; a word
/// that is missing there gets the vector of words that share its stem or are its parts. Rows are
/// read in place.
package struct WordVectors: Sendable {
  /// The vectors in the program; nil if the file is damaged.
  package static let shared = FixedMemory(ofProgram: ctx_word_vectors().buffer)
    .flatMap { WordVectors($0) }

  /// The number of floats in a vector.
  package let width: Int
  private let count: Int
  private let memory: FixedMemory

  private static let magic = "AWV1"
  private static let endings = ["", "e", "en", "n", "s", "es", "t", "er", "ed", "ing"]
  private static let spellings = [("ae", "ä"), ("oe", "ö"), ("ue", "ü"), ("ss", "ß")]
  private static let longest = 32
  private static let heading = 16

  /// Reads vectors in the format written by `Training/words.py`.
  ///
  /// - Returns: nil if they are damaged.
  init?(_ memory: FixedMemory) {
    let raw = memory.bytes
    guard raw.count >= Self.heading, String(decoding: raw.prefix(4), as: UTF8.self) == Self.magic
    else { return nil }
    func number(at offset: Int) -> Int {
      Int(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    (count, width) = (number(at: 4), number(at: 8))
    guard count > 0, (2...1_024).contains(width), width.isMultiple(of: 2),
      count <= raw.count, raw.count == Self.heading + count * (4 + width / 2)
    else { return nil }
    self.memory = memory
  }

  /// Returns the cosine of the angle between two words' vectors, from -1 to 1; nil if one has none.
  ///
  /// Case doesn't matter. Synonyms have at least 0.6, unrelated words about 0.
  package func similarity(_ first: String, _ second: String) -> Double? {
    guard let first = vector(of: first.lowercased()), let second = vector(of: second.lowercased())
    else { return nil }
    return Double(zip(first, second).reduce(0) { $0 + $1.0 * $1.1 })
  }

  /// Returns the vector of a lower-case word, of length 1; nil if neither it nor its parts are
  /// known.
  package func vector(of word: String) -> [Float]? {
    let scalars = Array(word.unicodeScalars.map { $0 == "’" ? "'" : $0 })
    guard scalars.count <= Self.longest else { return nil }
    if let own = listed(scalars) { return own }
    var respelled = Self.text(scalars)
    for (spelling, sign) in Self.spellings {
      respelled = respelled.replacing(spelling, with: sign)
      if let found = listed(Array(respelled.unicodeScalars)) { return found }
    }
    // The last part of a hyphenated word, the first of one with an apostrophe.
    let parts = [
      scalars.lastIndex(of: "-").map { Array(scalars[($0 + 1)...]) },
      scalars.firstIndex(of: "'").map { Array(scalars[..<$0]) },
    ]
    for case .some(let part) in parts where part.count > 2 { return vector(of: Self.text(part)) }
    return shared(scalars) ?? compound(scalars)
  }

  /// Returns the mean vector of words with the same stem and a different ending.
  private func shared(_ word: [Unicode.Scalar]) -> [Float]? {
    for cut in 1...3 where word.count - cut >= 4 {
      let stem = word.dropLast(cut)
      let near = Self.endings.compactMap { ending -> [Float]? in
        let other = stem + ending.unicodeScalars
        return other.elementsEqual(word) ? nil : listed(Array(other))
      }
      if !near.isEmpty { return Self.mean(near.map { ($0, 1) }) }
    }
    return nil
  }

  /// Returns the mean vector of a compound's parts: the longest last part, which counts twice, and
  /// the longest first part.
  private func compound(_ word: [Unicode.Scalar]) -> [Float]? {
    guard word.count > 6 else { return nil }
    for place in 3..<word.count - 3 {
      guard let head = listed(Array(word[place...])) else { continue }
      for end in (3...place).reversed() where end > 3 || place - end < 3 {
        if let first = listed(Array(word[..<end])) { return Self.mean([(head, 2), (first, 1)]) }
      }
      if word.count >= 10, word.count - place >= 5 { return head }
    }
    return nil
  }

  private static func mean(_ parts: [(vector: [Float], weight: Float)]) -> [Float]? {
    var total = [Float](repeating: 0, count: parts.first?.vector.count ?? 0)
    for (vector, weight) in parts {
      for index in total.indices { total[index] += weight * vector[index] }
    }
    let length = total.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 1e-6 ? total.map { $0 / length } : nil
  }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private func hash(at place: Int) -> UInt32 {
    UInt32(
      littleEndian: memory.base.loadUnaligned(
        fromByteOffset: Self.heading + 4 * place, as: UInt32.self))
  }

  /// Returns the vector of a word in the list.
  private func listed(_ word: [Unicode.Scalar]) -> [Float]? {
    let wanted = FowlerNollVo.hash(Self.text(word).utf8)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if hash(at: middle) < wanted { low = middle + 1 } else { high = middle }
    }
    guard low < count, hash(at: low) == wanted else { return nil }
    let start = Self.heading + 4 * count + low * (width / 2)
    let bytes = memory.bytes
    var row = [Float](repeating: 0, count: width)
    var length: Float = 0
    for index in 0..<width {
      let pair = bytes[start + index / 2]
      let value = Float(Int(index.isMultiple(of: 2) ? pair & 15 : pair >> 4) - 8)
      row[index] = value
      length += value * value
    }
    guard length > 0 else { return nil }
    let scale = 1 / length.squareRoot()
    for index in 0..<width { row[index] *= scale }
    return row
  }
}

/// The 32-bit FNV-1a hash, used by the reader's weights to find words.
enum FowlerNollVo {
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
