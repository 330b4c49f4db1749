import Foundation

/// How much an occurrence counts: BM25 over weighted fields.
///
/// Robertson, Zaragoza and Taylor, “Simple BM25 Extension to Multiple Weighted Fields” (2004): the
/// occurrences of a term in each field are divided by the field's relative length and multiplied by
/// its weight *before* they saturate, so that a word in title and body is not counted as two words.
package struct WordIndexScoring: Sendable, Hashable {
  /// What is known of one column of the full-text table.
  package struct Column: Sendable, Hashable {
    /// How many occurrences in the body one here is worth.
    package var weight: Double
    /// 0: the column's length does not matter; 1: occurrences count by their share of it.
    package var lengthInfluence: Double

    package init(weight: Double, lengthInfluence: Double) {
      self.weight = weight
      self.lengthInfluence = lengthInfluence
    }
  }

  /// The occurrence weight at which half of the most is reached.
  package var saturation: Double
  package var columns: [Column]

  package init(saturation: Double, columns: [Column]) {
    self.saturation = saturation
    self.columns = columns
  }

  /// Title, body, names.
  package static let standard = WordIndexScoring(
    saturation: 1.2,
    columns: [
      Column(weight: 4, lengthInfluence: 0.5), Column(weight: 1, lengthInfluence: 0.75),
      Column(weight: 2, lengthInfluence: 0.3),
    ])

  /// The most columns that an index may have.
  static let columnLimit = 16

  /// Whether the figures make sense: everything finite, weights and saturation above zero.
  var isValid: Bool {
    saturation.isFinite && saturation > 0 && (1...Self.columnLimit).contains(columns.count)
      && columns.allSatisfy {
        $0.weight.isFinite && $0.weight >= 0 && (0...1).contains($0.lengthInfluence)
      } && columns.contains { $0.weight > 0 }
  }

  /// The saturated weight of a term in a document, as 1 to 255 parts of the most it can be.
  ///
  /// - Parameters:
  ///   - occurrences: how often the term occurs, by column.
  ///   - lengths: the tokens of the document's columns.
  ///   - averages: the mean lengths of the columns that hold anything.
  package func impact(
    occurrences: some Collection<UInt32>, lengths: some Collection<UInt32>, averages: [Double]
  ) -> UInt8 {
    var weight = 0.0
    for (index, (count, length)) in zip(occurrences, lengths).enumerated() where count > 0 {
      let column = columns[index]
      let relative = averages[index] > 0 ? Double(length) / averages[index] : 1
      let norm = 1 - column.lengthInfluence + column.lengthInfluence * relative
      weight += column.weight * Double(count) / max(norm, 1e-6)
    }
    return UInt8(min(255, max(1, (255 * weight / (saturation + weight)).rounded())))
  }

  /// How telling a word is that occurs in so many of all documents; above zero.
  package static func rarity(frequency: Int, documents: Int) -> Double {
    let (found, all) = (Double(min(frequency, documents)), Double(documents))
    return log(1 + (all - found + 0.5) / (found + 0.5))
  }
}
