import Foundation

/// The words of an archive, with their vectors, for finding words similar in meaning to one that
/// the archive doesn't contain.
struct ArchiveVocabulary: Sendable {
  private let words: [String]
  private let vectors: WordVectors
  /// The vectors row by row, each of length 1.
  private let table: [Float]

  /// The maximum number of words compared, most frequent first.
  private static let limit = 20_000

  init?(_ frequencies: [String: Int], vectors: WordVectors? = .shared) {
    guard let vectors else { return nil }
    let frequent = frequencies.filter { $0.key.count > 2 && $0.key.allSatisfy(\.isLetter) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.limit)
    var (words, table) = ([String](), [Float]())
    for (word, _) in frequent {
      guard let vector = vectors.vector(of: word) else { continue }
      words.append(word)
      table += vector
    }
    (self.words, self.table, self.vectors) = (words, table, vectors)
  }

  /// Returns the words nearest in meaning, nearest first.
  ///
  /// - Parameters:
  ///   - word: the word.
  ///   - least: the minimum cosine.
  ///   - spread: the maximum difference from the nearest.
  ///   - limit: the maximum number of words.
  /// - Returns: the words with their cosines.
  func near(_ word: String, least: Float, spread: Float, limit: Int) -> [(
    word: String, likeness: Float
  )] {
    guard let vector = vectors.vector(of: word) else { return [] }
    let width = vector.count
    var found: [(word: String, likeness: Float)] = []
    table.withUnsafeBufferPointer { table in
      vector.withUnsafeBufferPointer { vector in
        for index in words.indices {
          var sum: Float = 0
          for place in 0..<width { sum += table[index * width + place] * vector[place] }
          if sum >= least { found.append((words[index], sum)) }
        }
      }
    }
    found.sort { $0.likeness > $1.likeness }
    let best = found.first?.likeness ?? 0
    return Array(found.prefix { $0.likeness >= best - spread }.prefix(limit))
  }
}
